// The page's side of a training run, with a stand-in for its worker: what is pending when a run ends or is opened.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextRun } from '../../www/tabs/learning/next.js';
import { secondRun } from '../../www/tabs/learning/second.js';
import { createTrainer } from '../../www/tabs/learning/trainer.js';

const settle = async () => {
  for (let i = 0; i < 5; i++) await new Promise((done) => setImmediate(done));
};

/** A worker that answers when it is told to. */
class TestWorker {
  /** @type {TestWorker[]} */
  static all = [];
  /** @type {any[]} */
  asked = [];
  /** @type {(event: { data: any }) => void} */
  onmessage = () => {};
  constructor() {
    TestWorker.all.push(this);
  }
  /** @param {any} message */
  postMessage(message) {
    this.asked.push(message);
  }
  terminate() {}
}
Object.assign(globalThis, { Worker: TestWorker });

test('a run that is ended rejects what is pending, and hears no more of its worker', async () => {
  const progress = [];
  const trainer = createTrainer({ onProgress: (report) => progress.push(report), onDiverged() {}, onCrash: () => assert.fail('it was ended') });
  const pending = trainer.call('pause', undefined).then(() => 'answered', () => 'rejected');
  const [worker] = TestWorker.all;
  trainer.end();
  worker.onmessage({ data: { event: 'progress' } });
  assert.equal(await Promise.race([pending, settle().then(() => 'never settled')]), 'rejected');
  assert.deepEqual(progress, []);
  // The next call starts a run anew.
  const next = trainer.call('pause', undefined);
  const { id } = TestWorker.all[1].asked[0];
  worker.onmessage({ data: { id, result: 'the old one' } });
  TestWorker.all[1].onmessage({ data: { id, result: 'the new one' } });
  assert.equal(await next, 'the new one');
});

test('run B is removed while its slider moves and training is paused: both go on with the next B', async () => {
  Object.assign(globalThis, { document: { createElement: () => ({ append() {}, replaceChildren() {}, setAttribute() {}, addEventListener() {} }) } });
  const shown = { step: 0, snapshots: [0], weights: 1, trainedMs: 0, measured: null, answers: [] };
  const answer = async () => {
    await settle();
    const worker = /** @type {TestWorker} */ (TestWorker.all.at(-1));
    for (const { id, method } of worker.asked.splice(0)) worker.onmessage({ data: { id, result: method === 'probe' ? [] : shown } });
  };
  const second = secondRun({ onchange() {}, onchoose() {} });
  const begin = async () => {
    const begun = second.begin('copy', SETTINGS, { ...SETTINGS, nHeads: 1 }, []);
    await answer();
    await answer();
    await begun;
  };
  await begin();
  second.goTo(0);
  const paused = second.pause().then(() => 'paused');
  second.end();
  assert.equal(await Promise.race([paused, settle().then(() => 'never')]), 'paused');
  assert.ok(second.status.every((node) => node.hidden !== false), 'the end of B is no fault');
  await begin();
  second.goTo(0);
  await settle();
  assert.deepEqual(TestWorker.all.at(-1)?.asked.map(({ method }) => method), ['goTo']);
});

/** @type {any} */
const SETTINGS = { layers: 2, dModel: 64, nHeads: 4, dFf: 128, positions: 'sinusoidal_interleaved', compatibility: 'scaled_dot_product', neighbourhood: null, dropout: 0, labelSmoothing: 0.1, warmupSteps: 400, factor: 0.5, batchSize: 64, seed: 1 };
const STORED = { task: 'sort', settings: { ...SETTINGS, layers: 1 }, change: null, second: null };

/** Answers reads of the stored run. @param {object | undefined} run */
function store(run) {
  const after = (/** @type {any} */ request, /** @type {string} */ event) => (queueMicrotask(() => request[event]()), request);
  const transaction = () => {
    const own = /** @type {any} */ ({ objectStore: () => ({ get: () => (after(own, 'oncomplete'), { result: run }) }) });
    return own;
  };
  Object.assign(globalThis, { indexedDB: { open: () => after({ result: { transaction, close() {} } }, 'onsuccess') } });
}

/** The next run, and the run that it sets up. */
function stage() {
  /** @type {any} */
  let plan = null;
  /** @type {any[]} */
  const begun = [];
  const described = { memory: 1, rule: '', examples: [], heldOut: [] };
  const run = {
    trainer: { call: async (/** @type {string} */ method) => (method === 'defaults' ? SETTINGS : described) },
    plan: () => plan,
    step: () => 0,
    isPlaying: () => false,
    begin: async (/** @type {any} */ next) => begun.push((plan = next)),
  };
  const second = { compareWith() {}, end() {} };
  const listeners = Object.fromEntries(['onplan', 'ondescribed', 'onmemory', 'onlink', 'onbegun', 'onfault'].map((name) => [name, () => {}]));
  const failed = (/** @type {unknown} */ error) => assert.fail(String(error));
  const next = nextRun(/** @type {any} */ ({ run, second, probes: () => [] }), /** @type {any} */ ({ ...listeners, failed }));
  return { next, begun, restore: (/** @type {any} */ { task, settings }) => (plan = { task, settings }) };
}

test('a run that is stored is not thrown away by what is pressed while it is read', async () => {
  store(STORED);
  const { next, begun, restore } = stage();
  let answer = () => {};
  const opened = next.open('', (found) => new Promise((done) => (answer = () => done(restore(found)))));
  let isSettled = false;
  // Train, before the task is known; and a setting while the weights are on their way.
  const pressed = next.settled().then(() => (isSettled = true));
  await settle();
  next.changeSettings({ seed: 2 });
  await settle();
  assert.deepEqual([begun.length, isSettled], [0, false]);
  answer();
  await Promise.all([opened, pressed]);
  assert.equal(begun.length, 0);
});

test('without a stored run, or where it cannot be opened, Train sets one up', async () => {
  store(undefined);
  const { next, begun } = stage();
  const opened = next.open('', async () => assert.fail('there is none'));
  await Promise.all([opened, next.settled()]);
  assert.equal(begun.length, 1);

  store(STORED);
  const other = stage();
  const opening = assert.rejects(other.next.open('', () => Promise.reject(new Error('of an older version'))));
  const begins = other.next.settled();
  await Promise.all([opening, begins]);
  assert.deepEqual(other.begun.map(({ task }) => task), ['sort']);
});
