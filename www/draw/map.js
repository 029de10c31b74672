/** The large attention map: cells and labels on one canvas, what moves with the pointer on a second above it. */

/** @import { Values } from '../maps.js' */
/** @import { Inks } from './ink.js' */
/** @import { MapStyle } from './pixels.js' */
import { formatWeight, isMasked } from '../maps.js';
import { legible, transform } from './ink.js';
import { paintMap } from './pixels.js';

/** Labels on top lean at least this much; the narrower the columns, the steeper they stand. */
const LEAST_SLANT = Math.PI / 4.4;

/** Between what a decoder row reads and what it predicts. */
const ARROW = ' → ';

/** Room at the right for the losses of the rows. */
const LOSSES = 84;

/**
 * What is written along a map. `reads`: what each decoder row reads at its step, shown where there is room.
 * `losses`: of each row, in training view.
 * @typedef {{rows: string[], cols: string[], reads: string[]|null, losses: number[]|null, rowColour: string, colColour: string}} MapLabels
 */

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
 * @param {CanvasRenderingContext2D} ctx scaled to CSS pixels
 * @param {number} ratio device pixels per CSS pixel
 * @param {MapLayout} layout
 * @param {{map: Values|null, labels: MapLabels, style: MapStyle}} what
 */
export function drawMap(ctx, ratio, layout, { map, labels, style }) {
  const { left, top, cellW, cellH, width, height, named } = layout;
  const { rows, cols, reads, losses, rowColour, colColour } = labels;
  const { inks } = style;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, width, height);
  const x0 = Math.round(left * ratio);
  const y0 = Math.round(top * ratio);
  const w = Math.max(1, Math.round(cellW * cols.length * ratio));
  const h = Math.max(1, Math.round(cellH * rows.length * ratio));
  const image = ctx.createImageData(w, h);
  paintMap(image, map, style);
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

  ctx.font = `${inks.font}px ${inks.sans}`;
  ctx.textBaseline = 'middle';
  const every = Math.max(1, Math.ceil(15 / cellH));
  for (let r = 0; r < rows.length; r += every) {
    const y = top + (r + 0.5) * cellH + 0.5;
    ctx.fillStyle = r < style.shown ? rowColour : inks.grey;
    rowLabel(ctx, layout, rows[r], y);
    if (named > 0 && reads?.[r]) {
      ctx.textAlign = 'right';
      ctx.fillStyle = inks.grey;
      ctx.fillText(`${clip(ctx, reads[r], named - 22)}${ARROW}`, named, y);
    }
  }
  ctx.fillStyle = colColour;
  const everyCol = Math.max(1, Math.ceil(17 / cellW));
  for (let c = 0; c < cols.length; c += everyCol) slanted(ctx, layout, c, cols[c]);
  if (losses) drawLosses(ctx, layout, losses, every, inks);
}

/**
 * What a row predicts: after the arrow where its input is named, else up to the map's edge.
 * @param {CanvasRenderingContext2D} ctx
 * @param {MapLayout} layout
 * @param {string} label
 * @param {number} y
 */
function rowLabel(ctx, { left, named }, label, y) {
  ctx.textAlign = named > 0 ? 'left' : 'right';
  ctx.fillText(clip(ctx, label, left - named - 10), named > 0 ? named : left - 8, y);
}

/**
 * Bars of the rows' losses at the right of the map, with their numbers where rows are tall enough.
 * @param {CanvasRenderingContext2D} ctx
 * @param {MapLayout} layout
 * @param {number[]} losses
 * @param {number} every
 * @param {Inks} inks
 */
function drawLosses(ctx, { left, top, cellW, cellH, cols }, losses, every, inks) {
  const x = left + cellW * cols + 10;
  const most = Math.max(...losses, 1);
  ctx.textAlign = 'left';
  ctx.fillStyle = inks.grey;
  ctx.fillText('loss', x, top - 9);
  losses.forEach((loss, r) => {
    ctx.fillStyle = inks.text;
    ctx.fillRect(x, top + r * cellH + cellH * 0.25, Math.max(1, (loss / most) * (LOSSES - 48)), Math.max(1, cellH * 0.5));
    if (r % every === 0) ctx.fillText(loss.toFixed(2), x + LOSSES - 42, top + (r + 0.5) * cellH + 0.5);
  });
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
 * @param {{map: Values|null, labels: MapLabels, style: MapStyle, row: number, col: number|null, pointed: boolean}} what
 */
export function drawMarks(ctx, ratio, layout, { map, labels, style, row, col, pointed }) {
  const { left, top, cellW, cellH, width, height, slant, named } = layout;
  const { rows, cols, rowColour, colColour } = labels;
  const { inks, scale, shown } = style;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, width, height);
  if (!map || row < 0 || row >= map.rows) return;
  const y = top + row * cellH;
  const bold = `600 ${inks.font}px ${inks.sans}`;
  ctx.textBaseline = 'middle';

  ctx.font = bold;
  blank(ctx, inks, named, y + (cellH - inks.font - 5) / 2, left - named - 3, inks.font + 5);
  ctx.fillStyle = rowColour;
  rowLabel(ctx, layout, rows[row], y + cellH / 2 + 0.5);

  if (cellW >= 30 && cellH >= 16) {
    const stand = transform(scale);
    ctx.font = `${inks.font - 1}px ${inks.sans}`;
    ctx.textAlign = 'center';
    for (let c = 0; c < cols.length; c++) {
      const value = map.data[row * map.cols + c];
      if (isMasked(map, row, c) || (value < 0.05 * map.limit && !(pointed && c === col))) continue;
      ctx.fillStyle = row < shown ? legible(inks, stand(value / map.limit)) : inks.text;
      ctx.fillText(value.toFixed(2), left + (c + 0.5) * cellW, y + cellH / 2 + 0.5);
    }
  }

  ctx.lineWidth = 2;
  ctx.strokeStyle = rowColour;
  ctx.strokeRect(left - 1, y - 0.5, cellW * cols.length + 2, Math.max(2, cellH) + 1);

  if (col !== null && col >= 0 && col < map.cols) {
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
    blank(ctx, inks, -3, -(inks.font + 5) / 2, ctx.measureText(text).width + 8, inks.font + 5);
    ctx.fillStyle = colColour;
    ctx.fillText(text, 0, 0);
    ctx.restore();
    if (cellW < 30 && !isMasked(map, row, col)) callout(ctx, layout, row, col, formatWeight(map.data[row * map.cols + col]), inks);
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
  ctx.font = `${inks.font - 1}px ${inks.sans}`;
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
