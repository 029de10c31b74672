// The head that marks words where a model's folder names none.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findAligner } from '../../www/app/roles.js';

/** Two layers of two heads over three rows and four columns, of which the last is the end mark; `reads[layer][head][row]` is a column. */
function trace(reads) {
  const data = new Float32Array(2 * 2 * 3 * 4);
  reads.flat(2).forEach((col, at) => {
    data[at * 4 + 3] = 0.4;
    data[at * 4 + col] = 0.6;
  });
  return { trace: { cross: { data, shape: [2, 2, 3, 4] } } };
}

test('a lower head that reads what the piece before stood for does not mark words, however sure it is', () => {
  const observation = trace([[[0, 0, 1], [2, 0, 1]], [[0, 1, 2], [0, 1, 2]]]);
  assert.equal(findAligner(null, observation, null)?.layer, 1);
});

test('the head stays while it reads about what the others read', () => {
  const head = { kind: 'cross', layer: 1, head: 0 };
  assert.deepEqual(findAligner(null, trace([[[0, 0, 1], [2, 0, 1]], [[0, 1, 2], [0, 1, 2]]]), head), head);
  assert.equal(findAligner(null, trace([[[0, 0, 1], [2, 0, 1]], [[2, 0, 0], [0, 1, 2]]]), { ...head, layer: 0 })?.layer, 1);
});

test('without an observation of encoder–decoder attention there is none', () => {
  assert.equal(findAligner(null, { trace: {} }, null), null);
});
