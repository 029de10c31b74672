/** A small note beside what is pointed at or focused. */

import { byId, setProperty } from './dom.js';

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
  // Measured before the note changes; the note itself is never measured, as it moves with the pointer.
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
