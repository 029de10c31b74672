// What is drawn is what the core computed: attention maps pixel by pixel, weights in words, positions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { drawn, open, openTab, translation, type } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();
const TEXT = 'A small dog sleeps in the garden.';
const KINDS = /** @type {const} */ (['encoderSelf', 'decoderSelf', 'cross']);

/** Opens the page, translates TEXT and waits for the whole trace. */
async function observed(t) {
  const visited = await visit(t, here.browser);
  const { page } = visited;
  await open(page, here.url);
  await type(page, TEXT);
  await translation(page, TEXT);
  await page.waitForFunction(() => window.translucent.store.get().observation?.final);
  await drawn(page);
  return visited;
}

/** The three attentions as an engine of the test's own computes them for the same pieces, by forced decoding. */
function recomputed(page) {
  return page.evaluate(async (text) => {
    const { Translator } = await import('./engine/translator.js');
    const engine = new Translator();
    await engine.load('./models/en-de/');
    const target = window.translucent.store.get().observation.target.map(({ id }) => id);
    const request = { encoderSelf: true, decoderSelf: true, cross: true };
    const { observed } = await engine.score(text, { target, request });
    const plain = ({ data, shape }) => ({ data: [...data], shape });
    const { encoderSelf, decoderSelf, cross } = observed.trace;
    return { encoderSelf: plain(encoderSelf), decoderSelf: plain(decoderSelf), cross: plain(cross) };
  }, TEXT);
}

/** One head's weights out of a block (layers, heads, rows, cols). */
function weights({ data, shape: [, heads, rows, cols] }, layer, head) {
  const start = (layer * heads + head) * rows * cols;
  return { rows, cols, at: (row, col) => data[start + row * cols + col] };
}

test('every square of the figure shows its head: darker is heavier, in all three attentions', async (t) => {
  const { page, faults } = await observed(t);
  const blocks = await recomputed(page);
  for (const kind of KINDS) {
    const box = await page.$eval(`.heads[data-kind="${kind}"]`, (grid) => {
      const canvas = grid.querySelector('canvas');
      const ratio = canvas.width / canvas.clientWidth;
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
      copy.drawImage(canvas, 0, 0);
      const { data, width } = copy.getImageData(0, 0, canvas.width, canvas.height);
      return {
        layer: Number(grid.dataset.layer),
        width,
        rgba: [...data],
        squares: [...grid.querySelectorAll('.head')].map((head) =>
          [head.offsetLeft, head.offsetTop, head.offsetWidth, head.offsetHeight].map((v) => v * ratio),
        ),
      };
    });
    assert.equal(box.squares.length, blocks[kind].shape[1], `${kind}: a square for every head`);
    for (const [head, [x, y, w, h]] of box.squares.entries()) {
      const map = weights(blocks[kind], box.layer, head);
      // Where a pixel holds several cells the largest survives: such maps are no use here.
      if (map.rows > h || map.cols > w) continue;
      const cells = [];
      for (let row = 0; row < map.rows; row++) {
        // Masked cells are hatched, they carry no weight.
        const end = kind === 'decoderSelf' ? row + 1 : map.cols;
        for (let col = 0; col < end; col++) {
          const px = Math.floor(x + ((col + 0.5) / map.cols) * w);
          const py = Math.floor(y + ((row + 0.5) / map.rows) * h);
          const at = 4 * (py * box.width + px);
          cells.push({ weight: map.at(row, col), light: luminance(box.rgba.slice(at, at + 3)) });
        }
      }
      cells.sort((a, b) => a.weight - b.weight);
      let darkest = Infinity;
      for (const { weight, light } of cells) {
        assert.ok(light <= darkest + 2, `${kind} layer ${box.layer} head ${head}: weight ${weight} is lighter than a smaller one`);
        darkest = Math.min(darkest, light);
      }
      const [least, most] = [cells[0], cells.at(-1)];
      if (most.weight - least.weight > 0.1) {
        const step = (least.light - most.light) / (most.weight - least.weight);
        assert.ok(step > 50, `${kind} head ${head}: ${least.light} to ${most.light} is hardly a difference`);
      }
    }
  }
  assert.deepEqual(faults, []);
});

/** Relative brightness of an sRGB colour, 0..255. */
const luminance = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

test('the large map says the weight under the pointer as the core computed it', async (t) => {
  const { page, faults } = await observed(t);
  const blocks = await recomputed(page);
  // The figure opens the layer of the head that aligns best.
  const layer = await page.$eval('.heads[data-kind="cross"]', (grid) => Number(grid.dataset.layer));
  await page.click(`[data-head="cross-${layer}-1"]`);
  await drawn(page);
  const map = weights(blocks.cross, layer, 1);
  const frame = await (await page.$('#map')).boundingBox();
  const onScreen = Math.min(frame.height, page.viewport().height - frame.y);
  const read = [];
  // Points all over the map: whatever weight is told must be that of the cell which the page says is previewed.
  for (const across of [0.2, 0.3, 0.4, 0.5, 0.6]) {
    for (const down of [0.25, 0.4, 0.55, 0.7, 0.85]) {
      await page.mouse.move(frame.x + across * frame.width, frame.y + down * onScreen);
      await drawn(page);
      const { cell, words } = await page.evaluate(() => ({
        cell: window.translucent.store.get().preview.cell,
        words: document.querySelector('#map-readout').textContent,
      }));
      const told = words.match(/weight (.+)$/);
      if (!cell || !told) continue;
      const weight = map.at(cell.row, cell.col);
      assert.ok(Math.abs(Number(told[1]) - weight) < 0.006, `“${words}” at ${cell.row}, ${cell.col}: the core says ${weight}`);
      read.push(`${cell.row},${cell.col}`);
    }
  }
  assert.ok(new Set(read).size >= 8, `only ${new Set(read).size} cells answered`);
  assert.deepEqual(faults, []);
});

test('the trace that streams in is the one that forced decoding gives', async (t) => {
  const { page } = await observed(t);
  const blocks = await recomputed(page);
  const shown = await page.evaluate(() => {
    const { trace } = window.translucent.store.get().observation;
    return Object.fromEntries(
      ['encoderSelf', 'decoderSelf', 'cross'].map((kind) => [kind, { data: [...trace[kind].data], shape: trace[kind].shape }]),
    );
  });
  for (const kind of KINDS) {
    assert.deepEqual(shown[kind].shape, blocks[kind].shape, kind);
    const worst = Math.max(...shown[kind].data.map((value, i) => Math.abs(value - blocks[kind].data[i])));
    assert.ok(worst <= 1e-5, `${kind}: ${worst}`);
  }
});

test('positions are the sines and cosines of section 3.5', async (t) => {
  const { page, faults } = await observed(t);
  await openTab(page, 'positions');
  await page.waitForFunction(() => window.translucent.store.get().positions);
  await drawn(page);
  const { data, shape } = await page.evaluate(() => {
    const { sinusoidal } = window.translucent.store.get().positions;
    return { data: [...sinusoidal.data], shape: sinusoidal.shape };
  });
  const [length, width] = shape;
  let worst = 0;
  for (let pos = 0; pos < length; pos++) {
    for (let dim = 0; dim < width; dim++) {
      const angle = pos / 10000 ** ((dim - (dim % 2)) / width);
      worst = Math.max(worst, Math.abs(data[pos * width + dim] - (dim % 2 ? Math.cos(angle) : Math.sin(angle))));
    }
  }
  assert.ok(worst < 1e-5, `largest difference ${worst}`);
  const colours = await page.$eval('#positions-map', (canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });
  assert.ok(colours > 50, `${colours} colours on the heat map`);
  assert.deepEqual(faults, []);
});
