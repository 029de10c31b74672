/** How far a file is translated, in IndexedDB on this device: what a closed page had done is not done again. One file at a time. */

const FILES = 'files';
/** The one place: the file that is being translated. */
const PLACE = 'now';

/** @typedef {{ id: string, translations: string[] }} Progress `id`: of file and model */

/** @returns {Promise<IDBDatabase>} */
function database() {
  const opening = indexedDB.open('translucent.files', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(FILES);
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
 * @param {(files: IDBObjectStore) => IDBRequest<T>} act
 * @returns {Promise<T|undefined>} undefined where the browser stores nothing
 */
async function inFiles(mode, act) {
  try {
    const db = await database();
    try {
      return await answer(act(db.transaction(FILES, mode).objectStore(FILES)));
    } finally {
      db.close();
    }
  } catch (error) {
    // The file is translated all the same.
    console.warn('progress of a file:', error);
    return undefined;
  }
}

/**
 * What was translated of a file before the page was closed.
 * @param {string} id
 * @returns {Promise<string[]>}
 */
export async function readProgress(id) {
  const stored = /** @type {Progress|undefined} */ (await inFiles('readonly', (files) => files.get(PLACE)));
  return stored?.id === id ? stored.translations : [];
}

/** @param {Progress} progress */
export const writeProgress = (progress) => inFiles('readwrite', (files) => files.put(progress, PLACE));

/** Forgets the file: it is finished, or given up. */
export const clearProgress = () => inFiles('readwrite', (files) => files.clear());
