/** How the page prints numbers: grouped by thin gaps, never broken over lines, with a true minus sign. */

/** @param {number} n */
export const grouped = (n) => n.toLocaleString('en').replaceAll(',', '\u00a0');

/**
 * To a tenth of a million, or to the million where there are many.
 * @param {number} n
 */
export const millions = (n) => `${n < 5e7 ? (n / 1e6).toFixed(1) : Math.round(n / 1e6)}\u00a0M`;

/**
 * @param {number} v
 * @param {number} [digits] after the point
 */
export function signed(v, digits = 2) {
  if (!Number.isFinite(v)) return v < 0 ? '−∞' : '∞';
  const text = v.toFixed(digits);
  // Nothing is −0.00.
  return (Number(text) === 0 ? text.replace('-', '') : text).replace('-', '−');
}
