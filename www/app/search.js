/** How a text is searched: the reader's settings, or what the model's folder asks for. */

/** @import { State } from './state.js' */
/** @import * as P from '../engine/protocol' */

/** @param {State} state @returns {P.SearchOptions} */
export const searchOptions = ({ beam, alpha, model }) => {
  // A model of `transformers` is scored as its folder defines.
  const folder = model?.search?.scoring;
  return { beam, nBest: beam, scoring: folder?.kind === 'hf' ? folder : { kind: 'wu', alpha } };
};
