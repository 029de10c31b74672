// What is pressed can be seen and read: under the pointer, with the focus, in light, dark and forced colours, and on paper.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIREFOX, visit } from '../lib/browser.mjs';
import { drawn, observed } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();
const TEXT = 'A woman is reading a book.';
/** Buttons of which one is pressed, as selectors; each row stands on the first screen or in the tab that is open. */
const ROWS = ['#mode button', '.decoder .rung', '.chips.target .chip', '#panel-attention .segmented button', '#panel-attention .head-bar button'];
/** WCAG 1.4.3: text as large as a label. */
const READABLE = 4.5;

/**
 * A picture of an element that stood still meanwhile: what comes late to the page moves what is below it.
 * @param {import('puppeteer-core').ElementHandle} element
 */
async function still(element) {
  await element.scrollIntoView();
  for (let tried = 0; tried < 20; tried++) {
    const before = await element.boundingBox();
    const picture = await element.screenshot({ encoding: 'base64' });
    const after = await element.boundingBox();
    if (before && after && before.x === after.x && before.y === after.y) return picture;
  }
  throw new Error('the element never stood still');
}

/**
 * What an element looks like, in its pixels: the most frequent colour, and the contrast of the one that differs most from it.
 * @param {import('puppeteer-core').Page} page
 * @param {import('puppeteer-core').ElementHandle} element
 */
async function look(page, element) {
  const picture = await still(element);
  return page.evaluate(async (picture) => {
    const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const ctx = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    ctx.drawImage(bitmap, 0, 0);
    // Without the border, which is no label.
    const inner = ctx.getImageData(4, 4, bitmap.width - 8, bitmap.height - 8).data;
    const counts = new Map();
    for (let i = 0; i < inner.length; i += 4) {
      const key = `${inner[i]},${inner[i + 1]},${inner[i + 2]}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const luminance = (key) => {
      const [r, g, b] = key.split(',').map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const [ground] = [...counts].sort((a, b) => b[1] - a[1])[0];
    const under = luminance(ground) + 0.05;
    const contrast = Math.max(...[...counts.keys()].map((key) => luminance(key) + 0.05).map((over) => Math.max(over / under, under / over)));
    return { ground, contrast };
  }, picture);
}

for (const theme of ['light', 'dark', 'forced light', 'forced dark']) {
  const forced = theme.startsWith('forced');
  test(`a pressed button keeps its label under pointer and focus, and differs from the others: ${theme}`, { skip: forced && FIREFOX && 'only Chromium forces colours for one page' }, async (t) => {
    const { page, faults } = await visit(t, here.browser, { width: 1440, dark: theme.endsWith('dark') });
    await observed(page, here.url, TEXT);
    if (forced) {
      const client = await page.createCDPSession();
      const features = [{ name: 'forced-colors', value: 'active' }, { name: 'prefers-color-scheme', value: theme.split(' ')[1] }];
      await client.send('Emulation.setEmulatedMedia', { features });
    }
    // A chosen step presses its chip.
    await page.locator('#step-first').click();
    for (const selector of ROWS) {
      const pressed = await page.$(`${selector}[aria-pressed="true"]`);
      const other = await page.$(`${selector}[aria-pressed="false"]:not(:disabled)`);
      assert.ok(pressed && other, `${selector}: one is pressed and one is not`);
      const grounds = {};
      for (const [name, button] of Object.entries({ pressed, other })) {
        for (const state of ['alone', 'focus', 'hover']) {
          await page.mouse.move(0, 0);
          if (state === 'focus') await button.focus();
          if (state === 'hover') await button.hover();
          await drawn(page);
          const { ground, contrast } = await look(page, button);
          assert.ok(contrast >= READABLE, `${selector}, ${name}, ${state}: the label's contrast is ${contrast.toFixed(1)} on ${ground}`);
          if (state === 'alone') grounds[name] = ground;
        }
      }
      assert.notEqual(grounds.pressed, grounds.other, `${selector}: the pressed one looks like the others`);
    }
    assert.deepEqual(faults, []);
  });
}

test('paper: the texts, the figure and the map in ink on white, bars with their length, no controls', { skip: FIREFOX && 'only Chromium shows a page as on paper' }, async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440, dark: true });
  await observed(page, here.url, TEXT);
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.emulateMediaType('print');
  await page.setViewport({ width: 718, height: 1000 });
  await drawn(page);
  const { shown, paper, wide, bar } = await page.evaluate(() => {
    const shown = (/** @type {Element} */ node) => node.checkVisibility() && node.getBoundingClientRect().width > 1;
    const fill = getComputedStyle(document.querySelector('.probabilities .fill'));
    return {
      shown: Object.fromEntries(['#source', '#translation', '#stage', '#map', '#share', '#clear', '#open-file', '#copy', '#words-button', '#history-button', '#walk-open', '#step-play', '[role="tab"]', '#tour'].map((name) => [name, shown(document.querySelector(name))])),
      paper: getComputedStyle(document.querySelector('.panel')).backgroundColor,
      wide: document.documentElement.scrollWidth,
      bar: { image: fill.backgroundImage, exact: fill.printColorAdjust ?? fill.webkitPrintColorAdjust },
    };
  });
  assert.deepEqual(shown, { '#source': true, '#translation': true, '#stage': true, '#map': true, '#share': false, '#clear': false, '#open-file': false, '#copy': false, '#words-button': false, '#history-button': false, '#walk-open': false, '#step-play': false, '[role="tab"]': false, '#tour': false });
  assert.equal(paper, 'rgb(255, 255, 255)');
  assert.ok(wide <= 718, `${wide} px of content on 718 px of paper`);
  assert.match(bar.image, /gradient/);
  assert.equal(bar.exact, 'exact');
  assert.deepEqual(faults, []);
});
