// The Arithmetic tab: its numbers are the core's, and they add up; interventions are computed, and said to be such.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { drawn, observed, until } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();
const TEXT = 'A small dog sleeps in the garden.';

/** Opens the tab on one weight and gives the arithmetic that the page has, its tensors as arrays. */
async function arithmetic(page, cell, change = {}) {
  await page.evaluate(
    ({ kind, layer, head, query, key }, change) => {
      const { store } = window.translucent;
      const onTarget = kind !== 'encoderSelf';
      store.set({
        tab: 'arithmetic',
        intervention: change,
        held: { head: { kind, layer, head }, token: { side: onTarget ? 'target' : 'source', index: query }, cell: { row: query, col: key } },
        ...(onTarget ? { step: query, stepChosen: true } : {}),
      });
    },
    cell,
    change,
  );
  await page.waitForFunction(
    (cell, scaled) => {
      const { arithmetic } = window.translucent.store.get();
      return arithmetic && Object.keys(cell).every((k) => arithmetic.cell[k] === cell[k]) && (arithmetic.divisor !== 1) === scaled;
    },
    { timeout: 60_000 },
    cell,
    !change.heads,
  );
  await drawn(page);
  return page.evaluate(() => {
    const plain = (v) => (v instanceof Float32Array ? [...v] : v && typeof v === 'object' ? Object.fromEntries(Object.entries(v).map(([k, w]) => [k, plain(w)])) : v);
    return plain(window.translucent.store.get().arithmetic);
  });
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
    // The weights are those that the observation drew.
    const weights = await page.evaluate(({ kind, layer, head, query }) => {
      const { data, shape } = window.translucent.store.get().observation.trace[kind];
      const [, heads, rows, cols] = shape;
      const from = ((layer * heads + head) * rows + query) * cols;
      return [...data.slice(from, from + cols)];
    }, cell);
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
  await page.$eval('#step-product details', (node) => (node.open = true));
  await drawn(page);
  const cells = await page.$$eval('#step-product tbody tr:nth-child(4) td', (cells) => cells.map((cell) => cell.textContent));
  assert.deepEqual(cells, [a.query, a.key, a.products].map(({ data }) => printed(data[3], 4)));
  // Another key, chosen in the row of the softmax.
  await page.evaluate(() => document.querySelectorAll('.softmax-row .key')[4].click());
  await until(page, (state) => state.arithmetic.cell.key === 4);
  assert.deepEqual(faults, []);
});

test('without √d_k the softmax saturates, and the page says that this is an intervention', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440 });
  await observed(page, here.url, TEXT);
  const cell = { kind: 'cross', layer: 2, head: 3, query: 2, key: 1 };
  const trained = await arithmetic(page, cell);
  const unscaled = await arithmetic(page, cell, { heads: [{ change: 'unscaled' }] });
  assert.equal(unscaled.divisor, 1);
  assert.ok(unscaled.entropyUnscaled < unscaled.entropyScaled, 'a row without the division is sharper');
  assert.notDeepEqual(unscaled.layerOutput.data, trained.layerOutput.data);
  assert.match(await text(page, '.intervened-bar'), /Intervention on a model trained otherwise: no division by/);
  // A neighbourhood of 2 leaves the positions on either side.
  const encoder = { kind: 'encoderSelf', layer: 1, head: 2, query: 3, key: 4 };
  await arithmetic(page, encoder);
  await page.focus('#neighbourhood');
  await page.evaluate(() => {
    const range = document.querySelector('#neighbourhood');
    range.value = '2';
    range.dispatchEvent(new Event('input'));
  });
  await until(page, (state) => state.arithmetic.mask.data[0] === 0);
  const near = await page.evaluate(() => [...window.translucent.store.get().arithmetic.weights.data]);
  near.forEach((w, j) => assert.equal(w > 0, Math.abs(j - encoder.query) <= 1, `position ${j}`));
  // Footnote 4, on random vectors.
  await page.$eval('#why-scale', (node) => (node.open = true));
  await page.waitForSelector('#why-scale tbody tr');
  const rows = await page.$$eval('#why-scale tbody tr', (rows) => rows.map((r) => [...r.children].map((c) => parseFloat(c.textContent.replace('−', '-')))));
  for (const [dK, mean, variance, scaled] of rows) {
    assert.ok(Math.abs(mean) < 0.2 * Math.sqrt(dK) && Math.abs(variance / dK - 1) < 0.2 && Math.abs(scaled - 1) < 0.2, `d_k ${dK}`);
  }
  assert.deepEqual(faults, []);
});
