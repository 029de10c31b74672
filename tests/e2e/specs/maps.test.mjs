// What the maps make of a translation (words, hidden specials, means, norms, losses, lines) is what the core's numbers give.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { drawn, open, translation, type } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();
const TEXT = 'A motorcyclist is repairing his motorcycle in the garage.';

/** Opens the page, translates TEXT and waits for the whole trace. */
async function observed(t, settings = '') {
  const visited = await visit(t, here.browser, { width: 1440 });
  const { page } = visited;
  await open(page, here.url + settings);
  await type(page, TEXT);
  await translation(page, TEXT);
  await page.waitForFunction(() => window.translucent.store.get().observation?.final);
  await drawn(page);
  return visited;
}

/** Presses a button of the Attention tab and waits until the store says so. */
async function press(page, value, key) {
  await page.evaluate((value) => document.querySelector(`#panel-attention .segmented [data-value="${value}"]`).click(), value);
  await page.waitForFunction((key, value) => window.translucent.store.get()[key] === value, { timeout: 60_000 }, key, value);
  await drawn(page);
}

/** The observed weights of one kind, and the pieces of its rows and columns. */
const block = (page, kind) =>
  page.evaluate((kind) => {
    const { observation } = window.translucent.store.get();
    const { data, shape } = observation.trace[kind];
    const plain = (pieces) => pieces.map(({ text, word }) => ({ text, word }));
    return { data: [...data], shape, source: plain(observation.source), target: plain(observation.target) };
  }, kind);

/** What the table behind the map says: labels of its rows, and its numbers. */
const table = (page) =>
  page.evaluate(async () => {
    const details = document.querySelector('#map-table');
    // It is filled when it is opened, and with every frame while it is open.
    if (!details.open) {
      const toggled = new Promise((done) => details.addEventListener('toggle', done, { once: true }));
      details.open = true;
      await toggled;
    }
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const rows = [...details.querySelectorAll('tbody tr')];
    return { rows: rows.map((row) => row.querySelector('th').textContent), cols: [...details.querySelectorAll('thead th')].slice(1).map((n) => n.textContent), values: rows.map((row) => [...row.querySelectorAll('td')].map((n) => Number(n.textContent))) };
  });

/** Pieces as items: one for each word, one for each special piece. */
function words(pieces) {
  const items = [];
  pieces.forEach(({ word, text }, i) => {
    const last = items.at(-1);
    if (word !== null && last?.word === word) last.pieces.push(i);
    else items.push({ word, special: text === '</s>', pieces: [i] });
  });
  return items;
}

test('words are means over rows and sums over columns; without special pieces each row is divided by what is left', async (t) => {
  const { page, faults } = await observed(t);
  const { data, shape: [, heads, rows, cols], source, target } = await block(page, 'cross');
  const { layer, head } = await page.evaluate(() => {
    document.querySelector('[data-head^="cross-"][data-head$="-7"]').click();
    return window.translucent.store.get().held.head;
  });
  assert.ok(words(target).some(({ pieces }) => pieces.length > 1), 'a word of several pieces is needed');
  const at = (row, col) => data[((layer * heads + head) * rows + row) * cols + col];
  const byWord = (keep) =>
    words(target).filter(keep).map((row) => {
      const sums = words(source).filter(keep).map((col) => {
        let sum = 0;
        for (const r of row.pieces) for (const c of col.pieces) sum += at(r, c);
        return sum / row.pieces.length;
      });
      const left = sums.reduce((a, b) => a + b, 0);
      return { sums, left };
    });
  const near = (shown, wanted) => {
    assert.equal(shown.length, wanted.length);
    shown.forEach((row, r) => row.forEach((value, c) => assert.ok(Math.abs(value - wanted[r][c]) <= 0.00101, `${r}, ${c}: ${value} instead of ${wanted[r][c]}`)));
  };

  await press(page, 'words', 'unit');
  near((await table(page)).values, byWord(() => true).map(({ sums }) => sums));

  await page.click('#special');
  await page.waitForFunction(() => window.translucent.store.get().specialTokens === 'hidden');
  await drawn(page);
  const kept = byWord(({ special }) => !special);
  near((await table(page)).values, kept.map(({ sums, left }) => sums.map((sum) => sum / left)));
  assert.match(await page.$eval('#view-note', (node) => node.textContent), /divided by what is left/);
  assert.deepEqual(faults, []);
});

test('the mean is the mean of the heads, and of all layers', async (t) => {
  const { page, faults } = await observed(t);
  const { data, shape: [layers, heads, rows, cols] } = await block(page, 'cross');
  const layer = await page.evaluate(() => window.translucent.store.get().layers.decoder);
  const mean = (from, to) => Array.from({ length: rows }, (_, r) => Array.from({ length: cols }, (_, c) => {
    let sum = 0;
    for (let i = from; i < to; i++) sum += data[(i * rows + r) * cols + c];
    return sum / (to - from);
  }));
  for (const [value, wanted] of [['mean', mean(layer * heads, (layer + 1) * heads)], ['layers', mean(0, layers * heads)]]) {
    await press(page, value, 'heads');
    const { values } = await table(page);
    values.forEach((row, r) => row.forEach((shown, c) => assert.ok(Math.abs(shown - wanted[r][c]) <= 0.00101, `${value} ${r}, ${c}: ${shown} instead of ${wanted[r][c]}`)));
    assert.match(await page.$eval('#head-title', (node) => node.textContent), /mean/);
  }
  assert.deepEqual(faults, []);
});

test('value-weighted norms are those of the core, and the scale ends at the largest', async (t) => {
  const { page, faults } = await observed(t);
  await press(page, 'norm', 'measure');
  const { shown, own } = await page.evaluate(async (text) => {
    const { Translator } = await import('./engine/translator.js');
    const engine = new Translator();
    await engine.load('./models/en-de/');
    const { observation } = window.translucent.store.get();
    const { observed } = await engine.score(text, { target: observation.target.map(({ id }) => id), request: { cross: true, norms: true } });
    return { shown: [...observation.trace.crossNorms.data], own: [...observed.trace.crossNorms.data] };
  }, TEXT);
  assert.equal(shown.length, own.length);
  assert.ok(Math.max(...shown.map((value, i) => Math.abs(value - own[i]))) < 1e-4);
  assert.ok(Math.max(...own) > 0);
  assert.match(await page.$eval('#says', (node) => node.textContent), /lengths of the vectors that are added/);
  assert.deepEqual(faults, []);
});

test('training view tells the loss of every piece, all rows at once', async (t) => {
  const { page, faults } = await observed(t);
  await page.click('#step-first');
  await page.evaluate(() => document.querySelector('#mode [data-value="training"]').click());
  await page.waitForFunction(() => window.translucent.store.get().scored, { timeout: 60_000 });
  await drawn(page);
  const { scored, own, count, bars, later, label } = await page.evaluate(async (text) => {
    const { Translator } = await import('./engine/translator.js');
    const engine = new Translator();
    await engine.load('./models/en-de/');
    const { scored, observation } = window.translucent.store.get();
    const { scores, loss, logprob } = await engine.score(text, { target: observation.target.map(({ id }) => id) });
    return {
      scored: { scores: scored.scores, loss: scored.loss, logprob: scored.logprob },
      own: { scores, loss, logprob },
      count: observation.target.length,
      bars: [...document.querySelectorAll('#losses button')].map((bar) => bar.title),
      later: document.querySelectorAll('.chip.later').length,
      label: document.querySelector('#step-label').textContent,
    };
  }, TEXT);
  assert.deepEqual(scored, own);
  assert.equal(bars.length, count);
  bars.forEach((bar, i) => assert.ok(bar.includes(own.scores[i].loss.toFixed(2)), bar));
  const sum = own.scores.reduce((all, { logprob }) => all + logprob, 0);
  assert.ok(Math.abs(sum - own.logprob) < 1e-3, `${sum} and ${own.logprob}`);
  assert.equal(later, 0, 'no row is later than another');
  assert.ok(label.includes(`all ${count} rows at once`) && label.includes(own.scores[0].loss.toFixed(2)), label);

  await press(page, 'words', 'unit');
  const byWord = await page.evaluate(() => ({
    bars: [...document.querySelectorAll('#losses button')].map((bar) => bar.title),
    words: window.translucent.store.get().scored.words,
  }));
  assert.ok(byWord.words.length < count, 'some word has several pieces');
  assert.equal(byWord.bars.length, byWord.words.length);
  byWord.words.forEach(({ pieces: [first, end], loss }, i) => {
    const sum = own.scores.slice(first, end).reduce((all, score) => all + score.loss, 0);
    assert.ok(Math.abs(sum - loss) < 1e-3, `${loss} and ${sum}`);
    assert.ok(byWord.bars[i].includes(loss.toFixed(2)), byWord.bars[i]);
  });
  assert.deepEqual(faults, []);
});

test('lines: all heads by hue, one left out by a click, one alone by a double click', async (t) => {
  const { page, faults } = await observed(t);
  await press(page, 'lines', 'form');
  await press(page, 'all', 'heads');
  const hues = () => page.$$eval('#lines path', (paths) => new Set(paths.filter((path) => path.getAttribute('d')).map((path) => path.getAttribute('stroke'))).size);
  assert.equal(await hues(), 8, 'lines of eight heads, each in its hue');
  await page.click('[data-bar="2"]');
  assert.deepEqual(await page.evaluate(() => window.translucent.store.get().bundle), [0, 1, 3, 4, 5, 6, 7]);
  await page.click('[data-bar="2"]', { count: 2 });
  await drawn(page);
  const { heads, held } = await page.evaluate(() => window.translucent.store.get());
  assert.equal(heads, 'one');
  assert.equal(held.head.head, 2);
  assert.equal(await hues(), 1);
  assert.match(await page.$eval('#head-title', (node) => node.textContent), /head 3/);
  assert.deepEqual(faults, []);
});

test('decoder rows say what they read and what they predict', async (t) => {
  const { page } = await observed(t);
  await page.click('#step-first');
  await page.click('#step-next');
  await drawn(page);
  const { target, label, rows } = { ...(await block(page, 'cross')), label: await page.$eval('#step-label', (node) => node.textContent), rows: (await table(page)).rows };
  const plain = (text) => text.replace('▁', '');
  assert.ok(label.includes(`reads ${plain(target[0].text)} → predicts`), label);
  assert.ok(rows[1].startsWith(`${plain(target[0].text)} → `), rows[1]);
});
