/**
 * What needs no view: the engine, and its model on the way. A script of its own before `main.js`, so that both begin
 * while the browser still fetches a hundred small files.
 */

/** @import { Progress } from './engine/protocol' */
import { chosenModel } from './app/chosen-model.js';
import { Translator } from './engine/translator.js';

/**
 * A model on its way before anybody listens.
 * @typedef {object} Begun
 * @property {string} address
 * @property {(onProgress: (progress: Progress) => void) => ReturnType<Translator['load']>} heard who listens from now on
 */

/** The page's own model. */
export const MODEL = new URL('./models/en-de/', document.baseURI).href;
/** The one that the reader chose at an earlier visit. */
export const chosen = chosenModel();
export const engine = new Translator();
/** Null where the reader is asked before megabytes are fetched. @type {Begun | null} */
export const begun = /** @type {any} */ (navigator).connection?.saveData === true ? null : begin(chosen ?? MODEL);

/**
 * @param {string} address
 * @returns {Begun}
 */
function begin(address) {
  let tell = (/** @type {Progress} */ _) => {};
  const loaded = engine.load(address, { onProgress: (progress) => tell(progress) });
  // Whoever listens hears of a failure too, also if they come later.
  loaded.catch(() => {});
  return {
    address,
    heard(onProgress) {
      tell = onProgress;
      return loaded;
    },
  };
}
