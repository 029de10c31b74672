// Stored models: only the user deletes them. A new version is written beside the old one; what is refused, cut short or
// without room leaves what was there.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cp, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FIREFOX } from '../lib/browser.mjs';
import { enginePage } from '../lib/engine.mjs';
import { site, siteToSpoil } from '../lib/site.mjs';

const here = site();

/** Loads a model of the site's as files of this device, under a name of its own; run in the page. */
const give = `async (translator, name, change = {}) => {
  const files = [];
  for (const file of ['config.json', 'model.safetensors', 'source.spm', 'target.spm', 'vocab.json', 'generation_config.json']) {
    files.push(new File([change[file] ?? await (await fetch(model + file)).arrayBuffer()], file));
  }
  const { localUrl } = await import(engine + 'models/store.js');
  return translator.load(localUrl(name), { files });
}`;

test('a folder that the engine refuses leaves the stored one of the same name as it was', async (t) => {
  const { page } = await enginePage(t, here);
  const found = await page.evaluate(async (give) => {
    give = (0, eval)(give);
    const translator = new Translator();
    const { stored, address } = await give(translator, 'mine');
    const { readFolder, storedFolders } = await import(engine + 'models/store.js');
    const content = async () => Object.fromEntries(await Promise.all([...(await readFolder(address))].map(async ([name, blob]) => [name, blob.size])));
    const before = await content();
    const config = await (await fetch(model + 'config.json')).json();
    const code = await give(translator, 'mine', { 'config.json': JSON.stringify({ ...config, encoder_layers: 'many' }) }).catch((error) => error.code);
    const after = await content();
    const again = new Translator();
    await again.load(address);
    const { text } = await again.translate('A horse.');
    return { stored, code, same: JSON.stringify(before) === JSON.stringify(after), files: Object.keys(after).length, text, listed: (await storedFolders()).map(({ name }) => name) };
  }, give);
  assert.equal(found.stored, true);
  assert.equal(found.code, 'ConfigInvalid');
  assert.ok(found.same);
  assert.equal(found.files, 6);
  assert.notEqual(found.text, '');
  assert.ok(found.listed.includes('mine'));
});

test('a new version on the host that is refused does not replace the stored one', async (t) => {
  const spoiled = await siteToSpoil(t);
  const folder = join(spoiled.models, 'other-en-de');
  await cp(join(spoiled.models, 'en-de-free'), folder, { recursive: true });
  const { page } = await enginePage(t, { ...here, url: spoiled.url });
  const load = () =>
    page.evaluate(async () => {
      const translator = new Translator();
      const loaded = await translator.load(model.replace('en-de-free', 'other-en-de')).catch((error) => ({ kind: error.code }));
      const text = loaded.kind === 'loaded' ? (await translator.translate('A horse.')).text : '';
      translator.terminate();
      return { kind: loaded.kind, downloaded: loaded.downloaded, text };
    });
  const first = await load();
  assert.equal(first.kind, 'loaded');
  const weights = join(folder, 'model.safetensors');
  const good = await readFile(weights);
  const bad = Buffer.from(good);
  // Another file for its host, of good structure, but with a tensor that the model does not have.
  bad.write(bad.toString('latin1', 8, 4096).replace('model.', 'madel.'), 8, 'latin1');
  await writeFile(weights, bad);
  const second = await load();
  assert.match(second.kind, /ModelFormat|ShapeMismatch/);
  // As for a reader who is offline: the host no longer says which version it has.
  await rename(weights, `${weights}.away`);
  const third = await load();
  assert.deepEqual({ kind: third.kind, downloaded: third.downloaded, text: third.text }, { kind: 'loaded', downloaded: 0, text: first.text });
});

test('with a full disk the model translates from memory and says that it is not stored; what was stored stays', { skip: FIREFOX && 'its quota cannot be set' }, async (t) => {
  const { page } = await enginePage(t, here);
  const stored = await page.evaluate(async (give) => (await (0, eval)(give)(new Translator(), 'mine')).stored, give);
  assert.equal(stored, true);
  const client = await page.createCDPSession();
  const origin = new URL(here.url).origin;
  const { usage } = await client.send('Storage.getUsageAndQuota', { origin });
  await client.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: usage + 2 ** 20 });
  const full = await page.evaluate(async (give) => {
    const translator = new Translator();
    const { stored, address } = await (0, eval)(give)(translator, 'mine');
    const { text } = await translator.translate('A horse.');
    const fetched = await translator.load(model);
    const { readFolder } = await import(engine + 'models/store.js');
    return { stored, text, fetched: fetched.stored, kind: fetched.kind, files: (await readFolder(address)).size };
  }, give);
  assert.deepEqual({ ...full, text: full.text !== '' }, { stored: false, text: true, fetched: false, kind: 'loaded', files: 6 });
  await client.send('Storage.overrideQuotaForOrigin', { origin });
});

test('a README without end and without a length is left out; a configuration without end is refused', async (t) => {
  const { page } = await enginePage(t, here);
  const found = await page.evaluate(async () => {
    const { ModelFolder } = await import(engine + 'models/folder.js');
    const header = JSON.stringify({ w: { dtype: 'I8', shape: [4], data_offsets: [0, 4] } });
    const weights = new Blob([new Uint8Array([header.length, 0, 0, 0, 0, 0, 0, 0]), header, new Uint8Array(4)]);
    let sent = 0;
    const endless = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent += 2 ** 18;
            controller.enqueue(new Uint8Array(2 ** 18));
          },
        }),
      );
    let without = 'README.md';
    globalThis.fetch = async (url) => {
      if (String(url).endsWith(without)) return endless();
      if (String(url).endsWith('model.safetensors')) return new Response(weights);
      return new Response('{}');
    };
    const options = { signal: new AbortController().signal, onProgress() {} };
    const folder = new ModelFolder('https://example.test/endless/');
    const files = await folder.fetch(options);
    await folder.discard();
    without = 'config.json';
    const refused = await new ModelFolder('https://example.test/endless2/').fetch(options).catch((error) => error.message);
    return { readme: files.has('README.md'), weights: files.has('model.safetensors'), refused, sent };
  });
  assert.equal(found.readme, false);
  assert.equal(found.weights, true);
  assert.match(found.refused, /config\.json: has more than 4 MiB/);
  assert.ok(found.sent < 20 * 2 ** 20, `${found.sent} bytes`);
});

test('two tabs that resume one download get the bytes of the file, in their order', async (t) => {
  const { page } = await enginePage(t, here);
  const other = await (page.browserContext()).newPage();
  await other.goto(page.url());
  const fetchIn = (tab, broken) =>
    tab.evaluate(
      async (base, broken) => {
        const all = new Uint8Array(40 * 2 ** 20).map((_, i) => (i * 31) >> 8);
        const header = JSON.stringify({ w: { dtype: 'I8', shape: [0], data_offsets: [0, all.length - 72] } }).padEnd(64);
        all.set([64, 0, 0, 0, 0, 0, 0, 0, ...new TextEncoder().encode(header)]);
        globalThis.fetch = async (url, { headers, method } = {}) => {
          if (method === 'HEAD' || !String(url).endsWith('model.safetensors')) return new Response('{}', { headers: { etag: '"1"' } });
          const from = Number(/\d+/.exec(headers?.range ?? '0')[0]);
          let at = from;
          const body = new ReadableStream({
            async pull(controller) {
              if (broken && at >= 18 * 2 ** 20) return controller.error(new TypeError('network error'));
              if (at >= all.length) return controller.close();
              await new Promise((done) => setTimeout(done, 5));
              controller.enqueue(all.slice(at, (at += 2 ** 20)));
            },
          });
          return new Response(body, { status: from ? 206 : 200, headers: { etag: '"1"', 'content-length': String(all.length - from) } });
        };
        const { ModelFolder } = await import(`${base}models/folder.js`);
        const folder = new ModelFolder('https://example.test/shared/');
        const files = await folder.fetch({ signal: new AbortController().signal, onProgress() {} }).catch(() => null);
        if (!files) return null;
        const stored = await folder.commit();
        const got = files.get('model.safetensors');
        return { same: got.length === all.length && got.every((byte, i) => byte === all[i]), stored };
      },
      new URL('engine/', here.url).href,
      broken,
    );
  assert.equal(await fetchIn(page, true), null);
  assert.deepEqual(await Promise.all([fetchIn(page, false), fetchIn(other, false)]), [{ same: true, stored: true }, { same: true, stored: true }]);
});

test('a file of 120 MB is put together from its parts, also after a broken download, without being in memory', async (t) => {
  const { page } = await enginePage(t, here);
  const found = await page.evaluate(async () => {
    const length = 120 * 2 ** 20;
    const byte = (/** @type {number} */ i) => ((i >> 10) * 7 + i) & 255;
    const header = JSON.stringify({ w: { dtype: 'I8', shape: [0], data_offsets: [0, length - 72] } }).padEnd(64);
    const piece = (/** @type {number} */ from, /** @type {number} */ to) => {
      const bytes = Uint8Array.from({ length: to - from }, (_, i) => byte(from + i));
      if (from === 0) bytes.set([64, 0, 0, 0, 0, 0, 0, 0, ...new TextEncoder().encode(header)]);
      return bytes;
    };
    const real = globalThis.fetch;
    let broken = true;
    const asked = [];
    globalThis.fetch = async (url, { headers, method } = {}) => {
      if (method === 'HEAD' || !String(url).endsWith('model.safetensors')) return new Response('{}', { headers: { etag: '"1"' } });
      asked.push(headers?.range ?? 'all');
      const from = Number(/\d+/.exec(headers?.range ?? '0')[0]);
      let at = from;
      const body = new ReadableStream({
        pull(controller) {
          if (broken && at >= 50 * 2 ** 20) return controller.error(new TypeError('network error'));
          if (at >= length) return controller.close();
          controller.enqueue(piece(at, (at += 2 ** 20)));
        },
      });
      return new Response(body, { status: from ? 206 : 200, headers: { etag: '"1"', 'content-length': String(length - from) } });
    };
    const { ModelFolder } = await import(engine + 'models/folder.js');
    const options = { signal: new AbortController().signal, onProgress() {} };
    const address = 'https://example.test/large/';
    await new ModelFolder(address).fetch(options).catch(() => {});
    broken = false;
    const folder = new ModelFolder(address);
    const fetched = (await folder.fetch(options)).get('model.safetensors');
    const stored = await folder.commit();
    const keys = async () => (await (await caches.open('translucent-models')).keys()).filter(({ url }) => url.includes('part='));
    const parts = (await keys()).length;
    globalThis.fetch = async () => {
      throw new TypeError('offline');
    };
    const again = new ModelFolder(address);
    const read = (await again.fetch(options)).get('model.safetensors');
    await again.commit();
    globalThis.fetch = real;
    const right = async (/** @type {any} */ blob) => {
      if (!(blob instanceof Blob) || blob.size !== length) return false;
      const bytes = new Uint8Array(await blob.arrayBuffer());
      for (let i = 72; i < length; i += 997) if (bytes[i] !== byte(i)) return false;
      return true;
    };
    return { asked, stored, parts, fetched: await right(fetched), read: await right(read) };
  });
  assert.deepEqual(found, { asked: ['all', `bytes=${48 * 2 ** 20}-`], stored: true, parts: 0, fetched: true, read: true });
});
