// The source is a text field as any other: the example makes way for the first character, Clear can be undone, and a text that
// waits for the model stands beside no other text's translation.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { FIREFOX, visit } from '../lib/browser.mjs';
import { drawn, open, replaceText, translation } from '../lib/page.mjs';
import { site, siteToSpoil } from '../lib/site.mjs';

const here = site();
const WAIT = { timeout: 120_000 };

/** @param {import('puppeteer-core').Page} page */
const value = (page) => page.$eval('#source', (field) => field.value);

/**
 * The page with the example that it begins with.
 * @param {import('node:test').TestContext} t
 */
async function withExample(t) {
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  await page.waitForFunction(() => document.querySelector('#source').value !== '' && document.querySelector('#translation').textContent.trim() !== '', WAIT);
  return { page, faults, example: await value(page) };
}

test('a click selects the example, and the first character replaces it', async (t) => {
  const { page, faults, example } = await withExample(t);
  await page.locator('#source').click();
  assert.equal(await page.$eval('#source', (field) => field.value.slice(field.selectionStart, field.selectionEnd)), example);
  await page.keyboard.type('Hello.');
  assert.equal(await value(page), 'Hello.');
  assert.notEqual(await translation(page, 'Hello.'), '');
  // It is the reader's text now: a click sets the caret.
  await page.locator('#copy').click();
  await page.locator('#source').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' You.');
  assert.equal(await value(page), 'Hello. You.');
  assert.deepEqual(faults, []);
});

test('a second click sets the caret in the example, to edit it', async (t) => {
  const { page, example } = await withExample(t);
  await page.locator('#source').click();
  await page.locator('#source').click({ delay: 20, offset: { x: 5, y: 10 } });
  await page.keyboard.press('End');
  await page.keyboard.type('!');
  assert.equal(await value(page), `${example}!`);
});

test('the tab key selects the example, too', async (t) => {
  const { page } = await withExample(t);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.type('A horse.');
  assert.equal(await value(page), 'A horse.');
});

test('Clear empties the field; the button and Ctrl+Z bring the text back', async (t) => {
  const { page, faults } = await withExample(t);
  await page.locator('#source').click();
  await page.keyboard.type('A bird sings.');
  await translation(page, 'A bird sings.');
  await page.locator('#clear').click();
  await page.waitForSelector('body[data-doc="empty"]');
  assert.equal(await value(page), '');
  assert.equal(await page.$eval('#clear', (button) => button.textContent), 'Undo clear');
  await page.locator('#clear').click();
  assert.equal(await value(page), 'A bird sings.');
  await drawn(page);
  await page.locator('#clear').click();
  await page.waitForSelector('body[data-doc="empty"]');
  await page.keyboard.down('Control');
  await page.keyboard.press('z');
  await page.keyboard.up('Control');
  assert.equal(await value(page), 'A bird sings.');
  assert.notEqual(await translation(page, 'A bird sings.'), '');
  assert.deepEqual(faults, []);
});

test('a text of many lines comes back at once by Undo clear', async (t) => {
  const { page, faults } = await withExample(t);
  const lines = Array.from({ length: 300 }, (_, i) => `Line ${i}.`).join('\n');
  await page.locator('#source').click();
  await replaceText(page, lines);
  await page.locator('#clear').click();
  await page.waitForSelector('body[data-doc="empty"]');
  // What browsers insert line by line, with an event for each, takes seconds.
  await page.evaluate(() => {
    window.inputs = 0;
    document.querySelector('#source').addEventListener('input', () => window.inputs++);
  });
  await page.locator('#clear').click();
  assert.ok((await value(page)) === lines);
  assert.ok((await page.evaluate(() => window.inputs)) < 2);
  await page.waitForFunction(() => document.querySelector('#translation').textContent.includes('299'), WAIT);
  assert.deepEqual(faults, []);
});

test('the tour puts its sentences in the place of the reader’s text, and one button brings it back', async (t) => {
  const { page, faults, example } = await withExample(t);
  await page.waitForFunction(() => document.querySelector('#swap').checkVisibility(), WAIT);
  const shown = (text) => page.waitForFunction((text) => document.querySelector('#source').value === text, WAIT, text);
  const back = () => page.$eval('#text-before', (button) => button.checkVisibility());
  await page.locator('#tour').click();
  await page.waitForSelector('#tour[aria-pressed="true"]');
  await page.locator('#tour').click();
  await page.waitForSelector('#tour[aria-pressed="false"]');
  assert.ok(!(await back()), 'the example was no text of the reader’s');

  await page.locator('#source').click();
  await replaceText(page, 'My own words.');
  await page.locator('#tour').click();
  await page.waitForFunction((own) => document.querySelector('#source').value !== own, WAIT, 'My own words.');
  const scene = await value(page);
  assert.notEqual(scene, example);
  // What is made of the scene's sentence is kept too, and both come back, the last one first.
  await page.locator('#source').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' Yes.');
  const edited = await value(page);
  await page.keyboard.press('Tab');
  await page.locator('#scene-next').click();
  await page.waitForFunction((edited) => document.querySelector('#source').value !== edited, WAIT, edited);
  await page.locator('#text-before').click();
  await shown(edited);
  await page.locator('#text-before').click();
  await shown('My own words.');
  await drawn(page);
  assert.ok(!(await back()), 'nothing else is kept');
  assert.notEqual(await translation(page, 'My own words.'), '');
  assert.deepEqual(faults, []);
});

test('what a link replaced comes back after a reload, and what was cleared before it; Clear clears the link’s text', { skip: FIREFOX && 'its protocol reports no navigation within a page' }, async (t) => {
  const { page, faults } = await withExample(t);
  const shown = (text) => page.waitForFunction((text) => document.querySelector('#source').value === text, WAIT, text);
  await page.locator('#source').click();
  await replaceText(page, 'My own words.');
  await page.locator('#clear').click();
  await page.waitForSelector('body[data-doc="empty"]');
  await page.evaluate(() => (location.hash = '#text=A%20dog%0D%0Asleeps.'));
  await shown('A dog\nsleeps.');
  await page.waitForSelector('#text-before:not([hidden])');
  await page.reload();
  await shown('A dog\nsleeps.');
  await page.locator('#clear').click();
  await shown('');
  await page.locator('#text-before').click();
  await shown('My own words.');
  assert.deepEqual(faults, []);
});

test('a text that waits for the model has its own, empty place: nothing of another text is offered as its translation', async (t) => {
  const made = await siteToSpoil(t);
  const weights = join(made.models, 'en-de-free/model.safetensors');
  await rename(weights, `${weights}.away`);
  const { page } = await visit(t, here.browser);
  await page.goto(made.url);
  await page.waitForSelector('#failure:not([hidden])', WAIT);
  await page.locator('#source').click();
  await page.keyboard.type('A horse.');
  await page.waitForSelector('#queued-note:not([hidden])');
  assert.equal(await page.$eval('#badge', (node) => node.textContent), 'queued');
  for (const selector of ['#translation', '#copy']) assert.equal(await page.$eval(selector, (node) => node.checkVisibility()), false, selector);
  await rename(`${weights}.away`, weights);
  await page.locator('#retry').click();
  assert.notEqual(await translation(page, 'A horse.'), '');
  await drawn(page);
  assert.ok(await page.$eval('#queued-note', (node) => node.hidden));
  assert.ok(await page.$eval('#copy', (node) => node.checkVisibility()));
});

test('a frame without an origin says why it is empty', async (t) => {
  const { page } = await visit(t, here.browser);
  await page.setContent(`<iframe sandbox="allow-scripts" src="${here.url}" width="600" height="400"></iframe>`);
  // Neither scripts nor style sheets may reach it: the words stand in the document itself.
  const frame = await (await page.waitForSelector('iframe')).contentFrame();
  await frame.waitForSelector('.sandboxed', { visible: true });
  assert.match(await frame.$eval('.sandboxed', (node) => node.textContent), /allow-same-origin/);
});
