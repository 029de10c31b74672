// Steering: other pieces, the reader's own target, heads switched off, two sentences compared; against the core.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { translated } from '../lib/native.mjs';
import { drawn, observed, openTab, until } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();
const TEXT = 'The animal did not cross the street because it was too tired.';

/** Opens one of the tab's views. */
async function steer(page, view) {
  await openTab(page, 'alternatives');
  await page.evaluate((view) => window.translucent.store.set({ steerView: view }), view);
  await drawn(page);
}

const ids = (page) => page.evaluate(() => window.translucent.store.get().observation.target.map((p) => p.id));
const shown = (page, part) =>
  page.$eval(`[data-steer="${part}"] .steered`, (card) => ({
    texts: [...card.querySelectorAll('.prose-line')].map((line) => line.textContent),
    lns: [...card.querySelectorAll('.ln')].map((ln) => parseFloat(ln.textContent.replace('ln P = ', '').replace('−', '-'))),
    says: card.querySelector('.step-says').textContent,
  }));
const near = (a, b, what) => assert.ok(Math.abs(a - b) <= 0.0051, `${what}: ${a} and ${b}`);

test('another piece is chosen at a step, and decoding goes on from that prefix', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440 });
  await observed(page, here.url, TEXT);
  await steer(page, 'alternatives');
  await page.evaluate(() => document.querySelectorAll('.step-piece')[4].click());
  await drawn(page);
  const told = await page.$$eval('#choices .choice', (list) => list.map((c) => ({ id: Number(c.dataset.id), p: Number(c.querySelector('.value').textContent), said: c.ariaDisabled === 'true' })));
  const target = await ids(page);
  const steps = await page.evaluate(() => window.translucent.store.get().observation.steps[4].pieces);
  assert.deepEqual(told.map(({ id }) => id), steps.map(({ id }) => id));
  told.forEach(({ p }, i) => assert.ok(Math.abs(p - steps[i].probability) < 6e-4));
  assert.ok(told.some(({ id, said }) => said && id === target[4]), 'what was said is marked');

  const other = told.find(({ id }) => id !== target[4]).id;
  // By keyboard: the list is one tab stop.
  await page.focus(`#choices [data-id="${other}"]`);
  await page.keyboard.press('Enter');
  await until(page, (state) => state.branch);
  await drawn(page);
  const options = { beam: 4, scoring: { kind: 'wu', alpha: 0.6 }, prefix: [...target.slice(0, 4), other] };
  const { text, found, logprob } = await page.evaluate(
    async (source, options) => {
      const { Translator } = await import('./engine/translator.js');
      const engine = new Translator();
      await engine.load('./models/en-de/');
      const { text, target } = await engine.translateSentence(source, options);
      const found = target.map((p) => p.id);
      return { text, found, logprob: (await engine.score(source, { target: found })).logprob };
    },
    TEXT,
    options,
  );
  const card = await shown(page, 'alternatives');
  assert.equal(card.texts[1], text);
  assert.deepEqual(found.slice(0, 5), options.prefix);
  near(card.lns[1], logprob, 'ln P of the new translation');

  // It can take the translation's place, which says so; and goes again.
  await page.evaluate(() => document.querySelector('[data-steer="alternatives"] .look').click());
  await until(page, (state) => state.variant && state.observation.final);
  await drawn(page);
  assert.equal(await page.$eval('#translation', (node) => node.textContent.trim()), text);
  assert.match(await page.$eval('#search-note', (node) => node.textContent), /^not the model’s own translation/);
  assert.deepEqual(await ids(page), found);
  await page.click('#variant-back');
  await until(page, (state) => !state.variant);
  await drawn(page);
  assert.deepEqual(await ids(page), target);
  assert.deepEqual(faults, []);
});

test("the reader's own target: probability and surprisal of each piece, as forced decoding gives them", async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440 });
  await observed(page, here.url, TEXT);
  await steer(page, 'target');
  const own = 'Das Tier ging nicht über die Straße, weil sie zu breit war.';
  await page.$eval('#own-target', (field) => field.select());
  await page.type('#own-target', own);
  await page.keyboard.press('Enter');
  await until(page, (state) => state.forced);
  await drawn(page);
  const scored = await page.evaluate(
    async (source, own) => {
      const { Translator } = await import('./engine/translator.js');
      const engine = new Translator();
      await engine.load('./models/en-de/');
      const { observed, logprob, scores } = await engine.score(source, { target: own });
      return { pieces: observed.target.length, logprob, scores };
    },
    TEXT,
    own,
  );
  const rows = await page.$$eval('#own-pieces tbody tr', (rows) => rows.map((r) => [...r.children].map((c) => c.textContent)));
  assert.equal(rows.length, scored.pieces);
  rows.forEach(([, p, bits, rank], i) => {
    assert.ok(p.startsWith('less') || Math.abs(Number(p) - scored.scores[i].probability) < 6e-4, `${p}`);
    assert.ok(Math.abs(parseFloat(bits) - scored.scores[i].surprisal) < 0.051);
    assert.ok(Math.abs(scored.scores[i].surprisal + Math.log2(scored.scores[i].probability)) < 1e-2);
    assert.equal(Number(rank), scored.scores[i].rank);
  });
  assert.ok((await page.$eval('#own-total', (node) => node.textContent)).includes(scored.logprob.toFixed(2).replace('-', '−')));
  await page.evaluate(() => document.querySelector('[data-steer="target"] .look').click());
  await until(page, (state) => state.variant);
  await drawn(page);
  assert.equal(await page.$eval('#translation', (node) => node.textContent.trim()), own);
  assert.deepEqual(faults, []);
});

test('a head that is switched off adds nothing, and the translation is that of the native core with the same intervention', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440 });
  const before = await observed(page, here.url, TEXT);
  const native = (...args) => translated(TEXT, ['--beam', '4', '--n-best', '1', ...args])[0].text;
  assert.equal(before, native());
  await steer(page, 'heads');
  const layer = await page.evaluate(() => window.translucent.store.get().alignmentHead.layer);
  const head = await page.evaluate(() => window.translucent.store.get().alignmentHead.head);

  await page.click(`.head-switch[data-kind="cross"][data-layer="${layer}"][data-head="${head}"]`);
  await until(page, (state) => state.interventionResult);
  await drawn(page);
  const one = await shown(page, 'heads');
  assert.deepEqual(one.texts, [before, native('--off', `cross:${layer + 1}:${head + 1}`)]);
  const change = await page.evaluate(() => {
    const { before, after, change } = window.translucent.store.get().interventionResult.comparison;
    return { before, after, change };
  });
  near(change.after - change.before, change.change, 'change');
  // Whether for better or worse is a matter of the weights.
  assert.ok(Math.abs(change.change) > 0.001, `the aligning head matters to its own translation: ${change.change}`);
  assert.ok(one.says.includes(change.change.toFixed(2).replace('-', '−')));

  // A whole layer of the encoder.
  await page.evaluate(() => document.querySelector('.head-grid .whole').click());
  await page.waitForFunction(() => window.translucent.store.get().interventionResult && window.translucent.store.get().headChanges.length > 1, { timeout: 60_000 });
  await drawn(page);
  const layerOff = await shown(page, 'heads');
  assert.equal(layerOff.texts[1], native('--off', `cross:${layer + 1}:${head + 1}`, '--off', 'encoder:1'));

  // Nothing of the head is left in the sub-layer's output.
  const { headOutput, weights, others } = await page.evaluate(
    async (source, layer, head) => {
      const { Translator } = await import('./engine/translator.js');
      const engine = new Translator();
      await engine.load('./models/en-de/');
      const target = window.translucent.store.get().observation.target.map((p) => p.id);
      const intervention = { heads: [{ kind: 'cross', layer, head, change: 'off' }] };
      const off = await engine.arithmetic({ source, target, cell: { kind: 'cross', layer, head, query: 1, key: 1 }, intervention });
      const width = off.head.data.length;
      return {
        headOutput: [...off.headOutput.data, ...off.concatenation.data.slice(head * width, (head + 1) * width)],
        weights: [...off.weights.data],
        others: [...off.concatenation.data].filter((v) => v !== 0).length,
      };
    },
    TEXT,
    layer,
    head,
  );
  assert.ok(headOutput.every((v) => v === 0) && weights.every((w) => w === 0));
  assert.ok(others > 0);
  assert.deepEqual(faults, []);
});

test('A is pinned, the sentence edited: B and the difference', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440 });
  await observed(page, here.url, TEXT);
  await steer(page, 'compare');
  await page.click('#tired-wide');
  await until(page, (state) => state.pinned?.b);
  await drawn(page);
  const sides = await page.$$eval('.side', (sides) => sides.map((side) => ({ source: side.querySelector('.source-line').textContent, marks: [...side.querySelectorAll('.source-line mark')].map((m) => m.textContent) })));
  assert.deepEqual(sides.map(({ marks }) => marks), [['tired'], ['wide']]);
  const crossed = await page.$$eval('#crossed tbody td', (cells) => cells.map((c) => parseFloat(c.textContent.replace('−', '-'))));
  const expected = await page.evaluate(async () => {
    const { Translator } = await import('./engine/translator.js');
    const engine = new Translator();
    await engine.load('./models/en-de/');
    const { a, b } = window.translucent.store.get().pinned;
    const out = [];
    for (const { source } of [a, b]) for (const { target } of [a, b]) out.push((await engine.score(source, { target: target.map((p) => p.id) })).logprob);
    return out;
  });
  crossed.forEach((v, i) => near(v, expected[i], `cell ${i}`));
  assert.ok(expected[0] > expected[1] && expected[3] > expected[2], `each translation fits its own sentence better: ${expected}`);
  assert.deepEqual(faults, []);
});
