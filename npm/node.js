// The engine in Node: the browser's Translator, its worker a thread.

import { pathToFileURL } from 'node:url';
import { Worker as Thread } from 'node:worker_threads';
import { Translator as BrowserTranslator } from './engine/translator.js';

/** An engine in a thread. The process may end while no call is pending. */
export class Translator extends BrowserTranslator {
  constructor(options = {}) {
    super({ worker: ({ name }) => new ThreadWorker(name), ...options });
  }

  /** @param {string | URL} model Path of a model folder, or its address. */
  load(model, options) {
    const isAddress = model instanceof URL || /^(https?|file):/.test(model);
    return super.load(isAddress ? model : pathToFileURL(`${model}/`), options);
  }
}

/** What `Translator` uses of a browser's worker. */
class ThreadWorker {
  /** Ids of the calls that keep the process alive. */
  #pending = new Set();
  #thread;

  constructor(name) {
    this.#thread = new Thread(new URL('./node-worker.js', import.meta.url), { workerData: name });
    this.#thread.unref();
    this.#thread.on('message', (data) => {
      if (data.type === 'done' || data.type === 'error') this.#settle(data.id);
      this.onmessage?.({ data });
    });
    this.#thread.on('messageerror', () => this.onmessageerror?.());
    this.#thread.on('error', ({ message }) => this.onerror?.({ message, preventDefault() {} }));
  }

  postMessage(data) {
    if (data.method === 'cancel') this.#settle(data.id);
    else if (data.method !== 'release' && data.method !== 'list') {
      this.#pending.add(data.id);
      this.#thread.ref();
    }
    this.#thread.postMessage(data);
  }

  terminate() {
    this.#thread.terminate();
  }

  #settle(id) {
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#thread.unref();
  }
}
