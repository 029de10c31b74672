// For those who translate: another word by a click, words of their own, and a history that they switch on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { violations } from '../lib/axe.mjs';
import { visit } from '../lib/browser.mjs';
import { LONG, computed, decoded, drawn, idsOf, observed, open, openView, replaceText, textOf, translation, type, visible } from '../lib/page.mjs';
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
  await page.waitForFunction((said) => document.querySelector('#search-note').textContent.includes(said), WAIT, `not the model’s own translation: “${word}” chosen`);
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

/** The translation, sentence by sentence. @param {import('puppeteer-core').Page} page */
const sentences = (page) => page.$$eval('#translation .sentence', (nodes) => nodes.map((node) => node.textContent.trim()));

/** Opens the list of a word's others. @param {import('puppeteer-core').Page} page @param {number} sentence @param {number} index */
async function ask(page, sentence, index) {
  await page.locator(`#translation [data-sentence="${sentence}"] [data-index="${index}"]`).click();
  return offered(page);
}

const BACK = '#choice > button.plain';

test('a chosen word stays with its sentence, and so does the way back: until its own words, those of the reader or the search change', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440 });
  const text = 'I like cats. She has a red car.';
  await observed(page, here.url, text);
  const own = await sentences(page);
  const stand = (/** @type {string[]} */ list) =>
    page.waitForFunction((list) => document.body.dataset.doc === 'done' && JSON.stringify([...document.querySelectorAll('#translation .sentence')].map((node) => node.textContent.trim())) === list, WAIT, JSON.stringify(list));
  const [{ text: cats }] = await ask(page, 0, 1);
  await page.locator('.choice-word').click();
  await stand([cats, own[1]]);
  // The other sentence has its own choice, and its own way back.
  const [{ text: car }] = await ask(page, 1, 1);
  assert.ok(await page.$eval(BACK, ({ hidden }) => hidden));
  await page.locator('.choice-word').click();
  await stand([cats, car]);
  await ask(page, 1, 0);
  await page.locator(BACK).click();
  await stand([cats, own[1]]);
  // The Beam view's, too.
  await openView(page, 'Beam');
  await visible(page, '#n-best li:nth-child(2)');
  assert.ok(await page.$eval('#variant-back', (node) => node.parentElement.hidden));
  const second = await textOf(page, '#n-best li:nth-child(2) .prose-line');
  await page.locator('#n-best li:nth-child(2) button').click();
  await stand([cats, second]);
  await page.locator('#variant-back').click();
  await stand([cats, own[1]]);

  // Typed on behind it, and before it.
  await page.focus('#source');
  await page.keyboard.press('End');
  await page.keyboard.type(' It is new.');
  await page.waitForFunction(() => document.querySelectorAll('#translation .sentence').length === 3, WAIT);
  await translation(page, `${text} It is new.`);
  const [, , fresh] = await sentences(page);
  await stand([cats, own[1], fresh]);
  await replaceText(page, `It is new. ${text} It is new.`);
  await translation(page, `It is new. ${text} It is new.`);
  await stand([fresh, cats, own[1], fresh]);
  // A word of the reader's own in another sentence.
  await page.locator('#words-button').click();
  await page.waitForSelector('#words[open]');
  await page.type('#words-source', 'car');
  await page.type('#words-target', 'Karre');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('#translation').textContent.includes('Karre') && document.body.dataset.doc === 'done', WAIT);
  assert.equal((await sentences(page))[1], cats);
  await page.locator('#words-list button').click();
  await stand([fresh, cats, own[1], fresh]);
  await page.locator('#words-close').click();
  await page.waitForSelector('#words:not([open])');
  await ask(page, 1, 0);
  await page.locator(BACK).click();
  await stand([fresh, own[0], own[1], fresh]);
  await ask(page, 1, 1);
  await page.locator('.choice-word').click();
  await stand([fresh, cats, own[1], fresh]);
  // Another search.
  await page.focus('#set-beam');
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction((cats) => document.body.dataset.doc === 'done' && !document.querySelector('#translation').textContent.includes(cats), WAIT, cats);
  assert.deepEqual(faults, []);
});

test('the list of other words stays in the window, moves with its word, and closes where the text hides it', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1366, height: 657 });
  await open(page, here.url);
  await replaceText(page, LONG);
  await translation(page, LONG);
  // A word in the last lines that the window shows.
  const [sentence, index] = await page.evaluate(() => {
    const end = document.querySelector('#target-scroll').getBoundingClientRect().bottom;
    const low = [...document.querySelectorAll('#translation .piece')].filter((node) => node.getBoundingClientRect().bottom < end - 4 && node.textContent.trim().length > 3).at(-1);
    return [Number(low.closest('.sentence').dataset.sentence), Number(low.dataset.index)];
  });
  const places = () =>
    page.evaluate(
      (word) => {
        const [list, node] = ['#choice', word].map((selector) => document.querySelector(selector).getBoundingClientRect());
        return { top: list.top, bottom: list.bottom, word: node.top, height: innerHeight };
      },
      `#translation [data-sentence="${sentence}"] [data-index="${index}"]`,
    );
  await ask(page, sentence, index);
  const first = await places();
  assert.ok(first.top >= 0 && first.bottom <= first.height, JSON.stringify(first));
  const scroll = (/** @type {number} */ by) => page.$eval('#target-scroll', (node, by) => (node.scrollTop += by), by);
  await scroll(30);
  await drawn(page);
  const moved = await places();
  assert.ok(Math.abs(first.word - moved.word - 30) < 2, 'the text is scrolled');
  assert.ok(moved.bottom <= first.word && Math.abs(moved.word - moved.bottom - (first.word - first.bottom)) < 2, JSON.stringify([first, moved]));
  await scroll(600);
  await page.waitForSelector('#choice[hidden]');
  assert.deepEqual(faults, []);
});

test('words that are added in two tabs are there in both', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  const other = await page.browserContext().newPage();
  await open(other, here.url);
  const pairs = (/** @type {import('puppeteer-core').Page} */ of) => of.$$eval('#words-list .word-pair', (rows) => rows.map((row) => row.textContent));
  const add = async (/** @type {import('puppeteer-core').Page} */ to, /** @type {string} */ source, /** @type {string} */ target) => {
    await to.bringToFront();
    if (!(await to.$('#words[open]'))) await to.locator('#words-button').click();
    await to.waitForSelector('#words[open]');
    await to.type('#words-source', source);
    await to.type('#words-target', target);
    await to.keyboard.press('Enter');
  };
  await add(page, 'cat', 'Kater');
  await add(other, 'dog', 'Köter');
  await page.bringToFront();
  await page.waitForFunction(() => document.querySelectorAll('#words-list .word-pair').length === 2, WAIT);
  assert.deepEqual(await pairs(page), ['dog → Köter', 'cat → Kater']);
  // What another tab stored counts, also where nothing was heard of it yet.
  await page.evaluate(() => {
    const [[key, lists]] = Object.entries(localStorage).filter(([key]) => key.startsWith('translucent.words'));
    localStorage.setItem(key, lists.replace('[', '[{"source":"tree","target":"Baum"},'));
  });
  await page.locator('#words-list [aria-label="Remove cat"]').click();
  await page.waitForFunction(() => document.querySelectorAll('#words-list .word-pair').length === 2 && document.querySelector('#words-list').textContent.includes('tree'), WAIT);
  assert.deepEqual(await pairs(page), ['tree → Baum', 'dog → Köter']);
  await other.bringToFront();
  await other.waitForFunction(() => document.querySelectorAll('#words-list .word-pair').length === 2 && document.querySelector('#words-list').textContent.includes('tree'), WAIT);
  assert.deepEqual(await pairs(other), ['tree → Baum', 'dog → Köter']);
  assert.deepEqual(faults, []);
});

test('the history keeps the translation with the word that was chosen', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  await page.locator('#history-button').click();
  await page.waitForSelector('#history[open]');
  await page.locator('#history-keep').click();
  assert.match(await page.$eval('#history [role="status"]', (node) => node.textContent), /longer than 5000 characters are not kept/);
  await page.locator('#history-close').click();
  await type(page, TEXT);
  await translation(page, TEXT);
  const [{ text }] = await ask(page, 0, 2);
  await page.locator('.choice-word').click();
  await page.waitForFunction((text) => Object.entries(localStorage).some(([key, value]) => key.startsWith('translucent.history') && value.includes(text)), WAIT, text);
  await page.locator('#history-button').click();
  await page.waitForSelector('#history[open]');
  assert.deepEqual(await page.$$eval('.history-target', (nodes) => nodes.map((node) => node.textContent)), [text]);
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
