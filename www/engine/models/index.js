// Reads the `index.json` beside model folders: which models a site ships, of which files. Used by the worker and the page.

import { EngineError, downloadFailed } from '../error.js';

/**
 * An index as it is now; where it cannot be fetched, as it was at an earlier visit.
 * @param {URL} url
 * @param {Cache | null} cache
 * @param {AbortSignal} [signal]
 * @returns {Promise<import('../protocol').ModelIndex | undefined>} undefined where there is none
 */
export async function readIndex(url, cache, signal) {
  /** @type {Response | undefined} */
  let response;
  try {
    response = await fetch(url, { signal, cache: 'no-cache' });
    // Hosts of single-page apps answer with their page for whatever is not there.
    if (!response.ok || isPage(response)) return undefined;
    // A full disk must not keep it from being read now.
    await cache?.put(url, response.clone()).catch(() => {});
  } catch (error) {
    signal?.throwIfAborted();
    response = await cache?.match(url);
    if (!response) throw downloadFailed(url, error instanceof Error ? error.message : String(error));
  }
  try {
    return await response.json();
  } catch (error) {
    throw new EngineError('ModelFormat', `${url.pathname} is no JSON: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * Whether an answer is a web page, which no file of a model is.
 * @param {Response} response
 */
export const isPage = (response) => /^text\/html\b/.test(response.headers.get('content-type') ?? '');
