/** One 2 × 2 block of M_k as a dial: where the pair (cos, sin) stands at pos, and where the rotation takes it. Pure. */

import { svg } from '../../ui/dom.js';

const SIZE = 92;
const RADIUS = 34;
const MID = SIZE / 2;

/**
 * @param {{from: [number, number], to: [number, number], angle: number, label: string}} what sine and cosine at pos
 *   and at pos + k, and the angle between them in radians
 */
export function drawDial({ from, to, angle, label }) {
  const at = (/** @type {[number, number]} */ [sin, cos], /** @type {number} */ r) => [MID + r * cos, MID - r * sin];
  const [fx, fy] = at(from, RADIUS);
  const [tx, ty] = at(to, RADIUS);
  const [ax, ay] = at(from, RADIUS * 0.55);
  const [bx, by] = at(to, RADIUS * 0.55);
  const large = Math.abs(angle) > Math.PI ? 1 : 0;
  const arc = `M${ax.toFixed(1)} ${ay.toFixed(1)}A${RADIUS * 0.55} ${RADIUS * 0.55} 0 ${large} ${angle > 0 ? 0 : 1} ${bx.toFixed(1)} ${by.toFixed(1)}`;
  return svg(
    'svg',
    { class: 'dial', viewBox: `0 0 ${SIZE} ${SIZE}`, width: SIZE, height: SIZE, role: 'img', 'aria-label': label },
    svg('circle', { class: 'rim', cx: MID, cy: MID, r: RADIUS }),
    svg('path', { class: 'rim', d: `M${MID - RADIUS} ${MID}H${MID + RADIUS}M${MID} ${MID - RADIUS}V${MID + RADIUS}` }),
    svg('path', { class: 'arc', d: arc }),
    svg('line', { class: 'hand before', x1: MID, y1: MID, x2: fx, y2: fy }),
    svg('line', { class: 'hand', x1: MID, y1: MID, x2: tx, y2: ty }),
    svg('circle', { class: 'tip-before', cx: fx, cy: fy, r: 3.5 }),
    svg('circle', { class: 'tip-after', cx: tx, cy: ty, r: 4 }),
  );
}
