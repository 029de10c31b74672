/** A small note beside what is pointed at or focused. */

/** @import * as P from '../protocol' */
import { byId } from '../dom.js';
import { pieceLabel } from '../select.js';

/**
 * Shows a note under or over a node, on the other side where the window ends.
 * @param {Element} node
 * @param {string} text
 * @param {'under'|'over'} [side]
 */
export function showTip(node, text, side = 'under') {
  const tip = byId('tip');
  tip.textContent = text;
  tip.hidden = false;
  const at = node.getBoundingClientRect();
  const size = tip.getBoundingClientRect();
  const x = Math.max(8, Math.min(innerWidth - size.width - 8, at.left + at.width / 2 - size.width / 2));
  const under = at.bottom + 8;
  const over = at.top - size.height - 8;
  const y = side === 'over' ? (over < 0 ? under : over) : under + size.height > innerHeight ? over : under;
  tip.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
}

export function hideTip() {
  byId('tip').hidden = true;
}

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
