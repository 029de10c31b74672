// What is saved is what is seen: the numbers as the core gave them, the pictures whole.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { attentions, drawn, observed, savedFile } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();
const TEXT = 'A "small" dog sleeps, and a cat runs.';

/** Presses an entry of a Save menu and gives the file that would be downloaded. */
const saved = (page, button, entry) =>
  savedFile(page, async () => {
    await page.locator(button).click();
    await page.locator(`${button} + [role="menu"] ::-p-text(${entry})`).click();
  });

test('a map is saved as PNG, SVG, CSV and JSON, with the weights of the core', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440 });
  await observed(page, here.url, TEXT);
  const layer = await page.$eval('.heads[data-kind="cross"]', (grid) => Number(grid.dataset.layer));
  await page.locator(`[data-head="cross-${layer}-2"]`).click();
  await drawn(page);
  const { data, shape: [, heads, rows, cols] } = (await attentions(page, TEXT)).trace.cross;
  const from = (layer * heads + 2) * rows * cols;
  const weights = Array.from({ length: rows }, (_, r) => data.slice(from + r * cols, from + (r + 1) * cols));
  /** As near as the weights of two translations of the same sentence are. */
  const same = (rows, wanted) => rows.forEach((row, r) => row.forEach((value, c) => assert.ok(Math.abs(value - wanted[r][c]) < 1e-5, `${r}, ${c}: ${value} instead of ${wanted[r][c]}`)));

  const json = JSON.parse((await saved(page, '#save-map', 'JSON')).text);
  assert.deepEqual([json.values.length, json.values[0].length], [rows, cols]);
  same(json.values, weights);
  assert.deepEqual([json.layer, json.head], [layer + 1, 3]);
  assert.equal(json.source, TEXT);
  assert.equal(json.rows.length, rows);

  const csv = (await saved(page, '#save-map', 'CSV')).text.trim().split('\r\n');
  assert.equal(csv.length, weights.length + 1);
  assert.ok(csv[0].includes('""'), 'quotation marks are doubled');
  assert.deepEqual(csv.at(-1).split(',').slice(-cols).map(Number), json.values.at(-1));

  const svg = (await saved(page, '#save-map', 'SVG')).text;
  const { broken, texts, images } = await page.evaluate((source) => {
    const picture = new DOMParser().parseFromString(source, 'image/svg+xml');
    return { broken: !!picture.querySelector('parsererror'), texts: [...picture.querySelectorAll('text')].map((n) => n.textContent), images: picture.querySelectorAll('image').length };
  }, svg);
  assert.ok(!broken, 'the SVG can be parsed');
  assert.ok(texts.includes('dog'), `labels are text: ${texts}`);
  assert.equal(images, 1);

  const png = await saved(page, '#save-map', 'PNG');
  assert.equal(png.type, 'image/png');
  assert.deepEqual(png.start.slice(0, 4), [0x89, 0x50, 0x4e, 0x47]);
  const width = (png.start[16] << 24) | (png.start[17] << 16) | (png.start[18] << 8) | png.start[19];
  assert.ok(width > 1200, `${width} pixels wide`);
  assert.deepEqual(faults, []);
});
