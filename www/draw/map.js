/** The large attention map: where everything lies, and the cells. */

/** @import { Values } from '../maps.js' */
/** @import { Inks } from './ink.js' */
/** @import { MapLabels } from './lettering.js' */
/** @import { MapStyle } from './pixels.js' */
import { ARROW, LOSSES } from './lettering.js';
import { paintMap } from './pixels.js';

/** Labels on top lean at least this much; the narrower the columns, the steeper they stand. */
const LEAST_SLANT = Math.PI / 4.4;

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
 * @param {{labels: MapLabels, available: number, inks: Inks}} options
 * @returns {MapLayout}
 */
export function layoutMap(ctx, { labels: { rows, cols, reads, losses }, available, inks }) {
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
  const cellW = Math.min(3.1 * inks.font, room / Math.max(1, cols.length));
  const slant = -Math.max(LEAST_SLANT, Math.asin(Math.min(1, inks.font / cellW)));
  const top = Math.ceil(Math.sin(-slant) * lengthwise + 22);
  // Few cells: roomy rows; many: square cells, so that a diagonal is one.
  const cellH = Math.min(30, rows.length <= 36 ? Math.max(cellW, 17) : cellW);
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
 * Draws the cells.
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} ratio device pixels per CSS pixel
 * @param {MapLayout} layout
 * @param {{map: Values, style: MapStyle}} what
 */
export function drawCells(ctx, ratio, { left, top, cellW, cellH, rows, cols }, { map, style }) {
  const { inks } = style;
  ctx.setTransform(1, 0, 0, 1, 0, 0);
  const x0 = Math.round(left * ratio);
  const y0 = Math.round(top * ratio);
  const w = Math.max(1, Math.round(cellW * cols * ratio));
  const h = Math.max(1, Math.round(cellH * rows * ratio));
  if (w >= cols && h >= rows) {
    // A pixel for each cell, which the browser makes large: a hundredth of the work of painting every pixel.
    ctx.imageSmoothingEnabled = false;
    ctx.drawImage(cellImage(map, { ...style, flat: true }, cols, rows), x0, y0, w, h);
    hatch(ctx, map, style, { x0, y0, w, h, cols, rows });
  } else {
    const image = ctx.createImageData(w, h);
    paintMap(image, map, style);
    ctx.putImageData(image, x0, y0);
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
 * @param {Values} map
 * @param {MapStyle} style
 * @param {number} cols
 * @param {number} rows
 */
function cellImage(map, style, cols, rows) {
  const canvas = document.createElement('canvas');
  canvas.width = cols;
  canvas.height = rows;
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  const image = ctx.createImageData(cols, rows);
  paintMap(image, map, style);
  ctx.putImageData(image, 0, 0);
  return canvas;
}

/**
 * Hatches what is masked (§3.2.3): no weight is shown there, not even a zero.
 * @param {CanvasRenderingContext2D} ctx
 * @param {Values} map
 * @param {MapStyle} style
 * @param {{x0: number, y0: number, w: number, h: number, cols: number, rows: number}} place in device pixels
 */
function hatch(ctx, { open, rows: known }, { inks }, { x0, y0, w, h, cols, rows }) {
  if (!open) return;
  const tile = document.createElement('canvas');
  tile.width = tile.height = 5;
  const image = new ImageData(5, 5);
  for (let i = 0; i < 5; i++) new Uint32Array(image.data.buffer)[i * 5 + (4 - i)] = inks.hatch;
  tile.getContext('2d')?.putImageData(image, 0, 0);
  ctx.fillStyle = /** @type {CanvasPattern} */ (ctx.createPattern(tile, 'repeat'));
  ctx.beginPath();
  for (let r = 0; r < known; r++) {
    const from = Math.round((open[r] * w) / cols);
    const [y, end] = [Math.round((r * h) / rows), Math.round(((r + 1) * h) / rows)];
    if (from < w) ctx.rect(x0 + from, y0 + y, w - from, end - y);
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
