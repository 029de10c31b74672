// Several engines side by side, for long documents: every worker takes the next lines when it is free. No special headers are
// needed, since the workers share nothing: a model is fetched once, and lies in the memory of each worker. To share that too, the
// engine would have to be compiled with threads, which Rust's stable compiler cannot do for WebAssembly.

import { optionsOf, refused } from './options.js';
import { Translator } from './translator.js';

/**
 * @typedef {import('./protocol').SearchOptions} SearchOptions
 * @typedef {import('./protocol').Loaded} Loaded
 * @typedef {import('./protocol').Cancelled} Cancelled
 * @typedef {import('./translator.js').LoadOptions} LoadOptions
 * @typedef {import('./translator.js').Superseding} Superseding
 */

/**
 * @typedef {object} Part Some lines of a document, translated.
 * @property {number} first Index of its first line.
 * @property {string[]} lines
 */

/** @typedef {{ kind: 'translated', text: string, tokens: number, totalMs: number }} PoolTranslated */
/** @typedef {SearchOptions & Superseding & { terms?: import('./protocol').Term[], onPart?: (part: Part) => void }} PoolOptions */

/** A part has about so many UTF-16 units: enough for the engine to decode it as one batch. */
const PART_UNITS = 1200;

/** Why a document's translation ends when it is superseded or cancelled. */
const CANCELLED = Symbol('cancelled');

/** Translates documents line by line on several cores. */
export class TranslatorPool {
  /** @type {Translator[]} */
  #translators;
  /** Of the documents under way. @type {Set<AbortController>} */
  #running = new Set();
  /** Settles with the last load: a document begins after it. @type {Promise<unknown>} */
  #loading = Promise.resolve();
  /** Documents that are asked for: a load begins after them. @type {Set<Promise<unknown>>} */
  #documents = new Set();
  /** How many loads were asked for. */
  #loads = 0;
  /** How the model was loaded that every worker has. @type {[string | URL, LoadOptions] | null} */
  #serving = null;

  /**
   * @param {{ workers?: number, worker?: import('./translator.js').WorkerSource }} [options] As many workers as there are cores,
   *   but no more than eight: each holds the model; `worker` as for `Translator`.
   */
  constructor({ workers = Math.min(8, navigator.hardwareConcurrency), worker } = {}) {
    this.#translators = Array.from({ length: Math.max(1, workers) }, () => new Translator(worker ? { worker } : {}));
  }

  /** Number of workers. */
  get size() {
    return this.#translators.length;
  }

  /**
   * Loads a model into every worker; it is fetched once. Documents under way are finished with the previous model first; one
   * that is requested during the load waits for it. If the load fails or is aborted, every worker keeps the previous model.
   * @param {string | URL} model Address of the folder, relative to the page.
   * @param {LoadOptions} [options]
   * @returns {Promise<Loaded | Cancelled>}
   */
  load(model, options) {
    const load = ++this.#loads;
    const loading = Promise.allSettled(this.#documents).then(() => this.#loadAll(model, optionsOf('load', options), load));
    this.#loading = Promise.allSettled([this.#loading, loading]);
    return loading;
  }

  /**
   * @param {string | URL} model
   * @param {LoadOptions} options
   * @param {number} load its number
   * @returns {Promise<Loaded | Cancelled>}
   */
  async #loadAll(model, options, load) {
    const [first, ...others] = this.#translators;
    const loaded = await first.load(model, options);
    if (loaded.kind !== 'loaded') return loaded;
    // What the browser does not keep, each worker reads for itself.
    const again = loaded.stored ? { signal: options.signal } : { ...options, onProgress: undefined };
    const address = loaded.stored ? loaded.address : model;
    const results = await Promise.allSettled(others.map((other) => other.load(address, again)));
    const failed = results.find(({ status }) => status === 'rejected');
    const cancelled = results.some((result) => result.status === 'fulfilled' && result.value.kind === 'cancelled');
    if (!failed && !cancelled) {
      this.#serving = [address, { ...again, signal: undefined }];
      return loaded;
    }
    // Workers with two models would write a document in two languages. A newer load gives them all one.
    const serving = this.#serving;
    if (serving && load === this.#loads) await Promise.allSettled(this.#translators.map((translator) => translator.load(...serving)));
    if (failed?.status === 'rejected') throw failed.reason;
    return { kind: 'cancelled' };
  }

  /**
   * Translates a document; lines keep their places.
   * @param {string} text
   * @param {PoolOptions} [options] `onPart` is called with lines as they are done, in any order.
   * @returns {Promise<PoolTranslated | Cancelled>}
   */
  translate(text, options) {
    const document = this.#translate(text, options);
    this.#documents.add(document);
    const ended = () => this.#documents.delete(document);
    document.then(ended, ended);
    return document;
  }

  /**
   * @param {string} text
   * @param {PoolOptions} [options]
   * @returns {Promise<PoolTranslated | Cancelled>}
   */
  async #translate(text, options) {
    const { signal, supersede = false, onPart, ...search } = optionsOf('translate', options);
    if (typeof text !== 'string') throw refused('translate', 'text', 'a string');
    const start = performance.now();
    signal?.throwIfAborted();
    if (supersede) this.#cancelTranslations();
    const run = new AbortController();
    const abort = () => run.abort(signal?.reason);
    signal?.addEventListener('abort', abort);
    this.#running.add(run);
    const lines = text.split('\n');
    const parts = cut(lines);
    /** @type {string[]} */
    const texts = [];
    let next = 0;
    let tokens = 0;
    /** @param {Translator} translator */
    const work = async (translator) => {
      while (next < parts.length) {
        const index = next++;
        const { first, end } = parts[index];
        const result = await translator.translate(lines.slice(first, end).join('\n'), { ...search, signal: run.signal });
        if (result.kind === 'cancelled') throw CANCELLED;
        texts[index] = result.text;
        tokens += result.tokens;
        onPart?.({ first, lines: result.text.split('\n') });
      }
    };
    try {
      await this.#loading;
      await Promise.all(this.#translators.map(work));
      return { kind: 'translated', text: texts.join('\n'), tokens, totalMs: performance.now() - start };
    } catch (error) {
      // After a failure the other parts are of no use.
      run.abort(error);
      if (error === CANCELLED) return { kind: 'cancelled' };
      throw error;
    } finally {
      next = parts.length;
      this.#running.delete(run);
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Ends all loads and translations; their promises resolve as cancelled. */
  cancel() {
    this.#cancelTranslations();
    for (const translator of this.#translators) translator.cancel('load');
  }

  /** Ends the workers and frees their memory; whatever is pending is rejected, and so is every later request. */
  terminate() {
    for (const translator of this.#translators) translator.terminate();
  }

  /** As `terminate`, for `using`. */
  [Symbol.dispose]() {
    this.terminate();
  }

  #cancelTranslations() {
    for (const run of this.#running) run.abort(CANCELLED);
  }
}

/**
 * Lines in parts of about equal length.
 * @param {string[]} lines
 * @returns {{ first: number, end: number }[]}
 */
function cut(lines) {
  const parts = [];
  let first = 0;
  let units = 0;
  for (const [i, line] of lines.entries()) {
    units += line.length;
    if (units < PART_UNITS && i + 1 < lines.length) continue;
    parts.push({ first, end: i + 1 });
    first = i + 1;
    units = 0;
  }
  return parts;
}
