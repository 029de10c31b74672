/** The last run, stored on this device, so that it survives a reload. */

/** @typedef {import('./protocol').TaskChoice} TaskChoice */
/** @typedef {import('./protocol').Settings} Settings */
/** @typedef {{ settings: Settings, bytes: Uint8Array, history: import('./history.js').History }} StoredSecond */
/** @typedef {{ task: TaskChoice, settings: Settings, bytes: Uint8Array, history: import('./history.js').History, probes: string[], change: import('./choices.js').Change | null, second: StoredSecond | null }} StoredRun */

import { inRows } from '../../app/database.js';

const LAST = 'last';

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(rows: IDBObjectStore) => IDBRequest<T>} act
 * @returns {Promise<T | undefined>} undefined where this browser stores nothing (private windows)
 */
const inRuns = (mode, act) =>
  inRows({ database: 'translucent-learning', rows: 'runs' }, mode, act).catch((error) => {
    console.warn('stored run:', error);
    return undefined;
  });

/** @param {StoredRun} run */
export const storeRun = (run) => inRuns('readwrite', (rows) => rows.put(run, LAST));

/** @returns {Promise<StoredRun | undefined>} */
export const storedRun = () => inRuns('readonly', (rows) => rows.get(LAST));
