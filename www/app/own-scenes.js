/** Lists of scenes that the reader makes, in IndexedDB on this device: each is stored as it changes. */

/** @import { Store } from './store.js' */
/** @import { Lesson } from './scenes.js' */
import { inRows } from './database.js';
import { parseLesson, writeLesson } from './scene-file.js';
import { isOwn } from './scenes.js';

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(lists: IDBObjectStore) => IDBRequest<T>} act
 */
const inLists = (mode, act) => inRows({ database: 'translucent.scenes', rows: 'lists' }, mode, act);

/** @returns {Promise<{source: string, title: string, scenes: number}[]>} the list that was changed last comes first */
export async function ownLists() {
  const stored = await inLists('readonly', (lists) => lists.getAll());
  return stored.toSorted((a, b) => b.changed - a.changed).map(({ source, title, scenes }) => ({ source, title, scenes }));
}

/**
 * @param {string} source
 * @returns {Promise<Lesson>}
 */
export async function ownList(source) {
  const stored = await inLists('readonly', (lists) => lists.get(source));
  if (!stored) throw new Error('this list is no longer on this device');
  return parseLesson(stored.json);
}

/** @param {string} source */
export const deleteList = (source) => inLists('readwrite', (lists) => lists.delete(source));

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
    last = last.then(() => inLists('readwrite', (lists) => lists.put(row, row.source))).then(() => report(null), report);
  });
}
