/** What a view is saved as: pictures as PNG or SVG, numbers as CSV or JSON. */

/** @import { Numbers, Picture } from './save-menu.js' */

import { el } from './dom.js';
import { inks } from '../draw/ink.js';
import { SvgContext } from '../draw/svg.js';

/** Pixels of a saved picture per CSS pixel, so that it stays sharp in print. */
const SHARPNESS = 3;

/**
 * @param {Picture} picture
 * @returns {Promise<Blob>}
 */
export function png({ width, height, layers }) {
  const sheet = canvasOf(width, height);
  sheet.ctx.fillStyle = inks().panel;
  sheet.ctx.fillRect(0, 0, sheet.canvas.width, sheet.canvas.height);
  for (const draw of layers) {
    // A layer of its own, because drawing begins by clearing.
    const layer = canvasOf(width, height);
    draw(layer.ctx, SHARPNESS);
    sheet.ctx.drawImage(layer.canvas, 0, 0);
  }
  return new Promise((done, fail) => sheet.canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('the picture is too large for this browser')))));
}

/**
 * @param {number} width
 * @param {number} height
 */
function canvasOf(width, height) {
  const canvas = el('canvas', { width: Math.round(width * SHARPNESS), height: Math.round(height * SHARPNESS) });
  const ctx = canvas.getContext('2d');
  if (!ctx) throw new Error('this browser gives no 2d canvas');
  return { canvas, ctx };
}

/** @param {Picture} picture */
export function svgText({ width, height, layers }) {
  const sheet = new SvgContext(width, height, SHARPNESS);
  sheet.fillStyle = inks().panel;
  sheet.fillRect(0, 0, width * SHARPNESS, height * SHARPNESS);
  for (const draw of layers) {
    sheet.save();
    draw(/** @type {any} */ (sheet), SHARPNESS);
    sheet.restore();
  }
  return new XMLSerializer().serializeToString(sheet.root);
}

/** @param {string} text as one field */
const field = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** @param {number} value nine digits tell every f32 from its neighbours */
const exact = (value) => Number(value.toPrecision(9));

/** @param {Numbers} numbers */
export function csv({ rows, cols, data }) {
  const lines = rows.map((row, r) => [field(row), ...cols.map((_, c) => String(exact(data[r * cols.length + c])))]);
  return [['', ...cols.map(field)], ...lines].map((line) => line.join(',')).join('\r\n') + '\r\n';
}

/** @param {Numbers} numbers */
export function json({ rows, cols, data, about }) {
  const values = rows.map((_, r) => cols.map((_, c) => exact(data[r * cols.length + c])));
  return JSON.stringify({ ...about, rows, cols, values });
}

/**
 * @param {string} name
 * @param {Blob} blob
 */
export function download(name, blob) {
  const url = URL.createObjectURL(blob);
  const link = el('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // Firefox begins the download after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
