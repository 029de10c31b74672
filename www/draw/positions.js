/** Positional encodings (§3.5): the heat map over position and dimension, and the curves of single dimensions. */

/** @import { Inks } from './ink.js' */
import { paintSigned } from './pixels.js';

/**
 * A table of positions: `rows` positions × `cols` dimensions; `reach` is the value of full colour.
 * @typedef {{data: Float32Array, rows: number, cols: number, reach: number}} Table
 * @typedef {{left: number, top: number, w: number, h: number}} Frame
 */

/**
 * The value of full colour for a table: sines and cosines fill −1 to 1, what was learned has a range of its own.
 * @param {Float32Array} data
 * @param {boolean} learned
 */
export function reachOf(data, learned) {
  if (!learned) return 1;
  let most = 0;
  for (const value of data) most = Math.max(most, Math.abs(value));
  return most || 1;
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} ratio
 * @param {Frame} frame
 * @param {Table} table
 * @param {{inks: Inks, length: number, side: 'source'|'target'}} what `length`: positions that the sentence fills
 */
export function drawHeat(ctx, ratio, { left, top, w, h }, table, { inks, length, side }) {
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height);
  const image = ctx.createImageData(Math.round(w * ratio), Math.round(h * ratio));
  paintSigned(image, table, table.reach, inks.signed);
  ctx.putImageData(image, Math.round(left * ratio), Math.round(top * ratio));
  ctx.font = `${Math.min(inks.font - 1, 18)}px ${inks.sans}`;
  ctx.fillStyle = inks.grey;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'right';
  const cell = h / table.rows;
  for (let pos = 0; pos < table.rows; pos += 16) ctx.fillText(String(pos), left - 10, top + (pos + 0.5) * cell);
  ctx.textBaseline = 'top';
  ctx.textAlign = 'center';
  const dims = w / table.cols;
  for (let dim = 0; dim < table.cols; dim += Math.max(1, Math.round(table.cols / 8))) ctx.fillText(String(dim), left + (dim + 0.5) * dims, top + h + 6);
  ctx.textAlign = 'right';
  if (length > 0) {
    // The positions that the sentence fills, in its side's colour.
    ctx.fillStyle = inks[side];
    ctx.fillRect(left - 5, top, 3, Math.min(h, length * cell));
  }
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} ratio
 * @param {Frame} frame
 * @param {Table} table
 * @param {{inks: Inks, position: number, dimension: number, chosen: number[]}} what
 */
export function drawCross(ctx, ratio, { left, top, w, h }, table, { inks, position, dimension, chosen }) {
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height);
  const cellW = w / table.cols;
  const cellH = h / table.rows;
  ctx.fillStyle = inks.text;
  for (const dim of chosen) {
    // Small feet and heads at the columns whose curves are drawn below.
    const x = left + (dim + 1) * cellW;
    ctx.beginPath();
    ctx.moveTo(x - 4, top - 7);
    ctx.lineTo(x + 4, top - 7);
    ctx.lineTo(x, top - 1);
    ctx.fill();
  }
  const x = left + (dimension + 0.5) * cellW;
  const y = top + (position + 0.5) * cellH;
  // A light line under a dark one is seen on every colour of the scale.
  for (const [colour, width] of /** @type {[string, number][]} */ ([[inks.panel, 3], [inks.text, 1]])) {
    ctx.strokeStyle = colour;
    ctx.lineWidth = width;
    ctx.beginPath();
    ctx.moveTo(left, y);
    ctx.lineTo(left + w, y);
    ctx.moveTo(x, top);
    ctx.lineTo(x, top + h);
    ctx.stroke();
  }
  ctx.strokeStyle = inks.text;
  ctx.lineWidth = 2;
  ctx.strokeRect(x - Math.max(4, cellW / 2) - 1, y - Math.max(4, cellH / 2) - 1, Math.max(8, cellW) + 2, Math.max(8, cellH) + 2);
}

/**
 * The curves of one sine–cosine pair over all positions: dots at whole positions, where the model
 * uses them, joined by the curve that passes there with the right slope.
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} ratio
 * @param {{w: number, h: number}} size
 * @param {Table} table
 * @param {{inks: Inks, even: number, wavelength: number|null, position: number}} what
 */
export function drawPair(ctx, ratio, { w, h }, table, { inks, even, wavelength, position }) {
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, w, h);
  const pad = 5;
  const third = 1 / 3;
  const x = (/** @type {number} */ pos) => pad + (pos / Math.max(1, table.rows - 1)) * (w - 2 * pad);
  const y = (/** @type {number} */ v) => h / 2 - (v / table.reach) * (h / 2 - pad);
  const at = (/** @type {number} */ pos, /** @type {number} */ dim) => table.data[pos * table.cols + dim];
  // Without a wavelength (the recorded example has none) the dots are joined by straight lines.
  const omega = wavelength ? (2 * Math.PI) / wavelength : 0;

  ctx.strokeStyle = inks.line;
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.moveTo(0, h / 2);
  ctx.lineTo(w, h / 2);
  ctx.stroke();

  // d sin = ω cos, d cos = −ω sin: the partner dimension is the slope of the curve (Hermite).
  for (const [dim, partner, sign, dash] of /** @type {[number, number, number, number[]][]} */ ([
    [even + 1, even, -1, [3, 3]],
    [even, even + 1, 1, []],
  ])) {
    ctx.setLineDash(dash);
    ctx.strokeStyle = dash.length ? inks.grey : inks.text;
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    ctx.moveTo(x(0), y(at(0, dim)));
    for (let pos = 0; pos + 1 < table.rows; pos++) {
      if (omega === 0) {
        ctx.lineTo(x(pos + 1), y(at(pos + 1, dim)));
        continue;
      }
      const v0 = at(pos, dim) + sign * omega * third * at(pos, partner);
      const v1 = at(pos + 1, dim) - sign * omega * third * at(pos + 1, partner);
      ctx.bezierCurveTo(x(pos + third), y(v0), x(pos + 1 - third), y(v1), x(pos + 1), y(at(pos + 1, dim)));
    }
    ctx.stroke();
  }
  ctx.setLineDash([]);

  ctx.strokeStyle = inks.grey;
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.moveTo(x(position), 0);
  ctx.lineTo(x(position), h);
  ctx.stroke();
  for (const [dim, colour] of /** @type {[number, string][]} */ ([[even + 1, inks.grey], [even, inks.text]])) {
    ctx.fillStyle = colour;
    ctx.strokeStyle = inks.panel;
    ctx.beginPath();
    ctx.arc(x(position), y(at(position, dim)), 4, 0, 2 * Math.PI);
    ctx.fill();
    ctx.stroke();
  }
}
