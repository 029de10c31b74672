// Which requests count: the newest of a slot, and of a slider one at a time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fail } from '../../www/app/failure.js';
import { createSlot, oneAtATime } from '../../www/app/requests.js';

test('a newer request aborts the older one of its slot, and no other', () => {
  const [slot, other] = [createSlot(), createSlot()];
  const first = slot.next();
  const beside = other.next();
  const second = slot.next();
  assert.deepEqual([first.aborted, second.aborted, beside.aborted], [true, false, false]);
  slot.cancel();
  assert.equal(second.aborted, true);
  assert.equal(slot.next().aborted, false);
});

test('the failure of a superseded request is not shown', () => {
  /** @type {any[]} */
  const shown = [];
  const store = /** @type {any} */ ({ set: (/** @type {any} */ patch) => shown.push(patch.failure) });
  const slot = createSlot();
  const signal = slot.next();
  fail(store, new Error('late'), { signal: slot.next() && signal });
  assert.deepEqual(shown, []);
  fail(store, Object.assign(new Error('too long'), { code: 'TextTooLong' }));
  assert.equal(shown[0].title, 'The text is too long');
  assert.equal(shown[0].why, 'too long');
});

test('of requests that come while one is answered only the newest is sent, and every answer is shown', async () => {
  /** @type {((value: number) => void)[]} */
  const answers = [];
  /** @type {number[]} */
  const sent = [];
  /** @type {number[]} */
  const received = [];
  const send = oneAtATime(
    (/** @type {number} */ n) => {
      sent.push(n);
      return new Promise((/** @type {(value: number) => void} */ resolve) => answers.push(resolve));
    },
    (answer) => received.push(answer),
    assert.fail,
  );
  send(1);
  send(2);
  send(3);
  assert.deepEqual(sent, [1]);
  answers[0](10);
  await new Promise(setImmediate);
  assert.deepEqual([sent, received], [[1, 3], [10]]);
  answers[1](30);
  await new Promise(setImmediate);
  send(4);
  assert.deepEqual([sent, received], [[1, 3, 4], [10, 30]]);
});

test('a request that fails is reported, and the next one is sent', async () => {
  /** @type {unknown[]} */
  const failed = [];
  let calls = 0;
  const send = oneAtATime(() => (calls++ === 0 ? Promise.reject(new Error('first')) : Promise.resolve(1)), () => {}, (error) => failed.push(error));
  send(1);
  send(2);
  await new Promise(setImmediate);
  assert.equal(failed.length, 1);
  assert.equal(calls, 2);
});
