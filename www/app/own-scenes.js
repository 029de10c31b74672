/** Lists of scenes that the reader makes, in IndexedDB on this device: each is stored as it changes. */

/** @import { Store } from './store.js' */
/** @import { Lesson } from './scenes.js' */
import { isOwn, parseLesson, writeLesson } from './scenes.js';

const LISTS = 'lists';

/** @returns {Promise<IDBDatabase>} */
function database() {
  const opening = indexedDB.open('translucent.scenes', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(LISTS);
  return answer(opening);
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
const answer = (request) =>
  new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(lists: IDBObjectStore) => Promise<T>} act
 */
async function inLists(mode, act) {
  const db = await database();
  try {
    return await act(db.transaction(LISTS, mode).objectStore(LISTS));
  } finally {
    db.close();
  }
}

/** @returns {Promise<{source: string, title: string, scenes: number}[]>} the list that was changed last comes first */
export async function ownLists() {
  const stored = await inLists('readonly', (lists) => answer(lists.getAll()));
  return stored.toSorted((a, b) => b.changed - a.changed).map(({ source, title, scenes }) => ({ source, title, scenes }));
}

/**
 * @param {string} source
 * @returns {Promise<Lesson>}
 */
export async function ownList(source) {
  const stored = await inLists('readonly', (lists) => answer(lists.get(source)));
  if (!stored) throw new Error('this list is no longer on this device');
  return parseLesson(stored.json);
}

/** @param {string} source */
export const deleteList = (source) => inLists('readwrite', (lists) => answer(lists.delete(source)));

/**
 * Stores the reader's list whenever it changes.
 * @param {Store} store
 * @param {(error: unknown) => void} report after which the reader knows whether it is stored
 */
export function storeLists(store, report) {
  let stored = store.get().lesson;
  let last = Promise.resolve();
  store.watch(['lesson', 'lessonSource'], ({ lesson, lessonSource }) => {
    if (!lesson || lesson === stored || !lessonSource || !isOwn(lessonSource)) return;
    stored = lesson;
    const row = { source: lessonSource, title: lesson.title, scenes: lesson.scenes.length, json: writeLesson(lesson), changed: Date.now() };
    // One after another: the last one written is the newest.
    last = last.then(() => inLists('readwrite', (lists) => answer(lists.put(row, row.source)))).then(() => report(null), report);
  });
}
