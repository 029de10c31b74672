// The page on every screen and for every hand: narrow and wide, light and dark, keyboard alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { drawn, observed, open, openTab, translation, type } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();
const TEXT = 'A woman is reading a book.';

test('no frame of the start is too wide for a phone', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 360 });
  await page.evaluateOnNewDocument(() => {
    const look = () => {
      const { scrollWidth, clientWidth } = document.documentElement;
      if (scrollWidth > clientWidth) window['tooWide'] = scrollWidth - clientWidth;
      requestAnimationFrame(look);
    };
    document.addEventListener('DOMContentLoaded', look);
  });
  await open(page, here.url);
  assert.equal(await page.evaluate(() => window['tooWide']), undefined);
  assert.deepEqual(faults, []);
});

for (const [width, dark] of [[360, false], [768, true], [1500, false]]) {
  test(`nothing overflows sideways at ${width} px, whose theme is the system's until another is chosen`, async (t) => {
    const { page, faults } = await visit(t, here.browser, { width, dark });
    await open(page, here.url);
    await type(page, TEXT);
    await translation(page, TEXT);
    await drawn(page);
    const fits = async (/** @type {string} */ tab) => {
      const [scroll, client] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      assert.ok(scroll <= client, `${tab}: ${scroll} px of content in ${client} px`);
    };
    for (const tab of await page.$$eval('[role="tab"]', (tabs) => tabs.map(({ id }) => id.replace('tab-', '')))) {
      await openTab(page, tab);
      await drawn(page);
      await fits(tab);
    }
    const light = () =>
      page.evaluate(() => {
        const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      });
    assert.ok(dark ? (await light()) < 80 : (await light()) > 200, `background luminance ${await light()}`);
    // The button goes from the system's theme to light, then to dark.
    for (const theme of ['light', 'dark']) {
      await page.locator('#theme').click();
      await drawn(page);
      assert.ok(theme === 'dark' ? (await light()) < 80 : (await light()) > 200, `${theme}: background luminance ${await light()}`);
      await fits(theme);
    }
    await page.locator('#examples-button').click();
    const menu = await page.waitForSelector('#examples-menu:not([hidden])');
    const { left, right } = await menu.evaluate((node) => node.getBoundingClientRect().toJSON());
    assert.ok(left >= 0 && right <= width, `the menu of examples reaches from ${left} to ${right} px`);
    assert.deepEqual(faults, []);
  });
}

test('a head is reached, held and let go with the keyboard alone', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await observed(page, here.url, TEXT);
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-head'));
  for (let presses = 0; !(await focused()) && presses < 60; presses++) await page.keyboard.press('Tab');
  const first = await focused();
  assert.ok(first, 'Tab never reached a head');
  await page.keyboard.press('ArrowRight');
  const second = await focused();
  assert.notEqual(second, first);
  await page.keyboard.press('Enter');
  await drawn(page);
  const held = () => page.$$eval('.head[aria-pressed="true"]', (squares) => squares.map((square) => square.dataset.head));
  const [, layer, head] = second.split('-');
  assert.deepEqual(await held(), [second]);
  assert.match(await page.$eval('#head-title', (node) => node.textContent), new RegExp(`layer ${Number(layer) + 1}, head ${Number(head) + 1}$`));
  await page.keyboard.press('Escape');
  await drawn(page);
  assert.deepEqual(await held(), []);
  assert.deepEqual(faults, []);
});

test('the step control walks through decoding, and the map follows', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await observed(page, here.url, TEXT);
  const label = async () => {
    await drawn(page);
    return page.$eval('#step-label', (node) => node.textContent);
  };
  const steps = Number((await label()).match(/ of (\d+) ·/)[1]);
  await page.locator('#step-first').click();
  assert.match(await label(), /^step 1 of .* reads ⟨s⟩ → predicts /);
  const first = (await label()).split('predicts ')[1];
  await page.locator('#step-next').click();
  assert.ok((await label()).startsWith(`step 2 of ${steps} · reads ${first} → predicts `), `it reads what step 1 predicted: ${await label()}`);
  await page.locator('#step-last').click();
  assert.ok((await label()).startsWith(`step ${steps} of ${steps} `) && (await label()).endsWith('predicts ⟨/s⟩'), await label());
  // The caption of the map speaks of the same step.
  assert.match(await page.$eval('#says', (node) => node.textContent), new RegExp(`step ${steps}\\b`));
  assert.deepEqual(faults, []);
});

test('the first screen of a laptop: both texts, a whole map, and the heads that it belongs to', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1366, height: 657 });
  await observed(page, here.url, 'The old dog is sleeping under the tree.');
  const below = await page.evaluate(() => {
    const shown = document.querySelector('.head.shown').closest('.heads');
    return Object.entries({ source: document.querySelector('#source'), translation: document.querySelector('#translation'), status: document.querySelector('#status'), map: document.querySelector('#map'), heads: shown })
      .map(([name, node]) => [name, Math.round(node.getBoundingClientRect().bottom)])
      .filter(([, bottom]) => bottom > innerHeight);
  });
  assert.deepEqual(below, [], 'they end below the screen');
  const cut = await page.$eval('#tab-list', (row) => [...row.children].filter((tab) => tab.getBoundingClientRect().right > row.getBoundingClientRect().right + 1).map((tab) => tab.textContent));
  assert.deepEqual(cut, [], 'tabs that are cut off');
  assert.deepEqual(faults, []);
});
