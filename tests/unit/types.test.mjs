// The types of what crosses from Rust to JavaScript are those of the Rust sources.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { committed, generate } from '../types.mjs';

test('www/engine/types.d.ts is what the Rust types say (node tests/types.mjs writes it)', () => {
  assert.equal(committed(), generate());
});
