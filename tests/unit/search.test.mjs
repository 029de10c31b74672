import assert from 'node:assert/strict';
import test from 'node:test';
import { searchOptions } from '../../www/app/search.js';
import { initialState } from '../../www/app/state.js';

/** @param {object} search of the model's folder */
const state = (search, settings = {}) => ({ ...initialState(), model: /** @type {any} */ ({ search }), ...settings });

test('a model is searched as its folder asks, unless the reader has set something else', () => {
  const folder = { beam: 3, scoring: { kind: 'wu', alpha: Math.fround(1.1) } };
  assert.deepEqual(searchOptions(state(folder)), { beam: 3, nBest: 3, scoring: { kind: 'wu', alpha: 1.1 } });
  assert.deepEqual(searchOptions(state(folder, { beam: 2, alpha: 0.4 })), { beam: 2, nBest: 2, scoring: { kind: 'wu', alpha: 0.4 } });
});

test('a beam wider than the slider goes is narrowed, and a model of transformers keeps its own score', () => {
  const scoring = { kind: 'hf', lengthPenalty: 1, earlyStopping: 'no' };
  assert.deepEqual(searchOptions(state({ beam: 12, scoring })), { beam: 8, nBest: 8, scoring });
});

test('without a model, or with one that says nothing, the search is the paper’s', () => {
  const paper = { beam: 4, nBest: 4, scoring: { kind: 'wu', alpha: 0.6 } };
  assert.deepEqual(searchOptions(initialState()), paper);
  assert.deepEqual(searchOptions({ ...initialState(), model: /** @type {any} */ ({}) }), paper);
});
