// Several engines in Node: the browser's TranslatorPool, its workers threads.

import { availableParallelism } from 'node:os';
import { TranslatorPool as BrowserPool } from './engine/pool.js';
import { addressOf, startThread } from './node-thread.js';

/** An engine in each of several threads. The process may end while no call is pending. */
export class TranslatorPool extends BrowserPool {
  constructor({ workers = Math.min(8, availableParallelism()), ...options } = {}) {
    super({ worker: startThread, workers, ...options });
  }

  /** @param {string | URL} model Path of a model folder, or its address. */
  load(model, options) {
    return super.load(addressOf(model), options);
  }
}
