/** What is written along a map: rows, columns, and the losses of training view. */

/** @import { Inks } from './ink.js' */
/** @import { MapLayout } from './map.js' */
/** @import { MapStyle } from './pixels.js' */

/** Between what a decoder row reads and what it predicts. */
export const ARROW = ' → ';

/** Room at the right for the losses of the rows. */
export const LOSSES = 84;

/**
 * What is written along a map. `reads`: what each decoder row reads at its step, shown where there is room.
 * `losses`: of each row, in training view.
 * @typedef {{rows: string[], cols: string[], reads: string[]|null, losses: number[]|null, rowColour: string, colColour: string}} MapLabels
 */

/**
 * Draws what is written along the map.
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} ratio
 * @param {MapLayout} layout
 * @param {{labels: MapLabels, style: MapStyle}} what
 */
export function drawLabels(ctx, ratio, layout, { labels, style }) {
  const { top, cellW, cellH, named } = layout;
  const { rows, cols, reads, losses, rowColour, colColour } = labels;
  const { inks } = style;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
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
export function rowLabel(ctx, { left, named }, label, y) {
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
export function clip(ctx, label, room) {
  if (ctx.measureText(label).width <= room) return label;
  let short = label;
  while (short.length > 1 && ctx.measureText(`${short}…`).width > room) short = short.slice(0, -1);
  return `${short}…`;
}
