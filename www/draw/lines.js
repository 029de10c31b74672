/** The line view: queries at the left, keys at the right, and a line for every weight, as strong as it is. */

/** @import { ShownMap } from '../app/maps.js' */
/** @import { Inks, Scale } from './ink.js' */
import { transform } from './ink.js';
import { isMasked } from './pixels.js';

/** Parts of the scale's dark end below which a line is left out: more would be a grey sheet. */
const FAINT = 0.05;

/** Strengths that lines are sorted into, so that each is one path. */
const STRENGTHS = 8;

/**
 * @typedef {object} LineLayout
 * @property {number} left where lines begin
 * @property {number} right where they end
 * @property {number} top
 * @property {number} rowH
 * @property {number} rows
 * @property {number} cols
 * @property {number} width
 * @property {number} height
 */

/**
 * @typedef {object} LineView
 * @property {{map: ShownMap, colour: string}[]} heads
 * @property {string[]} rows
 * @property {string[]} cols
 * @property {string} rowColour
 * @property {string} colColour
 * @property {number} shown rows from here on belong to later steps and are left out
 * @property {Inks} inks
 * @property {Scale} scale
 * @property {(value: number) => string} format a weight in words
 */

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {LineView} view
 * @param {number} available
 * @returns {LineLayout}
 */
export function layoutLines(ctx, { rows, cols, inks }, available) {
  const count = Math.max(rows.length, cols.length, 1);
  const widest = (/** @type {string[]} */ labels) => Math.min(available * 0.3, labels.reduce((w, l) => Math.max(w, ctx.measureText(l).width), 0));
  ctx.font = `600 ${inks.font}px ${inks.sans}`;
  // Room for a number beside what is read.
  const number = ctx.measureText('0.000').width + 14;
  const rowH = count <= 40 ? 25 : Math.max(7, 1000 / count);
  return {
    left: Math.ceil(widest(rows) + 18),
    right: Math.floor(available - widest(cols) - 14 - number),
    top: 6,
    rowH,
    rows: rows.length,
    cols: cols.length,
    width: available,
    height: Math.ceil(12 + rowH * count),
  };
}

/**
 * All lines.
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} ratio
 * @param {LineLayout} layout
 * @param {LineView} view
 */
export function drawLines(ctx, ratio, layout, view) {
  const { width, height } = layout;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, width, height);
  const stand = transform(view.scale);
  for (const { map, colour } of view.heads) {
    /** @type {[number, number][][]} */
    const sorted = Array.from({ length: STRENGTHS }, () => []);
    const { data, rows, cols, limit } = map;
    for (let row = 0; row < Math.min(rows, view.shown); row++) {
      for (let col = 0; col < cols; col++) {
        const part = data[row * cols + col] / limit;
        if (part >= FAINT && !isMasked(map, row, col)) sorted[Math.min(STRENGTHS - 1, Math.floor(stand(part) * STRENGTHS))].push([row, col]);
      }
    }
    ctx.strokeStyle = colour;
    sorted.forEach((lines, i) => {
      if (lines.length === 0) return;
      const strength = (i + 0.5) / STRENGTHS;
      ctx.beginPath();
      for (const [row, col] of lines) line(ctx, layout, row, col);
      ctx.globalAlpha = strength;
      ctx.lineWidth = 0.6 + 2.2 * strength;
      ctx.stroke();
    });
  }
  ctx.globalAlpha = 1;
}

/**
 * Queries and keys, beside the lines.
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} ratio
 * @param {LineLayout} layout
 * @param {LineView} view
 */
export function drawLineLabels(ctx, ratio, { left, right, top, rowH }, { rows, cols, rowColour, colColour, shown, inks }) {
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.font = `${inks.font}px ${inks.sans}`;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'right';
  // Of many pieces not every one has room for its name.
  const every = Math.max(1, Math.ceil(14 / rowH));
  for (let i = 0; i < rows.length; i += every) {
    ctx.fillStyle = i < shown ? rowColour : inks.grey;
    ctx.fillText(rows[i], left - 10, top + (i + 0.5) * rowH);
  }
  ctx.textAlign = 'left';
  ctx.fillStyle = colColour;
  for (let i = 0; i < cols.length; i += every) ctx.fillText(cols[i], right + 10, top + (i + 0.5) * rowH);
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {LineLayout} layout
 * @param {number} row
 * @param {number} col
 */
function line(ctx, { left, right, top, rowH }, row, col) {
  const from = top + (row + 0.5) * rowH;
  const to = top + (col + 0.5) * rowH;
  const bend = (right - left) * 0.4;
  ctx.moveTo(left, from);
  ctx.bezierCurveTo(left + bend, from, right - bend, to, right, to);
}

/**
 * What a row reads, each line with its number, and what reads the marked column; all else is dimmed by the caller.
 * @param {CanvasRenderingContext2D} ctx
 * @param {LineLayout} layout
 * @param {LineView} view
 * @param {{row: number, col: number|null}} at
 */
export function drawLineMarks(ctx, layout, view, { row, col }) {
  const { left, right, top, rowH, width, rows, cols } = layout;
  const { inks, heads, rowColour, colColour } = view;
  const stand = transform(view.scale);
  // One head's faint lines tell something; those of many are a veil.
  const least = heads.length > 1 ? FAINT : 0.02;
  const draw = (/** @type {ShownMap} */ map, /** @type {string} */ colour, /** @type {number} */ r, /** @type {number} */ c) => {
    const part = map.data[r * map.cols + c] / map.limit;
    if (part < least || isMasked(map, r, c)) return;
    const strength = stand(part);
    ctx.globalAlpha = Math.max(0.25, strength);
    ctx.lineWidth = 0.8 + 3 * strength;
    ctx.strokeStyle = colour;
    ctx.beginPath();
    line(ctx, layout, r, c);
    ctx.stroke();
  };
  for (const { map, colour } of heads) {
    if (row >= 0 && row < map.rows) for (let c = 0; c < map.cols; c++) if (col === null || c === col) draw(map, colour, row, c);
    if (col !== null && col < map.cols) for (let r = 0; r < Math.min(map.rows, view.shown); r++) if (r !== row) draw(map, colour, r, col);
  }
  ctx.globalAlpha = 1;
  ctx.textBaseline = 'middle';
  ctx.lineWidth = 1.5;
  const frame = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ w, /** @type {string} */ colour) => {
    ctx.strokeStyle = colour;
    ctx.beginPath();
    ctx.roundRect(x, y + 1, w, rowH - 2, 5);
    ctx.stroke();
  };
  if (row >= 0 && row < rows) frame(1, top + row * rowH, left - 4, rowColour);
  if (col !== null && col < cols) frame(right + 4, top + col * rowH, width - right - 6, colColour);
  // One head's numbers; those of many would lie over each other.
  const only = heads.length === 1 ? heads[0].map : null;
  if (!only || row < 0 || row >= only.rows) return;
  ctx.font = `${inks.font - 1}px ${inks.sans}`;
  ctx.textAlign = 'right';
  ctx.fillStyle = inks.text;
  for (let c = 0; c < only.cols; c++) {
    const value = only.data[row * only.cols + c];
    if (c === col || value >= FAINT * only.limit) ctx.fillText(isMasked(only, row, c) ? 'masked' : view.format(value), width - 4, top + (c + 0.5) * rowH);
  }
}

/**
 * The row (left) or column (right) at a point of the drawing; null between them.
 * @param {LineLayout} layout
 * @param {number} x
 * @param {number} y
 * @returns {{row: number}|{col: number}|null}
 */
export function endAt({ left, right, top, rowH, rows, cols }, x, y) {
  const at = Math.floor((y - top) / rowH);
  // Half of the room between belongs to either end: fingers are broad.
  if (x < (left + right) / 2) return at >= 0 && at < rows ? { row: at } : null;
  return at >= 0 && at < cols ? { col: at } : null;
}
