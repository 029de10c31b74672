// A lecture at 1280 × 720, held by keyboard alone: what the room sees is measured in drawn pixels.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { violations } from '../lib/axe.mjs';
import { visit } from '../lib/browser.mjs';
import { drawn, observedWhole, open, translation, type, visible } from '../lib/page.mjs';
import { drawnPixels } from '../lib/pixels.mjs';
import { MODELS, site } from '../lib/site.mjs';

const here = site();
const tour = JSON.parse(readFileSync(new URL('../../../www/page/scenes/tour.json', import.meta.url), 'utf8'));
/** A model with random weights stands in where none ships: no scene was made for it. */
const shipped = { skip: resolve(MODELS) !== resolve('models') && 'no model ships' };
const PROJECTOR = { width: 1280, height: 720 };

/** @param {import('puppeteer-core').Page} page @param {number} i */
async function scene(page, i) {
  await page.waitForFunction((i) => document.querySelector('#scene-count').textContent.includes(`, ${i + 1} of `), {}, i);
  await translation(page, tour.scenes[i].text);
  await observedWhole(page);
}

test('ten scenes by keyboard alone: text, caption, held view and buttons share the screen, and nothing scrolls', shipped, async (t) => {
  const { page, faults } = await visit(t, here.browser, PROJECTOR);
  await open(page, here.url);
  await page.focus('#tour');
  await page.keyboard.down('Alt');
  await page.keyboard.press('p');
  await page.keyboard.up('Alt');
  await page.waitForSelector('html[data-layout="present"]');
  for (let i = 0; i < tour.scenes.length; i++) {
    await page.keyboard.press(i % 2 ? 'ArrowRight' : 'PageDown');
    await scene(page, i);
    // The map takes the panel's height once the new caption has its own.
    await page.waitForFunction(() => document.querySelector('#inspector').scrollHeight <= document.querySelector('#inspector').clientHeight + 1);
    const seen = await page.evaluate(() => {
      const within = (selector) => {
        const { top, bottom, left, right } = document.querySelector(selector).getBoundingClientRect();
        return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth && bottom > top;
      };
      return {
        parts: ['#source', '#translation', '#scene-title', '#scene-caption', '#scene-previous', '#scene-next', '#present-end', '#inspector'].filter((part) => !within(part)),
        scrolls: document.documentElement.scrollHeight > innerHeight,
        clipped: ['#scenes', '.source-side .scroll', '.target-side .scroll'].filter((part) => document.querySelector(part).scrollHeight > document.querySelector(part).clientHeight + 1),
        map: !document.querySelector('#panel-attention').hidden,
      };
    });
    assert.deepEqual(seen.parts, [], `scene ${i + 1}: cut off`);
    assert.equal(seen.scrolls, false, `scene ${i + 1}`);
    assert.deepEqual(seen.clipped, [], `scene ${i + 1}: cut off`);
    if (i === 7) {
      // The arithmetic is shown step by step, from the one that the scene speaks of.
      const alone = (id) => page.waitForFunction((id) => [...document.querySelectorAll('.sum-step')].filter((node) => node.checkVisibility()).map((node) => node.id).join() === id, {}, id);
      await alone('step-scale');
      await page.keyboard.press('ArrowUp');
      await alone('step-product');
      // Each step is seen whole, the tables of the softmax and of the values as well.
      for (const next of ['step-scale', 'step-mask', 'step-softmax', 'step-values', 'step-output']) {
        await page.keyboard.press('ArrowDown');
        await alone(next);
        await drawn(page);
        assert.ok(await page.$eval('#inspector', ({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight + 1), `${next} is cut off`);
      }
    }
    // The answer, however long, comes into sight over the buttons, which stay.
    await page.keyboard.press(' ');
    const { answer, buttons, end } = await page.evaluate(() => {
      const box = (selector) => document.querySelector(selector).getBoundingClientRect().toJSON();
      return { answer: box('#scene-answer'), buttons: box('.scene-buttons'), end: box('#present-end') };
    });
    assert.ok(answer.height > 10 && answer.top >= 0 && answer.bottom <= buttons.top + 1, `scene ${i + 1}: the answer ends at ${answer.bottom}, the buttons begin at ${buttons.top}`);
    assert.ok(end.bottom <= PROJECTOR.height, `scene ${i + 1}: End is cut off`);
    await page.keyboard.press(' ');
    if (!seen.map) continue;
    const { x, y, width, height } = await page.$eval('#panel-attention .map', (node) => node.getBoundingClientRect().toJSON());
    const { rows } = await drawnPixels(page, { x, y, width, height });
    const inked = rows.flatMap((count, at) => (count > 20 ? [at] : []));
    const share = (inked.at(-1) - inked[0] + 1) / PROJECTOR.height;
    assert.ok(share >= 0.6, `scene ${i + 1}: the map is drawn on ${(100 * share).toFixed(0)} % of the height`);
    assert.ok(y + inked.at(-1) < PROJECTOR.height && rows.length >= inked.at(-1), 'whole');
  }
  await page.keyboard.press('PageUp');
  await scene(page, tour.scenes.length - 2);
  await page.keyboard.press(' ');
  assert.equal(await page.$eval('.scene-answer', ({ open }) => open), true);
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Escape');
  await page.waitForSelector('html[data-layout="page"]');
  await page.waitForFunction(() => document.activeElement.id === 'present');
  assert.deepEqual(faults, []);
});

test('on a small projector the held view fills its place, and is no sheet', shipped, async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 768, height: 1024 });
  await open(page, `${here.url}#scenes=tour&scene=2&present`);
  await scene(page, 1);
  await page.waitForFunction(() => {
    const { left, right } = document.querySelector('#inspector').getBoundingClientRect();
    return left <= 16 && right >= innerWidth - 16;
  });
  assert.equal(await page.$eval('#inspector', (node) => getComputedStyle(node).boxShadow), await page.$eval('.texts', (node) => getComputedStyle(node).boxShadow));
  assert.deepEqual(faults, []);
});

test('Figure 1 by its key: both stacks whole, over three fifths of the height, with the caption beside', shipped, async (t) => {
  const { page, faults } = await visit(t, here.browser, PROJECTOR);
  await open(page, `${here.url}#present`);
  await page.keyboard.press('PageDown');
  await scene(page, 0);
  for (const i of [0, tour.scenes.length - 1]) {
    if (i > 0) await page.keyboard.press('f');
    for (let at = 0; at < i; at++) await page.keyboard.press('PageDown');
    await scene(page, i);
    await page.keyboard.press('f');
    await page.waitForFunction(() => document.querySelector('#figure').checkVisibility() && !document.querySelector('#inspector').checkVisibility());
    await drawn(page);
    const { stage, out, words } = await page.evaluate(() => {
      const box = (/** @type {string} */ of) => document.querySelector(of).getBoundingClientRect();
      const cut = [...document.querySelectorAll('#stage .box, #stage .chip, #scene-caption, #present-end')].filter((node) => {
        const { bottom, right, top } = node.getBoundingClientRect();
        return top < 0 || bottom > innerHeight || right > innerWidth;
      });
      return { stage: box('#stage').height / innerHeight, out: cut.map((node) => node.textContent), words: document.querySelector('.chips.source').textContent };
    });
    assert.ok(stage >= 0.6, `scene ${i + 1}: ${stage}`);
    assert.deepEqual(out, [], `scene ${i + 1}: cut off`);
    assert.ok(words.startsWith(tour.scenes[i].text.split(' ')[0]), words);
  }
  await page.keyboard.press('f');
  await visible(page, '#inspector');
  assert.deepEqual(faults, []);
});

test('the mask is hatched in lines that the last row sees', shipped, async (t) => {
  const { page } = await visit(t, here.browser, PROJECTOR);
  await open(page, `${here.url}#present`);
  for (let i = 0; i < 7; i++) {
    await page.keyboard.press('PageDown');
    await scene(page, i);
  }
  assert.match(await page.$eval('#head-title', (node) => node.textContent), /^Masked/);
  const corner = await page.$eval('#map', (node) => {
    const { right, top, width, height } = node.getBoundingClientRect();
    return { x: right - width / 4, y: top + 2, width: width / 4 - 2, height: height / 8 };
  });
  const { luminance } = await drawnPixels(page, corner);
  const contrast = (luminance.at(-1) + 0.05) / (luminance[0] + 0.05);
  assert.ok(contrast >= 3, `the hatching has a contrast of ${contrast.toFixed(2)}`);
});

test('#present added to an open page begins it, a reload keeps scene and text, End and Back leave it', shipped, async (t) => {
  const { page, faults } = await visit(t, here.browser, PROJECTOR);
  await open(page, here.url);
  await page.evaluate(() => (location.hash = '#present'));
  await page.waitForSelector('#present-end');
  await page.locator('#scene-next').click();
  await scene(page, 0);
  await page.locator('#scene-next').click();
  await scene(page, 1);
  await type(page, 'The keys are here.');
  await translation(page, 'The keys are here.');
  await page.reload();
  await translation(page, 'The keys are here.');
  await page.waitForFunction(() => document.querySelector('#scene-count').textContent.includes(', 2 of '));
  assert.equal(await page.$eval('html', (node) => node.dataset.layout), 'present');
  await page.locator('#present-end').click();
  await page.waitForSelector('html[data-layout="page"]');
  assert.doesNotMatch(page.url(), /present/);
  await page.waitForFunction(() => document.activeElement.id === 'present');
  await page.locator('#present').click();
  await page.waitForSelector('html[data-layout="present"]');
  await drawn(page);
  await page.goBack();
  await page.waitForSelector('html[data-layout="page"]');
  assert.deepEqual(faults, []);
});

for (const [width, height] of [[1366, 657], [360, 740]]) {
  test(`a tour at ${width} × ${height}: caption and held row share the screen`, shipped, async (t) => {
    const { page, faults } = await visit(t, here.browser, { width, height });
    await open(page, here.url);
    await page.locator('#tour').click();
    for (const i of [0, 1]) {
      if (i > 0) await page.locator('#scene-next').click();
      await scene(page, i);
      await page.waitForFunction(() => document.querySelector('#map-readout').textContent.includes('with weight'));
      await drawn(page);
      const { caption, held, sheet } = await page.evaluate(() => {
        const box = (node) => node.getBoundingClientRect().toJSON();
        // The held row is framed; its frame is the widest rectangle of the marks.
        const frames = [...document.querySelectorAll('#panel-attention .map .marks rect')].map(box).filter(({ height }) => height > 4);
        const inspector = document.querySelector('#inspector');
        return { caption: box(document.querySelector('#scene-caption')), held: frames.sort((a, b) => b.width - a.width)[0], sheet: getComputedStyle(inspector).position === 'fixed' ? box(inspector).top : innerHeight };
      });
      assert.ok(caption.top >= 0 && caption.bottom <= sheet, `scene ${i + 1}: the caption lies from ${caption.top} to ${caption.bottom}, over it from ${sheet}`);
      assert.ok(held && held.top > 0 && held.bottom <= height, `scene ${i + 1}: the held row ends at ${held?.bottom}`);
      const map = await page.$eval('#map', (node) => node.getBoundingClientRect().bottom);
      if (width > 1000) assert.ok(map <= height, `scene ${i + 1}: the map ends at ${map}`);
    }
    assert.deepEqual(faults, []);
  });
}
