// The models that were trained another way, as they ship: each opens in the page, and the page shows what is other in it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { drawn, open, openTab, translation, type } from '../lib/page.mjs';
import { MODELS, site } from '../lib/site.mjs';

const here = site();
const TEXT = 'A small dog is running through the tall green grass with a red ball.';
/** Kilobytes that the weights of one of them may take; tokenizer, curve and card come to some 0.35 MB more. */
const LIMIT = 2000;

const { models } = JSON.parse(await readFile(join(MODELS, 'table3/index.json'), 'utf8'));

/**
 * Opens the page with one of them in use and a translated, wholly observed sentence.
 * @param {import('node:test').TestContext} t
 * @param {string} name
 */
async function using(t, name) {
  const visited = await visit(t, here.browser, { width: 1440 });
  const { page } = visited;
  await open(page, here.url);
  await page.click('#models-button');
  await page.waitForSelector(`#variant-list li[data-name="${name}"] button.use`);
  await page.click(`#variant-list li[data-name="${name}"] button.use`);
  await page.waitForFunction((/** @type {string} */ name) => window.translucent.store.get().address?.endsWith(`/table3/${name}/`), { timeout: 120_000 }, name);
  await page.click('#models-close');
  await type(page, TEXT);
  const text = await translation(page, TEXT);
  await page.waitForFunction(() => window.translucent.store.get().observation?.final);
  await drawn(page);
  return { ...visited, text };
}

/** @param {import('puppeteer-core').Page} page */
const config = (page) => page.evaluate(() => window.translucent.store.get().model.config);

/**
 * @param {import('puppeteer-core').Page} page
 * @param {string} tab
 */
async function show(page, tab) {
  await openTab(page, tab);
  await drawn(page);
}

test('six models ship, each small', () => {
  assert.deepEqual(models.map((/** @type {any} */ { name }) => name).sort(), ['additive', 'base', 'learned-positions', 'neighbourhood-8', 'one-head', 'unscaled']);
  for (const { name, files } of models) {
    const { bytes } = files.find((/** @type {any} */ file) => file.name === 'model.safetensors');
    assert.ok(bytes < LIMIT * 1000, `${name}: ${bytes}`);
  }
});

test('one head: one map in every attention', async (t) => {
  const { page, text, faults } = await using(t, 'one-head');
  assert.match(text, /Hund/);
  assert.equal((await config(page)).nHeads, 1);
  const heads = await page.evaluate(() => window.translucent.store.get().observation.trace.cross.shape[1]);
  assert.equal(heads, 1);
  await show(page, 'arithmetic');
  assert.deepEqual(faults, []);
});

test('a neighbourhood: what is out of reach weighs nothing and is called masked', async (t) => {
  const { page, faults } = await using(t, 'neighbourhood-8');
  assert.equal((await config(page)).neighbourhood, 8);
  const found = await page.evaluate(async () => {
    const { headMap } = await import('./app/maps.js');
    const { isMasked } = await import('./draw/pixels.js');
    const state = window.translucent.store.get();
    /** @param {'encoderSelf'|'decoderSelf'|'cross'} kind */
    const count = (kind) => {
      const map = headMap(state, { kind, layer: 0, head: 0 });
      let [masked, weight, wrong] = [0, 0, 0];
      for (let r = 0; r < map.rows; r++) {
        for (let c = 0; c < map.cols; c++) {
          const hidden = isMasked(map, r, c);
          masked += hidden;
          if (hidden) weight += map.data[r * map.cols + c];
          wrong += hidden !== (kind !== 'cross' && (Math.abs(r - c) > 4 || (kind === 'decoderSelf' && c > r)));
        }
      }
      return { masked, weight, wrong };
    };
    return { encoderSelf: count('encoderSelf'), decoderSelf: count('decoderSelf'), cross: count('cross') };
  });
  for (const { weight, wrong } of Object.values(found)) assert.deepEqual({ weight, wrong }, { weight: 0, wrong: 0 });
  assert.ok(found.encoderSelf.masked > 20 && found.decoderSelf.masked > 20, JSON.stringify(found));
  assert.equal(found.cross.masked, 0);
  assert.deepEqual(faults, []);
});

test('learned positions stand beside the sinusoids', async (t) => {
  const { page, faults } = await using(t, 'learned-positions');
  assert.equal((await config(page)).positions, 'learned');
  await show(page, 'positions');
  await page.waitForFunction(() => window.translucent.store.get().positions?.learned);
  const { learned, sinusoidal } = await page.evaluate(() => {
    const { learned, sinusoidal } = window.translucent.store.get().positions;
    return { learned: [...learned.data.slice(0, 128)], sinusoidal: [...sinusoidal.data.slice(0, 128)] };
  });
  assert.ok(learned.some((value, i) => Math.abs(value - sinusoidal[i]) > 0.01));
  assert.match(await page.$eval('#panel-positions', (node) => node.textContent), /learned/i);
  assert.deepEqual(faults, []);
});

for (const [name, compatibility] of [['additive', 'additive'], ['unscaled', 'dot_product'], ['base', 'scaled_dot_product']]) {
  test(`${name}: the arithmetic is that of its own scores`, async (t) => {
    const { page, faults } = await using(t, name);
    assert.equal((await config(page)).compatibility, compatibility);
    await show(page, 'arithmetic');
    // What stands below the steps explains both kinds beside one another.
    await page.waitForFunction(() => document.querySelector('#arithmetic-steps')?.textContent.includes('soft'));
    const text = await page.$eval('#arithmetic-steps', (node) => node.textContent);
    assert.equal(/tanh/.test(text), compatibility === 'additive', text.slice(0, 500));
    assert.deepEqual(faults, []);
  });
}
