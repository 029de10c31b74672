/** Line charts as SVG: axes (linear or logarithmic), lines named at their ends, a cross-hair. Numbers in, nodes out. */

import { svg } from './dom.js';
import { short } from './numbers.js';
import { scale } from '../draw/scale.js';

/**
 * @typedef {object} Axis
 * @property {string} label
 * @property {boolean} [log]
 * @property {number} [from] fixed ends; else those of the data
 * @property {number} [to]
 * @property {(v: number) => string} [format]
 */

/**
 * A line. `look` distinguishes lines without colour, as blue and orange mean source and target.
 * @typedef {object} Series
 * @property {string} name
 * @property {ArrayLike<number>} x
 * @property {ArrayLike<number>} y not finite: no point there
 * @property {string} [look] classes among solid, dash, dot, pale
 * @property {boolean} [points] dots instead of a line
 */

/**
 * @typedef {object} Chart
 * @property {number} width
 * @property {number} height
 * @property {Axis} x
 * @property {Axis} y
 * @property {Series[]} series
 * @property {number|null} [at] where the cross-hair stands, on the x axis
 * @property {number|null} [mark] a second, dashed upright: a moment that another view shows
 */

const TOP = 12;
const BOTTOM = 38;
const CHAR = 6.6;

/**
 * Where the chart's values lie.
 * @param {Chart} chart
 */
export function chartScales({ width, height, x, y, series }) {
  const named = series.filter((s) => s.name);
  const right = Math.min(width * 0.4, named.length > 1 ? Math.max(...named.map((s) => s.name.length)) * CHAR + 14 : 12);
  const ys = scale(y, series.map((s) => s.y), height - BOTTOM, TOP);
  const left = Math.max(34, Math.max(...ys.ticks.map((v) => label(y, v).length)) * 7.2 + 12);
  return { xs: scale(x, series.map((s) => s.x), left, width - right), ys, left, right: width - right, top: TOP, bottom: height - BOTTOM };
}

/**
 * @param {Axis} axis
 * @param {number} v
 */
const label = (axis, v) => (axis.format ?? short)(v);

/**
 * The chart's nodes.
 * @param {Chart} chart
 * @returns {Node[]}
 */
export function drawChart(chart) {
  const { x, y, series, width, height, at, mark } = chart;
  const { xs, ys, left, right, top, bottom } = chartScales(chart);
  const out = [];
  for (const v of ys.ticks) {
    const py = ys.at(v);
    out.push(svg('line', { class: 'grid', x1: left, x2: right, y1: py, y2: py }), text(label(y, v), left - 8, py + 4, 'tick end'));
  }
  const room = Math.max(...xs.ticks.map((v) => label(x, v).length)) * 7 + 14;
  const every = Math.max(1, Math.ceil((xs.ticks.length * room) / (right - left)));
  xs.ticks.forEach((v, i) => {
    out.push(svg('line', { class: 'grid', x1: xs.at(v), x2: xs.at(v), y1: bottom, y2: bottom + 4 }));
    if (i % every === 0) out.push(text(label(x, v), xs.at(v), bottom + 17, 'tick'));
  });
  out.push(svg('line', { class: 'axis', x1: left, x2: right, y1: bottom, y2: bottom }));
  out.push(text(x.label, (left + right) / 2, height - 4, 'name'), text(y.label, left, top - 2, 'name start'));
  for (const [value, kind] of /** @type {[number|null|undefined, string][]} */ ([[mark, 'mark'], [at, 'hair']])) {
    if (value === null || value === undefined || value < xs.low || value > xs.high) continue;
    out.push(svg('line', { class: kind, x1: xs.at(value), x2: xs.at(value), y1: top, y2: bottom }));
  }
  for (const s of series) {
    const look = s.look ?? 'solid';
    if (s.points) {
      for (const [px, py] of points(s, xs, ys)) out.push(svg('circle', { class: `line ${look}`, cx: px, cy: py, r: 3 }));
    } else out.push(svg('path', { class: `line ${look}`, d: path(s, xs, ys) }));
  }
  if (series.length > 1) out.push(...names(chart, xs, ys, right, bottom));
  const near = at === null || at === undefined ? null : at;
  if (near !== null) {
    for (const s of series) {
      const i = nearest(s.x, near);
      if (i >= 0 && Number.isFinite(s.y[i])) out.push(svg('circle', { class: 'here', cx: xs.at(s.x[i]), cy: clamp(ys.at(s.y[i]), top, bottom), r: 3.5 }));
    }
  }
  // The frame's width keeps the drawing whole while its holder is resized.
  out.push(svg('rect', { class: 'frame', x: 0, y: 0, width, height }));
  return out;
}

/**
 * @param {number} v
 * @param {number} low
 * @param {number} high
 */
const clamp = (v, low, high) => Math.max(low, Math.min(high, v));

/**
 * Index of the value nearest to `v`; −1 of none.
 * @param {ArrayLike<number>} column
 * @param {number} v
 */
export function nearest(column, v) {
  let best = -1;
  for (let i = 0; i < column.length; i++) if (best < 0 || Math.abs(column[i] - v) < Math.abs(column[best] - v)) best = i;
  return best;
}

/**
 * @param {Series} s
 * @param {ReturnType<typeof scale>} xs
 * @param {ReturnType<typeof scale>} ys
 */
function points(s, xs, ys) {
  const out = [];
  for (let i = 0; i < s.x.length; i++) {
    if (!Number.isFinite(s.y[i]) || s.x[i] < xs.low || s.x[i] > xs.high) continue;
    const [px, py] = [xs.at(s.x[i]), ys.at(s.y[i])];
    if (Number.isFinite(px) && Number.isFinite(py)) out.push([px, py]);
  }
  return out;
}

/**
 * @param {Series} s
 * @param {ReturnType<typeof scale>} xs
 * @param {ReturnType<typeof scale>} ys
 */
const path = (s, xs, ys) => points(s, xs, ys).map(([px, py], i) => `${i ? 'L' : 'M'}${px.toFixed(1)} ${py.toFixed(1)}`).join('');

/**
 * The lines' names at their right ends, pushed apart where they would touch.
 * @param {Chart} chart
 * @param {ReturnType<typeof scale>} xs
 * @param {ReturnType<typeof scale>} ys
 * @param {number} right
 * @param {number} bottom
 */
function names({ series, width }, xs, ys, right, bottom) {
  const ends = series
    .map((s) => ({ name: s.name, look: s.look ?? 'solid', y: points(s, xs, ys).at(-1)?.[1] ?? NaN }))
    .filter((end) => end.name && Number.isFinite(end.y))
    .sort((a, b) => a.y - b.y);
  const gap = 15;
  ends.forEach((end, i) => (end.y = Math.max(end.y, i ? ends[i - 1].y + gap : TOP + 4)));
  for (let i = ends.length - 1, limit = bottom + 4; i >= 0; i--, limit -= gap) ends[i].y = Math.min(ends[i].y, limit);
  // A long name gives way rather than leave the drawing; the table has it whole.
  const most = Math.floor((width - right - 8) / CHAR);
  const fitted = (/** @type {string} */ name) => (name.length > most ? `${name.slice(0, most - 1)}…` : name);
  return ends.map((end) => text(fitted(end.name), right + 8, end.y + 4, `end-name start ${end.look}`));
}

/**
 * @param {string} content
 * @param {number} px
 * @param {number} py
 * @param {string} kind
 */
function text(content, px, py, kind) {
  const node = svg('text', { class: kind, x: px, y: py });
  node.textContent = content;
  return node;
}
