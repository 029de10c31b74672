// Every code block of the documentation, run as a reader would: commands in a folder with small files, JavaScript in Node with the npm
// package, HTML in Chromium. `cargo xtask docs --check` writes the list.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, visit } from '../e2e/lib/browser.mjs';
import { serveFolders } from '../e2e/lib/folders.mjs';

const { BLOCKS = '', SITE = '', COMMANDS = '', XTASK = '', E2E_SCRATCH = '' } = process.env;
const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = join(E2E_SCRATCH, 'blocks');
/** @type {{chapter: string, line: number, language: string, text: string, notRun: string | null}[]} */
const blocks = JSON.parse(await readFile(BLOCKS, 'utf8'));

/** Sentence pairs of our own, for commands that measure. */
const PAIRS = [
  ['A dog runs on the beach.', 'Ein Hund rennt am Strand.'],
  ['Two children are playing in the garden.', 'Zwei Kinder spielen im Garten.'],
  ['She gave him the book.', 'Sie gab ihm das Buch.'],
];
const lines = (/** @type {string[]} */ list) => `${list.join('\n')}\n`;
const FILES = {
  'package.json': JSON.stringify({ name: 'reader', private: true, type: 'module' }),
  'in.txt': lines(PAIRS.map(([source]) => source)),
  'test.en': lines(PAIRS.map(([source]) => source)),
  'test.de': lines(PAIRS.map(([, target]) => target)),
  'test.tsv': lines(PAIRS.map((pair) => pair.join('\t'))),
  // As many as it takes to tell a head's role.
  'dev.tsv': lines(Array.from({ length: 210 }, (_, i) => PAIRS[i % PAIRS.length].join('\t'))),
  'words.tsv': 'dog\tKöter\n',
};

/** @type {import('puppeteer-core').Browser} */
let browser;
before(async () => {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(join(FOLDER, 'node_modules'), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(FOLDER, name), text);
  await cp(join(ROOT, 'models/en-de'), join(FOLDER, 'models/en-de'), { recursive: true });
  await symlink(join(FOLDER, 'models/en-de'), join(FOLDER, 'en-de'));
  await symlink(join(SITE, 'translucent'), join(FOLDER, 'node_modules/translucent'));
  // A folder in floating point, as opus-mt's are.
  execFileSync(join(COMMANDS, 'translucent'), ['convert', '--model', 'models/en-de', '--output', 'FOLDER', '--dtype', 'f32'], { cwd: FOLDER });
  // The page, for frames.
  execFileSync(XTASK, ['dist', join(FOLDER, 'page'), '--no-build'], { stdio: ['ignore', 'ignore', 'inherit'] });
  browser = await launch();
});
after(() => browser?.close());

/** Commands, with the programs and the engine as they were built for the site. */
function shell({ text: written }) {
  const text = written.replaceAll(' --release', '').replaceAll(/cargo xtask (dist|docs|pack)/g, '$& --no-build');
  const env = { ...process.env, PATH: `${COMMANDS}:${process.env.PATH}` };
  return execFileSync('bash', ['-euo', 'pipefail', '-c', text], { cwd: FOLDER, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], timeout: 300_000 });
}

/** A module in Node. */
async function module({ text }, i) {
  const file = join(FOLDER, `block-${i}.mjs`);
  await writeFile(file, text);
  return execFileSync('node', [file], { cwd: FOLDER, encoding: 'utf8', timeout: 120_000 });
}

/** A page of somebody else: its elements draw, its own field translates. */
async function page(t, { text }) {
  const html = /<html/.test(text) ? text : `<!doctype html><html lang="en"><title>page</title><body>${text}</body></html>`;
  const folders = { '/index.html': html, '/translucent/': join(SITE, 'translucent'), '/translucent/models/': join(FOLDER, 'models'), '/page/': join(FOLDER, 'page'), '/en-de/': join(FOLDER, 'models/en-de') };
  const url = await serveFolders(t, folders);
  const { page, faults } = await visit(t, browser);
  await page.goto(`${url}index.html`);
  if (await page.$('#source')) {
    // The page listens once its model is there: until then nothing follows what is typed.
    const translated = () => {
      const source = document.querySelector('#source');
      source.value = 'A dog runs on the beach.';
      source.dispatchEvent(new Event('input', { bubbles: true }));
      return document.querySelector('#target').textContent.length > 5;
    };
    await page.waitForFunction(translated, { timeout: 60_000, polling: 1000 });
  }
  if (await page.$('iframe')) await page.waitForFunction(() => document.querySelector('iframe').style.height !== '', { timeout: 60_000 });
  await page.waitForFunction(drawn, { timeout: 60_000 });
  assert.deepEqual(faults.filter((fault) => !/index\.json|target_vocab|favicon|404/.test(fault)), []);
}

/** In the page: whether every element of ours has drawn what it shows. */
function drawn() {
  const elements = [...document.querySelectorAll('*')].filter(({ localName }) => localName.startsWith('translucent-'));
  return elements.every(({ shadowRoot }) => {
    const target = shadowRoot?.querySelector('[part=target]')?.textContent;
    const canvas = shadowRoot?.querySelector('canvas');
    return Boolean(target || (canvas && canvas.width > 40 && canvas.height > 40) || shadowRoot?.querySelector('.node'));
  });
}

const RUN = {
  sh: async (_, block) => assert.ok(shell(block) !== undefined),
  js: async (_, block, i) => {
    const said = await module(block, i);
    if (block.text.includes('console.log(')) assert.notEqual(said, '', 'it logs something');
  },
  html: page,
  // Parsed where the list is made; recipes by the trainer's tests.
  json: async () => {},
  toml: async () => {},
  rust: async (_, { text }) => {
    const name = /--example (\w+)/.exec(text)?.[1] ?? '';
    const said = execFileSync('cargo', ['run', '--quiet', '--locked', '--example', name], { cwd: ROOT, encoding: 'utf8' });
    assert.notEqual(said, '');
  },
};

for (const [i, block] of blocks.entries()) {
  if (block.language === 'text') continue;
  test(`${block.chapter}, line ${block.line}: ${block.language}`, { skip: block.notRun ?? false }, (t) => RUN[block.language](t, block, i));
}
