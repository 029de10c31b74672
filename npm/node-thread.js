// The engine's worker in Node: a thread, and paths where a browser has addresses.

import { pathToFileURL } from 'node:url';
import { Worker as Thread } from 'node:worker_threads';

/** Starts a worker: what `Translator` takes as `worker`. */
export const startThread = ({ name }) => new ThreadWorker(name);

/** The address of a model folder, which is given by its address or its path. */
export const addressOf = (model) => (model instanceof URL || /^(https?|file):/.test(model) ? model : pathToFileURL(`${model}/`));

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
