/** What went wrong, why, and what the reader can do about it, from an error of the engine. */

/** @import { Store } from './store.js' */

/** @type {Record<string, {title: string, remedy: string}>} */
const WORDS = {
  SimdMissing: {
    title: 'This browser cannot run the model',
    remedy: 'Use Chrome or Edge 116, Firefox 124, Safari 17.4, or newer: the model needs WebAssembly SIMD.',
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
 * Shows a failure, unless a newer request has taken the place of the one that failed.
 * @param {Store} store
 * @param {unknown} error
 * @param {object} [options]
 * @param {AbortSignal} [options.signal] of the request
 * @param {'load'|'translate'|'switch'} [options.retry] what the reader can try again
 * @param {{what: string, stays: string}} [options.about] the model that failed, and what works meanwhile
 */
export function fail(store, error, { signal, retry = 'translate', about } = {}) {
  if (signal?.aborted) return;
  const { known, why } = reasonOf(error, WORDS);
  const title = known?.title ?? (retry === 'translate' ? 'The text could not be translated' : 'The model could not be loaded');
  const remedy = known?.remedy ?? 'Try again. Your text is kept.';
  store.set({
    failure: {
      title: about ? `${about.what}: ${title[0].toLowerCase()}${title.slice(1)}` : title,
      why,
      remedy: [remedy, about?.stays].filter(Boolean).join(' '),
      retry,
    },
  });
}
