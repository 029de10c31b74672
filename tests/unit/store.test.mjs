// The page's store: one frame for many changes, and a watcher that throws harms no other.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initialState, withoutAnswers } from '../../www/app/state.js';
import { createStore } from '../../www/app/store.js';

/** A store whose frames are run by hand, with what it reported. */
function stage() {
  /** @type {(() => void)[]} */
  const frames = [];
  /** @type {unknown[]} */
  const reported = [];
  const store = createStore(initialState(), { schedule: (flush) => frames.push(flush), report: (error) => reported.push(error) });
  return { store, frames, reported, frame: () => frames.splice(0).forEach((flush) => flush()) };
}

test('many changes reach a watcher once, in the next frame, with the newest state', () => {
  const { store, frames, frame } = stage();
  /** @type {number[]} */
  const steps = [];
  store.watch(['step'], ({ step }) => steps.push(step));
  store.set({ step: 1 });
  store.set({ step: 2 });
  assert.equal(store.get().step, 2);
  assert.deepEqual(steps, [0]);
  assert.equal(frames.length, 1);
  frame();
  assert.deepEqual(steps, [0, 2]);
});

test('a late change is there at once, and its watchers run a frame later than others', () => {
  const { store, frame } = stage();
  /** @type {string[]} */
  const texts = [];
  store.watch(['text'], ({ text }) => texts.push(text));
  store.set({ text: 'long' }, true);
  assert.equal(store.get().text, 'long');
  frame();
  assert.deepEqual(texts, ['']);
  frame();
  assert.deepEqual(texts, ['', 'long']);
});

test('a watcher hears only of its own keys, and a value that stays the same is no change', () => {
  const { store, frames, frame } = stage();
  let calls = 0;
  store.watch(['tab'], () => calls++);
  store.set({ step: 3 });
  frame();
  store.set({ tab: store.get().tab });
  assert.equal(frames.length, 0);
  assert.equal(calls, 1);
});

test('a watcher that throws is reported, and the others run', () => {
  const { store, frame, reported } = stage();
  /** @type {number[]} */
  const heard = [];
  const broken = new Error('a view of a model with no probes');
  store.watch(['step'], () => {
    throw broken;
  });
  store.watch(['step'], ({ step }) => heard.push(step));
  store.set({ step: 5 });
  frame();
  assert.deepEqual(heard, [0, 5]);
  assert.deepEqual(reported, [broken, broken]);
});

test('a change made by a watcher is seen in the next frame', () => {
  const { store, frames, frame } = stage();
  store.watch(['step'], ({ step }) => step === 1 && store.set({ playing: true }));
  let playing = false;
  store.watch(['playing'], (state) => (playing = state.playing));
  store.set({ step: 1 });
  frame();
  assert.equal(playing, false);
  assert.equal(frames.length, 1);
  frame();
  assert.equal(playing, true);
});

test('another model keeps settings and text, and nothing that the last one answered', () => {
  const state = initialState();
  const reset = withoutAnswers();
  for (const key of Object.keys(reset)) assert.deepEqual(reset[key], state[key], key);
  for (const key of ['text', 'theme', 'tab', 'beam', 'alpha', 'unit', 'specialTokens', 'lesson']) assert.ok(!(key in reset), key);
  for (const key of ['alignmentHead', 'intervention', 'interventionResult', 'observation', 'positions', 'doc', 'pinned', 'tree']) assert.ok(key in reset, key);
});
