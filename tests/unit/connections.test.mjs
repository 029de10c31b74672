// Which worker a request goes to, and when a worker ends.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestWorker, live } from './worker.mjs';
const { Translator } = await import('../../www/engine/translator.js');

/** A translator, and its workers in the order of their start. */
function translator() {
  /** @type {(TestWorker & { ended: boolean })[]} */
  const workers = [];
  const worker = (/** @type {WorkerOptions} */ options) => {
    const started = Object.assign(new TestWorker(options, () => 'arrives'), { ended: false });
    const { terminate } = started;
    started.terminate = () => {
      started.ended = true;
      terminate.call(started);
    };
    workers.push(started);
    return started;
  };
  const t = new Translator({ worker });
  const load = (/** @type {string} */ name, options = {}) => t.load(`https://example.org/${name}/`, { files: [new File([name], 'config.json')], store: false, ...options });
  return { t, load, workers, ended: () => workers.map(({ ended }) => ended) };
}

test('another model comes into a worker of its own, and the one before ends with its last answer', async () => {
  live.clear();
  const { t, load, ended } = translator();
  await load('a');
  const long = t.translate(Array.from({ length: 450 }, (_, i) => `Dog ${i}`).join('. '));
  await load('b');
  assert.equal((await t.translate('Cat.')).text, 'b: Cat.');
  assert.match((await long).text, /^a: Dog 0/);
  assert.deepEqual(ended(), [true, false]);
  t.terminate();
  assert.deepEqual(ended(), [true, true]);
});

test('the newest weights of the same address stay in their worker', async () => {
  const { t, load, ended } = translator();
  await load('a');
  await load('a');
  assert.deepEqual(ended(), [false]);
  t.terminate();
});

test('a worker ends in which a model was refused, cancelled or superseded, and the model before stays', async () => {
  const { t, load, ended } = translator();
  await load('a');
  await assert.rejects(load('refused'), { code: 'ConfigInvalid' });
  const cancelled = load('b');
  t.cancel('load');
  assert.deepEqual(await cancelled, { kind: 'cancelled' });
  const controller = new AbortController();
  const aborted = load('c', { signal: controller.signal });
  controller.abort(new Error('by the reader'));
  await assert.rejects(aborted, /by the reader/);
  assert.equal((await t.translate('Cat.')).text, 'a: Cat.');
  assert.deepEqual(ended(), [false, true, true, true]);
  const superseded = load('d');
  await load('e');
  assert.deepEqual(await superseded, { kind: 'cancelled' });
  assert.equal((await t.translate('Cat.')).text, 'e: Cat.');
  assert.deepEqual(ended(), [true, true, true, true, true, false]);
  t.terminate();
});

test('a listener that throws keeps no request from its answer', async () => {
  const { t, load, workers } = translator();
  await load('a');
  const [worker] = workers;
  /** @type {unknown[]} */
  const thrown = [];
  const { onmessage } = worker;
  // Browsers report what a listener throws, and go on.
  worker.onmessage = (event) => {
    try {
      onmessage?.(event);
    } catch (error) {
      thrown.push(error);
    }
  };
  const onEvent = () => {
    throw new Error('of the page');
  };
  assert.equal((await t.translate('Cat.', { onEvent })).text, 'a: Cat.');
  assert.match(String(thrown[0]), /of the page/);
  assert.equal((await t.translate('Dog.')).text, 'a: Dog.');
  t.terminate();
});
