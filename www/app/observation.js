/** What the page makes of an observation that arrives: where the step rests, which layers open, which blocks are kept, and whose it is. */

/** @import { HeadRef } from './state.js' */
/** @import * as P from '../engine/protocol' */

/**
 * The step that predicts the last piece with letters: what follows, full stop and end mark, reads little.
 * @param {P.Piece[]} target
 */
export function lastWord(target) {
  const at = target.findLastIndex((piece) => piece.id !== 0 && /[\p{L}\p{N}]/u.test(piece.text));
  return Math.max(0, at);
}

/**
 * The layers that the figure opens by itself: the decoder's with the head that aligns, the encoder's in the middle,
 * where heads still look at neighbours and already at meaning.
 * @param {P.ModelInfo|null} model
 * @param {HeadRef|null} aligner
 */
export function tellingLayers(model, aligner) {
  return { encoder: Math.floor((model?.config.encoderLayers ?? 1) / 2), decoder: aligner?.layer ?? 0 };
}

/**
 * Blocks that a growing observation leaves out because they cannot change (the encoder's) are kept.
 * @param {P.Trace} fresh
 * @param {P.Trace|null} before
 * @returns {P.Trace}
 */
export function keepBlocks(fresh, before) {
  return before ? { ...before, ...Object.fromEntries(Object.entries(fresh).filter(([, block]) => block)) } : fresh;
}

/**
 * Whether two sentences are of the same pieces.
 * @param {P.Piece[]} a
 * @param {P.Piece[]} b
 */
export function samePieces(a, b) {
  return a.length === b.length && a.every(({ id }, i) => id === b[i].id);
}
