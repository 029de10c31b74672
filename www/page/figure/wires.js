/** The arrows of Figure 1: through the stacks, around each sub-layer (the residual), and from the memory to the decoder. */

import { svg } from '../../ui/dom.js';

/**
 * A rectangle in the stage's own pixels.
 * @typedef {{l: number, r: number, t: number, b: number, x: number}} Rect
 */

/**
 * Draws all arrows from the places of the boxes.
 * @param {HTMLElement} layer
 * @param {HTMLElement} stage
 * @param {boolean} all whether every layer is open: then sub-layers are left out, and with them their arrows
 */
export function drawWires(layer, stage, all) {
  const origin = stage.getBoundingClientRect();
  if (origin.width === 0) return;
  const rect = (/** @type {Element} */ node) => {
    const b = node.getBoundingClientRect();
    const l = b.left - origin.left;
    const r = b.right - origin.left;
    return { l, r, t: b.top - origin.top, b: b.bottom - origin.top, x: (l + r) / 2 };
  };
  const picture = svg('svg', { width: origin.width, height: origin.height, viewBox: `0 0 ${origin.width} ${origin.height}` });
  picture.append(
    svg('defs', {}, arrowHead('arrow', 'wire'), arrowHead('arrow-memory', 'memory')),
  );
  const wire = (/** @type {string} */ d, kind = 'wire', head = true) =>
    picture.append(svg('path', { d, class: kind, 'marker-end': head ? `url(#${kind === 'memory' ? 'arrow-memory' : 'arrow'})` : null }));

  for (const stack of stage.querySelectorAll('.stack')) stackWires(stack, rect, wire, all);
  memoryWires(stage, rect, wire, picture);
  layer.replaceChildren(picture);
}

/**
 * @param {string} id
 * @param {string} kind
 */
function arrowHead(id, kind) {
  return svg(
    'marker',
    { id, viewBox: '0 0 6 6', refX: 5, refY: 3, markerWidth: 6, markerHeight: 6, markerUnits: 'userSpaceOnUse', orient: 'auto' },
    svg('path', { d: 'M0 0.4 5.6 3 0 5.6z', class: `tip-${kind}` }),
  );
}

/**
 * Arrows inside one stack, and the residual around each sub-layer.
 * @param {Element} stack
 * @param {(node: Element) => Rect} rect
 * @param {(d: string, kind?: string, head?: boolean) => void} wire
 * @param {boolean} all
 */
function stackWires(stack, rect, wire, all) {
  const encoder = stack.classList.contains('encoder');
  const visible = (/** @type {Element} */ n) => /** @type {HTMLElement} */ (n).offsetParent !== null;
  const way = [...stack.querySelectorAll('.chips, .embedding, .strip-button, .block .box, .output > .box, .output > .part')].filter(visible);
  for (let i = 0; i + 1 < way.length; i++) {
    const from = rect(way[i]);
    const to = rect(way[i + 1]);
    const gap = from.t - to.b;
    if (gap < 3) continue;
    const attention = way[i + 1].classList.contains('attention');
    if (attention && !way[i + 1].classList.contains('cross')) {
      // Queries, keys and values: three arrows from one place.
      const split = to.b + 7;
      const spread = (to.r - to.l) * 0.22;
      wire(`M${to.x} ${from.t}V${to.b + 1}`);
      for (const x of [to.x - spread, to.x + spread]) wire(`M${to.x} ${split}H${x}V${to.b + 1}`);
    } else if (attention) {
      // Queries come from below; keys and values from the memory.
      const x = to.x + (to.r - to.l) * (encoder ? 0 : 0.24);
      wire(`M${x} ${from.t}V${to.b + 1}`);
    } else wire(`M${to.x} ${from.t}V${to.b + 1}`);
  }
  if (all) return;
  for (const norm of stack.querySelectorAll('.norm')) {
    const layer = norm.previousElementSibling;
    const below = layer && way[way.indexOf(layer) - 1];
    if (!layer || !below || !visible(norm)) continue;
    const n = rect(norm);
    const box = rect(layer);
    const gap = rect(below).t - box.b;
    const y = box.b + (layer.classList.contains('attention') ? 13 : gap / 2);
    const x = layer.classList.contains('cross') ? box.x + (box.r - box.l) * 0.24 : box.x;
    const side = encoder ? n.l - 12 : n.r + 12;
    const end = encoder ? n.l - 1 : n.r + 1;
    wire(`M${x} ${y}H${side}V${(n.t + n.b) / 2}H${end}`, 'wire residual');
  }
}

/**
 * The memory: from the encoder's top to keys and values of every open encoder–decoder attention.
 * @param {HTMLElement} stage
 * @param {(node: Element) => Rect} rect
 * @param {(d: string, kind?: string, head?: boolean) => void} wire
 * @param {Element} picture
 */
function memoryWires(stage, rect, wire, picture) {
  const blocks = stage.querySelectorAll('.encoder .block');
  const top = blocks[blocks.length - 1];
  if (!top) return;
  const from = rect(top);
  const rise = from.t - 13;
  const crosses = [...stage.querySelectorAll('.box.cross')].map(rect);
  if (crosses.length === 0) return;
  const beside = crosses[0].l > from.r;
  const trunk = beside ? from.r + (rect(/** @type {Element} */ (stage.querySelector('.decoder .block'))).l - from.r) * 0.5 : 7;
  wire(`M${from.x} ${from.t}V${rise}H${trunk}`, 'memory', false);
  let last = rise;
  for (const to of crosses) {
    const y = to.b + 7;
    wire(`M${trunk} ${last}V${y}`, 'memory', false);
    last = y;
    const width = to.r - to.l;
    for (const part of [0.26, 0.46]) wire(`M${trunk} ${y}H${to.l + width * part}V${to.b + 1}`, 'memory');
  }
  const label = svg('text', { class: 'memory-label', x: beside ? (from.x + trunk) / 2 : from.x + 8, y: beside ? rise - 6 : rise - 5, 'text-anchor': beside ? 'middle' : 'start' });
  label.textContent = 'memory';
  picture.append(label);
}
