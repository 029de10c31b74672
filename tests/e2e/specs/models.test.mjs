// Other models: dropped or chosen from this device, fetched from an address, kept, chosen, saved, deleted. Whatever is
// broken is said, and the model that was there stays.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FIREFOX, visit } from '../lib/browser.mjs';
import { dropPaths } from '../lib/drop.mjs';
import { observedWhole, open, openTab, retype, textOf, translation, type } from '../lib/page.mjs';
import { MODELS, SCRATCH, site, siteToSpoil } from '../lib/site.mjs';

const here = site();
const TEXT = 'The child laughs.';
const WAIT = { timeout: 120_000 };
/** Names of the models that come with the page. */
const SHIPPED = JSON.parse(await readFile(join(MODELS, 'index.json'), 'utf8')).models.map((/** @type {any} */ { name }) => name);
/** A site need not have models that were trained another way; the browser itself notes that it has none. */
const atFault = (/** @type {string[]} */ faults) => faults.filter((fault) => !/404/.test(fault));

/** @type {Map<string, Buffer> | undefined} */
let known;

/** The files of the model that ships, by name. */
async function modelFiles() {
  if (known) return known;
  const folder = join(MODELS, 'en-de-free');
  known = new Map();
  for (const name of await readdir(folder)) {
    if (/\.(json|safetensors|spm)$/.test(name)) known.set(name, await readFile(join(folder, name)));
  }
  return known;
}

/**
 * Drops a folder on the page. Firefox gets a `drop` event with real files, as no test can drop anything there.
 * @param {import('puppeteer-core').Page} page
 * @param {string} name
 * @param {Map<string, Buffer>} files
 */
async function drop(page, name, files) {
  if (!FIREFOX) {
    const folder = join(await mkdtemp(join(SCRATCH, 'dropped-')), name);
    await mkdir(folder);
    for (const [file, bytes] of files) await writeFile(join(folder, file), bytes);
    await dropPaths(page, [folder]);
    return;
  }
  const packed = [...files].map(([file, bytes]) => ({ file, base64: bytes.toString('base64') }));
  await page.evaluate(
    (name, packed) => {
      const files = packed.map(({ file, base64 }) => new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], file));
      const entry = (/** @type {File} */ file) => ({ isFile: true, name: file.name, file: (/** @type {(f: File) => void} */ give) => give(file) });
      let asked = false;
      const folder = {
        isFile: false,
        name,
        createReader: () => ({
          readEntries(/** @type {(e: object[]) => void} */ give) {
            give(asked ? [] : files.map(entry));
            asked = true;
          },
        }),
      };
      const event = new DragEvent('drop', { bubbles: true, cancelable: true });
      Object.defineProperty(event, 'dataTransfer', {
        value: { types: ['Files'], items: [{ kind: 'file', webkitGetAsEntry: () => folder }] },
      });
      document.body.dispatchEvent(event);
    },
    name,
    packed,
  );
}

/**
 * Waits until this model translates.
 * @param {import('puppeteer-core').Page} page
 * @param {string} name
 */
const inUse = (page, name) => page.waitForSelector(`#model-list .current[data-name="${name}"]`, WAIT);

/** @param {import('puppeteer-core').Page} page */
const listed = (page) => page.$$eval('#model-list li', (rows) => rows.map((row) => row.dataset.name));

/**
 * Waits until the dialog says what is wrong.
 * @param {import('puppeteer-core').Page} page
 * @param {RegExp} reason
 */
async function problem(page, reason) {
  await page.waitForFunction((reason) => new RegExp(reason, 's').test(document.querySelector('#models-failure:not([hidden])')?.textContent ?? ''), WAIT, reason.source);
}

/**
 * Presses a control of the dialog by keyboard: the list above it may be drawn anew, and it would move under the mouse.
 * @param {import('puppeteer-core').Page} page
 * @param {string} selector
 * @param {'Enter' | ' '} [key]
 */
async function press(page, selector, key = 'Enter') {
  await page.focus(selector);
  await page.keyboard.press(key);
}

/** @param {import('puppeteer-core').Page} page */
async function closeDialog(page) {
  await page.locator('#models-close').click();
  await page.waitForFunction(() => !document.querySelector('#models').open);
}

test('a dropped folder translates, is chosen again at the next visit, and can be deleted', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  await type(page, TEXT);
  const expected = await translation(page, TEXT);
  await drop(page, 'my-en-de', await modelFiles());
  await inUse(page, 'my-en-de');
  assert.deepEqual(await listed(page), [...SHIPPED, 'my-en-de']);
  await closeDialog(page);
  assert.equal(await translation(page, TEXT), expected, 'the same files, the same translation');

  await page.reload();
  await page.waitForSelector('body[data-state="ready"]', WAIT);
  await page.locator('#models-button').click();
  await page.waitForSelector('#models[open]');
  await inUse(page, 'my-en-de');
  await page.waitForSelector('#model-list li[data-name="en-de-free"] .use:enabled', WAIT);
  await press(page, '#model-list li[data-name="en-de-free"] .use');
  await inUse(page, 'en-de-free');
  assert.ok(await page.evaluate(() => document.querySelector('#models').contains(document.activeElement)), 'the focus stays in the dialog');
  // A locator tries again where the list is drawn anew under it.
  await page.locator('#model-list li[data-name="my-en-de"] .delete').click();
  await page.waitForFunction(() => !document.querySelector('#model-list li[data-name="my-en-de"]'), WAIT);
  assert.equal(await page.evaluate(async () => (await (await caches.open('translucent-models')).keys()).filter(({ url }) => url.includes('my-en-de')).length), 0);
  assert.deepEqual(atFault(faults), []);
});

const variant = { skip: !existsSync(join(MODELS, 'table3/index.json')) && 'no models ship that were trained another way' };
test('the lab of positions shows what this model has, though the place is the same as in the one before', variant, async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440 });
  await open(page, `${here.url}#tab=positions`);
  // So short that no piece stands at the position that the lab begins with.
  await type(page, 'A dog.');
  await translation(page, 'A dog.');
  await page.waitForFunction(() => document.querySelector('#lab-check')?.textContent.startsWith('Checked'), WAIT);
  const curves = () => page.$eval('#positions-lab', ({ textContent }) => textContent.includes('learned'));
  assert.equal(await curves(), false);
  await page.locator('#models-button').click();
  const row = '#variant-list li[data-name="learned-positions"]';
  await page.locator(`${row} button.use`).click();
  await page.waitForSelector('#variant-list li.current[data-name="learned-positions"]', WAIT);
  await closeDialog(page);
  await page.waitForFunction(() => document.querySelector('#positions-lab').textContent.includes('learned'), WAIT);
  assert.deepEqual(atFault(faults), []);
});

test('a decoder with other heads than the encoder: every view has those of its stack', { skip: FIREFOX && 'the numbers are the same in every browser' }, async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440 });
  await open(page, here.url);
  const files = new Map(await modelFiles());
  // The same matrices, split otherwise: the model loads, and what it says is of no interest here.
  const config = JSON.parse(String(files.get('config.json')));
  const wider = { ...config, decoder_attention_heads: 4, decoder_d_k: 2 * config.d_k, decoder_d_v: 2 * config.d_v };
  files.set('config.json', Buffer.from(JSON.stringify(wider)));
  await drop(page, 'four-heads', files);
  await inUse(page, 'four-heads');
  await closeDialog(page);
  await type(page, TEXT);
  await translation(page, TEXT);
  await observedWhole(page);
  for (const [kind, heads] of /** @type {[string, number][]} */ ([['encoderSelf', 8], ['decoderSelf', 4], ['cross', 4]])) {
    assert.equal((await page.$$(`.heads[data-kind="${kind}"] .head`)).length, heads, kind);
  }
  await page.locator('.heads[data-kind="cross"] .head:last-child').click();
  await openTab(page, 'arithmetic');
  await page.waitForFunction(() => /4 heads stand side by side/.test(document.querySelector('#arithmetic-steps')?.textContent ?? ''), WAIT);
  await openTab(page, 'alternatives');
  await page.waitForSelector('.head-row', WAIT);
  assert.deepEqual(new Set(await page.$$eval('.head-row', (rows) => rows.map((row) => row.querySelectorAll('.head-switch').length))), new Set([8, 4]));
  assert.deepEqual(atFault(faults), []);
});

test('what is wrong with a dropped folder is said, and the old model stays', async (t) => {
  const { page } = await visit(t, here.browser);
  await open(page, here.url);
  const whole = await modelFiles();
  const with_ = (/** @type {string} */ name, /** @type {Buffer | null} */ bytes) => {
    const files = new Map(whole);
    if (bytes) files.set(name, bytes);
    else files.delete(name);
    return files;
  };
  const weights = whole.get('model.safetensors');
  const config = JSON.parse(String(whole.get('config.json')));
  for (const [files, reason] of /** @type {[Map<string, Buffer>, RegExp][]} */ ([
    [with_('source.spm', null), /source\.spm.*is missing/],
    [with_('config.json', null), /no config\.json/],
    [with_('model.safetensors', weights.subarray(0, weights.length >> 1)), /model\.safetensors.*cut short/],
    [with_('model.safetensors', null), /model\.safetensors.*pytorch_model\.bin/],
    [with_('config.json', Buffer.from(JSON.stringify({ ...config, model_type: 'bart' }))), /model_type is "bart"/],
    [with_('vocab.json', Buffer.from('{"</s>":0,"<unk>":1,"<pad>":2}')), /vocab\.json: has 3 pieces/],
  ])) {
    await drop(page, 'broken', files);
    await problem(page, reason);
    // The model that was there stays. What is wrong is said first, then the list is drawn anew.
    await inUse(page, 'en-de-free');
  }
  await page.waitForFunction((names) => [...document.querySelectorAll('#model-list li')].map((row) => row.dataset.name).join() === names, WAIT, SHIPPED.join());
  await closeDialog(page);
  await type(page, TEXT);
  assert.notEqual(await translation(page, TEXT), '');
});

test('a dropped file that cannot be read is named', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  await page.evaluate(() => {
    // No test can have a file vanish between the drop and its reading.
    const gone = { isFile: true, name: 'gone.spm', file: (/** @type {unknown} */ _, /** @type {(why: Error) => void} */ fail) => fail(new DOMException('It was moved.', 'NotFoundError')) };
    const event = new DragEvent('drop', { bubbles: true, cancelable: true });
    Object.defineProperty(event, 'dataTransfer', { value: { types: ['Files'], items: [{ kind: 'file', webkitGetAsEntry: () => gone }] } });
    document.body.dispatchEvent(event);
  });
  await problem(page, /gone\.spm could not be read: It was moved\..*Still translating with en-de-free/);
  assert.deepEqual(faults, []);
});

test('a file of three gigabytes is refused before it is read', async (t) => {
  const { page } = await visit(t, here.browser);
  await open(page, here.url);
  const folder = await mkdtemp(join(SCRATCH, 'large-'));
  t.after(() => rm(folder, { recursive: true }));
  await cp(join(MODELS, 'en-de-free'), folder, { recursive: true });
  // Nothing but a hole behind the first bytes.
  await truncate(join(folder, 'model.safetensors'), 3e9);
  await page.locator('#models-button').click();
  await page.waitForSelector('#models[open]');
  const input = await page.$('#models-files');
  await input.uploadFile(...(await readdir(folder)).map((name) => join(folder, name)));
  await problem(page, /model\.safetensors.*has 3\.0 GB, a browser reads at most 2\.1 GB/);
  await inUse(page, 'en-de-free');
});

test('an address typed by the reader is fetched, kept, and stored as 8-bit integers where asked', async (t) => {
  const other = await siteToSpoil(t);
  // A folder in no index, as on any other host.
  const folder = join(other.models, 'fetched-en-de');
  await mkdir(folder);
  for (const [name, bytes] of await modelFiles()) await writeFile(join(folder, name), bytes);
  const { page } = await visit(t, here.browser);
  await open(page, other.url);
  await page.locator('#models-button').click();
  await page.waitForSelector('#models[open]');
  await page.type('#models-url', `${other.url}models/nowhere/`);
  await press(page, '#models-fetch');
  await problem(page, /nowhere.*404/s);
  await retype(page, '#models-url', `${other.url}models/fetched-en-de/config.json`);
  await press(page, '#models-fetch');
  await inUse(page, 'fetched-en-de');
  assert.deepEqual(await listed(page), [...SHIPPED, 'fetched-en-de']);
  await press(page, '#models-int8', ' ');
  await press(page, '#models-fetch');
  await inUse(page, 'fetched-en-de int8');
  await closeDialog(page);
  assert.match(await textOf(page, '#status'), /int8/);
  await type(page, TEXT);
  assert.notEqual(await translation(page, TEXT), '');
});

test('a download that breaks off resumes where it stopped', async (t) => {
  const other = await siteToSpoil(t);
  const { page } = await visit(t, here.browser);
  await page.goto(`${other.url}models/index.json`);
  const found = await page.evaluate(async (base) => {
    // 40 MB that break off after 34: two parts of 16 MB are kept.
    const all = new Uint8Array(40 * 2 ** 20).map((_, i) => (i * 31) >> 8);
    const header = JSON.stringify({ w: { dtype: 'I8', shape: [0], data_offsets: [0, all.length - 72] } }).padEnd(64);
    all.set([64, 0, 0, 0, 0, 0, 0, 0, ...new TextEncoder().encode(header)]);
    const asked = [];
    let broken = true;
    globalThis.fetch = async (url, { headers, method } = {}) => {
      if (method === 'HEAD' || !String(url).endsWith('model.safetensors')) return new Response('{}', { headers: { etag: '"1"' } });
      asked.push(headers?.range ?? 'all');
      const from = Number(/\d+/.exec(headers?.range ?? '0')[0]);
      let at = from;
      const body = new ReadableStream({
        pull(controller) {
          if (broken && at >= 34 * 2 ** 20) return controller.error(new TypeError('network error'));
          if (at >= all.length) return controller.close();
          controller.enqueue(all.slice(at, (at += 2 ** 20)));
        },
      });
      return new Response(body, { status: from ? 206 : 200, headers: { etag: '"1"', 'content-length': String(all.length - from) } });
    };
    const { ModelFolder } = await import(new URL('../engine/models/folder.js', base).href);
    const options = { signal: new AbortController().signal, onProgress() {} };
    const first = await new ModelFolder('https://example.test/some/model/').fetch(options).catch((error) => error.message);
    broken = false;
    const folder = new ModelFolder('https://example.test/some/model/');
    const files = await folder.fetch(options);
    await folder.commit();
    const got = files.get('model.safetensors');
    const parts = (await (await caches.open('translucent-models')).keys()).filter(({ url }) => url.includes('part='));
    return { first, asked, same: got.length === all.length && got.every((byte, i) => byte === all[i]), parts: parts.length };
  }, `${other.url}models/`);
  assert.match(found.first, /network error/);
  assert.deepEqual(found.asked, ['all', `bytes=${32 * 2 ** 20}-`]);
  assert.ok(found.same, 'the file is whole');
  assert.equal(found.parts, 0);
});

test('a kept model is saved as a zip file with all that it needs', async (t) => {
  const { page } = await visit(t, here.browser);
  await open(page, here.url);
  const names = await page.evaluate(async () => {
    const { zip } = await import('./ui/zip.js');
    const { readFolder } = await import('./engine/models/store.js');
    const files = await readFolder(new URL('./models/en-de-free/', document.baseURI).href);
    const packed = new Uint8Array(await (await zip(files)).arrayBuffer());
    return { names: [...files.keys()], bytes: packed.length, zip: btoa(String.fromCharCode(...packed.subarray(0, 4))) };
  });
  assert.ok(['config.json', 'model.safetensors', 'source.spm', 'vocab.json'].every((name) => names.names.includes(name)), names.names.join());
  assert.equal(names.zip, btoa('PK\x03\x04'));
});
