// The source word of a translated word: the argmax over whole words, of the alignment head alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceWordOf } from '../../www/app/source-word.js';

const text = 'old cabinets here';
const piece = (word, range) => ({ id: 0, text: 'x', range, word });
const source = [piece(0, [0, 3]), piece(1, [4, 7]), piece(1, [7, 12]), piece(2, [13, 17]), piece(null, null)];
const target = [piece(0, [0, 4]), piece(0, [4, 8]), piece(1, [9, 12]), piece(null, null)];
/** Two heads; the first reads otherwise. */
const rows = [
  [0.35, 0.25, 0.2, 0.1, 0.1],
  [0.3, 0.25, 0.25, 0.1, 0.1],
  [0.1, 0.1, 0.05, 0.25, 0.5],
  [0, 0, 0, 0, 1],
];
const cross = { data: new Float32Array([...rows.map(() => [0, 0, 0, 1, 0]).flat(), ...rows.flat()]), shape: [1, 2, 4, 5] };
const state = (more = {}) => ({ doc: { text }, alignmentHead: { kind: 'cross', layer: 0, head: 1 }, observation: { sentence: 0, source, target, steps: [], trace: { cross }, final: true, ...more } });

test('pieces of a source word count together, and all pieces of the translated one', () => {
  // Its heaviest column is “old”; the two pieces of “cabinets” have more together.
  assert.equal(sourceWordOf(state(), 0, 0), 'cabinets');
  assert.equal(sourceWordOf(state(), 0, 1), 'cabinets');
});

test('the end mark is no word, though it is read most', () => {
  assert.equal(sourceWordOf(state(), 0, 2), 'here');
  assert.equal(sourceWordOf(state(), 0, 3), '');
});

test('nothing is said of another sentence, or of one that still grows', () => {
  assert.equal(sourceWordOf(state(), 1, 0), '');
  assert.equal(sourceWordOf(state({ final: false }), 0, 0), '');
});
