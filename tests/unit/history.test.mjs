// The history of translations: which texts are kept, and which take the place of the one kept before.

import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { keepHistory, readHistory, writeHistory } from '../../www/app/history.js';
import { initialState } from '../../www/app/state.js';
import { createStore } from '../../www/app/store.js';

mock.timers.enable({ apis: ['setTimeout'] });
/** @type {Map<string, string>} */
const stored = new Map();
Object.assign(globalThis, {
  window: globalThis,
  location: new URL('https://example.org/'),
  localStorage: {
    getItem: (/** @type {string} */ key) => stored.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => stored.set(key, value),
    removeItem: (/** @type {string} */ key) => stored.delete(key),
  },
  addEventListener() {},
});

beforeEach(() => writeHistory([]));

const kept = () => readHistory()?.map(({ source }) => source);
const PAUSE = 1500;

/** @param {string} text @param {boolean} [running] */
const doc = (text, running = false) => ({
  text,
  sentences: [{ range: [0, text.length], source: [] }],
  outputs: [{ text: text.toUpperCase(), stableLength: text.length, target: [], stale: false }],
  running,
  recorded: false,
  speed: null,
});

/** A page with a history, on which a text stands already. @param {string} text @param {string|null} example */
function page(text, example) {
  const model = /** @type {any} */ ({ sourceLanguage: 'en', targetLanguage: 'de' });
  const state = /** @type {any} */ ({ ...initialState(), phase: 'ready', model, text, doc: doc(text) });
  /** @type {(() => void)[]} */
  const frames = [];
  const store = createStore(state, { schedule: (flush) => frames.push(flush), report: (error) => assert.fail(String(error)) });
  let shown = example;
  keepHistory(store, () => shown);
  const set = (/** @type {object} */ patch) => {
    store.set(patch);
    frames.splice(0).forEach((flush) => flush());
  };
  return {
    set,
    /** The text is typed, translated, and stands for a while. @param {string} text */
    stands(text) {
      set({ text, doc: doc(text, true) });
      set({ doc: doc(text) });
      mock.timers.tick(PAUSE);
    },
    showExample: (/** @type {string} */ text) => (shown = text),
  };
}

test('what is typed on, or corrected at its end, takes the place of what it began as', () => {
  const { stands } = page('', null);
  stands('I have');
  stands('I have a dog.');
  stands('I have a do');
  assert.deepEqual(kept(), ['I have a do']);
});

test('a text that begins anew with the same letters leaves the one before', () => {
  const { stands, set } = page('', null);
  stands('I have a dog.');
  stands('I');
  assert.deepEqual(kept(), ['I', 'I have a dog.'], 'all but its first letter was replaced at once');
  writeHistory([]);
  stands('Dogs sleep.');
  set({ text: '', doc: initialState().doc });
  stands('Dogs sleep');
  assert.deepEqual(kept(), ['Dogs sleep', 'Dogs sleep.'], 'the field was empty in between');
});

test('a text that was typed while the model was loading is kept', () => {
  page('A text of mine.', 'The example.');
  mock.timers.tick(PAUSE);
  assert.deepEqual(kept(), ['A text of mine.']);
});

test('the example is not kept, even if it comes after the model', () => {
  const { stands, showExample } = page('', null);
  showExample('The example.');
  stands('The example.');
  assert.deepEqual(kept(), []);
});
