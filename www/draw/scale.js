/** Scales of charts: where a value stands between two pixels, and the round numbers along it. */

/**
 * @param {{log?: boolean, from?: number, to?: number}} axis linear or logarithmic; ends that are not fixed are those of the data
 * @param {ArrayLike<number>[]} columns
 * @param {number} start pixel of the smallest value
 * @param {number} end
 */
export function scale(axis, columns, start, end) {
  const upright = start > end;
  let low = Infinity;
  let high = -Infinity;
  for (const column of columns) {
    for (let i = 0; i < column.length; i++) {
      const v = column[i];
      if (!Number.isFinite(v) || (axis.log && v <= 0)) continue;
      if (v < low) low = v;
      if (v > high) high = v;
    }
  }
  if (low > high) [low, high] = axis.log ? [1, 10] : [0, 1];
  low = axis.from ?? low;
  high = axis.to ?? high;
  if (low === high) high = axis.log ? low * 10 : low + 1;
  const ticks = axis.log ? decades(low, high) : steps(low, high);
  // An upright linear scale ends on round numbers; a lying one, in time or length, where the data do.
  if (upright && !axis.log && axis.to === undefined) high = Math.max(high, ticks[ticks.length - 1]);
  if (upright && !axis.log && axis.from === undefined) low = Math.min(low, ticks[0]);
  const t = axis.log ? Math.log : (/** @type {number} */ v) => v;
  const [a, b] = [t(low), t(high)];
  return {
    ticks: ticks.filter((v) => v >= low * 0.999 && v <= high * 1.001 + 1e-12),
    at: (/** @type {number} */ v) => start + ((t(v) - a) / (b - a)) * (end - start),
    low,
    high,
  };
}

/**
 * @param {number} low
 * @param {number} high
 */
function decades(low, high) {
  const [from, to] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const every = Math.max(1, Math.ceil((to - from) / 6));
  const out = [];
  for (let e = from; e <= to; e++) {
    if ((e - from) % every === 0) out.push(10 ** e);
    if (to - from <= 2) out.push(2 * 10 ** e, 5 * 10 ** e);
  }
  return out;
}

/**
 * Round numbers from at most `low` to at least `high`.
 * @param {number} low
 * @param {number} high
 */
export function steps(low, high) {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((m) => m * power >= rough) ?? 10) * power;
  const out = [];
  for (let i = Math.floor(low / step); i * step < high + step; i++) out.push(i * step);
  return out;
}
