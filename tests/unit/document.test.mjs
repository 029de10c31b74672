// The document with a stand-in for the engine: which sentence is looked at, and which model translates.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { createDocument } from '../../www/app/document.js';
import { createObserver } from '../../www/app/observation.js';
import { initialState } from '../../www/app/state.js';
import { createStore } from '../../www/app/store.js';

mock.timers.enable({ apis: ['setTimeout'] });
Object.assign(globalThis, { window: globalThis, requestAnimationFrame: (/** @type {() => void} */ act) => setImmediate(act), cancelAnimationFrame: clearImmediate });

const settle = async () => {
  for (let i = 0; i < 10; i++) await new Promise((done) => setImmediate(done));
};
const block = { data: new Float32Array(4), shape: [1, 1, 2, 2] };
const trace = { encoderSelf: block, decoderSelf: block, cross: block };
const HOME = 'https://example.org/models/en-de/';
const CHOSEN = 'https://example.org/models/en-fr/';

/** A page, and what its engine was asked. @param {{ chosen?: string|null }} [options] */
function stage({ chosen = null } = {}) {
  /** Models that cannot be had. @type {Set<string>} */
  const gone = new Set();
  /** @type {{ text: string, options: any, resolve: (result: any) => void }[]} */
  const translations = [];
  const engine = {
    async load(/** @type {string} */ address) {
      if (gone.has(address)) throw Object.assign(new Error('404'), { code: 'DownloadFailed' });
      return { kind: 'loaded', model: { name: address, config: {} }, address, stored: true };
    },
    translate: (/** @type {string} */ text, /** @type {any} */ options) => new Promise((resolve) => translations.push({ text, options, resolve })),
    score: async (/** @type {string} */ _, /** @type {any} */ { target }) => ({ observed: { target, steps: [], trace, final: true } }),
    positions: async () => ({ sinusoidal: { data: new Float32Array(200), shape: [100, 2] }, wavelengths: new Float32Array(1) }),
  };
  const store = createStore(initialState(), { schedule: requestAnimationFrame, report: (error) => assert.fail(String(error)) });
  const observer = createObserver(store, /** @type {any} */ (engine));
  const session = createDocument(store, /** @type {any} */ (engine), { home: HOME, chosen, begun: null }, observer);
  return { store, observer, session, gone, translations };
}

test('a model of an earlier visit that is gone is named, until it is there or another one is chosen', async () => {
  const { store, session, gone } = stage({ chosen: CHOSEN });
  gone.add(CHOSEN);
  await session.load();
  const { failure, phase, address } = store.get();
  assert.deepEqual([phase, address, failure?.retry], ['ready', HOME, 'load']);
  assert.match(failure?.title ?? '', /^en-fr: the model could not be downloaded/);
  session.typed('A dog.');
  mock.timers.tick(1000);
  assert.equal(store.get().failure, failure, 'typing is no answer to it');
  session.retry();
  await settle();
  assert.equal(store.get().address, HOME);
  assert.match(store.get().failure?.title ?? '', /^en-fr/);
  gone.clear();
  session.retry();
  await settle();
  assert.deepEqual([store.get().failure, store.get().address], [null, CHOSEN]);
});

test('where the default model cannot be had either, that is said, and trying again loads it', async () => {
  const { store, session, gone } = stage({ chosen: CHOSEN });
  gone.add(CHOSEN).add(HOME);
  await session.load();
  assert.deepEqual([store.get().phase, store.get().failure?.title], ['failed', 'The model could not be downloaded']);
  gone.clear();
  session.retry();
  await settle();
  assert.deepEqual([store.get().phase, store.get().address, store.get().failure], ['ready', HOME, null]);
});

const TEXT = 'One. Two. Six.';
const piece = (/** @type {number} */ id) => ({ id, text: `w${id}`, range: [0, 1] });
const SENTENCES = [0, 1, 2].map((i) => ({ range: [5 * i, 5 * i + 4], source: [piece(i + 1)] }));
/** The translation of a sentence. @param {number} sentence */
const whole = (sentence) => ({ kind: 'sentence', sentence, text: `${sentence}`, target: [piece(10 + sentence)] });
const observed = (/** @type {number} */ sentence) => ({ sentence, target: [piece(10 + sentence)], steps: [], trace, final: true });

/** A page that translates the text, with the caret in its last sentence, which is taken for the first one until it is split. */
async function translating() {
  const { store, observer, session, translations } = stage();
  await session.load();
  session.setCaret(TEXT.length);
  session.typed(TEXT);
  mock.timers.tick(1000);
  const { options, resolve } = translations.at(-1) ?? assert.fail('nothing is translated');
  options.onEvent({ kind: 'sentences', sentences: SENTENCES });
  options.onTrace(observed(options.observe.sentence));
  const end = async () => {
    for (const i of [0, 1, 2]) options.onEvent(whole(i));
    resolve({ kind: 'translated', tokens: 0 });
    await settle();
    return store.get().sentence;
  };
  return { store, observer, options, end };
}

test("when the text is translated, the caret's sentence is looked at", async () => {
  const { options, end } = await translating();
  assert.equal(options.observe.sentence, 0);
  assert.equal(await end(), 2);
});

test('a sentence that the reader chose while the text was being translated stays', async () => {
  const { store, observer, options, end } = await translating();
  options.onEvent(whole(0));
  options.onEvent(whole(1));
  await settle();
  await observer.observe(1);
  assert.equal(store.get().sentence, 1);
  assert.equal(await end(), 1);
});
