// What the Learning tab computes itself: links, curves, eq. 3.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differences, linkOf, readLink } from '../../www/tabs/learning/choices.js';
import { FEW_PAIRS } from '../../www/tabs/learning/few-pairs.js';
import { tabbed } from '../../www/tabs/learning/own-pairs.js';
import { addMeasured, emptyHistory, learningRate, line, until } from '../../www/tabs/learning/history.js';

/** @type {import('../../www/tabs/learning/protocol').Settings} */
const DEFAULTS = {
  layers: 2, dModel: 64, nHeads: 4, dFf: 128, positions: 'sinusoidal_interleaved', compatibility: 'scaled_dot_product', neighbourhood: null,
  dropout: 0, labelSmoothing: 0.1, warmupSteps: 400, factor: 0.5, batchSize: 64, seed: 1,
};

test('a link carries what differs from the defaults, and comes back as it was', () => {
  assert.equal(linkOf('sort', DEFAULTS, DEFAULTS, null), 'task=sort');
  /** @type {typeof DEFAULTS} */
  const settings = { ...DEFAULTS, nHeads: 1, positions: 'none', neighbourhood: 4 };
  const link = linkOf('sort', settings, DEFAULTS, null);
  assert.match(link, /nHeads=1/);
  assert.deepEqual(readLink(link, DEFAULTS), { task: 'sort', settings, change: null });
  assert.equal(differences(settings, DEFAULTS), 'h 1 instead of 4, r 4 instead of unrestricted, positions none instead of sinusoidal');
});

test('a link carries what run B differs in, unless that is no difference', () => {
  for (const change of /** @type {import('../../www/tabs/learning/choices.js').Change[]} */ ([
    { key: 'nHeads', value: 1 },
    { key: 'neighbourhood', value: 4 },
    { key: 'positions', value: 'none' },
  ])) {
    assert.deepEqual(readLink(linkOf('copy', DEFAULTS, DEFAULTS, change), DEFAULTS), { task: 'copy', settings: DEFAULTS, change });
  }
  assert.equal(readLink('task=copy&b=nHeads+4', DEFAULTS).change, null);
  assert.equal(readLink('task=copy&b=nHeads+3', DEFAULTS).change, null);
});

test('the few pairs of the experiment are a hundred and twenty strings, no two the same, with what is read backwards', () => {
  const pairs = FEW_PAIRS.split('\n').map((line) => line.split('\t'));
  assert.equal(new Set(pairs.map(([source]) => source)).size, 120);
  for (const [source, target] of pairs) assert.equal([...source].reverse().join(''), target);
});

test('a link never carries own pairs, and what is no choice is ignored', () => {
  assert.equal(linkOf({ pairs: 'secret\tpair', words: false }, DEFAULTS, DEFAULTS, null), 'task=pairs');
  assert.deepEqual(readLink('task=pairs&layers=99&positions=bent&seed=__proto__&b=__proto__+1', DEFAULTS), { task: 'reverse', settings: DEFAULTS, change: null });
});

test('a line keeps its last step, and going back forgets what came after', () => {
  const history = emptyHistory();
  for (let step = 1; step <= 1000; step++) history.rows.push([step, 0, 0, step, 0]);
  addMeasured(history, { step: 500, loss: 1, exact: 0 });
  addMeasured(history, { step: 500, loss: 1, exact: 0.5 });
  addMeasured(history, { step: 0, loss: 2, exact: 0 });
  addMeasured(history, { step: 0, loss: 3, exact: 0 });
  assert.deepEqual(history.held, [{ step: 0, loss: 3, exact: 0 }, { step: 500, loss: 1, exact: 0.5 }], 'in order, one for a step');
  const { x, y } = line(history.rows, 3);
  assert.ok(x.length <= 240 && x.at(-1) === 1000);
  assert.equal(y[0], 3);
  const earlier = until(history, 499);
  assert.deepEqual([earlier.rows.length, earlier.held.length], [499, 1]);
  assert.deepEqual([history.rows.length, history.held.length], [1000, 2], 'the whole one stays');
});

test('the learning rate is that of eq. 3', () => {
  assert.ok(Math.abs(learningRate({ dModel: 512, warmupSteps: 4000, factor: 1 }, 4000) - 6.987712e-4) < 1e-9);
  assert.equal(learningRate({ dModel: 64, warmupSteps: 0, factor: 1 }, 4), 0.0625);
});

test('a typed pair is separated by = or an arrow, a pasted one by its tab', () => {
  assert.equal(tabbed('ab = ba\ncd=dc\n2+3 → 5\n\na=b\tc\nx = y = z\nnothing'), 'ab\tba\ncd\tdc\n2+3\t5\n\na=b\tc\nx\ty = z\nnothing');
});
