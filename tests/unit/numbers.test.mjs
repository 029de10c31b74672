// How numbers are printed, where charts have their ticks, and which words two texts share.

import assert from 'node:assert/strict';
import test from 'node:test';
import { scale, steps } from '../../www/draw/scale.js';
import { formatWeight, grouped, millions, scientific, short, signed } from '../../www/ui/numbers.js';
import { wordDiff } from '../../www/ui/word-diff.js';

test('numbers have true minus signs, and nothing is −0', () => {
  assert.deepEqual([signed(-1.234), signed(-0.001), signed(Infinity), signed(-Infinity)], ['−1.23', '0.00', '∞', '−∞']);
  assert.deepEqual([short(2_097_152), short(12_345), short(0.5), short(-3e-4)], ['2.1\u2009M', '12.3\u2009k', '0.5', '−3e−4']);
  assert.deepEqual([scientific(4.5e15), scientific(1.2e-7), scientific(3.3e18)], ['4.5·10¹⁵', '1.2·10⁻⁷', '3.3·10¹⁸']);
  assert.deepEqual([grouped(37000), millions(7_577_600), millions(65e6)], ['37\u00a0000', '7.6\u00a0M', '65\u00a0M']);
});

test('a small weight is never printed as 0', () => {
  assert.deepEqual([0, 0.25, 0.0004, 1e-9].map(formatWeight), ['0', '0.250', '0.000400', 'less than 0.000001']);
});

test('ticks are round and enclose the data', () => {
  assert.deepEqual(steps(0, 10), [0, 2, 4, 6, 8, 10]);
  const linear = scale({ from: 0 }, [[3, 97, NaN]], 0, 100);
  assert.deepEqual([linear.at(0), linear.at(97)], [0, 100]);
  const log = scale({ log: true }, [[1, 0, 100]], 0, 100);
  assert.equal(log.at(10), 50);
  // Nothing to be shown is no fault.
  assert.ok(Number.isFinite(scale({}, [[]], 0, 100).at(0.5)));
});

test('words of texts that are too long to be compared are all marked as different', () => {
  const long = 'ein Hund '.repeat(50_000);
  const words = wordDiff(long, long);
  assert.equal(words.length, 100_000);
  assert.ok(words.every(({ shared }) => !shared));
});

test('words that two texts share keep their order', () => {
  const shared = (/** @type {string} */ a, /** @type {string} */ b) => wordDiff(a, b).filter(({ shared }) => shared).map(({ start, end }) => b.slice(start, end));
  assert.deepEqual(shared('the old dog sleeps', 'the dog is old'), ['the', 'dog']);
  assert.deepEqual(shared('', 'a b'), []);
  assert.deepEqual(shared('a, b.', 'a, b.'), ['a', ',', 'b', '.']);
});
