// What follows from the state: the head, step and row that are shown, and the groups of a long translation.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arithmeticCell, matrixOf, samePieces, shownColumn, shownHead, shownStep, stepCount } from '../../www/app/select.js';
import { NO_MARKS, initialState } from '../../www/app/state.js';
import { groupsOf } from '../../www/page/texts/sentences.js';

const piece = (/** @type {number} */ id) => ({ id, text: `▁w${id}`, range: null, word: null });
const block = (/** @type {number} */ rows, /** @type {number} */ cols) => ({ data: Float32Array.from({ length: 2 * rows * cols }, (_, i) => (i % 7) / 7), shape: [1, 2, rows, cols] });
const state = /** @type {import('../../www/app/state.js').State} */ (
  /** @type {unknown} */ ({
    ...initialState(),
    observation: { sentence: 0, source: [1, 2, 3].map(piece), target: [4, 5].map(piece), steps: [], trace: { cross: block(2, 3), encoderSelf: block(3, 3) }, final: true },
    step: 1,
  })
);

test('a head that is pointed at goes before one that is held, and that before the alignment head', () => {
  const [a, b, c] = [0, 1, 2].map((head) => ({ kind: /** @type {const} */ ('cross'), layer: 0, head }));
  const at = (/** @type {object} */ patch) => shownHead({ ...state, alignmentHead: a, ...patch });
  assert.deepEqual(at({}), a);
  assert.deepEqual(at({ held: { ...NO_MARKS, head: b } }), b);
  assert.deepEqual(at({ held: { ...NO_MARKS, head: b }, preview: { ...NO_MARKS, head: c } }), c);
});

test('a matrix is the slice of its head, and there is none of a head that was not observed', () => {
  const matrix = matrixOf(state.observation, { kind: 'cross', layer: 0, head: 1 });
  assert.deepEqual([...(matrix?.data ?? [])], [...block(2, 3).data.subarray(6)]);
  assert.equal(matrixOf(state.observation, { kind: 'cross', layer: 1, head: 0 }), null);
  assert.equal(matrixOf(state.observation, { kind: 'decoderSelf', layer: 0, head: 0 }), null);
  assert.equal(matrixOf(null, { kind: 'cross', layer: 0, head: 0 }), null);
});

test('the step is never beyond what was observed', () => {
  assert.equal(stepCount(state.observation), 2);
  assert.equal(stepCount(null), 0);
  assert.equal(shownStep({ ...state, step: 9 }), 1);
  assert.equal(shownStep({ ...state, preview: { ...NO_MARKS, token: { side: 'target', index: 0 } } }), 0);
});

test('without a marked column the arithmetic is that of the heaviest weight of the row', () => {
  assert.equal(shownColumn(state), null);
  const cell = arithmeticCell(state);
  const row = [...(matrixOf(state.observation, { kind: 'cross', layer: 0, head: 0 })?.data.subarray(3, 6) ?? [])];
  assert.deepEqual(cell, { kind: 'cross', layer: 0, head: 0, query: 1, key: row.indexOf(Math.max(...row)) });
});

test('sentences are the same where their pieces are', () => {
  assert.ok(samePieces([piece(1)], [piece(1)]));
  assert.ok(!samePieces([piece(1)], [piece(2)]) && !samePieces([piece(1)], []));
});

test('groups of sentences cover a text without gaps, end with paragraphs, and stay small', () => {
  for (const n of [0, 1, 23, 24, 25, 1000]) {
    const groups = groupsOf(Array.from({ length: n }, (_, i) => ({ after: i % 10 === 9 ? '\n\n' : ' ' })));
    assert.deepEqual(groups.flatMap(([start, end]) => Array.from({ length: end - start }, (_, i) => start + i)), Array.from({ length: n }, (_, i) => i));
    for (const [start, end] of groups) assert.ok(end - start <= 48 && (end === n || end % 10 === 0), `${start}–${end}`);
  }
  const flat = groupsOf(Array.from({ length: 200 }, () => ({ after: ' ' })));
  assert.ok(flat.every(([start, end]) => end - start <= 48));
});
