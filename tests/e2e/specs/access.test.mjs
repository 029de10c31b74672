// For everybody: axe-core finds nothing, in both themes, wide and narrow, in the page's main states.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { violations } from '../lib/axe.mjs';
import { visit } from '../lib/browser.mjs';
import { drawn, observed, open } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();
const TEXT = 'The animal did not cross the street because it was too tired. We waited for an hour.';

// Colours hang on the theme, structure on the width: two pages show both of each.
for (const { dark, width } of [{ dark: false, width: 1440 }, { dark: true, width: 360 }]) {
  test(`axe finds nothing at ${width} px, ${dark ? 'dark' : 'light'}`, async (t) => {
    const { page, faults } = await visit(t, here.browser, { width, dark });
    const found = [];
    const look = async (state, part) => {
      await drawn(page);
      found.push(...(await violations(page, part)).map((line) => `${state}: ${line}`));
    };
    await page.goto(here.url);
    await page.waitForSelector('body[data-doc="recorded"], body[data-state="ready"]', { timeout: 120_000 });
    await look('on arrival');
    await observed(page, here.url, TEXT);
    await look('translated');
    await page.locator('[data-head^="cross-"]').click();
    await look('a head is held');
    // On small screens the inspector lies over the page now.
    const close = await page.$('#sheet-close');
    if (await close?.isVisible()) await close?.click();
    await page.locator('#all-layers').click();
    await look('all layers');
    await page.locator('#all-layers').click();
    await page.locator('#examples-button').click();
    await page.waitForSelector('#examples-menu:not([hidden])');
    // The open menu covers parts of the page, which are in reach again once it is closed: it is looked at by itself.
    await look('examples', '.tools');
    await page.keyboard.press('Escape');
    await page.locator('#clear').click();
    await page.waitForSelector('body[data-doc="empty"]');
    await look('empty');
    // Each on a page of its own: axe walks all that was ever opened, and takes seconds for ten thousand elements.
    for (const tab of await page.$$eval('[role="tab"]', (tabs) => tabs.map(({ id }) => id))) {
      await observed(page, here.url, TEXT);
      await page.locator(`#${tab}`).click();
      // A tab's module and style come when it is first opened.
      await page.waitForSelector(`#${tab.replace('tab-', 'panel-')}:not([hidden]) > *`);
      await page.$$eval('[role="tabpanel"]:not([hidden]) details', (all) => all.forEach((details) => (details.open = true)));
      await drawn(page);
      await look(tab, '#inspector');
    }
    for (const layout of ['present', 'embed']) {
      await page.goto('about:blank');
      await open(page, `${here.url}#${layout}`);
      await page.waitForFunction(() => document.querySelector('#translation').textContent.trim() !== '');
      await look(`#${layout}`);
    }
    assert.deepEqual(found, []);
    assert.deepEqual(faults, []);
  });
}
