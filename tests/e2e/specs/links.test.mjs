// Links: what is on the screen and can be named comes back from one; lists of scenes by address, or stored on the device.

import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { drawn, observed, open, translation, type, withoutTour } from '../lib/page.mjs';
import { MODELS, site } from '../lib/site.mjs';

const here = site();
/** A model with random weights stands in where none ships. */
const shipped = { skip: resolve(MODELS) !== resolve('models') && 'no model ships' };
const TEXT = 'The small dog is sleeping.';

/** The link that Share copies. @param {import('puppeteer-core').Page} page */
async function shared(page) {
  await page.evaluate(() => {
    navigator.clipboard.writeText = async (text) => void (window.copied = text);
  });
  await page.locator('#share').click();
  await page.waitForFunction(() => window.copied);
  return page.evaluate(() => window.copied);
}

const held = (page) => page.waitForSelector('.head[data-head="decoderSelf-0-4"][aria-pressed="true"]');

test('a shared link brings text, held head, step and settings back, and #embed shows that head', shipped, async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await observed(page, here.url, TEXT);
  await page.locator('.decoder .rung:first-of-type').click();
  await (await page.waitForSelector('.head[data-head="decoderSelf-0-4"]')).click();
  await page.locator('#step-first').click();
  await page.locator('#step-next').click();
  await drawn(page);
  const label = await page.$eval('#step-label', (node) => node.textContent);
  const title = await page.$eval('#head-title', (node) => node.textContent);
  const link = await shared(page);
  assert.match(link, /head=decoderSelf\.1\.5&.*step=2&model=.+%40[0-9a-f]{16}&text=The/);

  const { page: other, faults: otherFaults } = await visit(t, here.browser);
  await other.goto(link);
  await translation(other, TEXT);
  await held(other);
  assert.equal(await other.$eval('#step-label', (node) => node.textContent), label);
  assert.equal(await other.$eval('#head-title', (node) => node.textContent), title);

  const { page: frame } = await visit(t, here.browser, { width: 700, height: 500 });
  await frame.goto(link.replace('#', '#embed&'));
  await translation(frame, TEXT);
  await frame.waitForFunction((title) => document.querySelector('#head-title')?.textContent === title, {}, title);
  assert.equal(await frame.$eval('.texts', (node) => node.checkVisibility()), false);
  assert.deepEqual([...faults, ...otherFaults], []);
});

test('a shared link says which sentence of the text is looked at', shipped, async (t) => {
  const text = `${TEXT} Two horses run.`;
  const second = (page) => page.waitForFunction(() => document.querySelector('.chips.source').textContent.includes('horses'), { timeout: 60_000 });
  const { page, faults } = await visit(t, here.browser);
  await observed(page, here.url, text);
  await page.focus('#source');
  await page.keyboard.press('End');
  await second(page);
  await page.locator('.decoder .rung:first-of-type').click();
  await (await page.waitForSelector('.head[data-head="decoderSelf-0-4"]')).click();
  await held(page);
  const link = await shared(page);
  assert.match(link, /[#&]sentence=2&head=decoderSelf\.1\.5&/);

  const { page: other, faults: otherFaults } = await visit(t, here.browser);
  await other.goto(link);
  await translation(other, text);
  await second(other);
  await held(other);
  assert.deepEqual([...faults, ...otherFaults], []);
});

test('a link made with another shipped model loads it, for this visit only', shipped, async (t) => {
  const { page } = await visit(t, here.browser);
  await open(page, here.url);
  await page.waitForFunction(() => document.querySelectorAll('#language option').length > 1);
  const [name, hash] = await page.evaluate(async () => {
    const { models } = await (await fetch('./models/index.json')).json();
    const french = models.find(({ target }) => target === 'fr');
    return [french.name, french.files.find(({ name }) => name === 'model.safetensors').sha256];
  });
  const { page: other, faults } = await visit(t, here.browser);
  await other.goto(`${here.url}#model=${name}@${hash.slice(0, 16)}&text=The dog sleeps.`);
  await other.waitForFunction(() => /French/.test(document.querySelector('#target-language').textContent) && document.body.dataset.doc === 'done', { timeout: 120_000 });
  const next = await other.browserContext().newPage();
  await next.goto(`${here.url}#model=mine@${'0'.repeat(16)}&text=The dog sleeps.`);
  await next.waitForFunction(() => /model mine, which is not here/.test(document.querySelector('#model-link')?.textContent ?? ''), { timeout: 60_000 });
  assert.match(await next.$eval('#target-language', (node) => node.textContent), /German/, 'the choice of the reader stays');
  assert.deepEqual(faults, []);
});

test('what a link holds is held by its own model, where another one translated the text before', shipped, async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await observed(page, here.url, TEXT);
  const french = await page.evaluate(async () => {
    const { models } = await (await fetch('./models/index.json')).json();
    const { name, files } = models.find(({ target }) => target === 'fr');
    return `${name}@${files.find(({ name }) => name === 'model.safetensors').sha256.slice(0, 16)}`;
  });
  await page.evaluate((hash) => (location.hash = hash), `#text=${encodeURIComponent(TEXT)}&model=${french}&head=decoderSelf.1.5&step=2`);
  await page.waitForFunction(() => document.querySelector('#translation').lang === 'fr', { timeout: 120_000 });
  await translation(page, TEXT);
  await held(page);
  await page.waitForFunction(() => document.querySelector('#step-label').textContent.startsWith('step 2 '));
  assert.deepEqual(faults, []);
});

test('scenes from another host are fetched only when the reader agrees; from this one at once, at the scene named', shipped, async (t) => {
  const { page, hosts } = await visit(t, here.browser);
  await page.goto(`${here.url}#scenes=page/scenes/tour.json&scene=3`);
  await page.waitForFunction(() => document.querySelector('#scene-count').textContent.endsWith('3 of 10'));
  const { page: other, hosts: asked } = await visit(t, here.browser);
  await other.goto(`${here.url}#scenes=https://scenes.invalid/a.json&scene=1`);
  await other.waitForFunction(() => /from scenes\.invalid/.test(document.querySelector('#scenes-link')?.textContent ?? ''));
  await other.waitForSelector('body[data-state="ready"]', { timeout: 120_000 });
  assert.ok(!asked.has('scenes.invalid'));
  await other.locator('#scenes-open').click();
  await other.waitForFunction(() => /were not opened/.test(document.querySelector('#scenes-link')?.textContent ?? ''));
  assert.ok(asked.has('scenes.invalid'));
  assert.equal(hosts.size, 1);
});

test('a list of one’s own is stored as it is made, is there at the next visit, and can be deleted', shipped, async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await observed(page, here.url, TEXT);
  await page.locator('#tour').click();
  await page.waitForFunction(() => document.querySelector('#scene-count').textContent.endsWith('1 of 10'));
  await type(page, TEXT);
  await translation(page, TEXT);
  await page.locator('#scene-edit').click();
  await page.locator('#scene-list-new').click();
  await page.waitForFunction(() => document.querySelector('#scene-count').textContent === 'My scenes, 1 of 1');
  await page.type('.scene-words textarea', 'Who sleeps?');
  await page.focus('#scene-list-title');
  await page.keyboard.press('End');
  await page.type('#scene-list-title', ', week 3');
  await page.waitForFunction(() => [...document.querySelectorAll('#scene-lists option')].some(({ textContent }) => textContent === 'My scenes, week 3 (1)'));
  await page.locator('#scene-close').click();
  await page.waitForSelector('#scenes[hidden]');

  const next = await page.browserContext().newPage();
  await open(next, here.url);
  await next.locator('#examples-button').click();
  await next.locator('#examples-menu ::-p-text(My scenes, week 3)').click();
  await next.waitForFunction(() => document.querySelector('#scene-caption').textContent === 'Who sleeps?');
  await translation(next, TEXT);
  await next.reload();
  await next.waitForFunction(() => document.querySelector('#scene-caption').textContent === 'Who sleeps?');
  await next.locator('#scene-edit').click();
  await next.locator('#scene-list-delete').click();
  await next.waitForFunction(() => /was deleted/.test(document.querySelector('#scene-says').textContent));
  await next.waitForFunction(() => [...document.querySelectorAll('#scene-lists option')].every(({ textContent }) => !textContent.startsWith('My scenes')));
  assert.deepEqual(faults, []);
});

test('a list that cannot be deleted is said to be there still, and nothing is deleted where the tour does not open in its place', shipped, async (t) => {
  const { page } = await visit(t, here.browser);
  await withoutTour(page);
  await open(page, here.url);
  // As the page stores it.
  await page.evaluate(async (text) => {
    const module = (/** @type {string} */ path) => import(new URL(path, document.baseURI).href);
    const [{ storeLists }, { parseLesson }] = await Promise.all([module('app/own-scenes.js'), module('app/scene-file.js')]);
    const lesson = parseLesson(JSON.stringify({ format: 1, title: 'Week 4', scenes: [{ text }] }));
    const store = { get: () => ({ lesson: null }), watch: (/** @type {any} */ _, /** @type {any} */ view) => view({ lesson, lessonSource: 'own:4' }) };
    await new Promise((stored) => storeLists(/** @type {any} */ (store), stored));
  }, TEXT);
  // Without the tour the menu has one's own lists.
  await page.locator('#examples-button').click();
  await page.locator('#examples-menu ::-p-text(Week 4)').click();
  await page.waitForFunction(() => document.querySelector('#scene-count').textContent === 'Week 4, 1 of 1');
  await translation(page, TEXT);
  await page.locator('#scene-edit').click();
  const press = () => page.locator('#scene-list-delete').click();
  const says = (text) => page.waitForFunction((text) => document.querySelector('#scene-says').textContent.includes(text), {}, text);
  await press();
  await says('The list was not opened');
  assert.ok(await page.$('#scene-lists option[value="own:4"]'));
  assert.match(await page.$eval('#scene-count', ({ textContent }) => textContent), /^Week 4/);
  await page.evaluate(() => {
    window.offline = false;
    IDBObjectStore.prototype.delete = () => {
      throw new Error('no access');
    };
  });
  await press();
  await says('“Week 4” was not deleted: no access.');
  await page.waitForSelector('#scene-lists option[value="own:4"]');
});
