// A new version of the site while pages of the old one are open: no page ever gets files of both.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { visit, withoutServiceWorker } from '../lib/browser.mjs';
import { serve } from '../lib/server.mjs';
import { MODELS, SCRATCH, site } from '../lib/site.mjs';

const here = site();

/** Writes a version of the site: the page, a file and a worker that all name it, and the list with their hashes. */
async function deploy(folder, version) {
  const page = (await readFile(join(folder, 'index.html'), 'utf8')).replace(/<html lang="en"[^>]*>/, `<html lang="en" data-version="${version}">`);
  const made = { 'index.html': page, 'version.txt': version, 'probe.js': `fetch('./version.txt').then(async (answer) => postMessage('${version} ' + (await answer.text())));` };
  for (const path of ['engine/translator.js', 'engine/worker.js']) {
    made[path] = (await readFile(join(folder, path), 'utf8')).replace(/^const VERSION = '.+';$/m, `const VERSION = '${version}';`);
    assert.ok(made[path].includes(`'${version}'`), path);
  }
  const list = JSON.parse(await readFile(join(folder, 'site.json'), 'utf8'));
  list.version = createHash('sha256').update(version).digest('hex');
  for (const [path, text] of Object.entries(made)) {
    await writeFile(join(folder, path), text);
    list.files = list.files.filter((file) => file.path !== path);
    list.files.push({ path, bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') });
  }
  await writeFile(join(folder, 'site.json'), JSON.stringify(list));
}

/** Which version a page is of, what it gets when it fetches a file, and what a worker that it starts now is of and gets. */
const versions = (page) =>
  page.evaluate(async () => {
    const fetched = await (await fetch('./version.txt')).text();
    const worker = new Worker('./probe.js');
    const answer = await new Promise((done, failed) => {
      worker.onmessage = ({ data }) => done(data);
      worker.onerror = () => failed(new Error('the worker did not start'));
    });
    worker.terminate();
    // The page's engine, in a new worker, with WebAssembly.
    const { Translator } = await import('./engine/translator.js');
    const translator = new Translator();
    await translator.complexity({ n: 8, d: 4, r: 2, k: 2 });
    translator.terminate();
    return [document.documentElement.dataset.version, fetched, ...answer.split(' ')];
  });

test('pages of two versions are open, then offline: each stays with its own', { timeout: 240_000 }, async (t) => {
  const folder = join(SCRATCH, 'update');
  execFileSync(process.env.XTASK, ['dist', folder, '--models', MODELS, '--no-build'], { stdio: 'inherit' });
  await deploy(folder, 'one');
  const server = await serve(['--dist', folder]);
  t.after(() => server.stop());
  const { page: old } = await visit(t, here.browser);
  await old.goto(server.url);
  // As on any host but this machine; the page's own registration is off in tests.
  await old.evaluate(async () => {
    await ServiceWorkerContainer.prototype.register.call(navigator.serviceWorker, './sw.js?cache-first');
    await navigator.serviceWorker.ready;
  });
  await old.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated', { timeout: 60_000 });
  await old.reload();
  assert.deepEqual(await versions(old), Array(4).fill('one'));
  await old.evaluate(() => {
    navigator.serviceWorker.addEventListener('message', ({ data }) => (window.updated = data.type));
  });

  await deploy(folder, 'two');
  const next = await old.browserContext().newPage();
  await withoutServiceWorker(next);
  await next.goto(server.url);
  assert.deepEqual(await versions(next), Array(4).fill('one'), 'the visit that finds the new version is of the old one');
  await old.waitForFunction(() => window.updated === 'updated', { timeout: 60_000 });
  await next.reload();
  assert.deepEqual(await versions(next), Array(4).fill('two'));
  assert.deepEqual(await versions(old), Array(4).fill('one'), 'an open page keeps its version');

  await server.stop();
  assert.deepEqual(await versions(old), Array(4).fill('one'), 'also offline');
  assert.deepEqual(await versions(next), Array(4).fill('two'));
  // The page has said so; its button loads the new version, and the text stays.
  await old.bringToFront();
  await old.type('#source', 'A horse.');
  await old.waitForFunction(() => document.querySelector('#update [role="status"]')?.textContent === 'A new version is ready.');
  await old.click('#update-reload');
  // By the clock: a page that has just been loaded beside another may have no frames yet.
  await old.waitForFunction(() => document.documentElement.dataset.version === 'two' && document.querySelector('#source')?.value === 'A horse.', { polling: 100 });
  assert.deepEqual(await versions(old), Array(4).fill('two'), 'a reload takes the new one, offline too');
});

test('without a service worker an old page starts no new engine: it says that the page has a new version', { timeout: 120_000 }, async (t) => {
  const folder = join(SCRATCH, 'update-plain');
  execFileSync(process.env.XTASK, ['dist', folder, '--models', MODELS, '--no-build'], { stdio: 'inherit' });
  await deploy(folder, 'one');
  const server = await serve(['--dist', folder]);
  t.after(() => server.stop());
  const { page } = await visit(t, here.browser);
  await page.goto(`${server.url}models/index.json`);
  const answer = () =>
    page.evaluate(async () => {
      const { Translator } = await import('../engine/translator.js');
      const translator = new Translator();
      const answered = translator.complexity({ n: 8, d: 4, r: 2, k: 2 });
      return answered.then(({ rows }) => rows.length, ({ code, message }) => `${code}: ${message}`).finally(() => translator.terminate());
    });
  assert.equal(await answer(), 6);
  await deploy(folder, 'two');
  assert.match(await answer(), /^VersionChanged: .*Reload/);
  await page.reload();
  assert.equal(await answer(), 6);
});
