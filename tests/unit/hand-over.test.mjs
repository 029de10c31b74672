// The model in training on the page: until the reader chooses another one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initialState } from '../../www/app/state.js';
import { createStore } from '../../www/app/store.js';

const PAGE = 'https://example.org/';
const HOME = `${PAGE}models/en-de/`;
const OTHER = `${PAGE}models/en-fr/`;
const TRAINED = `${PAGE}learned-copy/`;
Object.assign(globalThis, { document: { baseURI: PAGE } });
const { handOver } = await import('../../www/tabs/learning/hand-over.js');

const settle = async () => {
  for (let i = 0; i < 5; i++) await new Promise((done) => setImmediate(done));
};

/** A page that shows a model in training. */
async function stage() {
  const state = /** @type {any} */ ({ ...initialState(), phase: 'ready', address: HOME, text: 'My text.' });
  const store = createStore(state, { schedule: (flush) => setImmediate(flush), report: (error) => assert.fail(String(error)) });
  const change = (/** @type {object} */ patch) => store.set(patch);
  /** What the page was asked to show. @type {string[]} */
  const asked = [];
  const session = {
    /** Ends the download of another model, as the engine does. @param {string} address */
    async follow(address) {
      asked.push(address);
      change({ address, pendingModel: null });
      return true;
    },
    async use(/** @type {string} */ address) {
      asked.push(address);
      change({ address });
      return address;
    },
    setCaret() {},
    typed: (/** @type {string} */ text) => change({ text }),
  };
  /** @type {((files: Map<string, Uint8Array>) => void)[]} */
  const folders = [];
  const trainer = { call: () => new Promise((resolve) => folders.push(resolve)) };
  let said = '';
  const given = handOver(/** @type {any} */ ({ store, session, trainer, name: () => 'learned-copy', says: (/** @type {string} */ text) => (said = text), changed() {}, failed: (/** @type {unknown} */ error) => assert.fail(String(error)) }));
  const answer = async () => {
    folders.shift()?.(new Map());
    await settle();
  };
  given.toggle('figure', 1);
  await answer();
  assert.deepEqual([asked, given.isFollowing(), store.get().text], [[TRAINED], true, 'figure']);
  return { store, change, given, asked, answer, said: () => said };
}

test('another model that the reader chooses is not taken away again', async () => {
  const { store, change, given, asked, answer, said } = await stage();
  // The training is about to hand the page its weights.
  given.arrived(2);
  change({ pendingModel: OTHER });
  await answer();
  assert.equal(store.get().pendingModel, OTHER, 'its download goes on');
  change({ address: OTHER, pendingModel: null });
  await settle();
  given.arrived(3);
  await answer();
  assert.deepEqual([store.get().address, asked, given.isFollowing(), said()], [OTHER, [TRAINED], false, '']);
});

test('the page that has another model is what it returns to the next time', async () => {
  const { store, change, given, asked, answer } = await stage();
  change({ address: OTHER, text: 'Another text.' });
  await settle();
  assert.equal(given.isFollowing(), false);
  given.toggle('figure', 4);
  await answer();
  given.toggle('figure', 5);
  await settle();
  assert.deepEqual([asked, store.get().text], [[TRAINED, TRAINED, OTHER], 'Another text.']);
});

test('after a failed download of another model, it still returns to the model before the training', async () => {
  const { store, change, given, asked, answer } = await stage();
  change({ pendingModel: OTHER });
  await settle();
  change({ pendingModel: null });
  await settle();
  given.toggle('figure', 4);
  await answer();
  given.toggle('figure', 5);
  await settle();
  assert.deepEqual([asked, store.get().text], [[TRAINED, TRAINED, HOME], 'My text.']);
});
