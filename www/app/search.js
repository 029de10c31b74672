/** How a text is searched: as the reader has set, else as the folder asks, else as the paper did (§6.1). */

/** @import { State } from './state.js' */
/** @import * as P from '../engine/protocol' */
import { RANGES } from './fragment.js';

/** @param {State} state @returns {{beam: number, nBest: number, scoring: P.Scoring}} */
export const searchOptions = ({ beam, alpha, model }) => {
  const { beam: asked = 4, scoring = { kind: 'wu', alpha: 0.6 } } = model?.search ?? {};
  const size = beam ?? Math.min(RANGES.beam[1], asked);
  // `transformers` scores otherwise. The core counts in 32 bits: 0.6 is 0.60000002.
  return { beam: size, nBest: size, scoring: scoring.kind === 'hf' ? scoring : { kind: 'wu', alpha: alpha ?? Number(scoring.alpha.toPrecision(4)) } };
};
