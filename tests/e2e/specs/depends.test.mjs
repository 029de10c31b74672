// Depends on, beside what attention reads: the numbers on the page are those of the native core, and add up.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { violations } from '../lib/axe.mjs';
import { visit } from '../lib/browser.mjs';
import { depends } from '../lib/native.mjs';
import { drawn, observed } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();
const WAIT = { timeout: 120_000 };
const TEXT = 'The old man reads a book by the river.';

/** Asks, and waits until all measures and their correlations are there. */
async function ask(page) {
  await (await page.waitForSelector('.asking [data-value="depends"]', WAIT)).click();
  await page.waitForSelector('#depends-ranks', WAIT);
}

/** The table as it stands: a list of cells for each piece. */
const cells = (page) => page.$$eval('.depends-table tbody tr', (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
const number = (text) => Number(text.replace('−', '-'));
const asks = (page) => page.workers().filter((worker) => worker.url().includes('depends-worker'));

test('every measure is the native core’s, and integrated gradients add up', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  const translation = await observed(page, here.url, TEXT);
  await ask(page);
  const status = await page.$eval('#depends-status', (node) => node.textContent);
  assert.ok(Number(status.match(/([\d.]+) % off/)[1]) <= 5, status);
  t.diagnostic(status);
  const step = Number((await page.$eval('#step-label', (node) => node.textContent)).match(/step (\d+) of/)[1]);
  const native = depends(TEXT, translation).filter((row) => Number(row.step) === step);
  const rows = await cells(page);
  assert.ok(native.length >= 10);
  for (const [i, expected] of native.entries()) {
    const [, gradientInput, integrated, leftOut, , mean, rollout] = rows[i].map((text, column) => (column === 0 ? text : number(text)));
    for (const [found, name] of [[gradientInput, 'gradient_input'], [integrated, 'integrated'], [leftOut, 'left_out'], [mean, 'mean_head'], [rollout, 'rollout']]) {
      assert.ok(Math.abs(found - Number(expected[name])) <= 0.011, `${expected.piece}, ${name}: ${found}, natively ${expected[name]}`);
    }
  }
  // Source pieces, then what the decoder has read.
  assert.equal(rows.length, native.length + step);
  // The page's own texts are marked by the same shares: the largest one wholly, each with its sign.
  const marks = await page.$$eval('#backdrop.signed .piece', (pieces) => pieces.map((piece) => [Number(piece.dataset.index), Number(piece.style.getPropertyValue('--w'))]));
  const integrated = rows.map((row) => number(row[2]));
  const largest = Math.max(...integrated.map(Math.abs));
  assert.ok(marks.length >= 8, `${marks.length} marked pieces`);
  for (const [index, weight] of marks) {
    const expected = Math.sign(integrated[index]) * Math.sqrt(Math.abs(integrated[index]) / largest);
    assert.ok(Math.abs(weight - expected) <= 0.03 || Math.abs(integrated[index]) < 0.05 * largest, `piece ${index}: ${weight}, its share is ${integrated[index]}`);
  }
  // A measure agrees with itself, and correlations lie between −1 and 1.
  const ranks = await page.$$eval('#depends-ranks tbody tr', (all) => all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)));
  assert.deepEqual(ranks.slice(0, 5).map((row, i) => row[i]), Array(5).fill('1'));
  for (const value of ranks.flat().filter((text) => text !== '–').map(number)) assert.ok(Math.abs(value) <= 1, `${value}`);

  // Another piece is asked about by holding it; leaving ends the worker.
  const title = await page.$eval('#depends-title', (node) => node.textContent);
  await page.locator('#step-previous').click();
  await page.waitForFunction((title) => document.querySelector('#depends-title').textContent !== title && document.querySelector('#depends-ranks') !== null, WAIT, title);
  const ended = new Promise((done) => page.once('workerdestroyed', done));
  await page.locator('.asking [data-value="reads"]').click();
  assert.ok(await page.$eval('#depends-title', (node) => node.closest('section').hidden));
  await ended;
  await page.waitForFunction(() => document.querySelector('.prose.signed') === null, WAIT);
  assert.deepEqual(asks(page), []);
  assert.deepEqual(faults, []);
});

test('on a phone, with the keyboard and in the dark theme it is all there', async (t) => {
  const { page } = await visit(t, here.browser, { width: 360, height: 740, dark: true });
  await observed(page, here.url, 'He reads a book.');
  await page.waitForSelector('.asking button', WAIT);
  await page.evaluate(() => document.querySelector('.asking').scrollIntoView());
  await page.focus('.asking [data-value="depends"]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#depends-ranks', WAIT);
  await page.focus('.depends-strip button');
  await page.keyboard.press('Enter');
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(overflow <= 0, `${overflow} px too wide`);
  assert.deepEqual(await violations(page, '#inspector'), []);
});

test('a view that arrives when it is no longer asked for stays away; one that does not arrive is said, and asked for again', async (t) => {
  const { page } = await visit(t, here.browser);
  await observed(page, here.url, 'He reads a book.');
  await page.waitForSelector('.asking [data-value="depends"]', WAIT);
  /** What becomes of the module, in the order in which it is asked for. */
  let answer = () => {};
  const asked = new Promise((done) => (answer = done));
  const pass = (request) => (request.url().endsWith('/attention/depends.js') ? answer(request) : request.continue());
  await page.setRequestInterception(true);
  page.on('request', pass);
  const press = (value) => page.locator(`.asking [data-value="${value}"]`).click();
  const pressed = (value) => page.waitForSelector(`.asking [data-value="${value}"][aria-pressed="true"]`);

  // The first request fails.
  await press('depends');
  await (await asked).abort();
  await page.waitForFunction(() => /could not be loaded/.test(document.querySelector('#part-missing')?.textContent ?? ''));
  await pressed('reads');
  assert.equal(await page.$('#depends-title'), null);
  // The second one is slow, and the reader changes the choice back.
  const slow = new Promise((done) => (answer = done));
  await press('depends');
  const request = await slow;
  await press('reads');
  await pressed('reads');
  await request.continue();
  await page.waitForSelector('#panel-attention .depends', WAIT);
  await drawn(page);
  assert.equal(await page.$eval('#panel-attention', (panel) => panel.classList.contains('depending')), false);
  assert.ok(await page.$eval('#depends-title', (node) => node.closest('section').hidden));
  // Its worker would wait for ever.
  page.off('request', pass);
  await page.setRequestInterception(false);
  await ask(page);
});
