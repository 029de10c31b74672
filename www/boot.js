/**
 * Starts the engine and its model before `main.js`, while the browser still fetches the page's modules.
 */

/** @import { Progress } from './engine/protocol' */
import { chosenModel } from './app/chosen-model.js';
import { Translator } from './engine/translator.js';

/**
 * A load that began before the page's modules.
 * @typedef {object} Begun
 * @property {string} address
 * @property {(onProgress: (progress: Progress) => void) => ReturnType<Translator['load']>} listen reports progress from now on
 */

/** The page's own model. */
export const MODEL = new URL('./models/en-de-free/', document.baseURI).href;
/** The model that the reader chose at an earlier visit. */
export const chosen = chosenModel();
export const engine = new Translator();
/** Null where the reader wants to save data and is asked first. @type {Begun | null} */
export const begun = /** @type {any} */ (navigator).connection?.saveData === true ? null : begin(chosen ?? MODEL);

/**
 * @param {string} address
 * @returns {Begun}
 */
function begin(address) {
  let report = (/** @type {Progress} */ _) => {};
  const loaded = engine.load(address, { onProgress: (progress) => report(progress) });
  // A failure is reported to `listen`; until then it is not an unhandled one.
  loaded.catch(() => {});
  return {
    address,
    listen(onProgress) {
      report = onProgress;
      return loaded;
    },
  };
}
