/** Rows by key in IndexedDB, on this device. */

/**
 * Runs one request. It is answered when its transaction has come to its end: what is said to be stored is stored.
 * @template T
 * @param {{ database: string, rows: string }} where
 * @param {IDBTransactionMode} mode
 * @param {(rows: IDBObjectStore) => IDBRequest<T>} act
 * @returns {Promise<T>}
 */
export async function inRows({ database, rows }, mode, act) {
  const opening = indexedDB.open(database, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(rows);
  const db = await new Promise((/** @type {(db: IDBDatabase) => void} */ resolve, reject) => {
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  try {
    return await new Promise((resolve, reject) => {
      const transaction = db.transaction(rows, mode);
      const request = act(transaction.objectStore(rows));
      transaction.oncomplete = () => resolve(request.result);
      // A full disk may show only now, after the request was answered.
      transaction.onabort = () => reject(transaction.error ?? request.error);
    });
  } finally {
    db.close();
  }
}
