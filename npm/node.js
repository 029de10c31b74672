// The engine in Node: the browser's Translator, its worker a thread.

import { Translator as BrowserTranslator } from './engine/translator.js';
import { addressOf, startThread } from './node-thread.js';

/** An engine in a thread. The process may end while no call is pending. */
export class Translator extends BrowserTranslator {
  constructor(options = {}) {
    super({ worker: startThread, ...options });
  }

  /** @param {string | URL} model Path of a model folder, or its address. */
  load(model, options) {
    return super.load(addressOf(model), options);
  }
}
