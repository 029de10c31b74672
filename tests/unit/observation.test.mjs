// The observer with a stand-in for the engine: what it asks for, and which settings take effect.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createObserver } from '../../www/app/observation.js';
import { initialState } from '../../www/app/state.js';
import { createStore } from '../../www/app/store.js';

const turn = () => new Promise((done) => setImmediate(done));
const SOURCE = [{ id: 5, text: 'dog', range: [0, 3] }, { id: 0, text: '', range: [3, 3] }];
const TARGET = [{ id: 7, text: 'Hund', range: [0, 4] }, { id: 0, text: '', range: [4, 4] }];
const block = { data: new Float32Array(4), shape: [1, 1, 2, 2] };

/** A page with one translated sentence that is observed. */
async function stage(variant) {
  /** @type {any[]} */
  const scores = [];
  /** @type {{ options: any, resolve: (view: any) => void, reject: (error: Error) => void }[]} */
  const views = [];
  const engine = {
    async score(source, options) {
      scores.push(options);
      const { norms } = options.request ?? {};
      const trace = { encoderSelf: block, decoderSelf: block, cross: block, ...(norms && { encoderSelfNorms: block, decoderSelfNorms: block, crossNorms: block }) };
      return { logprob: -1, scores: [], observed: { target: TARGET, steps: [], trace, final: true } };
    },
    viewTrace: (options) => new Promise((resolve, reject) => views.push({ options, resolve, reject })),
    positions: async () => ({ sinusoidal: { data: new Float32Array(200), shape: [100, 2] }, wavelengths: new Float32Array(1) }),
  };
  const doc = {
    text: 'dog',
    sentences: [{ range: [0, 3], source: SOURCE }],
    outputs: [{ text: 'Hund', stableLength: 4, target: TARGET, stale: false, variant }],
    running: false,
    recorded: false,
    speed: null,
  };
  /** @type {(() => void)[]} */
  const frames = [];
  const state = /** @type {any} */ ({ ...initialState(), phase: 'ready', text: 'dog', doc });
  const store = createStore(state, { schedule: (flush) => frames.push(flush), report: (error) => assert.fail(String(error)) });
  const observer = createObserver(store, /** @type {any} */ (engine));
  const settle = async () => {
    for (let i = 0; i < 5; i++) {
      await turn();
      frames.splice(0).forEach((flush) => flush());
    }
  };
  await observer.observe(0);
  await settle();
  assert.equal(store.get().observation?.final, true);
  return { store, observer, scores, views, settle };
}

test('norms and losses are those of the translation that is shown, with its intervention', async () => {
  const intervention = { heads: [{ kind: 'cross', layer: 0, head: 0, change: 'off' }] };
  const { store, observer, scores, settle } = await stage({ what: 'a head off', intervention, original: {} });
  scores.length = 0;
  await observer.setView({ measure: 'norm' });
  assert.deepEqual(scores.map((options) => options.intervention), [intervention], 'norms');
  scores.length = 0;
  store.set({ mode: 'training' });
  await settle();
  assert.deepEqual(scores.map((options) => options.intervention), [intervention], 'losses');
  assert.equal(store.get().scored?.logprob, -1);
});

test('two settings that are changed in quick succession both take effect', async () => {
  const { store, observer, views } = await stage(undefined);
  const both = [observer.setView({ unit: 'words' }), observer.setView({ specialTokens: 'hidden' })];
  await turn();
  for (const { resolve } of views) resolve({});
  await Promise.all(both);
  const { unit, specialTokens } = store.get();
  assert.deepEqual([unit, specialTokens], ['words', 'hidden']);
  assert.deepEqual([views.at(-1)?.options.unit, views.at(-1)?.options.specialTokens], ['words', 'hidden']);
});

test('a setting whose view failed is not changed by the next one', async () => {
  const { store, observer, views } = await stage(undefined);
  const failing = observer.setView({ unit: 'words' });
  await turn();
  views[0].reject(new Error('out of memory'));
  await failing;
  assert.notEqual(store.get().failure, null);
  const next = observer.setView({ specialTokens: 'hidden' });
  await turn();
  views[1].resolve({});
  await next;
  assert.deepEqual([store.get().unit, store.get().specialTokens], ['pieces', 'hidden']);
});
