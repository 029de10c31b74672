// The npm package works from a folder beside the page, from another origin, and in Node; and has nothing that is not needed.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, visit } from '../lib/browser.mjs';
import { serveFolders } from '../lib/folders.mjs';
import { MODELS, SCRATCH } from '../lib/site.mjs';

const TEXT = 'A man rides a bicycle.';
const MODEL = resolve(MODELS, 'en-de-free');
const app = resolve(SCRATCH, 'app');
const packed = join(app, 'node_modules/translucent');

/** @type {import('puppeteer-core').Browser} */
let browser;
/** The sentence as Node translates it; the other cases must agree. */
let expected = '';
before(async () => {
  await rm(app, { recursive: true, force: true });
  await mkdir(app, { recursive: true });
  execFileSync(process.env.XTASK ?? 'xtask', ['pack', join(app, 'npm'), '--no-build'], { stdio: 'inherit' });
  await cp(join(app, 'npm'), packed, { recursive: true });
  browser = await launch();
  await writeFile(join(app, 'app.mjs'), `
    import { Translator } from 'translucent';
    import { TranslatorPool } from 'translucent/pool';
    const shapes = [];
    const translator = new Translator();
    await translator.load(${JSON.stringify(MODEL)});
    const { text } = await translator.translate(${JSON.stringify(TEXT)}, {
      beam: 4, observe: { sentence: 0, request: { cross: true } }, onTrace: ({ trace }) => shapes.push(trace.cross.shape),
    });
    const refused = await translator.load(${JSON.stringify(`${MODEL}-of-nowhere`)}).catch(({ code }) => code);
    const pool = new TranslatorPool({ workers: 2 });
    await pool.load(${JSON.stringify(MODEL)});
    const document = await pool.translate(${JSON.stringify(`${TEXT}\n\n${TEXT}`)}, { beam: 4 });
    console.log(JSON.stringify({ text, shape: shapes.at(-1), refused, document: document.text, size: new TranslatorPool().size }));`);
  // It ends by itself: an engine without a call keeps no process alive.
  const said = JSON.parse(execFileSync('node', ['app.mjs'], { cwd: app, encoding: 'utf8', timeout: 120_000 }));
  assert.deepEqual(said.shape.slice(0, 2), [3, 8]);
  assert.equal(said.refused, 'DownloadFailed');
  expected = said.text;
  assert.equal(said.document, `${expected}\n\n${expected}`);
  assert.ok(said.size >= 1 && said.size <= 8, `${said.size} workers`);
});
after(() => browser.close());

/** A page that translates the sentence with the engine at `engine` and the model at `model`. */
const page = (engine, model, policy = '') => `<!doctype html>${policy}<script type="module">
  import { Translator } from '${engine}';
  const translator = new Translator();
  const report = (text) => (document.title = text);
  translator.load('${model}').then(() => translator.translate('${TEXT}', { beam: 4 })).then(({ text }) => report(text), ({ message }) => report('failed: ' + message));
</script>`;

/** What the page at an address says. */
async function said(t, url) {
  const { page, faults } = await visit(t, browser);
  await page.goto(url);
  await page.waitForFunction(() => document.title !== '', { timeout: 120_000 });
  t.diagnostic(faults.join('\n'));
  return page.title();
}

test('in Node it translates, observes, and refuses by name', () => {
  assert.match(expected, /Fahrrad/);
});

test('beside the page it needs no bundler', async (t) => {
  const url = await serveFolders(t, { '/index.html': page('./translucent/engine/translator.js', './en-de-free/'), '/translucent/': packed, '/en-de-free/': MODEL });
  assert.equal(await said(t, `${url}index.html`), expected);
});

test('engine and model come from another origin, to a page with a strict policy', async (t) => {
  const other = await serveFolders(t, { '/translucent/': packed, '/en-de-free/': MODEL }, { 'Access-Control-Allow-Origin': '*' });
  const policy = `default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' ${other}; worker-src blob: ${other}; connect-src ${other}`;
  const html = page(`${other}translucent/engine/translator.js`, `${other}en-de-free/`, `<meta http-equiv="Content-Security-Policy" content="${policy}">`);
  const isolated = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
  const url = await serveFolders(t, { '/index.html': html }, isolated);
  assert.equal(await said(t, `${url}index.html`), expected);
});

test('a host that other origins may not read is named in the error', async (t) => {
  const engine = await serveFolders(t, { '/translucent/': packed }, { 'Access-Control-Allow-Origin': '*' });
  const closed = await serveFolders(t, { '/en-de-free/': MODEL });
  const url = await serveFolders(t, { '/index.html': page(`${engine}translucent/engine/translator.js`, `${closed}en-de-free/`) });
  assert.match(await said(t, `${url}index.html`), new RegExp(`failed: ${closed}en-de-free/.* could not be fetched`));
});

test('the package has the engine, one module around both builds, types, readme and licence', () => {
  const [{ files }] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', '--loglevel=error'], { cwd: packed, encoding: 'utf8' }));
  const names = files.map(({ path }) => path);
  const modules = names.filter((name) => /^(engine|elements)\//.test(name));
  assert.ok(modules.every((name) => /\.(js|d\.ts)$/.test(name)), modules.join(' '));
  assert.ok(modules.includes('engine/worker.js') && modules.includes('engine/translator.d.ts'));
  // Of the page itself: what the elements import.
  const rooms = names.filter((name) => /^(app|draw|tabs|ui)\//.test(name));
  assert.ok(rooms.every((name) => name.endsWith('.js')) && rooms.length < 20, rooms.join(' '));
  assert.deepEqual(names.filter((name) => !modules.includes(name) && !rooms.includes(name)).sort(), [
    'LICENSE', 'README.md', 'node-pool.js', 'node-thread.js', 'node-worker.js', 'node.js', 'package.json',
    'pkg/relaxed/translucent_bg.wasm', 'pkg/translucent.d.ts', 'pkg/translucent.js', 'pkg/translucent_bg.wasm',
  ]);
});
