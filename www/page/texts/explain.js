/** What a piece of the translation says on focus. */

/** @import * as P from '../../engine/protocol' */
import { pieceLabel } from '../../app/maps.js';

/**
 * How sure the model was of a piece, and what else it considered.
 * @param {P.Piece} piece
 * @param {P.StepAlternatives} [step]
 */
export function explainPiece(piece, step) {
  const parts = [`“${pieceLabel(piece)}”`];
  if (piece.logprob !== undefined) parts.push(`P = ${Math.exp(piece.logprob).toFixed(2)}`);
  const others = step?.pieces.filter((p) => p.id !== piece.id).slice(0, 2) ?? [];
  if (others.length > 0) {
    const list = others.map((p) => `“${pieceLabel(p)}” ${p.probability.toFixed(2)}`);
    parts.push(`else ${list.join(', ')}`);
  }
  return parts.join(' · ');
}
