// What is saved is what is seen: the numbers as the core gave them, the pictures whole.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { drawn, open, translation, type } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();
const TEXT = 'A "small" dog sleeps, and a cat runs.';

/** Presses an entry of a Save menu and gives the file that would be downloaded. */
async function saved(page, button, entry) {
  await page.evaluate(() => {
    window.files = [];
    const make = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
      window.files.push(blob);
      return make.call(URL, blob);
    };
    document.addEventListener('click', (event) => event.target.closest?.('a[download]') && event.preventDefault(), true);
  });
  await page.click(button);
  await page.evaluate(
    (button, entry) => {
      const menu = document.querySelector(button).parentElement;
      [...menu.querySelectorAll('[role="menuitem"]')].find((node) => node.textContent.includes(entry)).click();
    },
    button,
    entry,
  );
  await page.waitForFunction(() => window.files.length > 0);
  return page.evaluate(async () => {
    const [blob] = window.files;
    const bytes = new Uint8Array(await blob.arrayBuffer());
    return { type: blob.type, text: await blob.text(), start: [...bytes.slice(0, 24)] };
  });
}

test('a map is saved as PNG, SVG, CSV and JSON, with the weights of the core', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440 });
  await open(page, here.url);
  await type(page, TEXT);
  await translation(page, TEXT);
  await page.waitForFunction(() => window.translucent.store.get().observation?.final);
  await page.evaluate(() => document.querySelector('[data-head="cross-0-2"], [data-head^="cross-"][data-head$="-2"]').click());
  await drawn(page);
  const { weights, layer } = await page.evaluate(() => {
    const { observation, held } = window.translucent.store.get();
    const { data, shape } = observation.trace.cross;
    const [, heads, rows, cols] = shape;
    const from = (held.head.layer * heads + held.head.head) * rows * cols;
    return { weights: Array.from({ length: rows }, (_, r) => [...data.slice(from + r * cols, from + (r + 1) * cols)]), layer: held.head.layer };
  });

  const json = JSON.parse((await saved(page, '#save-map', 'JSON')).text);
  assert.deepEqual(json.values.map((row) => row.map(Math.fround)), weights);
  assert.equal(json.layer, layer + 1);
  assert.equal(json.source, TEXT);
  assert.equal(json.rows.length, weights.length);

  const csv = (await saved(page, '#save-map', 'CSV')).text.trim().split('\r\n');
  assert.equal(csv.length, weights.length + 1);
  assert.ok(csv[0].includes('""'), 'quotation marks are doubled');
  const last = csv.at(-1).split(',').slice(-weights[0].length).map(Number).map(Math.fround);
  assert.deepEqual(last, weights.at(-1));

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
