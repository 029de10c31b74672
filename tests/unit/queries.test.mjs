// Queries beside the translation, with a stand-in for the engine: when they are sent, and whose answers count.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queriesOf } from '../../www/app/queries.js';
import { initialState } from '../../www/app/state.js';
import { createStore } from '../../www/app/store.js';

const turn = () => new Promise((done) => setImmediate(done));
const SOURCE = [{ id: 5, text: 'dog', range: [0, 3] }];
const TARGET = [{ id: 7, text: 'Hund', range: [0, 4] }];
const MODELS = { a: { name: 'a' }, b: { name: 'b' } };

/** A page with one observed sentence and one weight that is held. */
function stage() {
  /** @type {{ method: string, options: any, resolve: (answer: any) => void }[]} */
  const calls = [];
  const called = (/** @type {string} */ method) => (/** @type {any[]} */ ...args) => new Promise((resolve) => calls.push({ method, options: args.at(-1), resolve }));
  const engine = Object.fromEntries(['arithmetic', 'score', 'translateSentence'].map((method) => [method, called(method)]));
  const head = { kind: 'cross', layer: 0, head: 0 };
  const block = { data: new Float32Array(1), shape: [1, 1, 1, 1] };
  const state = {
    ...initialState(),
    phase: 'ready',
    text: 'dog',
    model: MODELS.a,
    address: 'a/',
    alignmentHead: head,
    held: { head, token: null, cell: { row: 0, col: 0 } },
    doc: { text: 'dog', sentences: [{ range: [0, 3], source: SOURCE }], outputs: [{ text: 'Hund', stableLength: 4, target: TARGET, stale: false }], running: false, recorded: false, speed: null },
    observation: { sentence: 0, source: SOURCE, target: TARGET, steps: [], trace: { encoderSelf: block, decoderSelf: block, cross: block }, final: true },
  };
  const store = createStore(/** @type {any} */ (state), { schedule: () => {}, report: (error) => assert.fail(String(error)) });
  const change = (/** @type {object} */ patch) => store.set(patch);
  return { store, change, calls, queries: queriesOf(store, /** @type {any} */ (engine)) };
}

test('the arithmetic of the same weight is requested again for another model, and for new weights of the same one', async () => {
  const { change, calls, queries, store } = stage();
  const answered = async (/** @type {string} */ name) => {
    queries.arithmetic();
    queries.arithmetic();
    calls.at(-1)?.resolve({ name });
    await turn();
    assert.deepEqual([calls.length, store.get().arithmetic], [Number(name), { name }]);
  };
  await answered('1');
  // To another model and back, which removes the answers; the arithmetic was not shown meanwhile.
  change({ model: { ...MODELS.a }, arithmetic: null });
  await answered('2');
  // The next step of a training.
  change({ model: { ...MODELS.a } });
  await answered('3');
});

test('what a model answers is not shown as the answer of the one that has taken its place', async () => {
  const { change, calls, queries, store } = stage();
  queries.pin();
  change({ model: MODELS.b });
  calls[0].resolve({ logprob: -1 });
  await turn();
  assert.ok(store.get().pinned === null && store.get().pendingQuery === null);
  queries.pin();
  calls[1].resolve({ logprob: -2 });
  await turn();
  assert.equal(store.get().pinned?.a.logprob, -2);
});

test("the search whose tree is shown is the page's own: with the reader's words", () => {
  const { change, calls, queries } = stage();
  const terms = [{ source: 'dog', target: 'Köter' }];
  change({ terms });
  queries.searchTree();
  assert.deepEqual(calls[0].options.terms, terms);
});
