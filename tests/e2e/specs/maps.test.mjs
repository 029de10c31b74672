// What the maps make of a translation (words, hidden specials, means, norms, losses, lines) is what the core's numbers give.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { attentions, computed, decoded, drawn, idsOf, observed, textOf, titledHead } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();
const TEXT = 'A motorcyclist is repairing his motorcycle in the garage.';

/** Opens the page, translates TEXT and waits for the whole trace. */
async function started(t) {
  const visited = await visit(t, here.browser, { width: 1440 });
  await observed(visited.page, here.url, TEXT);
  return visited;
}

/** Presses a button of the Attention tab and waits until it stays pressed: then what it asks for is there. */
async function press(page, value) {
  const button = `#panel-attention .segmented [data-value="${value}"]`;
  await page.locator(button).click();
  await page.waitForSelector(`${button}[aria-pressed="true"]`, { timeout: 60_000 });
  await drawn(page);
}

/** The layer that the figure has open for encoder–decoder attention. */
const openLayer = (page) => page.$eval('.heads[data-kind="cross"]', (grid) => Number(grid.dataset.layer));

/** What the table behind the map says: labels of its rows, and its numbers. */
async function table(page) {
  // It is filled when it is opened, and with every frame while it is open.
  if (!(await page.$('#map-table[open]'))) await page.locator('#map-table summary').click();
  await page.waitForSelector('#map-table tbody tr');
  await drawn(page);
  return page.$eval('#map-table', (details) => {
    const rows = [...details.querySelectorAll('tbody tr')];
    return { rows: rows.map((row) => row.querySelector('th').textContent), cols: [...details.querySelectorAll('thead th')].slice(1).map((n) => n.textContent), values: rows.map((row) => [...row.querySelectorAll('td')].map((n) => Number(n.textContent))) };
  });
}

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

/** Waits until the table behind the map says this. */
async function shows(page, expected) {
  const deadline = Date.now() + 20_000;
  let found = await table(page);
  while (JSON.stringify(found) !== JSON.stringify(expected) && Date.now() < deadline) found = await table(page);
  assert.deepEqual(found, expected);
}

test('words are means over rows and sums over columns; without special pieces each row is divided by what is left', async (t) => {
  const { page, faults } = await started(t);
  const { source, target, trace: { cross: { data, shape: [, heads, rows, cols] } } } = await attentions(page, TEXT);
  const [layer, head] = [await openLayer(page), 7];
  await page.locator(`[data-head="cross-${layer}-${head}"]`).click();
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

  await press(page, 'words');
  const shown = await table(page);
  near(shown.values, byWord(() => true).map(({ sums }) => sums));
  const named = shown.rows.map((name) => name.split(' → '));
  assert.deepEqual(named.slice(1).map(([read]) => read), named.slice(0, -1).map(([, word]) => word), 'a row reads the word before its own');

  await page.locator('#special').click();
  await page.waitForSelector('#special[aria-pressed="false"]');
  await drawn(page);
  const kept = byWord(({ special }) => !special);
  near((await table(page)).values, kept.map(({ sums, left }) => sums.map((sum) => sum / left)));
  assert.match(await page.$eval('#view-note', (node) => node.textContent), /divided by what is left/);
  assert.deepEqual(faults, []);
});

test('an address that asks for another view shows that view’s numbers, as its button does', async (t) => {
  const { page, faults } = await started(t);
  const pieces = await table(page);
  await press(page, 'words');
  const words = await table(page);
  assert.notDeepEqual(words, pieces);
  await press(page, 'mean');
  const mean = await table(page);
  for (const [address, expected] of [['#', pieces], ['#by=words', words], ['#by=words&heads=mean', mean]]) {
    await page.evaluate((hash) => (location.hash = hash), address);
    await page.waitForFunction((rows) => document.querySelectorAll('#map-table tbody tr').length === rows, {}, expected.rows.length);
    await shows(page, expected);
  }
  assert.deepEqual(faults, []);
});

test('the mean is the mean of the heads, and of all layers', async (t) => {
  const { page, faults } = await started(t);
  const { data, shape: [layers, heads, rows, cols] } = (await attentions(page, TEXT)).trace.cross;
  const layer = await openLayer(page);
  const mean = (from, to) => Array.from({ length: rows }, (_, r) => Array.from({ length: cols }, (_, c) => {
    let sum = 0;
    for (let i = from; i < to; i++) sum += data[(i * rows + r) * cols + c];
    return sum / (to - from);
  }));
  for (const [value, wanted] of [['mean', mean(layer * heads, (layer + 1) * heads)], ['layers', mean(0, layers * heads)]]) {
    await press(page, value);
    const { values } = await table(page);
    values.forEach((row, r) => row.forEach((shown, c) => assert.ok(Math.abs(shown - wanted[r][c]) <= 0.00101, `${value} ${r}, ${c}: ${shown} instead of ${wanted[r][c]}`)));
    assert.match(await page.$eval('#head-title', (node) => node.textContent), /mean/);
  }
  assert.deepEqual(faults, []);
});

test('value-weighted norms are those of the core, and the scale ends at the largest', async (t) => {
  const { page, faults } = await started(t);
  await press(page, 'norm');
  const { layer, head } = await titledHead(page);
  const { data, shape: [, heads, rows, cols] } = (await attentions(page, TEXT, { cross: true, norms: true })).trace.crossNorms;
  const { values } = await table(page);
  assert.deepEqual([values.length, values[0].length], [rows, cols]);
  values.forEach((row, r) =>
    row.forEach((shown, c) => {
      const own = data[((layer * heads + head) * rows + r) * cols + c];
      assert.ok(Math.abs(shown - own) <= 0.00101, `${r}, ${c}: ${shown} instead of ${own}`);
    }),
  );
  assert.ok(values.flat().some((value) => value > 0));
  assert.match(await page.$eval('#says', (node) => node.textContent), /lengths of the vectors that are added/);
  assert.deepEqual(faults, []);
});

test('training view tells the loss of every piece, all rows at once', async (t) => {
  const { page, faults } = await started(t);
  await page.locator('#step-first').click();
  await page.locator('#mode [data-value="training"]').click();
  await page.waitForSelector('#losses button', { timeout: 60_000 });
  await drawn(page);
  const { target } = await decoded(page, TEXT);
  const own = await computed(page, 'score', TEXT, { target: idsOf(target) });
  const bars = () => page.$$eval('#losses button', (all) => all.map((bar) => bar.title));
  const byPiece = await bars();
  assert.equal(byPiece.length, target.length);
  byPiece.forEach((bar, i) => {
    const { loss, probability, rank } = own.scores[i];
    assert.ok(bar.endsWith(`loss ${loss.toFixed(2)} nats, P = ${probability.toFixed(3)}, rank ${rank}`), bar);
  });
  const sum = own.scores.reduce((all, { logprob }) => all + logprob, 0);
  assert.ok(Math.abs(sum - own.logprob) < 1e-3, `${sum} and ${own.logprob}`);
  // Two means, each by its name: perplexity is of the one without label smoothing.
  const plain = -own.logprob / target.length;
  assert.ok(Math.abs(Math.exp(plain) - own.perplexity) < 1e-3);
  const means = await textOf(page, '#losses .part');
  assert.ok(means.endsWith(`mean with label smoothing ${own.loss.toFixed(2)} nats a piece · without ${plain.toFixed(2)}, perplexity ${own.perplexity.toFixed(2)}`), means);
  assert.equal((await page.$$('.chip.later')).length, 0, 'no row is later than another');
  const label = await textOf(page, '#step-label');
  assert.ok(label.includes(`all ${target.length} rows at once`) && label.endsWith(`loss ${own.scores[0].loss.toFixed(2)} nats`), label);

  await press(page, 'words');
  const byWord = await bars();
  assert.ok(own.words.length < target.length, 'some word has several pieces');
  assert.equal(byWord.length, own.words.length);
  own.words.forEach(({ pieces: [first, end], loss }, i) => {
    const sum = own.scores.slice(first, end).reduce((all, score) => all + score.loss, 0);
    assert.ok(Math.abs(sum - loss) < 1e-3, `${loss} and ${sum}`);
    assert.ok(byWord[i].includes(loss.toFixed(2)), byWord[i]);
  });
  assert.deepEqual(faults, []);
});

test('lines: all heads by hue, one left out by a click, one alone by a double click', async (t) => {
  const { page, faults } = await started(t);
  await press(page, 'lines');
  await press(page, 'all');
  const hues = () => page.$$eval('#lines path', (paths) => new Set(paths.filter((path) => path.getAttribute('d')).map((path) => path.getAttribute('stroke'))).size);
  // What draws them is loaded when it is first asked for.
  await page.waitForFunction(() => document.querySelectorAll('#lines path[d]:not([d=""])').length > 0, { timeout: 60_000 });
  await drawn(page);
  assert.equal(await hues(), 8, 'lines of eight heads, each in its hue');
  await page.locator('[data-bar="2"]').click();
  await drawn(page);
  assert.deepEqual(await page.$$eval('[data-bar]', (all) => all.map((bar) => bar.ariaPressed)), ['true', 'true', 'false', 'true', 'true', 'true', 'true', 'true']);
  assert.equal(await hues(), 7);
  await page.locator('[data-bar="2"]').click({ count: 2 });
  await drawn(page);
  await page.waitForSelector('#panel-attention .segmented [data-value="one"][aria-pressed="true"]');
  await drawn(page);
  assert.equal(await hues(), 1);
  assert.match(await page.$eval('#head-title', (node) => node.textContent), /head 3/);
  assert.deepEqual(faults, []);
});

test('decoder rows say what they read and what they predict', async (t) => {
  const { page } = await started(t);
  await page.locator('#step-first').click();
  await page.locator('#step-next').click();
  await drawn(page);
  const { target } = await decoded(page, TEXT);
  const [label, { rows }] = [await textOf(page, '#step-label'), await table(page)];
  const plain = (text) => text.replace('▁', '');
  assert.ok(label.includes(`reads ${plain(target[0].text)} → predicts`), label);
  assert.ok(rows[1].startsWith(`${plain(target[0].text)} → `), rows[1]);
});

test('lines that could not be fetched are said, the map stays, and the next press has them', async (t) => {
  const { page } = await started(t);
  let aborted = false;
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const fails = !aborted && request.url().endsWith('/attention/lines.js');
    if (fails) aborted = true;
    return fails ? request.abort() : request.continue();
  });
  await page.locator('#panel-attention .segmented [data-value="lines"]').click();
  await page.waitForFunction(() => /could not be loaded/.test(document.querySelector('#part-missing')?.textContent ?? ''));
  await page.waitForSelector('#panel-attention .segmented [data-value="map"][aria-pressed="true"]');
  await press(page, 'lines');
  await page.waitForSelector('#panel-attention .lines');
});
