// The walk through Figure 1: every box in the order of the computation, with the shapes of the sentence at hand.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { violations } from '../lib/axe.mjs';
import { FIREFOX, visit } from '../lib/browser.mjs';
import { attentions, drawn, observed, textOf, visible } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();
const TEXT = 'The old man reads a book by the river.';

/** Where the ring lies, and the box that it should lie around. */
const around = (page, selector) =>
  page.evaluate((selector) => {
    const [ring, box] = [document.querySelector('.walk-ring'), document.querySelector(selector)].map((node) => node.getBoundingClientRect());
    return Math.max(Math.abs(ring.left + 4 - box.left), Math.abs(ring.top + 4 - box.top), Math.abs(ring.right - 4 - box.right));
  }, selector);
const still = async (page) => {
  await drawn(page);
  await page.waitForFunction(() => document.querySelector('.walk-ring').getAnimations().length === 0);
};

test('by keyboard alone: each box says its shapes, the ring lies around it, Esc ends', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1366, height: 657 });
  await observed(page, here.url, TEXT);
  const { source, target, trace } = await attentions(page, TEXT);
  const [n, d] = [source.length, 256];
  await page.focus('#step-last');
  await page.keyboard.press('Enter');
  const t1 = target.length;
  await page.focus('#walk-open');
  await page.keyboard.press('Enter');
  await visible(page, '#walk');
  await page.waitForFunction(() => document.activeElement?.id === 'walk-title');
  const titles = [];
  const shapes = {};
  for (;;) {
    await still(page);
    const [, at, of, title] = /^(\d+)\/(\d+) · (.*)$/.exec(await textOf(page, '#walk-title'));
    titles.push(title);
    (shapes[title] ??= []).push(await textOf(page, '#walk-shapes'));
    // The page scrolls until the box is in sight, and the caption with it.
    await page.waitForFunction(() => {
      const [walk, ring] = [document.querySelector('#walk'), document.querySelector('.walk-ring')].map((node) => node.getBoundingClientRect());
      return walk.top >= -1 && walk.bottom <= innerHeight && ring.bottom > walk.bottom && ring.top < innerHeight;
    });
    if (at === of) break;
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction((at) => document.querySelector('#walk-title').textContent.startsWith(`${at}/`), {}, Number(at) + 1);
  }
  const [layers, heads, rows, cols] = trace.cross.shape;
  assert.ok(layers > 0 && rows === t1 && cols === n);
  assert.equal(titles[0], 'Inputs');
  assert.equal(titles.at(-1), 'Output probabilities');
  assert.equal(titles.filter((title) => title === 'Add & Norm').length, 5);
  assert.ok(shapes['Multi-Head Attention'][0].includes(`weights ${n} × ${n}`));
  assert.ok(shapes['Masked Multi-Head Attention'][0].includes(`K ${t1} × ${d / heads}, V ${t1} × ${d / heads}, weights 1 × ${t1}`));
  assert.ok(shapes['Multi-Head Attention over the memory'][0].includes(`weights 1 × ${n}`));
  assert.equal(shapes.Memory[0], `${n} × ${d}`);
  assert.match(await textOf(page, '#walk-says'), /^“⟨\/s⟩” is predicted.*Decoding ends here\.$/);
  assert.ok((await around(page, '.output .probabilities')) < 1.5);
  assert.deepEqual(await violations(page, '#figure'), []);
  await page.keyboard.press('Escape');
  await page.waitForSelector('#walk', { hidden: true });
  assert.equal(await page.evaluate(() => document.activeElement.id), 'walk-open');
  assert.deepEqual(faults, []);
});

test('it plays by itself and pauses; training shows all rows; with reduced motion nothing moves', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1366, height: 900 });
  // Firefox takes no emulated media.
  if (!FIREFOX) await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
  await observed(page, here.url, TEXT);
  const { source, target } = await attentions(page, TEXT);
  await page.locator('#walk-open').click();
  await visible(page, '#walk');
  await page.locator('#walk-play').click();
  await page.waitForFunction(() => document.querySelector('#walk-title').textContent.startsWith('3/'), { timeout: 60_000 });
  await page.locator('#walk-play').click();
  if (!FIREFOX) assert.equal(await page.$eval('.walk-ring', (node) => getComputedStyle(node).transitionDuration), '0s');
  await page.locator('#mode [data-value="training"]').click();
  await page.locator('#walk-last').click();
  await page.locator('#walk-previous').click();
  await page.waitForFunction(() => document.querySelector('#walk-title').textContent.endsWith('Softmax'));
  assert.match(await textOf(page, '#walk-shapes'), new RegExp(`^${target.length} × \\d+ → `));
  assert.ok(source.length > 5);
  assert.deepEqual(faults, []);
});

test('while presenting W begins it: the caption stands beside the figure, and all of it is on the screen', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1280, height: 720 });
  await observed(page, here.url, TEXT);
  await page.focus('#present');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.id === 'scene-title');
  await page.keyboard.press('w');
  await visible(page, '#scenes #walk');
  await page.waitForFunction(() => document.activeElement?.id === 'walk-title');
  for (let i = 0; i < 3; i++) {
    await page.keyboard.press('ArrowRight');
    await still(page);
    const cut = await page.evaluate(() =>
      ['.walk-ring', '#walk-says', '#walk-next', '#present-end'].filter((part) => {
        const { top, bottom, left, right } = document.querySelector(part).getBoundingClientRect();
        return !(top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth && bottom > top);
      }),
    );
    assert.deepEqual(cut, []);
  }
  assert.match(await textOf(page, '#walk-title'), /^4\/\d+ · Multi-Head Attention$/);
  await page.keyboard.press('Escape');
  await page.waitForSelector('#walk', { hidden: true });
  assert.equal(await page.evaluate(() => `${document.documentElement.dataset.layout} ${document.activeElement.id}`), 'present scene-title');
  assert.deepEqual(faults, []);
});
