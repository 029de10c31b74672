/** What moves over a map with the pointer: the shown row, the marked column, and their numbers. */

/** @import { Values } from '../app/maps.js' */
/** @import { Inks } from './ink.js' */
/** @import { MapLabels } from './lettering.js' */
/** @import { MapLayout } from './map.js' */
/** @import { MapStyle } from './pixels.js' */
import { legible, transform } from './ink.js';
import { clip, rowLabel } from './lettering.js';
import { isMasked } from './pixels.js';

/**
 * The shown row, the marked column, their labels, and the row's larger numbers.
 * @param {CanvasRenderingContext2D} ctx
 * @param {MapLayout} layout
 * @param {{map: Values|null, labels: MapLabels, style: MapStyle, row: number, col: number|null, pointed: boolean, format: (value: number) => string}} what
 */
export function drawMarks(ctx, layout, { map, labels, style, row, col, pointed, format }) {
  const { left, top, cellW, cellH, slant, named } = layout;
  const { rows, cols, rowColour, colColour } = labels;
  const { inks, scale, shown } = style;
  if (!map || row < 0 || row >= map.rows) return;
  const y = top + row * cellH;
  const bold = `600 ${inks.font}px ${inks.sans}`;
  ctx.textBaseline = 'middle';

  ctx.font = bold;
  blank(ctx, inks, named, y + (cellH - inks.font - 5) / 2, left - named - 3, inks.font + 5);
  ctx.fillStyle = rowColour;
  rowLabel(ctx, layout, rows[row], y + cellH / 2 + 0.5);

  ctx.font = `${inks.font - 1}px ${inks.sans}`;
  const fits = cellW >= ctx.measureText('0.00').width + 3;
  if (fits && cellH >= 16) {
    const stand = transform(scale);
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
    if (!fits && !isMasked(map, row, col)) callout(ctx, layout, row, col, format(map.data[row * map.cols + col]), inks);
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
