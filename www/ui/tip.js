/** A small note beside what is pointed at or focused. */

/** @import * as P from '../engine/protocol' */
import { byId, setProperty } from './dom.js';
import { pieceLabel } from '../app/maps.js';

/** Most that a note takes, in CSS pixels. */
const WIDE = 340;
const TALL = 92;

/**
 * Shows a note under or over a node, on the other side where the window ends.
 * @param {Element} node
 * @param {string} text
 * @param {'under'|'over'} [side]
 */
export function showTip(node, text, side = 'under') {
  const tip = byId('tip');
  // Asked before the note changes, and the note itself is never asked: it moves with the pointer.
  const at = node.getBoundingClientRect();
  const over = side === 'over' ? at.top > TALL : at.bottom + TALL > innerHeight;
  const half = Math.min(WIDE, innerWidth - 16) / 2 + 8;
  const x = Math.max(half, Math.min(innerWidth - half, at.left + at.width / 2));
  if (tip.textContent !== text) tip.textContent = text;
  setProperty(tip, 'hidden', false);
  tip.style.transform = `translate(${Math.round(x)}px, ${Math.round(over ? at.top - 8 : at.bottom + 8)}px) translate(-50%, ${over ? '-100%' : '0'})`;
}

export function hideTip() {
  setProperty(byId('tip'), 'hidden', true);
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
