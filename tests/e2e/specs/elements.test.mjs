// The custom elements on a page of somebody else, from the npm package: they translate, draw, speak to each other, and are reached by keys.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { violations } from '../lib/axe.mjs';
import { launch, visit } from '../lib/browser.mjs';
import { serveFolders } from '../lib/folders.mjs';
import { MODELS, SCRATCH } from '../lib/site.mjs';

const packed = resolve(SCRATCH, 'elements/npm');
const WAIT = { timeout: 120_000 };
const PICTURES = process.env.PICTURES;

/** @type {import('puppeteer-core').Browser} */
let browser;
before(async () => {
  execFileSync(process.env.XTASK ?? 'xtask', ['pack', packed, '--no-build'], { stdio: 'inherit' });
  browser = await launch();
});
after(() => browser.close());

const PAGE = `<!doctype html><html lang="en"><head><title>A page</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src 'self'">
<script type="module" src="./translucent/elements/elements.js"></script></head><body><main><h1>A page</h1>
<translucent-translate id="text" model="./en-de-free/" text="A dog runs on the beach." label="English"></translucent-translate>
<translucent-figure id="heads" for="text"></translucent-figure>
<translucent-attention id="map" for="heads" layer="3" head="2"></translucent-attention>
<translucent-positions id="places" for="text"></translucent-positions>
<translucent-beam id="tree" for="text"></translucent-beam>
</main></body></html>`;

/** Opens the page and waits until every element has drawn. */
async function opened(t, look) {
  const url = await serveFolders(t, { '/index.html': PAGE, '/translucent/': packed, '/en-de-free/': resolve(MODELS, 'en-de-free') });
  const { page, faults } = await visit(t, browser, look);
  await page.goto(`${url}index.html`);
  await page.waitForFunction(() => {
    const shadow = (id) => document.getElementById(id)?.shadowRoot;
    const drawn = (id) => shadow(id)?.querySelector('canvas')?.width > 300;
    return shadow('heads')?.querySelectorAll('.head').length === 96 && drawn('map') && drawn('places') && shadow('tree').querySelectorAll('.node').length > 10;
  }, WAIT);
  // What a host without an index answers; nothing else may be said.
  return { page, faults: () => faults.filter((fault) => !/index\.json|target_vocab|favicon|404/.test(fault)) };
}

/** Part of an element's shadow root, as text. */
const textOf = (page, id, selector) => page.evaluate((id, selector) => document.getElementById(id).shadowRoot.querySelector(selector).textContent, id, selector);

test('they translate and draw below a strict policy, and axe finds nothing', async (t) => {
  for (const dark of [false, true]) {
    const { page, faults } = await opened(t, { dark });
    assert.equal(await textOf(page, 'text', '[part=target]'), 'Ein Hund läuft am Strand.');
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(faults(), []);
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `elements-${dark ? 'dark' : 'light'}.png`), fullPage: true });
  }
});

test('a head chosen in the figure by keys is the one that the map shows; its cells are walked and held by keys', async (t) => {
  const { page } = await opened(t, {});
  await page.evaluate(() => {
    window.held = [];
    document.addEventListener('translucent-hold', ({ detail }) => window.held.push(detail));
    document.getElementById('heads').shadowRoot.querySelector('.head[tabindex="0"]').focus();
  });
  for (const key of ['ArrowRight', 'Enter']) await page.keyboard.press(key);
  const chosen = { kind: 'encoder', layer: 1, head: 2 };
  assert.deepEqual(await page.evaluate(() => window.held[0]), chosen);
  await page.waitForFunction(() => document.getElementById('map').shadowRoot.querySelector('[part=map]').ariaLabel.startsWith('Encoder self-attention, layer 1, head 2'));
  await page.evaluate(() => document.getElementById('map').shadowRoot.querySelector('[part=map]').focus());
  for (const key of ['ArrowDown', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
  const { weight, ...cell } = await page.evaluate(() => window.held[1]);
  assert.deepEqual(cell, { ...chosen, row: 1, col: 1, query: 'dog', key: 'dog' });
  // The same weight by an engine of the test's own.
  const own = await page.evaluate(async () => {
    const { Translator } = await import('./translucent/engine/translator.js');
    const translator = new Translator();
    await translator.load('./en-de-free/');
    let block;
    await translator.translate('A dog runs on the beach.', { beam: 4, observe: { sentence: 0, request: { encoderSelf: true } }, onTrace: ({ trace }) => (block = trace.encoderSelf) });
    const [, heads, rows, cols] = block.shape;
    return block.data[((0 * heads + 1) * rows + 1) * cols + 1];
  });
  assert.equal(weight, own);
  assert.match(await textOf(page, 'map', '[part=readout]'), /^“dog” reads “dog”: /);
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => window.held[2]), null);
});

test('what is typed is translated, and the other elements follow; a model that is not there is named', async (t) => {
  const { page } = await opened(t, {});
  await page.evaluate(() => {
    window.said = [];
    for (const name of ['translation', 'error']) document.addEventListener(`translucent-${name}`, ({ detail }) => window.said.push(detail));
    const field = document.getElementById('text').shadowRoot.querySelector('textarea');
    field.value = 'A horse.';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await page.waitForFunction(() => window.said.some(({ text }) => text === 'A horse.'), WAIT);
  assert.equal(await textOf(page, 'text', '[part=target]'), await page.evaluate(() => window.said.at(-1).translation));
  await page.waitForFunction(() => [...document.getElementById('tree').shadowRoot.querySelectorAll('.node.best text')].some((node) => node.textContent === 'Pferd'), WAIT);
  // The map follows the figure, which follows the text.
  const readout = async (key) => {
    await page.evaluate(() => document.getElementById('map').shadowRoot.querySelector('[part=map]').focus());
    await page.keyboard.press(key);
    return textOf(page, 'map', '[part=readout]');
  };
  assert.match(await readout('ArrowDown'), /^“Pferd” \(read: Ein\) reads “A”|^“Pferd” reads “A”/);
  // The attribute has this text already; the field has not.
  await page.evaluate(() => {
    window.said = [];
    const element = document.getElementById('text');
    element.text = element.getAttribute('text');
  });
  await page.waitForFunction(() => window.said.some(({ text }) => text === document.getElementById('text').getAttribute('text')), WAIT);
  await page.evaluate(() => document.getElementById('map').setAttribute('layer', '9'));
  await page.waitForFunction(() => window.said.some(({ code }) => code === 'RequestInvalid'), WAIT);
  assert.match(await textOf(page, 'map', '[part=status]'), /layer 9, head \d: this model has no such head/);
  const blank = await page.evaluate(() => {
    const canvas = document.getElementById('map').shadowRoot.querySelector('canvas');
    return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.every((value) => value === 0);
  });
  assert.ok(blank, 'no map of another head stays');
  await page.evaluate(() => document.getElementById('text').setAttribute('model', './nowhere/'));
  await page.waitForFunction(() => window.said.some(({ code }) => code === 'DownloadFailed'), WAIT);
  assert.match(await textOf(page, 'text', '[part=status]'), /nowhere.*could not be fetched/);
});

test('an emptied text empties what follows it, and `for` may name another element later', async (t) => {
  const { page, faults } = await opened(t, {});
  const counts = () => page.evaluate(() => {
    const shadow = (id) => document.getElementById(id).shadowRoot;
    const canvas = shadow('map').querySelector('canvas');
    const inked = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value !== 0);
    return [shadow('heads').querySelectorAll('.head').length, shadow('tree').querySelectorAll('.node').length > 0, inked];
  });
  const retyped = (text) => page.evaluate((text) => (document.getElementById('text').text = text), text);
  await retyped('');
  await page.waitForFunction(() => document.getElementById('heads').shadowRoot.querySelectorAll('.head').length === 0, WAIT);
  await page.waitForFunction(() => document.getElementById('tree').shadowRoot.querySelectorAll('.node').length === 0, WAIT);
  assert.deepEqual(await counts(), [0, false, false]);
  await retyped('A horse.');
  await page.waitForFunction(() => document.getElementById('heads').shadowRoot.querySelectorAll('.head').length === 96, WAIT);
  // An element that comes after the one that follows it.
  await page.evaluate(() => {
    document.getElementById('tree').setAttribute('for', 'later');
    document.querySelector('main').insertAdjacentHTML('beforeend', '<translucent-translate id="later" model="./en-de-free/" text="Two dogs play."></translucent-translate>');
  });
  const best = (word) => page.waitForFunction((word) => [...document.getElementById('tree').shadowRoot.querySelectorAll('.node.best text')].some((node) => node.textContent === word), WAIT, word);
  await page.evaluate(() => document.getElementById('tree').setAttribute('for', 'later'));
  await best('Hunde');
  await page.evaluate(() => (document.getElementById('later').text = 'A horse.'));
  await best('Pferd');
  assert.deepEqual(faults(), []);
});
