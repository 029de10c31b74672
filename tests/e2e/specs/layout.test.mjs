// The page on every screen and for every hand: narrow and wide, light and dark, keyboard alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { drawn, open, translation, type } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();
const TEXT = 'A woman is reading a book.';

for (const width of [360, 768, 1500]) {
  for (const dark of [false, true]) {
    test(`nothing overflows sideways at ${width} px, ${dark ? 'dark' : 'light'}`, async (t) => {
      const { page, faults } = await visit(t, here.browser, { width, dark });
      await open(page, here.url);
      await type(page, TEXT);
      await translation(page, TEXT);
      await drawn(page);
      for (const tab of ['#tab-attention', '#tab-arithmetic', '#tab-alternatives', '#tab-positions', '#tab-why', '#tab-model']) {
        await page.evaluate((tab) => document.querySelector(tab).click(), tab);
        await drawn(page);
        const { scroll, client } = await page.evaluate(() => ({
          scroll: document.documentElement.scrollWidth,
          client: document.documentElement.clientWidth,
        }));
        assert.ok(scroll <= client, `${tab}: ${scroll} px of content in ${client} px`);
      }
      const light = await page.evaluate(() => {
        const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      });
      assert.ok(dark ? light < 80 : light > 200, `background luminance ${light}`);
      assert.deepEqual(faults, []);
    });
  }
}

test('a head is reached, held and let go with the keyboard alone', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  await type(page, TEXT);
  await translation(page, TEXT);
  await page.waitForFunction(() => window.translucent.store.get().observation?.final);
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-head'));
  for (let presses = 0; !(await focused()) && presses < 60; presses++) await page.keyboard.press('Tab');
  const first = await focused();
  assert.ok(first, 'Tab never reached a head');
  await page.keyboard.press('ArrowRight');
  const second = await focused();
  assert.notEqual(second, first);
  await page.keyboard.press('Enter');
  await drawn(page);
  const held = () => page.evaluate(() => window.translucent.store.get().held.head);
  const [kind, layer, head] = second.split('-');
  assert.deepEqual(await held(), { kind, layer: Number(layer), head: Number(head) });
  assert.match(await page.$eval('#head-title', (node) => node.textContent), new RegExp(`head ${Number(head) + 1}`));
  await page.keyboard.press('Escape');
  await drawn(page);
  assert.equal(await held(), null);
  assert.deepEqual(faults, []);
});

test('the step control walks through decoding, and the map follows', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  await type(page, TEXT);
  await translation(page, TEXT);
  await page.waitForFunction(() => window.translucent.store.get().observation?.final);
  const step = () => page.evaluate(() => window.translucent.store.get().step);
  const steps = await page.evaluate(() => window.translucent.store.get().observation.target.length);
  await page.click('#step-first');
  assert.equal(await step(), 0);
  await page.click('#step-next');
  assert.equal(await step(), Math.min(1, steps - 1));
  await page.click('#step-last');
  assert.equal(await step(), steps - 1);
  await drawn(page);
  assert.match(await page.$eval('#step-label', (node) => node.textContent), new RegExp(String(steps)));
  assert.deepEqual(faults, []);
});
