// Options of requests: what is none is refused before anything is sent.

import assert from 'node:assert/strict';
import test from 'node:test';
import { optionsOf } from '../../www/engine/options.js';

test('options come back as they were given, and none are an empty object', () => {
  const options = { beam: 2, signal: new AbortController().signal, onEvent: () => {}, onTrace: undefined };
  assert.equal(optionsOf('translate', options), options);
  assert.deepEqual(optionsOf('translate'), {});
  assert.deepEqual(optionsOf('translate', { signal: null, onEvent: null }), { signal: null, onEvent: null });
});

test('what is no object, no signal or no function is refused by its name', () => {
  for (const [options, message] of [
    [null, 'load: the options must be an object'],
    [5, 'load: the options must be an object'],
    [{ signal: true }, 'load: signal must be an AbortSignal'],
    [{ onProgress: {} }, 'load: onProgress must be a function'],
  ]) {
    assert.throws(() => optionsOf('load', /** @type {any} */ (options)), { name: 'EngineError', code: 'RequestInvalid', message });
  }
});
