/** Vectors as strips of signed colour: a cell for each dimension, purple below zero, green above. */

/** @import { Inks } from './ink.js' */
import { paintSigned } from './pixels.js';

/** Cells narrower than this (in device pixels) stand without gaps. */
const GAP_FROM = 8;

/**
 * @typedef {{data: Float32Array, rows: number, cols: number}} Block rows of one width
 */

/**
 * Draws rows of cells over the whole canvas.
 * @param {CanvasRenderingContext2D} ctx
 * @param {{w: number, h: number}} size in device pixels
 * @param {Block} block
 * @param {{inks: Inks, limit: number, ratio: number}} style `limit`: magnitude of the full colour
 */
export function drawVector(ctx, { w, h }, block, { inks, limit, ratio }) {
  ctx.setTransform(1, 0, 0, 1, 0, 0);
  const image = ctx.createImageData(w, h);
  paintSigned(image, block, limit, inks.signed);
  ctx.putImageData(image, 0, 0);
  const gap = Math.max(1, Math.round(ratio));
  ctx.fillStyle = inks.panel;
  if (w / block.cols >= GAP_FROM) {
    for (let c = 1; c < block.cols; c++) ctx.fillRect(Math.round((c * w) / block.cols) - gap, 0, gap, h);
  }
  if (h / block.rows >= GAP_FROM) {
    for (let r = 1; r < block.rows; r++) ctx.fillRect(0, Math.round((r * h) / block.rows) - gap, w, gap);
  }
}
