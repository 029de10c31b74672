// The second visit takes a model from the image of the engine's memory that the first one stored, as long as that is just what the
// folder's files would give.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cp, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { enginePage } from '../lib/engine.mjs';
import { site, siteToSpoil } from '../lib/site.mjs';

const here = site();

/** Loads the model and translates with it, and waits until its image is whole; run in the page. */
const firstVisit = async () => {
  // An engine that is ended stores nothing more.
  const visited = await window.visit({ stays: true });
  const { fileName } = await import(engine + 'models/image-file.js');
  window.image = async () => (await navigator.storage.getDirectory()).getFileHandle(fileName(model));
  for (let left = 600; left > 0; left -= 1) {
    const file = await image().then((handle) => handle.getFile(), () => null);
    // Its first bytes are written last.
    if (file && new Uint32Array(await file.slice(0, 4).arrayBuffer())[0] > 0) return { ...visited, bytes: file.size };
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error('no image was stored');
};

/** A page whose `visit()` starts an engine of its own, as a visit does. */
async function visitor(t, at = here) {
  const { page } = await enginePage(t, at);
  await page.evaluate(() => {
    window.visit = async ({ stays = false } = {}) => {
      const translator = new Translator();
      const { kind, downloaded, model: about, stored } = await translator.load(model);
      const { text } = await translator.translate('The old house by the lake is for sale.');
      if (!stays) translator.terminate();
      const entries = Object.entries({ ...about, probes: [...(about.probes ?? [])] }).sort(([a], [b]) => (a < b ? -1 : 1));
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(entries))));
      return { kind, downloaded, stored, text, about: [...digest.slice(0, 8)].join(' ') };
    };
    /** Replaces the weights in the store by zeros: what reads them fails. */
    window.spoilWeights = async () => {
      const cache = await caches.open('translucent-models');
      const key = (await cache.keys()).find(({ url }) => url.startsWith(`${model}model.safetensors`));
      const { size } = await (await cache.match(key)).blob();
      await cache.put(key, new Response(new Uint8Array(size)));
    };
  });
  return page;
}

test('the second visit needs no file of the model, and is told the same of it', async (t) => {
  const page = await visitor(t);
  const first = await page.evaluate(firstVisit);
  assert.ok(first.bytes > 8e6 && first.bytes < 16e6, `${first.bytes} bytes`);
  const { listed, ...second } = await page.evaluate(async () => {
    await spoilWeights();
    const visited = await visit();
    const { storedFolders } = await import(engine + 'models/store.js');
    return { ...visited, listed: (await storedFolders()).find(({ url }) => url === model).bytes };
  });
  assert.deepEqual(second, { kind: 'loaded', downloaded: 0, stored: true, text: first.text, about: first.about });
  assert.ok(listed > first.bytes + 8e6, 'the list of models counts it');
});

test('a damaged image is passed over, and replaced', async (t) => {
  const page = await visitor(t);
  const first = await page.evaluate(firstVisit);
  const again = await page.evaluate(async (bytes) => {
    const writable = await (await image()).createWritable({ keepExistingData: true });
    await writable.write({ type: 'write', position: bytes >> 1, data: new Uint8Array(64).fill(85) });
    await writable.close();
    return visit();
  }, first.bytes);
  assert.equal(again.text, first.text);
  assert.equal(again.about, first.about);
  await page.evaluate(firstVisit);
  const left = await page.evaluate(async (bytes) => {
    const part = (await (await image()).getFile()).slice(bytes >> 1, (bytes >> 1) + 64);
    return new Uint8Array(await part.arrayBuffer()).filter((byte) => byte === 85).length;
  }, first.bytes);
  assert.ok(left < 64, 'the damaged one is replaced');
  await page.evaluate(async () => {
    await spoilWeights();
    await (await navigator.storage.getDirectory()).removeEntry((await image()).name);
  });
  const error = await page.evaluate(() => visit().catch(({ code }) => code));
  assert.equal(error, 'ModelFormat', 'without it the files count, and these are no model');
});

test('a new version on the host is fetched though there is an image, and a deleted model leaves none', async (t) => {
  const spoiled = await siteToSpoil(t);
  const folder = join(spoiled.models, 'other-en-de');
  await cp(join(spoiled.models, 'en-de-free'), folder, { recursive: true });
  const page = await visitor(t, { ...here, url: spoiled.url });
  await page.evaluate(() => (window.model = window.model.replace('en-de-free', 'other-en-de')));
  const first = await page.evaluate(firstVisit);
  assert.ok(first.downloaded > 0);
  assert.equal((await page.evaluate(() => visit())).downloaded, 0);
  await utimes(join(folder, 'model.safetensors'), new Date(), new Date());
  assert.ok((await page.evaluate(() => visit())).downloaded > 0, 'its host says that it is another file');
  const left = await page.evaluate(async () => {
    const { deleteFolder } = await import(engine + 'models/store.js');
    await deleteFolder(model);
    return image().then(() => 'an image', ({ name }) => name);
  });
  assert.equal(left, 'NotFoundError');
});
