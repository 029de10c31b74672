// The Arithmetic tab: its numbers are the core's, and they add up; interventions are computed, and said to be such.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { attentions, computed, decoded, drawn, idsOf, observed, openTab, visible } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();
const TEXT = 'A small dog sleeps in the garden.';

/** Presses a button of the interventions, which are folded away at first. */
async function intervene(page, label, value) {
  if (!(await page.$('#switches[open]'))) await page.locator('#switches > summary').click();
  await page.locator(`#switches [aria-label="${label}"] [data-value="${value}"]`).click();
}

/**
 * Opens the tab, chooses a weight by its lists, and gives its arithmetic as an engine of the test's own has it, once the
 * page shows that weight.
 */
async function arithmetic(page, cell, intervention = {}) {
  if (!(await page.$('#panel-arithmetic:not([hidden])'))) await openTab(page, 'arithmetic');
  await visible(page, '.chooser');
  const { target } = await decoded(page, TEXT);
  const names = ['kind', 'layer', 'head', 'query', 'key'];
  for (const [i, name] of names.entries()) {
    const [list] = await page.$$(`.chooser label:nth-child(${i + 1}) select`);
    await list.select(String(cell[name]));
    await drawn(page);
  }
  const a = await computed(page, 'arithmetic', { source: TEXT, target: idsOf(target), cell, intervention });
  const weights = a.weights.data.map((w) => printed(w, 3));
  await page.waitForFunction(
    (score, weights) =>
      document.querySelector('#step-scale .formula').textContent.endsWith(score) &&
      [...document.querySelectorAll('.softmax-row tbody tr')].map((row) => row.children[3].textContent).join() === weights,
    { timeout: 60_000 },
    a.divisor === 1 ? printed(a.sum) : `= ${printed(a.score)}`,
    weights.join(),
  );
  return { ...a, target };
}

/** As the page prints numbers. */
const printed = (v, digits = 2) => {
  const text = v.toFixed(digits);
  return (Number(text) === 0 ? text.replace('-', '') : text).replace('-', '−');
};
const close = (a, b, what, by = 1e-3) => assert.ok(Math.abs(a - b) <= by * Math.max(1, Math.abs(b)), `${what}: ${a} and ${b}`);
const sum = (values) => values.reduce((a, b) => a + b, 0);
const text = (page, selector) => page.$eval(selector, (node) => node.textContent);

test('every line of the arithmetic is shown as the core computed it, and adds up', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440 });
  await observed(page, here.url, TEXT);
  for (const cell of [
    { kind: 'cross', layer: 2, head: 3, query: 2, key: 1 },
    { kind: 'encoderSelf', layer: 0, head: 1, query: 3, key: 4 },
    { kind: 'decoderSelf', layer: 1, head: 0, query: 3, key: 2 },
  ]) {
    const a = await arithmetic(page, cell);
    // The weights are those that an observation has.
    const { data, shape: [, heads, rows, cols] } = (await attentions(page, TEXT)).trace[cell.kind];
    const from = ((cell.layer * heads + cell.head) * rows + cell.query) * cols;
    const weights = data.slice(from, from + cols);
    assert.equal(a.weights.data.length, weights.length);
    weights.forEach((w, j) => close(a.weights.data[j], w, `${cell.kind} weight ${j}`));
    // Each line follows from the one before.
    close(sum(a.query.data.map((q, i) => q * a.key.data[i])), a.sum, 'q·k');
    close(a.sum / Math.sqrt(a.query.data.length), a.score, '÷ √d_k');
    close(a.score, a.scores.data[cell.key], 'the score in its row');
    const open = a.scores.data.filter((_, j) => a.mask.data[j] === 1);
    close(Math.max(...open), a.maximum, 'largest score');
    close(Math.exp(a.score - a.maximum) / sum(open.map((s) => Math.exp(s - a.maximum))), a.weights.data[cell.key], 'softmax');
    const width = a.head.data.length;
    for (let i = 0; i < width; i++) {
      close(sum(a.weights.data.map((w, j) => w * a.values.data[j * width + i])), a.head.data[i], `Σ α·v, dimension ${i}`);
      close(a.head.data[i], a.concatenation.data[cell.head * width + i], 'the head in its place');
    }
    a.residualSum.data.forEach((v, i) => close(a.residual.data[i] + a.output.data[i], v, 'residual'));
    close(sum(a.norm.normalised.data), 0, 'mean after the norm', 1e-2);
    assert.equal(a.feedForward.active, a.feedForward.hidden.data.filter((h) => h !== 0).length);
    // And that is what stands there.
    assert.ok((await text(page, '#step-product .formula')).endsWith(`= ${printed(a.sum)}`));
    assert.ok((await text(page, '#step-scale .formula')).endsWith(`${printed(a.sum)} / ${printed(a.divisor)} = ${printed(a.score)}`));
    assert.ok((await text(page, '#step-scale .step-says')).includes(`variance ${printed(a.statistics.variance)}`));
    assert.ok((await text(page, '#step-softmax .formula')).endsWith(`= ${printed(a.weights.data[cell.key], 3)}`));
    const row = await page.$$eval('.softmax-row tbody tr', (rows) => rows.filter((r) => r.offsetParent).map((r) => r.children[3].textContent));
    assert.deepEqual(row, a.weights.data.map((w) => printed(w, 3)));
    const masked = await page.$$eval('#step-mask .masked', (cells) => cells.length);
    assert.equal(masked, cell.kind === 'decoderSelf' ? weights.length - cell.query - 1 : 0);
    // The biases that the model adds stand in the formulas; a decoder row asks with its input, the piece before the predicted one.
    const formulas = (await text(page, '#step-project .formula')).replace(/\s/g, '');
    assert.match(formulas, /WQ\+bQ.*WK\+bK.*WV\+bV/);
    assert.match((await text(page, '#step-output .formula')).replace(/\s/g, ''), /WO\+bO$/);
    if (cell.kind !== 'encoderSelf') {
      const input = a.target[cell.query - 1].text.replace(/^▁/, '');
      const asks = /vector of “·?(.+?)” into a query/.exec(await text(page, '#step-project .step-says'))[1];
      assert.equal(asks, input);
      assert.match(await page.$eval('.chooser label:nth-child(4) option:checked', (node) => node.textContent), new RegExp(`^${cell.query + 1} ·?${input} → `));
    }
    const parts = [];
    for (let head = 0; head < a.concatenation.data.length / width; head++) {
      parts.push((await computed(page, 'arithmetic', { source: TEXT, target: idsOf(a.target), cell: { ...cell, head } })).headOutput.data);
    }
    // Each is rounded to 8 bits by itself: a step of the largest value.
    const step = 5e-2 * Math.max(1, ...a.output.data.map(Math.abs));
    a.output.data.forEach((v, i) => close(sum(parts.map((output) => output[i])) + a.outputBias.data[i], v, 'the heads and b^O', step));
    const named = (/** @type {string} */ step) => page.$$eval(`#step-${step} .strip-name`, (names) => names.map((name) => name.title));
    assert.deepEqual((await named('project')).slice(-3), ['b^Q', 'b^K', 'b^V']);
    assert.ok((await named('output')).includes('b^O'));
    assert.match(await text(page, '#step-project .shapes'), /^\(\d+, 256\) · \(256, 32\) → \(\d+, 32\)$/);
  }
  assert.deepEqual(faults, []);
});

test('a dimension is read out by keyboard, with its exact values, and the table has them too', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440 });
  await observed(page, here.url, TEXT);
  const a = await arithmetic(page, { kind: 'cross', layer: 1, head: 2, query: 1, key: 1 });
  await page.focus('#step-product .vector-body');
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  const said = `dimension 3: ${printed(a.query.data[3], 3)} · ${printed(a.key.data[3], 3)} = ${printed(a.products.data[3], 3)}`;
  assert.equal(await text(page, '#step-product .vector-readout'), said);
  assert.equal(await page.$eval('#step-product .vector-body', (node) => node.getAttribute('aria-valuetext')), said);
  await page.locator('#step-product details > summary').click();
  await page.waitForSelector('#step-product tbody tr');
  const cells = await page.$$eval('#step-product tbody tr:nth-child(4) td', (cells) => cells.map((cell) => cell.textContent));
  assert.deepEqual(cells, [a.query, a.key, a.products].map(({ data }) => printed(data[3], 4)));
  // Another key, chosen in the row of the softmax.
  await page.locator('.softmax-row tbody tr:nth-child(5) .key').click();
  await page.waitForSelector('.softmax-row tbody tr:nth-child(5).chosen');
  assert.equal(await page.$eval('.chooser label:nth-child(5) select', (list) => list.value), '4');
  assert.deepEqual(faults, []);
});

test('without √d_k the softmax saturates, and the page says that this is an intervention', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440 });
  await observed(page, here.url, TEXT);
  const cell = { kind: 'cross', layer: 2, head: 3, query: 2, key: 1 };
  const trained = await arithmetic(page, cell);
  await intervene(page, 'Scaling', 'off');
  const unscaled = await arithmetic(page, cell, { heads: [{ change: 'unscaled' }] });
  assert.equal(unscaled.divisor, 1);
  assert.ok(unscaled.entropyUnscaled < unscaled.entropyScaled, 'a row without the division is sharper');
  assert.notDeepEqual(unscaled.layerOutput.data, trained.layerOutput.data);
  assert.match(await text(page, '.intervened-bar'), /Intervention on a model trained otherwise: no division by/);
  // A neighbourhood of 2 leaves the positions on either side.
  const encoder = { kind: 'encoderSelf', layer: 1, head: 2, query: 3, key: 4 };
  await intervene(page, 'Scaling', 'on');
  await arithmetic(page, encoder);
  await page.focus('#neighbourhood');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  const { weights } = await arithmetic(page, encoder, { neighbourhood: 2 });
  weights.data.forEach((w, j) => assert.equal(w > 0, Math.abs(j - encoder.query) <= 1, `position ${j}`));
  // Footnote 4, on random vectors.
  await page.locator('#why-scale > summary').click();
  await page.waitForSelector('#why-scale tbody tr');
  const rows = await page.$$eval('#why-scale tbody tr', (rows) => rows.map((r) => [...r.children].map((c) => parseFloat(c.textContent.replace('−', '-')))));
  for (const [dK, mean, variance, scaled] of rows) {
    assert.ok(Math.abs(mean) < 0.2 * Math.sqrt(dK) && Math.abs(variance / dK - 1) < 0.2 && Math.abs(scaled - 1) < 0.2, `d_k ${dK}`);
  }
  assert.deepEqual(faults, []);
});
