// Table 3: our rows beside the paper's, and the sentences that count them.

import assert from 'node:assert/strict';
import test from 'node:test';
import { readResults, rowsOf } from '../../www/tabs/model/table3-results.js';
import { verdictText } from '../../www/tabs/model/table3-words.js';

const spread = (/** @type {number} */ mean, count = 2) => ({ mean, low: mean - 0.01, high: mean + 0.01, count });
const row = (/** @type {string} */ name, /** @type {string[]} */ set, /** @type {number|null} */ change, /** @type {number|null} */ chance) => ({
  row: name,
  set,
  parameters: 1e6,
  validation: { dev: { perplexity: spread(10), bleu: spread(30), change: change === null ? null : spread(change), chance } },
});
const raw = (/** @type {any[]} */ rows) => ({ tokens: 1e6, model: { d_model: 96 }, outcomes: [{ seed: 2, steps: 7, seconds: 1 }, { seed: 1, steps: 5, seconds: 2 }], rows });

test('the paper’s rows come in its order, others after them, each with its verdict', () => {
  const results = readResults(raw([row('base', [], 0, null), row('mine', [], 0.2, 0.1), row('A-heads-1', ['model.n_heads=1'], 0.1, 0.05), row('A-heads-4', [], 0.01, 0.05), row('C-layers-4', [], 0.1, 0.05)]));
  assert.deepEqual([results.seeds, results.steps, results.seconds], [[1, 2], [5, 7], 3]);
  const rows = rowsOf(results);
  assert.deepEqual([rows[0].name, rows.at(-1)?.name], ['base', 'mine']);
  const of = Object.fromEntries(rows.map((row) => [row.name, row]));
  assert.deepEqual(['base', 'A-heads-1', 'A-heads-4', 'C-layers-4', 'mine'].map((name) => of[name].verdict), [null, 'same', 'chance', 'other', null]);
  assert.equal(of.mine.group, 'ours');
  assert.deepEqual(of.mine.settings, [['mine', '']]);
  assert.equal(of['A-heads-16'].settings, null);
});

test('one seed for each row tells no change from chance', () => {
  const results = readResults(raw([row('base', [], 0, null), row('A-heads-1', [], 0.1, null)]));
  assert.match(verdictText(rowsOf(results), results), /^With one seed for each row nothing tells a change from chance/);
});

test('a run that diverged has no perplexity and is not shown as measured', () => {
  const diverged = { row: 'A-heads-1', set: [], parameters: 1e6, validation: { dev: { perplexity: null, bleu: null, change: null, chance: null } } };
  assert.equal(rowsOf(readResults(raw([row('base', [], 0, null), diverged]))).find(({ name }) => name === 'A-heads-1')?.settings, null);
});

test('what is missing is named', () => {
  assert.throws(() => readResults(raw([{ row: 'base' }])), /rows\[0\]\.set is missing or broken/);
  assert.throws(() => readResults({ ...raw([]), rows: undefined }), /rows is missing/);
  for (const odd of [null, 0, [], {}, 'x']) assert.throws(() => readResults(odd));
});
