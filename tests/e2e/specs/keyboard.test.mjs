// The whole tour of the page with the keyboard alone: the focus is never lost, and always to be seen.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { drawn, observedWhole, open, translation } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();
const TEXT = 'The old man reads a book.';
/** More stops than there are between any two places of the page. */
const STOPS = 150;

/** What has the focus, and why a reader could not see that; null where she can. */
const focus = (page) =>
  page.evaluate(() => {
    const node = document.activeElement;
    const name = `${node.tagName.toLowerCase()}${node.id ? `#${node.id}` : ''}.${node.className} ${node.textContent.slice(0, 30)}`;
    const { left, top, width, height, right, bottom } = node.getBoundingClientRect();
    const style = getComputedStyle(node);
    // The source field shows the focus on the box around it.
    const ring = style.outlineStyle !== 'none' || (node.id === 'source' && getComputedStyle(node.closest('.source-side')).boxShadow !== 'none');
    const lost =
      node === document.body ? 'the body has it'
      : !node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || width < 1 || height < 1 ? 'it is hidden'
      : right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight ? 'it is off the screen'
      : !ring ? 'nothing shows it'
      : null;
    return { name, lost };
  });

/** Presses a key, and looks where the focus is then. */
async function press(page, key, times = 1) {
  for (let i = 0; i < times; i++) {
    await page.keyboard.press(key);
    await drawn(page);
    const { name, lost } = await focus(page);
    assert.equal(lost, null, `after ${key}: ${name}: ${lost}`);
  }
}

/** Goes on (or back) with Tab until what has the focus matches. */
async function tabTo(page, selector, back = false) {
  if (back) await page.keyboard.down('Shift');
  for (let i = 0; i < STOPS && !(await page.evaluate((selector) => document.activeElement.matches(selector), selector)); i++) await press(page, 'Tab');
  if (back) await page.keyboard.up('Shift');
  assert.ok(await page.evaluate((selector) => document.activeElement.matches(selector), selector), `Tab never reached ${selector}`);
}

/** After what is under way has been drawn: the focus is still there. */
async function kept(page, what) {
  await drawn(page);
  const { name, lost } = await focus(page);
  assert.equal(lost, null, `${what}: ${name}: ${lost}`);
}

for (const width of [1440, 360]) {
  test(`the tour of the page with the keyboard alone, at ${width} px`, async (t) => {
    const { page, faults } = await visit(t, here.browser, { width });
    await open(page, here.url);
    await press(page, 'Tab');
    assert.ok(await page.evaluate(() => document.activeElement.id === 'skip'), 'the first stop leads to the text');
    await press(page, 'Enter');
    assert.ok(await page.evaluate(() => document.activeElement.id === 'source'));
    await page.keyboard.down('Control');
    await page.keyboard.press('a');
    await page.keyboard.up('Control');
    await page.keyboard.type(TEXT);
    await translation(page, TEXT);
    await observedWhole(page);
    await kept(page, 'translated');

    await tabTo(page, '#translation');
    await press(page, 'ArrowRight', 2);
    await press(page, 'Enter');
    await page.waitForSelector('.chips.target .chip[aria-pressed="true"]');
    await kept(page, 'a word is held');

    await tabTo(page, '#step-next');
    const step = await page.$eval('#step-label b', (node) => Number(node.textContent));
    await press(page, 'Enter');
    await page.waitForFunction((step) => Number(document.querySelector('#step-label b').textContent) === step + 1, {}, step);

    await tabTo(page, '.rung');
    const layer = await page.$eval('.encoder .rung[aria-pressed="true"]', (rung) => rung.textContent);
    await press(page, layer === '1' ? 'ArrowUp' : 'ArrowDown');
    await press(page, 'Enter');
    await page.waitForFunction((layer) => document.querySelector('.encoder .rung[aria-pressed="true"]').textContent !== layer, {}, layer);
    await kept(page, 'another layer is open');

    await tabTo(page, '.head');
    await press(page, 'ArrowRight');
    await press(page, 'Enter');
    await page.waitForSelector('.head[aria-pressed="true"]');
    await kept(page, 'a head is held');

    await tabTo(page, '[role="tab"]');
    for (const tab of ['arithmetic', 'alternatives', 'positions', 'why', 'learning', 'model', 'attention']) {
      await press(page, 'ArrowRight');
      await page.waitForSelector(`#tab-${tab}[aria-selected="true"]`);
    }
    // What a held head is let go with goes itself: the focus is on the head's square again.
    await tabTo(page, '#held-chip');
    await press(page, 'Enter');
    await page.waitForFunction(() => !document.querySelector('.head[aria-pressed="true"]'));
    await kept(page, 'the head is let go');
    assert.ok(await page.evaluate(() => document.activeElement.matches('.head')));
    await tabTo(page, '[role="tab"]');
    await press(page, 'ArrowRight', 2);

    await tabTo(page, '.choice');
    await press(page, 'ArrowDown');
    await press(page, 'Enter');
    await page.waitForSelector('[data-steer="alternatives"] .look', { visible: true });
    await kept(page, 'an alternative is chosen');
    await tabTo(page, '[data-steer="alternatives"] .look');
    await press(page, 'Enter');
    await page.waitForSelector('#variant-back', { visible: true });
    await observedWhole(page);
    await kept(page, 'it is shown on the page');
    await tabTo(page, '#variant-back', true);
    await press(page, 'Enter');
    await page.waitForSelector('#variant-back', { hidden: true });
    await kept(page, 'it is undone');

    await tabTo(page, '#models-button', true);
    await press(page, 'Enter');
    await page.waitForSelector('#models[open]');
    await kept(page, 'Models is open');
    await press(page, 'Escape');
    await page.waitForSelector('#models:not([open])');
    assert.ok(await page.evaluate(() => document.activeElement.id === 'models-button'), 'the focus is back on Models');

    await tabTo(page, '#examples-button', true);
    await press(page, 'Enter');
    await page.waitForSelector('#examples-menu:not([hidden]) button:focus');
    await press(page, 'ArrowDown');
    await press(page, 'Enter');
    await page.waitForFunction(() => /, 2 of /.test(document.querySelector('#scene-count').textContent));
    await kept(page, 'a scene is played');
    await tabTo(page, '#scene-close');
    await press(page, 'Enter');
    await page.waitForSelector('#scenes', { hidden: true });
    await kept(page, 'the scenes are closed');

    await tabTo(page, '#tour', true);
    await press(page, 'Enter');
    await page.waitForFunction(() => document.activeElement.id === 'scene-title');
    await kept(page, 'the tour begins');
    await press(page, 'PageDown');
    await page.waitForFunction(() => /, 2 of /.test(document.querySelector('#scene-count').textContent));
    await kept(page, 'the tour goes on');
    await press(page, 'Tab');
    assert.ok(await page.evaluate(() => document.activeElement.id === 'scene-previous'), 'from the title on to the buttons');
    assert.deepEqual(faults, []);
  });
}

test('a head is switched off from where it is looked at', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440 });
  await open(page, here.url);
  await page.focus('#source');
  await page.keyboard.type(TEXT);
  await translation(page, TEXT);
  await observedWhole(page);
  await page.focus('.head');
  await press(page, 'Enter');
  await page.waitForSelector('.head[aria-pressed="true"]');
  const [kind, layer, head] = (await page.$eval('.head[aria-pressed="true"]', (square) => square.dataset.head)).split('-');
  await tabTo(page, '#switch-off');
  await press(page, 'Enter');
  await page.waitForSelector('#tab-alternatives[aria-selected="true"]');
  await page.waitForSelector('[data-steer="heads"] .steered', { visible: true });
  await kept(page, 'the head is off');
  assert.ok(await page.evaluate(() => document.activeElement.matches('.head-switch[data-change="off"]')));
  assert.deepEqual(faults, []);
});
