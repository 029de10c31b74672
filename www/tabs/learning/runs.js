/** The last run, stored on this device, so that it survives a reload. */

/** @typedef {import('./protocol').TaskChoice} TaskChoice */
/** @typedef {import('./protocol').Settings} Settings */
/** @typedef {{ task: TaskChoice, settings: Settings, bytes: Uint8Array, history: import('./history.js').History, probe: string }} StoredRun */

const DATABASE = 'translucent-learning';
const RUNS = 'runs';
const LAST = 'last';

/** @returns {Promise<IDBDatabase>} */
function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(RUNS);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T>} act
 * @returns {Promise<T | undefined>} undefined where this browser stores nothing (private windows)
 */
async function withStore(mode, act) {
  try {
    const database = await open();
    return await new Promise((resolve, reject) => {
      const request = act(database.transaction(RUNS, mode).objectStore(RUNS));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    }).finally(() => database.close());
  } catch (error) {
    console.warn('stored run:', error);
    return undefined;
  }
}

/** @param {StoredRun} run */
export const storeRun = (run) => withStore('readwrite', (store) => store.put(run, LAST));

/** @returns {Promise<StoredRun | undefined>} */
export const storedRun = () => withStore('readonly', (store) => store.get(LAST));

export const forgetRun = () => withStore('readwrite', (store) => store.delete(LAST));
