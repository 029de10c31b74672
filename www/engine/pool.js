// Several engines side by side, for long documents: every worker has the model, and takes the next lines when it is
// free. No special headers are needed, since the workers share nothing.

import { Translator } from './translator.js';

/**
 * @typedef {import('./protocol').AnswerOf<'progress'>} Progress
 * @typedef {import('./protocol').SearchOptions} SearchOptions
 * @typedef {import('./protocol').ResultOf<'loaded'> | import('./protocol').ResultOf<'cancelled'>} Loaded
 */

/**
 * @typedef {object} Part Some lines of a document, translated.
 * @property {number} first Index of its first line.
 * @property {string[]} lines
 */

/** @typedef {{ kind: 'translated', text: string, tokens: number, totalMs: number } | { kind: 'cancelled' }} PoolResult */

/** Lines are given out until they have so many UTF-16 units: enough for the engine to decode them as one batch. */
const PART_UNITS = 1200;

/** Translates documents line by line on several cores. */
export class TranslatorPool {
  /** @type {Translator[]} */
  #translators;
  /** Number of the newest `translate`. */
  #newest = 0;

  /** @param {number} [workers] As many as there are cores but one, which stays the page's. */
  constructor(workers = Math.max(1, navigator.hardwareConcurrency - 1)) {
    this.#translators = Array.from({ length: Math.max(1, workers) }, () => new Translator());
  }

  /** Number of workers. */
  get size() {
    return this.#translators.length;
  }

  /**
   * Loads a model into every worker; it is fetched once.
   * @param {string | URL} model Address of the folder, relative to the page.
   * @param {(progress: Progress) => void} [onProgress]
   * @returns {Promise<Loaded>}
   */
  async load(model, onProgress) {
    const [first, ...others] = this.#translators;
    const loaded = await first.load(model, onProgress);
    if (loaded.kind === 'loaded') await Promise.all(others.map((other) => other.load(model)));
    return loaded;
  }

  /**
   * Translates a document; lines keep their places. A newer call supersedes this one, which resolves as cancelled.
   * @param {string} text
   * @param {{ options?: SearchOptions, onPart?: (part: Part) => void }} [settings] `onPart` is told of lines as they
   *   are done, in any order.
   * @returns {Promise<PoolResult>}
   */
  async translate(text, { options, onPart } = {}) {
    const start = performance.now();
    const run = ++this.#newest;
    const lines = text.split('\n');
    const parts = cut(lines);
    /** @type {string[]} */
    const texts = [];
    let next = 0;
    let tokens = 0;
    /** @param {Translator} translator */
    const work = async (translator) => {
      while (run === this.#newest && next < parts.length) {
        const index = next++;
        const { first, end } = parts[index];
        const result = await translator.translate(lines.slice(first, end).join('\n'), { options });
        if (result.kind !== 'translated' || run !== this.#newest) return;
        texts[index] = result.text;
        tokens += result.tokens;
        onPart?.({ first, lines: result.text.split('\n') });
      }
    };
    try {
      await Promise.all(this.#translators.map(work));
    } finally {
      // After a failure nobody waits for the rest.
      next = parts.length;
    }
    if (run !== this.#newest) return { kind: 'cancelled' };
    return { kind: 'translated', text: texts.join('\n'), tokens, totalMs: performance.now() - start };
  }

  /** Ends whatever is being loaded or translated; those promises resolve as cancelled. */
  cancel() {
    this.#newest += 1;
    for (const translator of this.#translators) translator.cancel();
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
