// For those who translate: another word by a click, words of their own, and a history that they switch on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { violations } from '../lib/axe.mjs';
import { visit } from '../lib/browser.mjs';
import { computed, decoded, idsOf, observed, open, textOf, translation, type } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();
const TEXT = 'The old dog is sleeping under the tree.';
const WAIT = { timeout: 60_000 };

/** What stands in the list of other words, once it is open. @param {import('puppeteer-core').Page} page */
async function offered(page) {
  await page.waitForSelector('#choice:not([hidden])', WAIT);
  return page.$$eval('.choice-word', (buttons) => buttons.map((button) => ({ word: button.querySelector('b').textContent, text: button.title })));
}

test('a click on a word offers others; the chosen one stands there, and the rest is what the model says after it', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  const own = await observed(page, here.url, TEXT);
  // The last word: what comes before it stays.
  const at = (await page.$$('#translation .piece')).length - 2;
  await (await page.$$('#translation .piece'))[at].click();
  const choices = await offered(page);
  assert.ok(choices.length >= 1);
  const [{ word, text }] = choices;
  assert.ok(text.includes(word) && text !== own);
  assert.ok(await page.$('#backdrop .piece.held, #backdrop .piece[style*="--w"]'), 'the source words that it reads are marked');
  // By the keys: down into the list, Enter chooses.
  await page.focus(`#translation .piece:nth-of-type(${at + 1})`);
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.evaluate(() => document.activeElement.querySelector('b')?.textContent), word);
  assert.deepEqual(await violations(page, '#choice'), []);
  await page.keyboard.press('Enter');
  await page.waitForFunction((text) => document.querySelector('#translation').textContent.trim() === text, WAIT, text);
  assert.match(await textOf(page, '#search-note'), new RegExp(`not the model’s own translation: “${word}” chosen`));
  // It is what the model says after these pieces.
  const { target } = await decoded(page, TEXT);
  const scored = await computed(page, 'score', TEXT, { target: text, request: {} });
  const first = scored.observed.target.findIndex(({ id }, i) => id !== target[i].id);
  assert.ok(first > 0);
  const again = await decoded(page, TEXT, { prefix: idsOf(scored.observed.target.slice(0, first + 1)) });
  assert.equal(again.text, text);
  // Back to the model's own.
  await page.waitForFunction(() => document.activeElement?.closest('#translation .piece'), WAIT);
  await page.keyboard.press('Enter');
  await page.waitForSelector('#choice:not([hidden])', WAIT);
  await page.locator('#choice ::-p-text(Back to the model’s own)').click();
  await page.waitForFunction((own) => document.querySelector('#translation').textContent.trim() === own, WAIT, own);
  // Esc closes the list, and the focus stays on its word.
  await (await page.$$('#translation .piece'))[2].click();
  await page.waitForSelector('#choice:not([hidden])', WAIT);
  await page.focus('#choice button, #choice input');
  await page.keyboard.press('Escape');
  await page.waitForSelector('#choice[hidden]');
  assert.ok(await page.evaluate(() => document.activeElement.matches('#translation .piece')));
  assert.deepEqual(faults, []);
});

test('My words come out in the translation, after a reload too; the history keeps what it is told to, and is cleared at once', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 360, height: 740 });
  await open(page, here.url);
  await type(page, TEXT);
  const before = await translation(page, TEXT);
  assert.doesNotMatch(before, /Köter/);
  const has = (/** @type {string} */ word) => page.waitForFunction((word) => document.querySelector('#translation').textContent.includes(word) && document.body.dataset.doc === 'done', WAIT, word);
  await page.locator('#words-button').click();
  await page.waitForSelector('#words[open]');
  await page.type('#words-source', 'Dog');
  await page.type('#words-target', 'Köter');
  await page.keyboard.press('Enter');
  await has('Köter');
  assert.deepEqual(await page.$$eval('#words-list .word-pair', (rows) => rows.map((row) => row.textContent)), ['Dog → Köter']);
  assert.deepEqual(await violations(page, '#words'), []);
  await page.locator('#words-close').click();
  // The history is off: nothing is kept.
  await page.locator('#history-button').click();
  await page.waitForSelector('#history[open]');
  assert.equal(await page.$eval('#history-keep', (box) => box.checked), false);
  await page.locator('#history-keep').click();
  await page.locator('#history-close').click();
  await page.waitForSelector('#history:not([open])');
  await page.reload();
  await page.waitForSelector('body[data-state="ready"]', WAIT);
  await has('Köter');
  await type(page, 'The dog is here.');
  await translation(page, 'The dog is here.');
  await page.waitForFunction(() => Object.entries(localStorage).some(([key, value]) => key.startsWith('translucent.history') && value.includes('is here')), WAIT);
  await page.locator('#history-button').click();
  await page.waitForSelector('#history[open]');
  assert.match(await page.$eval('.history-entry', (entry) => entry.textContent), /^The dog is here\..*Köter/s);
  assert.deepEqual(await violations(page, '#history'), []);
  await page.locator('#history-clear').click();
  await page.waitForFunction(() => document.querySelectorAll('.history-entry').length === 0);
  await page.locator('#history-keep').click();
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('translucent.history'))), [], 'off: nothing is left');
  await page.locator('#history-close').click();
  await page.waitForSelector('#history:not([open])');
  // Without the word the model says what it said.
  await page.locator('#words-button').click();
  await page.waitForSelector('#words[open]');
  await page.locator('#words-list button').click();
  await page.waitForFunction(() => !document.querySelector('#translation').textContent.includes('Köter') && document.body.dataset.doc === 'done', WAIT);
  assert.deepEqual(faults, []);
});
