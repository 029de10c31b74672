/** A dot plot: a line for each row, two marks on a common scale, the bar of one of them. Pure: numbers in, picture out. */

/** @import { Inks } from './ink.js' */
import { ruler } from './canvas.js';
import { steps } from './scale.js';

/**
 * @typedef {object} DotRow
 * @property {string} group starts a new block where it differs from the row before
 * @property {string} mark of the group, beside its first row
 * @property {string} name
 * @property {string} short the name where the picture is narrow
 * @property {number|null} ring
 * @property {{mean: number, low: number, high: number}|null} dot
 * @property {number|null} band half the width of what is shaded around zero
 */

/**
 * @typedef {object} DotPlot
 * @property {string} head over the names
 * @property {DotRow[]} rows
 * @property {{ring: string, dot: string, band: string}} legend
 * @property {{low: string, high: string}} ways what either side of zero means
 * @property {string} axis
 * @property {number} most values beyond it stand at the edge, with their number
 * @property {(v: number, digits: number) => string} format a number, with this many digits after the point
 */

/** @typedef {{x: number, y: number, text: string, kind: 'ring'|'dot'|'band'}} LegendPart */

const ROW = 22;
const GAP = 9;
const LINE = 22;
const RING = 5;
const DOT = 3.6;
const PAD = 18;
/** From here on there is room for whole names. */
const WIDE = 480;

/**
 * Where everything stands.
 * @param {DotPlot} plot
 * @param {number} width in CSS pixels
 * @param {Inks} inks
 */
export function layDots(plot, width, { sans }) {
  const by = ruler();
  const wide = width >= WIDE;
  const measure = (/** @type {string} */ text, /** @type {string} */ weight = '') => {
    by.font = `${weight} 12px ${sans}`;
    return by.measureText(text).width;
  };
  // The legend wraps.
  /** @type {LegendPart[]} */
  const legend = [];
  let [x, y] = [0, LINE / 2];
  for (const kind of /** @type {const} */ (['ring', 'dot', 'band'])) {
    const text = plot.legend[kind];
    if (!text) continue;
    const room = 26 + measure(text);
    if (x > 0 && x + room > width) [x, y] = [0, y + LINE];
    legend.push({ x, y, text, kind });
    x += room + 16;
  }
  const top = y + LINE / 2 + 6;
  const names = plot.rows.map(({ name, short }) => (wide ? name : short));
  const start = 4 + Math.max(...plot.rows.map(({ mark }) => measure(mark, '600'))) + 8;
  const left = start + Math.max(...names.map((name) => measure(name)), wide ? measure(plot.head) : 0) + PAD + 6;
  const right = width - PAD;
  const values = plot.rows.flatMap(({ ring, dot, band }) => [ring ?? 0, dot?.low ?? 0, dot?.high ?? 0, band ?? 0, -(band ?? 0)]);
  const clip = (/** @type {number} */ v) => Math.max(-plot.most, Math.min(plot.most, v));
  const ticks = steps(clip(Math.min(...values)), clip(Math.max(...values, 0.01)));
  const [low, high] = [ticks[0], ticks[ticks.length - 1]];
  const at = (/** @type {number} */ v) => left + ((Math.max(low, Math.min(high, v)) - low) / (high - low)) * (right - left);
  const first = top + LINE;
  let next = first;
  const lines = plot.rows.map((row, i) => {
    if (i > 0 && row.group !== plot.rows[i - 1].group) next += GAP;
    const middle = next + ROW / 2;
    next += ROW;
    return middle;
  });
  return { plot, width, height: next + 42, legend, top, start, left, right, names, wide, ticks, low, high, at, lines, first, last: next };
}

/** @typedef {ReturnType<typeof layDots>} LaidDots */

/**
 * The row at this height; −1 above the first, below the last.
 * @param {LaidDots} laid
 * @param {number} y
 */
export function dotRowAt({ lines, first, last }, y) {
  if (y < first || y > last) return -1;
  return lines.reduce((best, line, i) => (Math.abs(line - y) < Math.abs(lines[best] - y) ? i : best), 0);
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} ratio device pixels per CSS pixel
 * @param {LaidDots} laid
 * @param {{inks: Inks, row: number}} options the row that is pointed at, or −1
 */
export function drawDots(ctx, ratio, laid, { inks, row }) {
  const { plot, width, legend, lines, left, right, at, first, last } = laid;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.textBaseline = 'middle';
  if (row >= 0) {
    ctx.fillStyle = inks.paper;
    ctx.fillRect(0, lines[row] - ROW / 2, width, ROW);
    ctx.fillStyle = inks.text;
    ctx.fillRect(0, lines[row] - ROW / 2, 2, ROW);
  }
  for (const part of legend) drawLegend(ctx, part, inks);
  drawScale(ctx, laid, inks);
  ctx.lineWidth = 1;
  plot.rows.forEach((_, i) => {
    if (i === 0 || plot.rows[i].group === plot.rows[i - 1].group) return;
    ctx.strokeStyle = inks.line;
    line(ctx, 0, lines[i] - ROW / 2 - GAP / 2, width, lines[i] - ROW / 2 - GAP / 2);
  });
  for (const [i, { band }] of plot.rows.entries()) if (band) shade(ctx, at(-band), lines[i] - ROW / 2, at(band) - at(-band), ROW, inks);
  ctx.strokeStyle = inks.text;
  line(ctx, at(0), first, at(0), last);
  plot.rows.forEach((entry, i) => {
    drawNames(ctx, laid, i, inks);
    drawMarks(ctx, laid, entry, lines[i], inks);
  });
  ctx.strokeStyle = inks.grey;
  line(ctx, left, last, right, last);
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {LaidDots} laid
 * @param {Inks} inks
 */
function drawScale(ctx, { plot, width, top, start, left, right, wide, ticks, at, first, last, low, high }, inks) {
  write(ctx, inks, 12, 'left', inks.grey);
  if (wide) ctx.fillText(plot.head, start, top + LINE / 2 - 2);
  // Where one side is too narrow for its words, they go to the margin.
  const zero = at(0);
  ctx.textAlign = 'right';
  ctx.fillText(`← ${plot.ways.low}`, Math.max(zero - 8, left - 4), top + LINE / 2 - 2);
  ctx.textAlign = 'left';
  ctx.fillText(`${plot.ways.high} →`, Math.max(zero + 8, left + 4), top + LINE / 2 - 2);
  ctx.textAlign = 'center';
  const room = 46;
  const every = Math.max(1, Math.ceil((ticks.length * room) / (right - left)));
  ticks.forEach((v, i) => {
    ctx.strokeStyle = inks.line;
    line(ctx, at(v), first, at(v), last + 4);
    // Counted from zero, which always has its number.
    if ((i - ticks.findIndex((tick) => Math.abs(tick) < 1e-9)) % every === 0) ctx.fillText(Math.abs(v) < 1e-9 ? '0' : `${v > 0 ? '+' : ''}${plot.format(v, tickDigits(high - low))}`, at(v), last + 14);
  });
  ctx.textAlign = 'right';
  ctx.fillText(plot.axis, width, last + 33);
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {LaidDots} laid
 * @param {number} i
 * @param {Inks} inks
 */
function drawNames(ctx, { plot, lines, start, names }, i, inks) {
  const { group, mark } = plot.rows[i];
  write(ctx, inks, 12, 'left', inks.text, '600');
  if (group !== plot.rows[i - 1]?.group) ctx.fillText(mark, 4, lines[i]);
  write(ctx, inks, 12, 'left', inks.text);
  ctx.fillText(names[i], start, lines[i]);
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {LaidDots} laid
 * @param {DotRow} row
 * @param {number} y
 * @param {Inks} inks
 */
function drawMarks(ctx, { plot, at, low, high, right, left }, { ring, dot }, y, inks) {
  ctx.strokeStyle = inks.text;
  if (dot) {
    ctx.lineWidth = 1.5;
    line(ctx, at(dot.low), y, at(dot.high), y);
    for (const end of [dot.low, dot.high]) if (dot.high > dot.low) line(ctx, at(end), y - 3, at(end), y + 3);
  }
  if (ring !== null) drawRing(ctx, at(ring), y, inks);
  if (!dot) return;
  if (dot.mean >= low && dot.mean <= high) {
    drawDot(ctx, at(dot.mean), y, inks);
    return;
  }
  // Beyond the scale: an arrow at its end, and the number.
  const over = dot.mean > high;
  const [tip, back] = over ? [right + 6, right - 3] : [left - 6, left + 3];
  ctx.fillStyle = inks.text;
  ctx.beginPath();
  ctx.moveTo(tip, y);
  ctx.lineTo(back, y - 5);
  ctx.lineTo(back, y + 5);
  ctx.closePath();
  ctx.fill();
  write(ctx, inks, 12, over ? 'right' : 'left', inks.text);
  ctx.fillText(plot.format(dot.mean, 2), over ? back - 6 : back + 6, y);
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {LegendPart} part
 * @param {Inks} inks
 */
function drawLegend(ctx, { x, y, text, kind }, inks) {
  ctx.strokeStyle = inks.text;
  if (kind === 'ring') drawRing(ctx, x + 10, y, inks);
  else if (kind === 'band') shade(ctx, x, y - 7, 20, 14, inks);
  else {
    ctx.lineWidth = 1.5;
    line(ctx, x + 1, y, x + 19, y);
    for (const end of [x + 1, x + 19]) line(ctx, end, y - 3, end, y + 3);
    drawDot(ctx, x + 10, y, inks);
  }
  write(ctx, inks, 12, 'left', inks.text);
  ctx.fillText(text, x + 26, y);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {Inks} inks */
function drawRing(ctx, x, y, inks) {
  ctx.strokeStyle = inks.text;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.arc(x, y, RING, 0, 2 * Math.PI);
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {Inks} inks */
function drawDot(ctx, x, y, inks) {
  ctx.fillStyle = inks.text;
  ctx.beginPath();
  ctx.arc(x, y, DOT, 0, 2 * Math.PI);
  ctx.fill();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} width @param {number} height @param {Inks} inks */
function shade(ctx, x, y, width, height, inks) {
  ctx.save();
  ctx.globalAlpha = 0.16;
  ctx.fillStyle = inks.grey;
  ctx.fillRect(x, y, width, height);
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 */
function line(ctx, x0, y0, x1, y1) {
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  ctx.stroke();
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {Inks} inks
 * @param {number} size
 * @param {CanvasTextAlign} align
 * @param {string} colour
 * @param {string} [weight]
 */
function write(ctx, { sans }, size, align, colour, weight = '') {
  ctx.font = `${weight} ${size}px ${sans}`.trim();
  ctx.textAlign = align;
  ctx.fillStyle = colour;
}

/** As many digits as tell the ticks apart. @param {number} range */
const tickDigits = (range) => (range < 0.1 ? 3 : range < 0.5 ? 2 : 1);
