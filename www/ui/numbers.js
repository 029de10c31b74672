/** How the page prints numbers: grouped by thin gaps, never broken over lines, with a true minus sign. */

/** @param {number} n */
export const grouped = (n) => n.toLocaleString('en').replaceAll(',', '\u00a0');

/**
 * A value of encoder and decoder: once where they have it in common.
 * @param {string|number} encoder
 * @param {string|number} decoder
 */
export const both = (encoder, decoder) => (encoder === decoder ? String(encoder) : `${encoder}, ${decoder}`);

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

/**
 * A number as an axis prints it.
 * @param {number} v
 */
export function short(v) {
  const size = Math.abs(v);
  if (size >= 1e15) return v.toExponential(0).replace('e+', 'e');
  for (const [unit, name] of /** @type {[number, string][]} */ ([[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e4, 'k']])) {
    if (size >= unit) return `${Number((v / (name === 'k' ? 1e3 : unit)).toPrecision(3))}\u2009${name}`;
  }
  if (size > 0 && size < 1e-3) return v.toExponential(0).replaceAll('-', '−');
  return String(Number(v.toPrecision(4))).replace('-', '−');
}

/** @param {number} bytes */
export const megabytes = (bytes) => `${(bytes / 1e6).toFixed(bytes < 1e8 ? 1 : 0)} MB`;

/**
 * An attention weight or a probability: a small one is never printed as 0.
 * @param {number} p
 */
export function formatWeight(p) {
  if (p === 0) return '0';
  if (p >= 0.001) return p.toFixed(3);
  return p >= 1e-6 ? p.toFixed(6) : 'less than 0.000001';
}

/**
 * A number as 4.5·10¹⁵.
 * @param {number} v
 * @param {number} [places] after the point
 */
export function scientific(v, places = 1) {
  const [digits, power] = v.toExponential(places).split('e');
  const raised = [...power.replace('+', '')].map((digit) => (digit === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]));
  return `${digits}·10${raised.join('')}`;
}
