/** How a signal gets from one position to another: positions as dots, layers above each other, the way in bold. */

/** @import { PathGraph } from '../../engine/protocol' */
import { svg } from '../../ui/dom.js';

const WIDTH = 250;
const MARGIN = 10;
const LEVEL = 34;

/**
 * @param {PathGraph} graph
 * @param {string} label
 */
export function drawPaths({ layer, n, levels, edges, path }, label) {
  // Many layers stand closer, so that no graph is taller than a hand.
  const step = Math.min(LEVEL, 230 / Math.max(1, levels));
  const height = 2 * MARGIN + levels * step + 8;
  const x = (/** @type {number} */ position) => MARGIN + (position / Math.max(1, n - 1)) * (WIDTH - 2 * MARGIN);
  const y = (/** @type {number} */ level) => height - MARGIN - level * step;
  // Connections within a level are those of the recurrent layer: from step to step, drawn as arcs.
  const line = (/** @type {[number, number]} */ [l0, p0], /** @type {[number, number]} */ [l1, p1]) =>
    l0 === l1 ? `M${x(p0)} ${y(l0)}Q${(x(p0) + x(p1)) / 2} ${y(l0) - 9} ${x(p1)} ${y(l1)}` : `M${x(p0)} ${y(l0)}L${x(p1)} ${y(l1)}`;
  // A recurrent layer has one level of neurons, within which its steps follow each other.
  const recurrent = layer === 'recurrent';
  const ends = (/** @type {[number, number, number]} */ [level, from, to]) =>
    recurrent && level >= levels ? /** @type {[[number, number], [number, number]]} */ ([[level, from], [level, to]]) : /** @type {[[number, number], [number, number]]} */ ([[level, from], [level + 1, to]]);
  const all = edges.map((edge) => line(...ends(edge))).join('');
  const way = path.slice(1).map((node, i) => line(path[i], node)).join('');
  const dots = Array.from({ length: levels + 1 }, (_, level) => Array.from({ length: n }, (_, p) => svg('circle', { class: path.some(([l, q]) => l === level && q === p) ? 'on' : '', cx: x(p), cy: y(level), r: path.some(([l, q]) => l === level && q === p) ? 3.5 : 2 })));
  return svg('svg', { class: 'paths', viewBox: `0 0 ${WIDTH} ${height}`, role: 'img', 'aria-label': label }, svg('path', { class: 'edges', d: all }), svg('path', { class: 'way', d: way }), ...dots.flat());
}
