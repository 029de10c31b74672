// Lists of scenes and the last run in IndexedDB, with a fault at every step in turn: what was stored stays, what is reported is
// true, and trying again works.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownList, ownLists, storeLists } from '../../www/app/own-scenes.js';
import { parseLesson } from '../../www/app/scene-file.js';
import { storeRun, storedRun } from '../../www/tabs/learning/runs.js';

/** Databases by name: their rows by key. @type {Map<string, Map<any, any>>} */
let databases = new Map();
let steps = 0;
/** The step that fails, and whether all later ones do, too. */
let fault = { at: 0, later: false };

const strikes = () => ((steps += 1), fault.at > 0 && (fault.later ? steps >= fault.at : steps === fault.at));
const full = () => new DOMException('the disk is full', 'QuotaExceededError');

Object.assign(globalThis, {
  indexedDB: {
    open(/** @type {string} */ name) {
      /** @type {any} */
      const opening = {};
      queueMicrotask(() => {
        if (strikes()) {
          opening.error = full();
          opening.onerror();
          return;
        }
        const stored = databases.get(name) ?? new Map();
        databases.set(name, stored);
        opening.result = {
          createObjectStore() {},
          close() {},
          transaction() {
            const rows = new Map(stored);
            /** @type {any} */
            const transaction = { objectStore: () => store };
            const run = (/** @type {() => any} */ act) => {
              /** @type {any} */
              const request = {};
              queueMicrotask(() => {
                // The request itself, and then the end of its transaction.
                const failed = strikes();
                if (!failed) request.result = act();
                queueMicrotask(() => {
                  if (failed || strikes()) {
                    transaction.error = full();
                    transaction.onabort();
                  } else {
                    stored.clear();
                    for (const [key, row] of rows) stored.set(key, row);
                    transaction.oncomplete();
                  }
                });
              });
              return request;
            };
            const store = {
              put: (/** @type {any} */ row, /** @type {any} */ key) => run(() => rows.set(key, structuredClone(row))),
              get: (/** @type {any} */ key) => run(() => rows.get(key)),
              getAll: () => run(() => [...rows.values()]),
              delete: (/** @type {any} */ key) => run(() => rows.delete(key)),
            };
            return transaction;
          },
        };
        opening.onupgradeneeded?.();
        opening.onsuccess();
      });
      return opening;
    },
  },
});

const lessonOf = (/** @type {string} */ title) => parseLesson(JSON.stringify({ format: 1, title, scenes: [{ text: 'A dog.' }] }));

test('a list of scenes is stored whole or stays as it was, and the reader is told which', async () => {
  for (const later of [false, true]) {
    for (let at = 1, struck = true; struck; at++) {
      databases = new Map();
      fault = { at: 0, later };
      /** @type {any} */
      let state = { lesson: null, lessonSource: null };
      /** @type {(state: any) => void} */
      let changed = () => {};
      /** @type {unknown[]} */
      const reports = [];
      let reported = () => {};
      const next = () => new Promise((/** @type {(value: void) => void} */ done) => (reported = done));
      storeLists(/** @type {any} */ ({ get: () => state, watch: (/** @type {any} */ _, /** @type {any} */ view) => (changed = view) }), (error) => {
        reports.push(error);
        reported();
      });
      const edit = async (/** @type {string} */ title) => {
        state = { lesson: lessonOf(title), lessonSource: 'own:1' };
        const report = next();
        changed(state);
        await report;
      };
      await edit('first');
      steps = 0;
      fault = { at, later };
      await edit('second');
      struck = steps >= at;
      fault = { at: 0, later };
      const title = (await ownList('own:1')).title;
      assert.equal(title, reports.at(-1) ? 'first' : 'second', `step ${at}`);
      assert.equal(Boolean(reports.at(-1)), struck, `step ${at}: what the reader is told`);
      await edit('third');
      assert.equal(reports.at(-1), null);
      assert.deepEqual((await ownLists()).map((list) => list.title), ['third']);
      assert.ok(struck || at > 3);
    }
  }
});

test('a run in training is stored whole or stays as it was', async (t) => {
  t.mock.method(console, 'warn', () => {});
  for (const later of [false, true]) {
    for (let at = 1, struck = true; struck; at++) {
      databases = new Map();
      fault = { at: 0, later };
      const run = (/** @type {number} */ step) => /** @type {any} */ ({ task: 'copy', settings: {}, bytes: Uint8Array.of(step), history: {}, probe: '' });
      await storeRun(run(1));
      steps = 0;
      fault = { at, later };
      await storeRun(run(2));
      struck = steps >= at;
      fault = { at: 0, later };
      assert.equal((await storedRun())?.bytes[0], struck ? 1 : 2);
      await storeRun(run(3));
      assert.equal((await storedRun())?.bytes[0], 3);
      assert.ok(struck || at > 3);
    }
  }
});
