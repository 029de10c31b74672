// What is drawn is what the core computed: attention maps pixel by pixel, weights in words, positions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { SEARCH, attentions, computed, drawn, number, observed, open, openTab, textOf } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();
const TEXT = 'A small dog sleeps in the garden.';
const KINDS = /** @type {const} */ (['encoderSelf', 'decoderSelf', 'cross']);

/** Opens the page, translates TEXT and waits for the whole trace. */
async function started(t) {
  const visited = await visit(t, here.browser);
  await observed(visited.page, here.url, TEXT);
  return visited;
}

/** One head's weights out of a block (layers, heads, rows, cols). */
function weights({ data, shape: [, heads, rows, cols] }, layer, head) {
  const start = (layer * heads + head) * rows * cols;
  return { rows, cols, at: (row, col) => data[start + row * cols + col] };
}

test('every square of the figure shows its head: darker is heavier, in all three attentions', async (t) => {
  const { page, faults } = await started(t);
  const { trace: blocks } = await attentions(page, TEXT);
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
  const { page, faults } = await started(t);
  const { trace: blocks } = await attentions(page, TEXT);
  // The figure opens the layer of the head that aligns best.
  const layer = await page.$eval('.heads[data-kind="cross"]', (grid) => Number(grid.dataset.layer));
  await page.locator(`[data-head="cross-${layer}-1"]`).click();
  await drawn(page);
  const map = weights(blocks.cross, layer, 1);
  // Rows are named by the piece that they predict, columns by the piece that is read; no two are alike.
  await page.locator('#map-table summary').click();
  await page.waitForSelector('#map-table tbody tr');
  const names = await page.$eval('#map-table', (table) => ({
    rows: [...table.querySelectorAll('tbody th')].map((th) => th.textContent.split(' → ').at(-1)),
    cols: [...table.querySelectorAll('thead th')].slice(1).map((th) => th.textContent),
  }));
  for (const list of Object.values(names)) assert.equal(new Set(list).size, list.length, list.join());
  await page.locator('#map-table summary').click();
  const frame = await (await page.$('#map')).boundingBox();
  const onScreen = Math.min(frame.height, page.viewport().height - frame.y);
  const read = [];
  // Points all over the map: the weight in words must be that of the cell that the words name.
  for (const across of [0.2, 0.3, 0.4, 0.5, 0.6]) {
    for (const down of [0.25, 0.4, 0.55, 0.7, 0.85]) {
      await page.mouse.move(frame.x + across * frame.width, frame.y + down * onScreen);
      await drawn(page);
      const words = await textOf(page, '#map-readout');
      const said = /^“(?:.+ → )?(.+)” reads “(.+)” with weight (.+)$/.exec(words);
      if (!said) continue;
      const [row, col] = [names.rows.indexOf(said[1]), names.cols.indexOf(said[2])];
      const weight = map.at(row, col);
      assert.ok(Math.abs(Number(said[3]) - weight) < 0.006, `“${words}” at ${row}, ${col}: the core says ${weight}`);
      read.push(`${row},${col}`);
    }
  }
  assert.ok(new Set(read).size >= 8, `only ${new Set(read).size} cells answered`);
  assert.deepEqual(faults, []);
});

test('the trace that streams in is the one that forced decoding gives', async (t) => {
  const { page } = await visit(t, here.browser);
  await open(page, here.url);
  const { trace: blocks } = await attentions(page, TEXT);
  const request = { encoderSelf: true, decoderSelf: true, cross: true };
  // As the page asks for it.
  const { observed: streamed } = await computed(page, 'translate', TEXT, { ...SEARCH, observe: { sentence: 0, request } });
  assert.ok(streamed.final);
  for (const kind of KINDS) {
    assert.deepEqual(streamed.trace[kind].shape, blocks[kind].shape, kind);
    const worst = Math.max(...streamed.trace[kind].data.map((value, i) => Math.abs(value - blocks[kind].data[i])));
    assert.ok(worst <= 1e-5, `${kind}: ${worst}`);
  }
});

test('positions are the sines and cosines of section 3.5', async (t) => {
  const { page, faults } = await started(t);
  await openTab(page, 'positions');
  const { sinusoidal: { data, shape: [length, width] } } = await computed(page, 'positions', { length: 64 });
  const exact = (pos, dim) => {
    const angle = pos / 10000 ** ((dim - (dim % 2)) / width);
    return dim % 2 ? Math.cos(angle) : Math.sin(angle);
  };
  let worst = 0;
  for (let pos = 0; pos < length; pos++) {
    for (let dim = 0; dim < width; dim++) worst = Math.max(worst, Math.abs(data[pos * width + dim] - exact(pos, dim)));
  }
  assert.equal(data.length, length * width);
  assert.ok(worst < 1e-5, `largest difference ${worst}`);
  // What the map says of cells all over it.
  await page.focus('#panel-positions .map.heat');
  for (const key of ['Home', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'End', 'ArrowLeft', 'ArrowDown']) {
    await page.keyboard.press(key);
    const said = await textOf(page, '#positions-readout');
    const [, pos, dim, value] = /^position (\d+).*?, dimension (\d+):.* = (−?[\d.]+)/.exec(said) ?? assert.fail(said);
    assert.ok(Math.abs(number(value) - exact(Number(pos), Number(dim))) < 6e-4, said);
  }
  const colours = await page.$eval('#positions-map', (canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });
  assert.ok(colours > 50, `${colours} colours on the heat map`);
  assert.deepEqual(faults, []);
});
