/** The large attention map: cells and labels on one canvas, what moves with the pointer on a second above it. */

/** @import { Matrix } from '../select.js' */
/** @import { Inks } from './ink.js' */
/** @import { MapStyle } from './pixels.js' */
import { legible } from './ink.js';
import { paintMap } from './pixels.js';
import { formatWeight } from '../select.js';

const FONT = 13;

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
 */

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {{rows: string[], cols: string[], available: number, inks: Inks}} options
 * @returns {MapLayout}
 */
export function layoutMap(ctx, { rows, cols, available, inks }) {
  const widest = (/** @type {string[]} */ labels) => labels.reduce((w, l) => Math.max(w, ctx.measureText(l).width), 0);
  // The shown row's label is bold: that is the width to reserve.
  ctx.font = `600 ${FONT}px ${inks.sans}`;
  const left = Math.ceil(Math.min(available * 0.3, Math.max(46, widest(rows) + 16)));
  ctx.font = `${FONT}px ${inks.sans}`;
  const lengthwise = Math.min(110, widest(cols));
  const over = Math.ceil(Math.cos(LEAST_SLANT) * Math.min(110, ctx.measureText(cols[cols.length - 1] ?? '').width));
  const room = Math.max(60, available - left - Math.min(over, 70) - 2);
  const cellW = Math.min(40, room / Math.max(1, cols.length));
  const slant = -Math.max(LEAST_SLANT, Math.asin(Math.min(1, FONT / cellW)));
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
  };
}

/**
 * @param {CanvasRenderingContext2D} ctx scaled to CSS pixels
 * @param {number} ratio device pixels per CSS pixel
 * @param {MapLayout} layout
 * @param {{matrix: Matrix|null, rows: string[], cols: string[], style: MapStyle, rowColour: string, colColour: string}} what
 */
export function drawMap(ctx, ratio, layout, { matrix, rows, cols, style, rowColour, colColour }) {
  const { left, top, cellW, cellH, width, height } = layout;
  const { inks } = style;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, width, height);
  const x0 = Math.round(left * ratio);
  const y0 = Math.round(top * ratio);
  const w = Math.max(1, Math.round(cellW * cols.length * ratio));
  const h = Math.max(1, Math.round(cellH * rows.length * ratio));
  const image = ctx.createImageData(w, h);
  paintMap(image, matrix, style);
  ctx.putImageData(image, x0, y0);

  if (cellW >= 9) {
    // Hairlines of the paper's colour keep cells apart without adding ink.
    ctx.fillStyle = inks.line;
    ctx.globalAlpha = 0.55;
    for (let c = 1; c < cols.length; c++) ctx.fillRect(left + c * cellW - 0.5, top, 1 / ratio, cellH * rows.length);
    for (let r = 1; r < rows.length; r++) ctx.fillRect(left, top + r * cellH - 0.5, cellW * cols.length, 1 / ratio);
    ctx.globalAlpha = 1;
  }
  ctx.strokeStyle = inks.line;
  ctx.lineWidth = 1;
  ctx.strokeRect(left - 0.5, top - 0.5, cellW * cols.length + 1, cellH * rows.length + 1);

  ctx.font = `${FONT}px ${inks.sans}`;
  ctx.textBaseline = 'middle';
  const every = Math.max(1, Math.ceil(15 / cellH));
  ctx.textAlign = 'right';
  for (let r = 0; r < rows.length; r += every) {
    ctx.fillStyle = r < style.shown ? rowColour : inks.grey;
    ctx.fillText(clip(ctx, rows[r], left - 10), left - 8, top + (r + 0.5) * cellH + 0.5);
  }
  ctx.fillStyle = colColour;
  const everyCol = Math.max(1, Math.ceil(17 / cellW));
  for (let c = 0; c < cols.length; c += everyCol) slanted(ctx, layout, c, cols[c]);
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {MapLayout} layout
 * @param {number} col
 * @param {string} label
 */
function slanted(ctx, { left, top, cellW, slant }, col, label) {
  ctx.save();
  ctx.translate(left + (col + 0.5) * cellW, top - 9);
  ctx.rotate(slant);
  ctx.textAlign = 'left';
  ctx.fillText(clip(ctx, label, 110), 0, 0);
  ctx.restore();
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {string} label
 * @param {number} room
 */
function clip(ctx, label, room) {
  if (ctx.measureText(label).width <= room) return label;
  let short = label;
  while (short.length > 1 && ctx.measureText(`${short}…`).width > room) short = short.slice(0, -1);
  return `${short}…`;
}

/**
 * The shown row, the marked column, their labels, and the row's larger numbers.
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} ratio
 * @param {MapLayout} layout
 * @param {{matrix: Matrix|null, rows: string[], cols: string[], row: number, col: number|null, pointed: boolean, shown: number, inks: Inks, stand: (w: number) => number, rowColour: string, colColour: string}} what
 */
export function drawMarks(ctx, ratio, layout, { matrix, rows, cols, row, col, pointed, shown, inks, stand, rowColour, colColour }) {
  const { left, top, cellW, cellH, width, height, slant } = layout;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, width, height);
  if (!matrix || row >= matrix.rows) return;
  const y = top + row * cellH;
  const bold = `600 ${FONT}px ${inks.sans}`;
  ctx.textBaseline = 'middle';

  ctx.font = bold;
  ctx.textAlign = 'right';
  const label = clip(ctx, rows[row], left - 10);
  blank(ctx, inks, 0, y + cellH / 2 - 9, left - 3, 18);
  ctx.fillStyle = rowColour;
  ctx.fillText(label, left - 8, y + cellH / 2 + 0.5);

  if (cellW >= 30 && cellH >= 16) {
    ctx.font = `12px ${inks.sans}`;
    ctx.textAlign = 'center';
    for (let c = 0; c < cols.length; c++) {
      const weight = matrix.data[row * matrix.cols + c];
      if (weight < 0.05 && !(pointed && c === col)) continue;
      ctx.fillStyle = row < shown ? legible(inks, stand(weight)) : inks.text;
      ctx.fillText(weight.toFixed(2), left + (c + 0.5) * cellW, y + cellH / 2 + 0.5);
    }
  }

  ctx.lineWidth = 2;
  ctx.strokeStyle = rowColour;
  ctx.strokeRect(left - 1, y - 0.5, cellW * cols.length + 2, Math.max(2, cellH) + 1);

  if (col !== null && col < cols.length) {
    const x = left + col * cellW;
    ctx.lineWidth = 1;
    ctx.strokeStyle = colColour;
    ctx.globalAlpha = 0.75;
    ctx.strokeRect(x - 0.5, top - 0.5, Math.max(2, cellW) + 1, cellH * rows.length + 1);
    ctx.globalAlpha = 1;
    ctx.lineWidth = 2;
    ctx.strokeRect(x - 1, y - 1, Math.max(3, cellW) + 2, Math.max(3, cellH) + 2);
    ctx.font = bold;
    ctx.save();
    ctx.translate(x + cellW / 2, top - 9);
    ctx.rotate(slant);
    ctx.textAlign = 'left';
    const text = clip(ctx, cols[col], 110);
    blank(ctx, inks, -3, -9, ctx.measureText(text).width + 8, 18);
    ctx.fillStyle = colColour;
    ctx.fillText(text, 0, 0);
    ctx.restore();
    if (cellW < 30) callout(ctx, layout, row, col, formatWeight(matrix.data[row * matrix.cols + col]), inks);
  }
}

/**
 * The number beside a cell that is too small to hold it.
 * @param {CanvasRenderingContext2D} ctx
 * @param {MapLayout} layout
 * @param {number} row
 * @param {number} col
 * @param {string} text
 * @param {Inks} inks
 */
function callout(ctx, { left, top, cellW, cellH, cols }, row, col, text, inks) {
  ctx.font = `12px ${inks.sans}`;
  const w = ctx.measureText(text).width + 10;
  const right = left + (col + 1) * cellW + 6;
  const x = right + w > left + cols * cellW ? left + col * cellW - 6 - w : right;
  const y = top + (row + 0.5) * cellH;
  ctx.fillStyle = inks.text;
  ctx.beginPath();
  ctx.roundRect(x, y - 10, w, 20, 4);
  ctx.fill();
  ctx.fillStyle = inks.paper;
  ctx.textAlign = 'center';
  ctx.fillText(text, x + w / 2, y + 0.5);
}

/**
 * Covers the plain label under a bold one.
 * @param {CanvasRenderingContext2D} ctx
 * @param {Inks} inks
 * @param {number} x
 * @param {number} y
 * @param {number} w
 * @param {number} h
 */
function blank(ctx, inks, x, y, w, h) {
  ctx.fillStyle = inks.panel;
  ctx.fillRect(x, y, w, h);
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
