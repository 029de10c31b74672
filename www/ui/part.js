/** Parts of the page that are loaded when they are first wanted. */

import { notice } from './notice.js';

/**
 * Loads a part once. A failure is forgotten: the next call tries again.
 * @template T
 * @param {() => Promise<T>} load
 * @returns {() => Promise<T>}
 */
export function once(load) {
  /** @type {Promise<T>|null} */
  let loading = null;
  return () =>
    (loading ??= load().catch((error) => {
      loading = null;
      throw error;
    }));
}

/** Says that a part is missing. @param {unknown} error */
export const sayMissing = (error) => notice('part-missing', `This part of the page could not be loaded: ${error instanceof Error ? error.message : error}. Try again, or reload the page.`);
