// The Learning tab as a visitor uses it: a model is trained in the page, answers, is opened in the figure and saved.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { open, openTab, retype, translation } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';
import { violations } from '../lib/axe.mjs';

const here = site();
/** Training takes what it takes on a busy machine. */
const WAIT = { timeout: 170_000 };

/** Opens the tab and waits for a run that stands at its first step. */
async function openLearning(page, url) {
  await open(page, url);
  await openTab(page, 'learning');
  await page.waitForFunction(() => /^step 0 .*exact/.test(document.querySelector('#learning-status').textContent), WAIT);
}

const textOf = (page, selector) => page.$eval(selector, (node) => node.textContent);
/** Numbers on the page have narrow gaps between their thousands. */
const stepOf = async (page) => Number((await textOf(page, '#learning-status')).match(/^step ([\d\u00a0]+)/)[1].replaceAll('\u00a0', ''));

/**
 * Waits until a step that the page names lies within bounds, and gives it.
 * @param {string} selector of the text
 * @param {RegExp} pattern its one group is the step
 */
async function stepWithin(page, selector, pattern, least, most = Infinity) {
  const found = await page.waitForFunction(
    (selector, pattern, least, most) => {
      const step = document.querySelector(selector).textContent.match(new RegExp(pattern))?.[1].replaceAll('\u00a0', '');
      return step !== undefined && Number(step) >= least && Number(step) <= most && { step: Number(step) };
    },
    WAIT,
    selector,
    pattern.source,
    least,
    // JSON has no infinity.
    Math.min(most, Number.MAX_SAFE_INTEGER),
  );
  return (await found.jsonValue()).step;
}
const status = (page, least, most) => stepWithin(page, '#learning-status', /^step ([\d\u00a0]+)/, least, most);
/** The step whose weights the whole page shows. */
const shownStep = (page, least) => stepWithin(page, '#learning-says', /at step ([\d\u00a0]+)/, least);

async function pause(page) {
  await page.focus('#learning-play');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('#learning-play').textContent === 'Train on', WAIT);
  return stepOf(page);
}

/** Waits until the run is stored as it stands at a step, and run B, if there is one, at its own. */
function storedAt(page, step, secondStep) {
  return page.waitForFunction(
    async (step, secondStep) => {
      const opening = indexedDB.open('translucent-learning', 1);
      // The page makes it.
      opening.onupgradeneeded = () => opening.transaction.abort();
      const database = await new Promise((done) => Object.assign(opening, { onsuccess: () => done(opening.result), onerror: () => done(null) }));
      if (!database) return false;
      const request = database.transaction('runs').objectStore('runs').get('last');
      const run = await new Promise((done) => (request.onsuccess = () => done(request.result)));
      database.close();
      return run?.history.held.at(-1)?.step === step && run.second?.history.held.at(-1)?.step === secondStep;
    },
    { ...WAIT, polling: 200 },
    step,
    secondStep,
  );
}
/** Presses a button by keyboard: while a model trains, curves and tables grow, and a button may move under the mouse. */
async function press(page, name) {
  const button = await page.waitForSelector(`::-p-aria([name="${name}"][role="button"])`, WAIT);
  await button.focus();
  await page.keyboard.press('Enter');
}

/** The workers that train. */
const trainers = (page) => page.workers().filter((worker) => worker.url().includes('tabs/learning/worker'));

/** Chooses a setting as a visitor does, and waits until the run has it. */
async function choose(page, key, value) {
  await page.select(`#learning-${key}`, value);
  await page.waitForFunction(() => document.querySelector('#learning-changed').hidden, WAIT);
}

test('a visitor trains reverse, asks it, goes back, and finds the run again after a reload', async (t) => {
  const { page, faults, hosts } = await visit(t, here.browser);
  await openLearning(page, here.url);
  assert.match(await textOf(page, '#learning-rule'), /backwards/);
  assert.match(await textOf(page, '#learning-memory'), /needs about \d+\.\d MB/);
  /** Where the fields lie, and whether they ever lay elsewhere. */
  const places = await page.evaluateHandle(() => {
    const fields = [...document.querySelectorAll('#learning-input, #learning-input-2, #learning-input-3')];
    const seen = new Set();
    (function look() {
      seen.add(fields.map((field) => Math.round(field.getBoundingClientRect().top + scrollY)).join());
      requestAnimationFrame(look);
    })();
    return seen;
  });
  await page.locator('#learning-play').click();
  // Typing goes on while it trains.
  await page.waitForFunction(() => Number(document.querySelector('#learning-status').textContent.match(/· ([\d.]+) % exact/)?.[1]) >= 60, WAIT);
  assert.deepEqual((await places.evaluate((seen) => [...seen])).slice(1), [], 'answers of every length move no field');
  await retype(page, '#learning-input', 'drawer');
  await page.waitForFunction(() => document.querySelector('#learning-answer').textContent === 'reward', WAIT);
  const canvases = await page.$$eval('.learning-maps canvas', (all) => all.length);
  assert.equal(canvases, 3 * 3 * 2 * 4, 'every head of every attention has its map, for each of three inputs');
  // The other two inputs are answered meanwhile.
  await retype(page, '#learning-input-3', 'abcd');
  await page.waitForFunction(() => document.querySelector('#learning-answer-3').textContent === 'dcba', WAIT);
  const last = await pause(page);
  assert.ok(last > 50, `${last} steps`);

  // Back in time the answer is another one; the curve stays, and training goes on from there.
  await press(page, 'Earlier snapshot');
  const earlier = await status(page, 0, last - 1);
  await press(page, 'One step');
  await status(page, earlier + 1, earlier + 1);

  // Adam's numbers of one weight: the shares of the pairs add up, and the step follows from the moments.
  await page.locator('#learning-one summary').click();
  await page.waitForSelector('#learning-update table', WAIT);
  const numbers = await page.$$eval('#learning-update tbody tr', (rows) => rows.map((row) => row.lastElementChild.textContent));
  const value = (text) => {
    const plain = [...text.split('=').at(-1).trim()].map((c) => ('⁰¹²³⁴⁵⁶⁷⁸⁹'.includes(c) ? '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(c) : /[−⁻]/.test(c) ? '-' : c)).join('');
    const [digits, power = '0'] = plain.split('·10');
    return Number(digits) * 10 ** Number(power);
  };
  const [gradient, , , m, v, rate, change] = numbers.map(value);
  assert.ok(Math.abs(change + (rate * m) / (Math.sqrt(v) + 1e-9)) <= 2e-3 * Math.abs(change), `${numbers}`);
  const total = await page.$$eval('#learning-one tfoot td', (cells) => cells[0].textContent);
  assert.equal(value(total), gradient);
  assert.equal(await page.$$eval('#learning-one .table-scroll tbody tr', (rows) => rows.length), 64);

  // Leaving the tab stores the paused run; a reload brings it back.
  await page.locator('#learning-play').click();
  await status(page, earlier + 3);
  await page.locator('#tab-model').click();
  await page.waitForFunction(() => document.querySelector('#learning-play').textContent === 'Train on', WAIT);
  const stopped = await stepOf(page);
  await storedAt(page, stopped);
  assert.equal(await stepOf(page), stopped, 'nothing is trained where nobody looks');
  await page.reload();
  await page.waitForSelector('body[data-state="ready"]', WAIT);
  await openTab(page, 'learning');
  await status(page, stopped, stopped);
  assert.equal(await page.$eval('#learning-input', (input) => input.value), 'drawer');
  assert.deepEqual(faults, []);
  assert.deepEqual([...hosts], [new URL(here.url).host]);
});

test('the page shows the model in training, which answers there as in the tab', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await openLearning(page, here.url);
  await page.locator(`.learning-tasks [data-value="copy"]`).click();
  await page.waitForFunction(() => document.querySelector('#learning-input').value === 'figure', WAIT);
  await choose(page, 'layers', '1');
  await choose(page, 'dModel', '32');
  await choose(page, 'warmupSteps', '100');
  await page.locator('#learning-play').click();
  // While it trains, the page shows it at one step after another.
  await status(page, 1);
  const before = await page.$eval('#source', (field) => field.value);
  assert.notEqual(before, '');
  await press(page, 'Show it in Figure 1');
  await page.waitForSelector('#learning-open[aria-pressed="true"]', WAIT);
  const first = await shownStep(page, 1);
  await shownStep(page, first + 1);
  // Before it has learnt anything its answer may be the empty text.
  await page.waitForFunction(() => Number(document.querySelector('#learning-status').textContent.match(/· ([\d.]+) % exact/)?.[1]) >= 60, WAIT);
  const last = await pause(page);
  await shownStep(page, last);
  await storedAt(page, last);
  assert.equal(await page.$$eval('.rung', (all) => all.length), 2, 'a layer of the encoder, one of the decoder');
  // The page searches with a beam, the tab answers greedily: with beam 1 both give the same.
  const translated = await page.evaluate(async () => {
    const { Translator } = await import('./engine/translator.js');
    const { createTrainer } = await import('./tabs/learning/trainer.js');
    const run = await new Promise((done) => {
      indexedDB.open('translucent-learning', 1).onsuccess = ({ target }) => {
        target.result.transaction('runs').objectStore('runs').get('last').onsuccess = (event) => done(event.target.result);
      };
    });
    const trainer = createTrainer({ onProgress() {}, onDiverged() {}, onCrash() {} });
    await trainer.call('probe', { texts: ['figure'] });
    const { answers: [answer] } = await trainer.call('restore', { bytes: run.bytes });
    const files = [...(await trainer.call('folder', undefined))].map(([name, bytes]) => new File([bytes], name));
    const engine = new Translator();
    await engine.load('./trained/', { files, store: false });
    const { text } = await engine.translate('figure', { beam: 1 });
    engine.terminate();
    return { text, answer: answer.text };
  });
  assert.ok(translated.answer.length > 0);
  assert.equal(translated.text, translated.answer);
  assert.equal(await page.$eval('#source', (field) => field.value), 'figure');
  assert.match(await translation(page, 'figure'), /^[a-z]*$/);
  // Pressed again, it gives the page's own model and text back.
  await press(page, 'Show it in Figure 1');
  await page.waitForFunction((text) => document.querySelector('#learning-open').getAttribute('aria-pressed') === 'false' && document.querySelector('#source').value === text, WAIT, before);
  assert.deepEqual(faults, []);
});

test('contradictions and rising losses are explained, and a link carries the settings', async (t) => {
  const { page } = await visit(t, here.browser, { width: 360, height: 740 });
  await open(page, `${here.url}#tab=learning&learning=${encodeURIComponent('task=sort&layers=1&dModel=32&factor=20&warmupSteps=0')}`);
  await page.waitForFunction(() => /^step 0 .*exact/.test(document.querySelector('#learning-status')?.textContent ?? ''), WAIT);
  assert.match(await textOf(page, '#learning-rule'), /alphabetical/);
  assert.equal(await page.$eval('#learning-dModel', (select) => select.value), '32');
  await choose(page, 'nHeads', '8');
  await page.locator('#learning-play').click();
  await page.waitForFunction(() => document.querySelector('#learning-trouble').textContent.includes('smaller factor'), WAIT);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(overflow <= 0, `${overflow} px too wide`);
  await page.locator('#learning-play').click();
  await page.select('#learning-factor', '0.5');
  await page.waitForFunction(() => !document.querySelector('#learning-changed').hidden, WAIT);
  await page.locator('#learning-changed button').click();
  await status(page, 0, 0);
  assert.ok(await page.$eval('#learning-trouble', (node) => node.hidden));
  assert.match(await page.evaluate(() => location.hash), /task%3Dsort.*warmupSteps%3D0/);
  assert.deepEqual(await violations(page, '#inspector'), []);
});

test('an experiment trains two runs that differ in one setting, side by side', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await openLearning(page, here.url);
  await page.locator('#learning-experiments summary').click();
  await press(page, 'Set up A and B: One head instead of four');
  const second = (least, most) => stepWithin(page, '#learning-b-status', /h 1 instead of 4 · step ([\d\u00a0]+)/, least, most);
  await second(0, 0);
  await status(page, 0, 0);
  assert.equal(await page.$eval('#learning-nHeads', (select) => select.value), '4', 'A has the defaults');
  assert.match(await page.evaluate(() => location.hash), /b%3DnHeads/);
  assert.equal(await page.$$eval('.learning-beside > :last-child canvas', (all) => all.length), 3 * 3 * 2 * 1, 'every head of B has its maps, for each of three inputs');
  assert.match(await textOf(page, '#learning-memory'), /^Both runs need/);
  assert.deepEqual(await page.$$eval('#learning-b select', (selects) => selects.map(({ value }) => value)), ['nHeads', '1']);

  // One press trains both, by two workers; one press halts both.
  await page.locator('#learning-play').click();
  await status(page, 12);
  await second(12);
  assert.equal(trainers(page).length, 2);
  const stopped = await pause(page);
  await page.waitForFunction(() => document.querySelectorAll('#learning-exact path.line').length === 2 && document.querySelectorAll('#learning-exact path.dash').length === 1, WAIT);
  const stoppedSecond = await second(12);
  await storedAt(page, stopped, stoppedSecond);
  // The slider moves both: here back to random weights.
  await page.focus('#learning-scrub');
  await page.keyboard.press('Home');
  await status(page, 0, 0);
  await second(0, 0);
  // A reload finds both as they were stored.
  await page.reload();
  await page.waitForSelector('body[data-state="ready"]', WAIT);
  await status(page, stopped, stopped);
  await second(stoppedSecond, stoppedSecond);

  // Another B begins both anew; without B its worker is gone.
  await press(page, 'Compare A | B');
  await page.select('#learning-b-key', 'positions');
  await page.select('#learning-b-value', 'none');
  await press(page, 'Begin both anew');
  await stepWithin(page, '#learning-b-status', /positions none instead of sinusoidal · step (\d+)/, 0, 0);
  await press(page, 'One step');
  await status(page, 1, 1);
  await stepWithin(page, '#learning-b-status', /step (\d+)/, 1, 1);
  const ended = new Promise((done) => page.once('workerdestroyed', done));
  await press(page, 'Remove B');
  await page.waitForFunction(() => document.querySelector('#learning-b-status').hidden, WAIT);
  await ended;
  assert.equal(trainers(page).length, 1);
  assert.deepEqual(await violations(page, '#inspector'), []);
  assert.deepEqual(faults, []);
});
