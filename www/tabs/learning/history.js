/** The curves of a run: every step's values, thinned for drawing. */

/**
 * @typedef {import('./protocol').Row} Row
 * @typedef {import('./protocol').Measured} Measured
 */
/** @typedef {{ rows: Row[], held: Measured[] }} History */

/** Columns of a row. */
export const COLUMN = { step: 0, rate: 1, smoothed: 2, loss: 3, norm: 4 };
/** Points of a drawn line; more would not be visible. */
const POINTS = 240;

/** @returns {History} */
export const emptyHistory = () => ({ rows: [], held: [] });

/**
 * The history up to a step, as one of its own.
 * @param {History} history
 * @param {number} step
 * @returns {History}
 */
export const until = ({ rows, held }, step) => ({ rows: rows.filter((row) => row[COLUMN.step] <= step), held: held.filter((measured) => measured.step <= step) });

/**
 * Adds a measurement in the order of steps; it replaces one of the same step.
 * @param {History} history
 * @param {Measured} measured
 */
export function addMeasured({ held }, measured) {
  const before = held.findLastIndex(({ step }) => step < measured.step) + 1;
  held.splice(before, held[before]?.step === measured.step ? 1 : 0, measured);
}

/**
 * A column of the rows as a line: means of neighbouring steps, where there are more than a line can show.
 * @param {Row[]} rows
 * @param {number} column
 */
export function line(rows, column) {
  const size = Math.max(1, Math.ceil(rows.length / POINTS));
  /** @type {number[]} */
  const x = [];
  /** @type {number[]} */
  const y = [];
  for (let at = 0; at < rows.length; at += size) {
    const group = rows.slice(at, at + size);
    x.push(group[group.length - 1][COLUMN.step]);
    y.push(group.reduce((sum, row) => sum + row[column], 0) / group.length);
  }
  return { x, y };
}

/**
 * A value of the measurements as a line.
 * @param {Measured[]} held
 * @param {'loss'|'exact'} value
 */
export function heldLine(held, value) {
  const size = Math.max(1, Math.ceil(held.length / POINTS));
  const shown = held.filter((_, i) => i % size === 0 || i === held.length - 1);
  return { x: shown.map(({ step }) => step), y: shown.map((measured) => measured[value]) };
}

/**
 * Eq. 3: the learning rate of a step.
 * @param {{ dModel: number, warmupSteps: number, factor: number }} settings
 * @param {number} step counted from 1
 */
export function learningRate({ dModel, warmupSteps, factor }, step) {
  const growth = warmupSteps > 0 ? step * warmupSteps ** -1.5 : Infinity;
  return factor * dModel ** -0.5 * Math.min(step ** -0.5, growth);
}
