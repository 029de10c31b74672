// Back and reload, as people use them: Back closes what lies over the page, a reload loses no text.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIREFOX, visit } from '../lib/browser.mjs';
import { drawn, observedWhole, open, openTab, translation, type } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();

/** @param {import('puppeteer-core').Page} page @param {string} selector */
const isSheet = (page) => page.$eval('#inspector', (node) => getComputedStyle(node).position === 'fixed');

test('on a phone, Back closes the sheet, then the dialog, and stays on the site', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 360, height: 740 });
  await open(page, here.url);
  await type(page, 'The dog sleeps.');
  await translation(page, 'The dog sleeps.');
  const entries = await page.evaluate(() => history.length);
  await page.locator('.head[data-head^="cross"]').click();
  await page.waitForFunction(() => getComputedStyle(document.querySelector('#inspector')).position === 'fixed');
  await page.goBack();
  await page.waitForFunction(() => getComputedStyle(document.querySelector('#inspector')).position !== 'fixed');
  assert.equal(new URL(page.url()).origin, new URL(here.url).origin);
  await page.locator('#models-button').click();
  await page.waitForSelector('#models[open]');
  await drawn(page);
  await page.goBack();
  await page.waitForSelector('#models:not([open])');
  assert.equal(await page.$eval('#source', ({ value }) => value), 'The dog sleeps.');

  // What is closed by its own button leaves no entry behind: the next Back is the one that leaves.
  await page.locator('#models-button').click();
  await page.waitForSelector('#models[open]');
  await drawn(page);
  await page.locator('#models-close').click();
  await page.waitForFunction(() => history.state.opened.length === 0);
  assert.equal(await isSheet(page), false);
  assert.equal(await page.evaluate(() => history.length), entries + 1, 'one entry ahead, which Forward opens again');
  assert.deepEqual(faults, []);
});

test('on a wide screen, Back returns to the tab before, Forward to the one after', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  await openTab(page, 'positions');
  await openTab(page, 'why');
  const chosen = (/** @type {string} */ id) => page.waitForSelector(`#tab-${id}[aria-selected="true"]`);
  await page.goBack();
  await chosen('positions');
  assert.match(page.url(), /tab=positions/);
  await page.goBack();
  await chosen('attention');
  await page.goForward();
  await chosen('positions');
  assert.deepEqual(faults, []);
});

test('a reload brings the text back, and the text is not in the address; a page of its own begins anew', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  await type(page, 'We waited for an hour.');
  const before = await translation(page, 'We waited for an hour.');
  await page.reload();
  assert.equal(await translation(page, 'We waited for an hour.'), before);
  assert.ok(!/wait/.test(page.url()), page.url());
  assert.match(await page.$eval('footer.colophon', (node) => node.textContent), /through a reload/);

  await page.locator('#clear').click();
  await page.reload();
  await page.waitForSelector('body:is([data-doc="recorded"], [data-doc="done"])');
  assert.notEqual(await page.$eval('#source', ({ value }) => value), 'We waited for an hour.', 'what was cleared stays so');
  const other = await page.browserContext().newPage();
  await open(other, here.url);
  await other.waitForFunction(() => document.querySelector('#source').value !== '');
  assert.doesNotMatch(await other.$eval('#source', ({ value }) => value), /waited/);
  assert.deepEqual(faults, []);
});

test('an address that is changed by hand is followed', { skip: FIREFOX && 'its protocol reports no navigation within a page' }, async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  await page.evaluate(() => (location.hash = '#tab=why&theme=dark'));
  await page.waitForSelector('#tab-why[aria-selected="true"]');
  await page.waitForSelector('html[data-theme="dark"]');
  await page.goBack();
  await page.waitForSelector('#tab-attention[aria-selected="true"]');
  assert.deepEqual(faults, []);
});

test('a link with a text, followed on the open page, loses no text: Back and Forward go between them', { skip: FIREFOX && 'its protocol reports no navigation within a page' }, async (t) => {
  const { page, faults } = await visit(t, here.browser);
  const shown = (text) => page.waitForFunction((text) => document.querySelector('#source').value === text, {}, text);
  await open(page, here.url);
  await type(page, 'My own words.');
  await page.evaluate(() => (location.hash = '#text=A%20dog%20sleeps.'));
  await shown('A dog sleeps.');
  await type(page, 'A dog sleeps well.');
  // A tab is an entry of its own, with the same text.
  await openTab(page, 'why');
  await page.evaluate(() => (location.hash = '#text=A%20horse.'));
  await shown('A horse.');
  await page.goBack();
  await shown('A dog sleeps well.');
  await page.goBack();
  await page.waitForSelector('#tab-attention[aria-selected="true"]');
  assert.equal(await page.$eval('#source', ({ value }) => value), 'A dog sleeps well.');
  await page.goBack();
  await shown('My own words.');
  assert.notEqual(await translation(page, 'My own words.'), '');
  await page.goForward();
  await shown('A dog sleeps well.');
  assert.deepEqual(faults, []);
});

test('on a phone, the same: a link with a text alone opens no sheet, one that holds a head does', { skip: FIREFOX && 'its protocol reports no navigation within a page' }, async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 360, height: 740 });
  await open(page, here.url);
  await type(page, 'My own words.');
  await translation(page, 'My own words.');
  await page.evaluate(() => (location.hash = '#text=A%20dog%20sleeps.'));
  assert.notEqual(await translation(page, 'A dog sleeps.'), '');
  await observedWhole(page);
  await drawn(page);
  assert.equal(await isSheet(page), false);
  await page.goBack();
  assert.notEqual(await translation(page, 'My own words.'), '');
  await page.evaluate(() => (location.hash = '#text=A%20horse.&head=cross.3.2'));
  await page.waitForFunction(() => getComputedStyle(document.querySelector('#inspector')).position === 'fixed');
  await page.goBack();
  await page.waitForFunction(() => getComputedStyle(document.querySelector('#inspector')).position !== 'fixed');
  await page.goBack();
  assert.notEqual(await translation(page, 'My own words.'), '');
  await drawn(page);
  assert.equal(await isSheet(page), false);
  await page.goForward();
  assert.notEqual(await translation(page, 'A horse.'), '');
  assert.deepEqual(faults, []);
});
