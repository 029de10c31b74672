// A request whose arguments are of other types is refused, and the error names the argument and what it must be.

import assert from 'node:assert/strict';
import test from 'node:test';

const { checkArguments } = await import('../../www/engine/arguments.js');

/** What each method is called with. @type {Record<string, Record<string, unknown>>} */
const RIGHT = {
  translate: { text: 'a', search: {}, observe: { sentence: 0 }, terms: [] },
  translateSentence: { source: '', search: {}, compare: [1, 2], tree: true },
  score: { source: 'a', target: new Uint32Array([3]), alternatives: 2 },
  viewTrace: { trace: {}, source: [], target: [], options: {} },
  arithmetic: { source: 'a', target: [], cell: {} },
  detectLanguage: { text: 'a' },
  randomProducts: { dK: [64], seed: 1 },
  positions: { length: 0 },
  positionsLab: { length: 10, position: 3, offset: -2 },
  embedding: { side: 'target', piece: 5, position: 0 },
  complexity: { n: 1, d: 2, r: 3, k: 4, curves: {} },
  measure: { lengths: [8, 16] },
};
const check = (/** @type {string} */ method, /** @type {object} */ args) => checkArguments(/** @type {any} */ (method), args);

test('arguments of their types pass, and what may be missing may', () => {
  for (const [method, args] of Object.entries(RIGHT)) check(method, args);
  check('score', { source: 'a', target: 'b' });
  check('translate', { text: 'a', search: undefined, terms: null });
});

test('every argument of another type is named, with what it must be', () => {
  for (const [method, args] of Object.entries(RIGHT)) {
    for (const name of Object.keys(args)) {
      if (name === 'tree') continue;
      for (const wrong of [Symbol('x'), 1.5, () => 1]) {
        if (name === 'seed' && wrong === 1.5) continue;
        assert.throws(() => check(method, { ...args, [name]: wrong }), ({ code, message }) => {
          assert.equal(code, 'RequestInvalid');
          assert.match(message, new RegExp(`^${method}: ${name} is .+, it must be .+`));
          return true;
        });
      }
    }
  }
});

test('the message says what was given', () => {
  const message = (/** @type {string} */ method, /** @type {object} */ args) => {
    try {
      return check(method, args);
    } catch (error) {
      return /** @type {Error} */ (error).message;
    }
  };
  assert.equal(message('translate', {}), 'translate: text is missing, it must be a string');
  assert.equal(message('translate', { text: 5 }), 'translate: text is the number 5, it must be a string');
  assert.equal(message('translate', { text: null }), 'translate: text is null, it must be a string');
  assert.equal(message('measure', { lengths: [-1] }), 'measure: lengths is a list of other values, it must be a list of whole numbers from 0 on');
  assert.equal(message('embedding', { side: 'left', piece: 1, position: 0 }), 'embedding: side is the string left, it must be "source" or "target"');
});
