// The JavaScript that every visit runs before its first translation: what comes later is loaded when it is wanted.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';

const WWW = join(import.meta.dirname, '../../www');

/** Bytes of the modules that a first visit runs, and of what those import. */
const MOST = 379_850;

test('what runs before the first translation does not grow', () => {
  /** @type {Map<string, number>} */
  const bytes = new Map();
  const read = (/** @type {string} */ path) => {
    if (bytes.has(path)) return;
    const code = readFileSync(path, 'utf8');
    bytes.set(path, code.length);
    for (const [, address] of code.matchAll(/^import\b[^;]*?'(\.{1,2}\/[^']+)';$/gm)) read(join(dirname(path), address));
  };
  for (const path of ['boot.js', 'main.js', 'tabs/attention/attention.js']) read(join(WWW, path));
  assert.ok(bytes.size > 50);
  const all = [...bytes.values()].reduce((sum, size) => sum + size, 0);
  assert.ok(all <= MOST, `${bytes.size} modules, ${all} bytes: load what is not needed at once with import() where it is asked for`);
});
