// The layout of a map.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layoutMap } from '../../www/draw/map.js';

const ctx = /** @type {any} */ ({ measureText: (/** @type {string} */ text) => ({ width: 7 * text.length }) });
const inks = /** @type {any} */ ({ font: 13, sans: 'sans-serif' });

test('a map that has no row yet has a size, also where it is to fill a height', () => {
  for (const tall of [0, 300]) {
    const labels = /** @type {any} */ ({ rows: [], cols: ['A', 'dog'], reads: null, losses: null });
    const { width, height, cellH } = layoutMap(ctx, { labels, available: 600, tall, low: Infinity, inks });
    for (const size of [width, height, cellH]) assert.ok(Number.isFinite(size) && size > 0, `${tall}: ${width}, ${height}, ${cellH}`);
  }
});
