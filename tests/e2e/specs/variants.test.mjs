// The models that were trained another way, as they ship: each opens in the page, and the page shows what is other in it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { drawn, number, observedWhole, open, openTab, textOf, translation, type, visible } from '../lib/page.mjs';
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
  await page.locator('#models-button').click();
  await page.waitForSelector('#models[open]');
  await page.waitForSelector(`#variant-list li[data-name="${name}"] button.use`);
  await page.locator(`#variant-list li[data-name="${name}"] button.use`).click();
  await page.waitForSelector(`#variant-list li.current[data-name="${name}"]`, { timeout: 120_000 });
  await page.locator('#models-close').click();
  await type(page, TEXT);
  const text = await translation(page, TEXT);
  await observedWhole(page);
  return { ...visited, text };
}

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
  for (const kind of ['encoderSelf', 'decoderSelf', 'cross']) {
    assert.equal((await page.$$(`.heads[data-kind="${kind}"] .head`)).length, 1, kind);
  }
  assert.equal((await page.$$('[data-bar]')).length, 1);
  await show(page, 'arithmetic');
  assert.deepEqual(faults, []);
});

test('a neighbourhood: what is out of reach weighs nothing and is called masked', async (t) => {
  const { page, faults } = await using(t, 'neighbourhood-8');
  await page.locator('#map-table summary').click();
  for (const kind of ['encoderSelf', 'decoderSelf', 'cross']) {
    await page.locator(`.heads[data-kind="${kind}"] .head`).click();
    await drawn(page);
    // As the table has it: what is masked is a word there, the rest are weights.
    const rows = await page.$$eval('#map-table tbody tr', (rows) => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)));
    assert.ok(rows.length > 8, `${kind}: ${rows.length} rows`);
    rows.forEach((cells, r) => {
      cells.forEach((cell, c) => assert.equal(cell === 'masked', kind !== 'cross' && (Math.abs(r - c) > 4 || (kind === 'decoderSelf' && c > r)), `${kind} ${r}, ${c}: ${cell}`));
      const sum = cells.filter((cell) => cell !== 'masked').reduce((sum, weight) => sum + Number(weight), 0);
      assert.ok(Math.abs(sum - 1) < 0.0005 * cells.length + 1e-6, `${kind} ${r}: what is in reach weighs ${sum}`);
    });
  }
  assert.deepEqual(faults, []);
});

test('learned positions stand beside the sinusoids', async (t) => {
  const { page, faults } = await using(t, 'learned-positions');
  await show(page, 'positions');
  /** What the map says of one cell, in each of the two tables. */
  const said = async (/** @type {string} */ scheme) => {
    await page.locator(`[aria-label="Which positions"] [data-value="${scheme}"]`).click();
    await drawn(page);
    return textOf(page, '#positions-readout');
  };
  await visible(page, '[aria-label="Which positions"]');
  await page.focus('#panel-positions .map.heat');
  const differ = [];
  for (const key of ['Home', 'ArrowRight', 'ArrowDown', 'ArrowRight']) {
    await page.keyboard.press(key);
    const [learned, sinusoidal] = [await said('learned'), await said('sinusoidal')].map((words) => /(?:: |= )(−?[\d.]+)(?:, learned| ·|$)/.exec(words)?.[1]);
    assert.ok(learned && sinusoidal);
    differ.push(Math.abs(number(learned) - number(sinusoidal)) > 0.01);
    await page.focus('#panel-positions .map.heat');
  }
  assert.ok(differ.includes(true));
  assert.match(await page.$eval('#panel-positions', (node) => node.textContent), /learned/i);
  assert.deepEqual(faults, []);
});

for (const [name, scores] of [['additive', 'additive'], ['unscaled', 'plain'], ['base', 'scaled']]) {
  test(`${name}: the arithmetic is that of its own scores`, async (t) => {
    const { page, faults } = await using(t, name);
    await show(page, 'arithmetic');
    // What stands below the steps explains both kinds beside one another.
    await page.waitForFunction(() => document.querySelector('#arithmetic-steps')?.textContent.includes('soft'));
    const text = await page.$eval('#arithmetic-steps', (node) => node.textContent);
    assert.equal(/tanh/.test(text), scores === 'additive', text.slice(0, 500));
    // The division by √d_k is a line of the scaled product alone.
    assert.equal(/q·k \/ √/.test(await textOf(page, '#step-scale .formula')), scores === 'scaled', text.slice(0, 500));
    assert.deepEqual(faults, []);
  });
}
