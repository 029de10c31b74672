/** What went wrong, why, and what the reader can do about it, from an error of the engine. */

/** @import { Store } from './store.js' */

/** @type {Record<string, {title: string, remedy: string}>} */
const WORDS = {
  SimdMissing: {
    title: 'This browser cannot run the model',
    remedy: 'Use a current Chrome, Edge, Firefox or Safari (16.4 or later): the model needs WebAssembly SIMD.',
  },
  EngineUnavailable: { title: 'The engine could not be downloaded', remedy: 'Check the connection. Your text is kept.' },
  VersionChanged: { title: 'This page has a new version', remedy: 'Your text is kept.' },
  // The error's own message says what to do: it must also serve pages that have no such words.
  DownloadFailed: { title: 'The model could not be downloaded', remedy: 'Your text is kept.' },
  ModelFormat: { title: 'The model’s files are damaged', remedy: 'Try again to download them. If that fails, the files on the server are damaged.' },
  ConfigInvalid: { title: 'The model’s configuration cannot be read', remedy: 'The files on the server are damaged.' },
  TokenizerFormat: { title: 'The model’s tokenizer is damaged', remedy: 'Try again to download it. If that fails, the file on the server is damaged.' },
  ShapeMismatch: { title: 'The model’s tensors do not fit its configuration', remedy: 'The files on the server are damaged.' },
  TextTooLong: { title: 'The text is too long', remedy: 'Shorten it, or split its longest sentence. Your text is kept.' },
  EngineCrashed: { title: 'The engine stopped', remedy: 'Try again: the engine restarts. Your text is kept.' },
};

/**
 * An error's own reason, and the words for errors of its code.
 * @param {unknown} error
 * @param {Record<string, {title: string, remedy: string}>} words by code
 */
export function reasonOf(error, words) {
  const code = /** @type {any} */ (error)?.code ?? '';
  return { known: Object.hasOwn(words, code) ? words[code] : null, why: error instanceof Error ? error.message : String(error) };
}

/**
 * @param {unknown} error
 * @param {'load'|'translate'} during
 */
export function failureOf(error, during) {
  const { known, why } = reasonOf(error, WORDS);
  return {
    title: known?.title ?? (during === 'load' ? 'The model could not be loaded' : 'The text could not be translated'),
    why,
    remedy: known?.remedy ?? 'Try again. Your text is kept.',
    retry: during,
  };
}

/**
 * Shows a failure, unless a newer request has taken the place of the one that failed.
 * @param {Store} store
 * @param {unknown} error
 * @param {AbortSignal} [signal] of the request
 */
export function fail(store, error, signal) {
  if (!signal?.aborted) store.set({ failure: failureOf(error, 'translate') });
}
