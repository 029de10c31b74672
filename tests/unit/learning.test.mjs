// What the Learning tab computes itself: links, curves, eq. 3.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differences, linkOf, readLink } from '../../www/tabs/learning/choices.js';
import { addMeasured, emptyHistory, learningRate, line, truncate } from '../../www/tabs/learning/history.js';

/** @type {import('../../www/tabs/learning/protocol').Settings} */
const DEFAULTS = {
  layers: 2, dModel: 64, nHeads: 4, dFf: 128, positions: 'sinusoidal_interleaved', compatibility: 'scaled_dot_product', neighbourhood: null,
  dropout: 0, labelSmoothing: 0.1, warmupSteps: 400, factor: 0.5, batchSize: 64, seed: 1,
};

test('a link carries what differs from the defaults, and comes back as it was', () => {
  assert.equal(linkOf('sort', DEFAULTS, DEFAULTS), 'task=sort');
  /** @type {typeof DEFAULTS} */
  const settings = { ...DEFAULTS, nHeads: 1, positions: 'none', neighbourhood: 4 };
  const link = linkOf('sort', settings, DEFAULTS);
  assert.match(link, /nHeads=1/);
  assert.deepEqual(readLink(link, DEFAULTS), { task: 'sort', settings });
  assert.equal(differences(settings, DEFAULTS), 'h 1 instead of 4, r 4 instead of off, positions none instead of sinusoidal');
});

test('a link never carries own pairs, and what is no choice is ignored', () => {
  assert.equal(linkOf({ pairs: 'secret\tpair', words: false }, DEFAULTS, DEFAULTS), 'task=pairs');
  assert.deepEqual(readLink('task=pairs&layers=99&positions=bent&seed=__proto__', DEFAULTS), { task: 'reverse', settings: DEFAULTS });
});

test('a line keeps its last step, and going back forgets what came after', () => {
  const history = emptyHistory();
  for (let step = 1; step <= 1000; step++) history.rows.push([step, 0, 0, step, 0]);
  addMeasured(history, { step: 500, loss: 1, exact: 0 });
  addMeasured(history, { step: 500, loss: 1, exact: 0.5 });
  assert.deepEqual(history.held, [{ step: 500, loss: 1, exact: 0.5 }]);
  const { x, y } = line(history.rows, 3);
  assert.ok(x.length <= 240 && x.at(-1) === 1000);
  assert.equal(y[0], 3);
  truncate(history, 499);
  assert.deepEqual([history.rows.length, history.held.length], [499, 0]);
});

test('the learning rate is that of eq. 3', () => {
  assert.ok(Math.abs(learningRate({ dModel: 512, warmupSteps: 4000, factor: 1 }, 4000) - 6.987712e-4) < 1e-9);
  assert.equal(learningRate({ dModel: 64, warmupSteps: 0, factor: 1 }, 4), 0.0625);
});
