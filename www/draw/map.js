/** The large attention map: where everything lies, the cells, and what lies over those of every head alike. */

/** @import { Values } from '../app/maps.js' */
/** @import { Inks } from './ink.js' */
/** @import { MapLabels } from './lettering.js' */
/** @import { MapStyle } from './pixels.js' */
import { ARROW, LOSSES } from './lettering.js';
import { paintMap } from './pixels.js';

/** Labels on top lean at least this much; the narrower the columns, the steeper they stand. */
const LEAST_SLANT = Math.PI / 4.4;

/** Height of a row whose label can still be read. */
const LEAST_ROW = 17;

/**
 * Where everything lies, in CSS pixels.
 * @typedef {object} MapLayout
 * @property {number} left
 * @property {number} top
 * @property {number} cellW
 * @property {number} cellH
 * @property {number} rows
 * @property {number} cols
 * @property {number} width of the whole drawing
 * @property {number} height
 * @property {number} slant of the labels on top, radians, negative: upward
 * @property {number} named where the labels of what rows read end; 0 where they are left out
 */

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {{labels: MapLabels, available: number, tall?: number, low?: number, inks: Inks}} options `tall`: the height to be filled, where there
 *   is one; `low`: the height that is in sight, which rows shrink to fit while their labels can be read
 * @returns {MapLayout}
 */
export function layoutMap(ctx, { labels: { rows, cols, reads, losses }, available, tall = 0, low = Infinity, inks }) {
  const widest = (/** @type {string[]} */ labels) => labels.reduce((w, l) => Math.max(w, ctx.measureText(l).width), 0);
  // The shown row's label is bold: that is the width to reserve.
  ctx.font = `600 ${inks.font}px ${inks.sans}`;
  const predicted = Math.min(available * 0.3, Math.max(46, widest(rows) + 16));
  const read = reads && available >= 520 ? Math.min(available * 0.2, widest(reads) + ctx.measureText(ARROW).width) : 0;
  const left = Math.ceil(predicted + read);
  const named = read > 0 ? Math.floor(read) : 0;
  ctx.font = `${inks.font}px ${inks.sans}`;
  const lengthwise = Math.min(110, widest(cols));
  const over = Math.ceil(Math.cos(LEAST_SLANT) * Math.min(110, ctx.measureText(cols[cols.length - 1] ?? '').width));
  const beside = losses ? LOSSES : Math.min(over, 70) + 2;
  const room = Math.max(60, available - left - beside);
  const cellW = Math.min((tall > 0 ? 6 : 3.1) * inks.font, room / Math.max(1, cols.length));
  const slant = -Math.max(LEAST_SLANT, Math.asin(Math.min(1, inks.font / cellW)));
  const top = Math.ceil(Math.sin(-slant) * lengthwise + 22);
  // Few cells: roomy rows; many: square cells, so that a diagonal is one.
  const square = Math.min(30, rows.length <= 36 ? Math.max(cellW, LEAST_ROW) : cellW);
  // Before its first piece a translation has no row.
  const count = Math.max(1, rows.length);
  const cellH = tall > 0 ? Math.max(2, (tall - top - 6) / count) : Math.min(square, Math.max(LEAST_ROW, (low - top - 6) / count));
  return {
    left,
    top,
    cellW,
    cellH,
    rows: rows.length,
    cols: cols.length,
    width: available,
    height: Math.ceil(top + cellH * rows.length + 6),
    slant,
    named,
  };
}

/**
 * The cells as an image: a pixel for each, a hundredth of the work of painting every pixel of the screen; where they
 * are more than the screen has pixels, a pixel for each of those.
 * @param {number} ratio device pixels per CSS pixel
 * @param {MapLayout} layout
 * @param {{map: Values, style: MapStyle}} what
 */
export function cellImage(ratio, layout, { map, style }) {
  const { w, h, fine } = place(ratio, layout);
  // Words without special tokens may leave no row: nothing is drawn.
  if (layout.cols === 0 || layout.rows === 0) return new ImageData(1, 1);
  const image = fine ? new ImageData(layout.cols, layout.rows) : new ImageData(w, h);
  paintMap(image, map, { ...style, flat: fine });
  return image;
}

/**
 * Where the cells lie in device pixels, and whether each has pixels of its own.
 * @param {number} ratio
 * @param {MapLayout} layout
 */
function place(ratio, { left, top, cellW, cellH, rows, cols }) {
  const w = Math.max(1, Math.round(cellW * cols * ratio));
  const h = Math.max(1, Math.round(cellH * rows * ratio));
  return { x: Math.round(left * ratio), y: Math.round(top * ratio), w, h, fine: w >= cols && h >= rows };
}

/**
 * Where the cells' image is shown, in CSS pixels that fall on the device's.
 * @param {number} ratio
 * @param {MapLayout} layout
 */
export function imagePlace(ratio, layout) {
  const { x, y, w, h } = place(ratio, layout);
  return { left: x / ratio, top: y / ratio, width: w / ratio, height: h / ratio };
}

/**
 * Draws the cells.
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} ratio
 * @param {MapLayout} layout
 * @param {{map: Values, style: MapStyle}} what
 */
export function drawCells(ctx, ratio, layout, what) {
  const { x, y, w, h } = place(ratio, layout);
  const image = cellImage(ratio, layout, what);
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: image.width, height: image.height });
  canvas.getContext('2d')?.putImageData(image, 0, 0);
  ctx.setTransform(1, 0, 0, 1, 0, 0);
  ctx.imageSmoothingEnabled = false;
  ctx.drawImage(canvas, x, y, w, h);
}

/**
 * Draws what lies over the cells of every head alike: the hatching of what is masked, hairlines between cells, the edge.
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} ratio
 * @param {MapLayout} layout
 * @param {{map: Values, style: MapStyle}} what
 */
export function drawGrid(ctx, ratio, layout, { map, style: { inks } }) {
  const { left, top, cellW, cellH, rows, cols } = layout;
  const cells = place(ratio, layout);
  if (cells.fine) {
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    hatch(ctx, map, inks, cells, layout);
  }
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  if (cellW >= 9) {
    // Hairlines of the paper's colour keep cells apart without adding ink.
    ctx.fillStyle = inks.line;
    ctx.globalAlpha = 0.55;
    for (let c = 1; c < cols; c++) ctx.fillRect(left + c * cellW - 0.5, top, 1 / ratio, cellH * rows);
    for (let r = 1; r < rows; r++) ctx.fillRect(left, top + r * cellH - 0.5, cellW * cols, 1 / ratio);
    ctx.globalAlpha = 1;
  }
  ctx.strokeStyle = inks.line;
  ctx.lineWidth = 1;
  ctx.strokeRect(left - 0.5, top - 0.5, cellW * cols + 1, cellH * rows + 1);
}

/**
 * Hatches what is masked (§3.2.3): no weight is shown there, not even a zero.
 * @param {CanvasRenderingContext2D} ctx
 * @param {Values} map
 * @param {Inks} inks
 * @param {{x: number, y: number, w: number, h: number}} at in device pixels
 * @param {{rows: number, cols: number}} count
 */
function hatch(ctx, { open, from, rows: known }, inks, { x, y, w, h }, { rows, cols }) {
  if (!open) return;
  const step = inks.hatchStep;
  const tile = document.createElement('canvas');
  tile.width = tile.height = step;
  const image = new ImageData(step, step);
  const pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < step; i++) for (let thick = 0; thick < Math.max(1, step / 4); thick++) pixels[i * step + ((step - 1 - i + thick) % step)] = inks.hatch;
  tile.getContext('2d')?.putImageData(image, 0, 0);
  ctx.fillStyle = /** @type {CanvasPattern} */ (ctx.createPattern(tile, 'repeat'));
  ctx.beginPath();
  for (let r = 0; r < known; r++) {
    const [end, start] = [open[r], from?.[r] ?? 0].map((column) => Math.round((column * w) / cols));
    const [upper, lower] = [Math.round((r * h) / rows), Math.round(((r + 1) * h) / rows)];
    if (end < w) ctx.rect(x + end, y + upper, w - end, lower - upper);
    if (start > 0) ctx.rect(x, y + upper, start, lower - upper);
  }
  ctx.fill();
}

/**
 * The cell at a point of the drawing; null outside. Labels count as their first cell's row or column.
 * @param {MapLayout} layout
 * @param {number} x
 * @param {number} y
 */
export function cellAt({ left, top, cellW, cellH, rows, cols }, x, y) {
  const col = Math.floor((x - left) / cellW);
  const row = Math.floor((y - top) / cellH);
  if (row < 0 || row >= rows || col < 0 || col >= cols) return null;
  return { row, col };
}
