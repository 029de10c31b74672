// Exercises: answers are computed from the trace, and a wrong choice is told what to look at.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { chosenOf, placeOf, verdict } from '../../www/app/exercise.js';
import { registerTabs } from '../../www/app/fragment.js';
import { parseLesson, writeLesson } from '../../www/app/scene-file.js';
import { NO_MARKS, initialState } from '../../www/app/state.js';

registerTabs(['attention', 'arithmetic', 'model']);

const piece = (text, word) => ({ id: 0, text, range: [0, 1], word, logprob: Math.log(0.25) });
const source = [piece('▁old', 0), piece('▁cab', 1), piece('inet', 1), { ...piece('</s>', null), range: null }];
const target = [piece('▁alter', 0), piece('▁Schrank', 1), { ...piece('</s>', null), range: null }];
/** Two layers of two heads; weights of the cross attention (3 × 4) and of the masked one (3 × 3). */
const block = (rows, cols, weights) => ({ data: Float32Array.from({ length: 4 * rows * cols }, (_, i) => weights[i % (rows * cols)] * (i < rows * cols ? 1 : 0.5)), shape: [2, 2, rows, cols] });
const cross = block(3, 4, [0.7, 0.1, 0.1, 0.1, 0.4, 0.3, 0.3, 0, 0, 0, 0, 1]);
const decoderSelf = block(3, 3, [1, 0, 0, 0.5, 0.5, 0, 0.2, 0.2, 0.6]);
// The heaviest head at (1, 1) is the last.
cross.data[3 * 12 + 4 + 1] = 0.9;
const observation = { sentence: 0, source, target, steps: [], trace: { cross, decoderSelf }, final: true };

const head = { kind: 'cross', layer: 0, head: 0 };
const scene = (exercise) => parseLesson(JSON.stringify({ format: 1, scenes: [{ text: 'a', held: { head: { ...head, kind: exercise.kind ?? 'encoderSelf' } }, exercise }] })).scenes[0];
const state = (held) => ({ ...initialState(), observation, held: { ...NO_MARKS, ...held } });
const check = (exercise, held, typed = '', settings = {}) => {
  const own = scene(exercise);
  return verdict(own.exercise, own, { ...state(held), ...settings }, typed);
};

test('a cell is right when no other of its row has more weight in the held head', () => {
  const exercise = { choose: 'cell', kind: 'cross', row: 1 };
  assert.match(check(exercise, {}).says, /Hold a cell/);
  assert.match(check(exercise, { head, cell: { row: 0, col: 0 } }).says, /another row/);
  assert.match(check(exercise, { head: { ...head, head: 1 }, cell: { row: 1, col: 0 } }).says, /another head/);
  assert.deepEqual(check(exercise, { head, cell: { row: 1, col: 2 } }), { right: false, says: 'Not yet: “·inet” gets 0.30. A darker cell lies to the left.' });
  assert.equal(check(exercise, { head, cell: { row: 1, col: 0 } }).right, true);
  const own = scene(exercise);
  assert.equal(placeOf(own.exercise, own, observation), 'In layer 1, head 1: row “alter → Schrank”');
  assert.equal(chosenOf(own.exercise, state({ head, cell: { row: 1, col: 0 } })), '“old”');
});

test('a word is right by the sum of its pieces', () => {
  const exercise = { choose: 'word', kind: 'cross', row: 1 };
  assert.equal(check(exercise, { token: { side: 'target', index: 0 } }).right, false);
  assert.deepEqual(check(exercise, { token: { side: 'source', index: 0 } }), { right: false, says: 'Not yet: “old” gets 0.40. Follow row “alter → Schrank” of the map to its darkest cell.' });
  for (const index of [1, 2]) assert.match(check(exercise, { token: { side: 'source', index } }).says, /^Right: .*“cabinet” 0\.60/);
});

test('a head is right among all layers of its attention', () => {
  const exercise = { choose: 'head', kind: 'cross', row: 1, col: 1 };
  assert.match(check(exercise, { head: { ...head, kind: 'decoderSelf' } }).says, /another attention/);
  assert.match(check(exercise, { head }).says, /Look in layer 2/);
  assert.match(check(exercise, { head: { ...head, layer: 1 } }).says, /Another head of this layer/);
  assert.equal(check(exercise, { head: { kind: 'cross', layer: 1, head: 1 } }).right, true);
});

test('a number is right within the tolerance, a count exactly', () => {
  const weight = { choose: 'number', what: 'weight', kind: 'cross', row: 0, col: 0 };
  assert.equal(check(weight, {}, '0,71').right, true);
  assert.match(check(weight, {}, '0.8').says, /too much/);
  assert.match(check(weight, {}, 'x').says, /Type a number/);
  assert.equal(check({ choose: 'number', what: 'sum', kind: 'cross', row: 1 }, {}, '1').right, true);
  assert.equal(check({ choose: 'number', what: 'probability', kind: 'cross', row: 1 }, {}, '0.25').right, true);
  const columns = { choose: 'number', what: 'columns', kind: 'decoderSelf', row: 1 };
  assert.equal(check(columns, {}, '2').right, true);
  assert.match(check(columns, {}, '1').says, /too little\. Count the cells/);
});

test('while the map shows something else than the weights of one head in pieces, the setting to change is named', () => {
  const cell = { choose: 'cell', kind: 'cross', row: 1 };
  const held = { head, cell: { row: 1, col: 0 } };
  assert.match(check(cell, held).says, /^Right/);
  for (const [settings, named] of [
    [{ unit: 'words' }, /“pieces”/],
    [{ measure: 'norm' }, /“weight”/],
    [{ specialTokens: 'hidden' }, /“⟨s⟩ ⟨\/s⟩”/],
    [{ heads: 'mean' }, /“head”/],
  ]) {
    const { right, says } = check(cell, held, '', settings);
    assert.equal(right, false);
    assert.match(says, named);
  }
  assert.equal(check({ choose: 'head', kind: 'cross', row: 1, col: 1 }, { head: { kind: 'cross', layer: 1, head: 1 } }, '', { heads: 'all' }).right, true);
  assert.equal(check({ choose: 'number', what: 'probability', kind: 'cross', row: 1 }, {}, '0.25', { unit: 'words' }).right, true, 'the map does not show it');
});

test('a head or place that is not there is said so; what is no exercise is refused by name', () => {
  assert.match(check({ choose: 'cell', kind: 'cross', row: 9 }, { head, cell: { row: 1, col: 0 } }).says, /another model/);
  const deep = parseLesson(JSON.stringify({ format: 1, scenes: [{ text: 'a', held: { head: { ...head, layer: 9 } }, exercise: { choose: 'cell', kind: 'cross', row: 1 } }] })).scenes[0];
  assert.match(verdict(deep.exercise, deep, state({}), '').says, /no layer 10, head 1: .*another model/);
  assert.match(verdict(deep.exercise, deep, { ...state({}), observation: { ...observation, trace: {} } }, '').says, /not translated yet/);
  for (const [exercise, message] of [
    [7, /exercise is no object/],
    [{ choose: 'all' }, /choose is none of cell, head, word, number/],
    [{ choose: 'cell', row: -1 }, /row is no whole number/],
    [{ choose: 'number', what: '__proto__' }, /what is none of/],
  ]) {
    assert.throws(() => parseLesson(JSON.stringify({ format: 1, scenes: [{ text: 'a', exercise }] })), message);
  }
});

test('the exercises that ship are read, are of every kind, and come back as they were written', () => {
  const lesson = parseLesson(readFileSync(new URL('../../www/page/scenes/exercises.json', import.meta.url), 'utf8'));
  assert.deepEqual(new Set(lesson.scenes.map(({ exercise }) => exercise?.choose)), new Set(['cell', 'head', 'word', 'number']));
  for (const { held, exercise } of lesson.scenes) assert.ok(exercise.choose === 'head' || held.head.kind === exercise.kind);
  assert.deepEqual(parseLesson(writeLesson(lesson)), lesson);
});
