// `training.json`, `metrics.json`, `heads.json` and the card, as the Model tab reads them: what is odd is left out.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { headRoles } from '../../www/app/roles.js';
import { descendsAtTheEnd, readTrainingLog } from '../../www/tabs/model/training-log.js';
import { readMetrics } from '../../www/tabs/model/metrics.js';
import { parseMarkdown, plain } from '../../www/ui/markdown.js';

const ODD = [null, undefined, 0, '', 'x', [], {}, true, { toString: 1 }, [null], [[]], [{}], { a: null }];

test('a training log keeps the points that have a step', () => {
  const log = readTrainingLog({ steps: 7, target_tokens: 'many', training: [{ step: 1, loss: 2.5 }, null, { loss: 3 }, { step: 2, loss: 'x', learning_rate: 0.1 }], validation: { dev: [{ step: 2, loss: 1, bleu: 20 }], none: [], odd: 3 } });
  assert.ok(log);
  assert.equal(log.steps, 7);
  assert.equal(log.targetTokens, null);
  assert.deepEqual(log.training, { step: [1, 2], loss: [2.5, NaN], rate: [NaN, 0.1] });
  assert.deepEqual(log.validation, [{ name: 'dev', step: [2], loss: [1], bleu: [20] }]);
});

test('a rate that follows 1/√step does not descend, one that ends at zero does', () => {
  const step = Array.from({ length: 20 }, (_, i) => 100 * (i + 1));
  assert.equal(descendsAtTheEnd({ step, loss: [], rate: step.map((s) => 1 / Math.sqrt(s)) }), false);
  assert.equal(descendsAtTheEnd({ step, loss: [], rate: step.map((s, i) => (i < 15 ? 1 / Math.sqrt(s) : (19 - i) / 1000)) }), true);
});

test('metrics are read where they are numbers', () => {
  const metrics = readMetrics({ test_sets: [{ name: 'newstest2013', sentences: 3000, bleu: 17.69, chrf2: 46.21 }, { name: 'x', bleu: '3' }, { bleu: 1 }, null], training_flops: { counted: 5.5e15 } });
  assert.deepEqual(metrics, { scores: [{ name: 'newstest2013', sentences: 3000, bleu: 17.69, chrf2: 46.21 }], flops: { counted: 5.5e15, estimated: null } });
});

test('odd shapes never throw', () => {
  const config = { encoderLayers: 2, decoderLayers: 2, nHeads: 2, decoder: { nHeads: 2 } };
  for (const odd of ODD) {
    for (const value of [odd, { training: odd, validation: odd }, { training: [{ step: 1 }], validation: { dev: odd } }]) readTrainingLog(value);
    for (const value of [odd, { test_sets: odd, training_flops: odd }, { test_sets: [odd] }]) assert.deepEqual(readMetrics(value).scores, []);
    for (const value of [odd, { roles: odd, sentences: odd }, { roles: [odd] }, { roles: [{ attention: odd, layer: 0, head: 0 }] }]) assert.deepEqual(headRoles(/** @type {any} */ ({ config, heads: value })).roles, []);
  }
});

test('a role of a head that the model does not have is left out', () => {
  const config = { encoderLayers: 1, decoderLayers: 2, nHeads: 2, decoder: { nHeads: 1 } };
  const role = (/** @type {any} */ more) => ({ attention: 'encoderSelf', layer: 0, head: 1, role: 'next', ...more });
  const roles = [role({}), role({ layer: 1 }), role({ head: 2 }), role({ layer: 0.5 }), role({ attention: 'constructor' }), role({ attention: 'cross' }), role({ role: {} })];
  assert.deepEqual(
    headRoles(/** @type {any} */ ({ config, heads: { roles, sentences: 200 } })),
    { roles: [{ attention: 'encoderSelf', layer: 0, head: 1, role: 'next', distinctive: false }, { attention: 'encoderSelf', layer: 0, head: 1, role: undefined, distinctive: false }], sentences: 200 },
  );
});

/** @param {string} text */
const spans = (text) => {
  const [block] = parseMarkdown(text);
  return block.kind === 'paragraph' ? block.spans.map(({ text, kind, link }) => [text, kind, link]) : [];
};

test('a card’s emphasis, code and links are told apart', () => {
  assert.deepEqual(spans('a `b*c` **d** *e* [f `g`](https://x.y/z) h'), [
    ['a ', 'text', null],
    ['b*c', 'code', null],
    [' ', 'text', null],
    ['d', 'strong', null],
    [' ', 'text', null],
    ['e', 'em', null],
    [' ', 'text', null],
    ['f ', 'text', 'https://x.y/z'],
    ['g', 'code', 'https://x.y/z'],
    [' h', 'text', null],
  ]);
  assert.deepEqual(spans('[local](./file.md)'), [['local', 'text', null]]);
  assert.deepEqual(spans('[script](javascript:alert(1))'), [['script', 'text', null], [')', 'text', null]]);
  for (const text of ['`', '**', '**a', '*', '[a]', '[a](', '[a](b', '[](b)', '[a]()', '``', '2 * 3']) assert.equal(plain(spansText(text)), text);
});

/** @param {string} text */
function spansText(text) {
  const [block] = parseMarkdown(text);
  assert.ok(block.kind === 'paragraph');
  return block.spans;
}

test('each model that ships says in a line what it is good at', () => {
  const read = (path) => JSON.parse(readFileSync(new URL(`../../models/${path}`, import.meta.url), 'utf8'));
  const without = read('index.json').models.map(({ name }) => name).filter((name) => !/^Good at .*; weak on .*\.$/.test(read(`${name}/metrics.json`).about));
  assert.deepEqual(without, []);
});
