// The speed that the page shows: over whole translations, steady against a single one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSpeed } from '../../www/app/speed.js';

test('a short translation counts with its whole time', () => {
  const speed = createSpeed();
  assert.equal(speed(3, 2), 1500);
});

test('one translation that is far off does not change the median', () => {
  const speed = createSpeed();
  for (let i = 0; i < 3; i++) speed(20, 10);
  assert.equal(speed(1, 0.01), 2000);
  assert.equal(speed(1, 1000), 2000);
});

test('nothing decoded is no speed, and leaves the last one', () => {
  const speed = createSpeed();
  assert.equal(speed(0, 5), null);
  speed(10, 10);
  assert.equal(speed(0, 5), 1000);
});
