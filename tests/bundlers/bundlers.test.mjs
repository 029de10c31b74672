// The npm package in a minimal app of each bundler, as its manual says: built, opened in Chromium, one sentence translated.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, visit } from '../e2e/lib/browser.mjs';
import { serveFolders } from '../e2e/lib/folders.mjs';

const SCRATCH = resolve(process.env.E2E_SCRATCH ?? 'target', 'bundlers');
const MODEL = resolve(import.meta.dirname, '../../models/en-de');
const PICTURES = process.env.PICTURES;

const page = (script, attributes) => `<!doctype html><html lang="en"><title>app</title><h1>app</h1><p id="target"></p><script ${attributes} src="${script}"></script>`;
const main = (options = '') => `
import { Translator } from 'translucent';
const target = document.querySelector('#target');
const translator = new Translator(${options});
translator.load('./en-de/')
  .then(() => translator.translate('A man rides a bicycle.', { beam: 4 }))
  .then(({ text }) => (target.textContent = text), (error) => (target.textContent = 'failed: ' + error.message));
`;

/** @type {import('puppeteer-core').Browser} */
let browser;
before(async () => {
  execFileSync(process.env.XTASK ?? 'xtask', ['pack', join(SCRATCH, 'npm'), '--no-build'], { stdio: 'inherit' });
  browser = await launch();
});
after(() => browser.close());

/**
 * An app's folder with the package installed.
 * @param {string} name
 * @param {Record<string, string>} files
 */
async function app(name, files) {
  const dir = join(SCRATCH, name);
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
  await cp(join(SCRATCH, 'npm'), join(dir, 'node_modules/translucent'), { recursive: true });
  for (const [file, text] of Object.entries({ 'package.json': JSON.stringify({ name: `app-${name}`, private: true, type: 'module' }), ...files })) {
    await writeFile(join(dir, file), text);
  }
  return dir;
}

/** Opens what was built and checks what it says. */
async function translates(t, folders, name) {
  const url = await serveFolders(t, { ...folders, '/en-de/': MODEL });
  const { page } = await visit(t, browser, { width: 480, height: 200 });
  await page.goto(url);
  await page.waitForFunction(() => document.querySelector('#target').textContent !== '', { timeout: 120_000 });
  if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}.png`) });
  assert.equal(await page.$eval('#target', ({ textContent }) => textContent), 'Ein Mann fährt Fahrrad.');
}

test('Vite', async (t) => {
  const { build } = await import('vite');
  const root = await app('vite', { 'index.html': page('./main.js', 'type="module"'), 'main.js': main() });
  await build({ root, configFile: false, logLevel: 'warn' });
  await translates(t, { '/': join(root, 'dist') }, 'vite');
});

test("Vite's development server", async (t) => {
  const { createServer } = await import('vite');
  const root = await app('vite-dev', { 'index.html': page('./main.js', 'type="module"'), 'main.js': main() });
  await cp(MODEL, join(root, 'public/en-de'), { recursive: true });
  const server = await createServer({ root, configFile: false, logLevel: 'warn', optimizeDeps: { exclude: ['translucent'] }, server: { port: 0, host: '127.0.0.1' } });
  t.after(() => server.close());
  await server.listen();
  const { page: opened } = await visit(t, browser);
  await opened.goto(server.resolvedUrls?.local[0] ?? '');
  await opened.waitForFunction(() => document.querySelector('#target').textContent !== '', { timeout: 120_000 });
  assert.equal(await opened.$eval('#target', ({ textContent }) => textContent), 'Ein Mann fährt Fahrrad.');
});

test('webpack 5', async (t) => {
  const { default: webpack } = await import('webpack');
  const root = await app('webpack', { 'main.js': main() });
  const stats = await new Promise((done, failed) =>
    webpack({ context: root, mode: 'production', entry: './main.js', output: { path: join(root, 'dist') } }, (error, stats) => (error ? failed(error) : done(stats))),
  );
  assert.deepEqual(stats.toJson().errors, []);
  await writeFile(join(root, 'dist/index.html'), page('./main.js', ''));
  await translates(t, { '/': join(root, 'dist') }, 'webpack');
});

test('Parcel', async (t) => {
  const root = await app('parcel', { 'index.html': page('./main.js', 'type="module"'), 'main.js': main() });
  const parcel = resolve(import.meta.dirname, 'node_modules/parcel/lib/bin.js');
  execFileSync('node', [parcel, 'build', 'index.html', '--no-cache', '--cache-dir', join(root, 'cache'), '--no-source-maps', '--log-level', 'warn'], { cwd: root, stdio: 'inherit' });
  await translates(t, { '/': join(root, 'dist') }, 'parcel');
});

test('esbuild, with the folder of the engine beside the page', async (t) => {
  const { build } = await import('esbuild');
  const root = await app('esbuild', { 'main.js': main("{ worker: './translucent/engine/worker.js' }") });
  await build({ absWorkingDir: root, entryPoints: ['main.js'], bundle: true, minify: true, format: 'esm', outdir: 'dist', logLevel: 'warning' });
  await writeFile(join(root, 'dist/index.html'), page('./main.js', 'type="module"'));
  await translates(t, { '/': join(root, 'dist'), '/translucent/': join(root, 'node_modules/translucent') }, 'esbuild');
});

for (const resolution of ['bundler', 'nodenext']) {
  test(`TypeScript finds the types, with no more libraries than es2022 and dom, with moduleResolution ${resolution}`, async () => {
    const consumer = await readFile(join(import.meta.dirname, '../e2e/consumer.ts'), 'utf8');
    const text = consumer.replace("'translucent/translator.js'", "'translucent'").replace("'translucent/pool.js'", "'translucent/pool'");
    const root = await app(`types-${resolution}`, { 'consumer.ts': text });
    const tsc = resolve(import.meta.dirname, '../e2e/node_modules/typescript/bin/tsc');
    const options = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom', '--module', resolution === 'bundler' ? 'esnext' : 'nodenext'];
    execFileSync('node', [tsc, ...options, '--moduleResolution', resolution, 'consumer.ts'], { cwd: root, stdio: 'inherit' });
  });
}
