/** What a view is saved as: pictures as PNG or SVG, numbers as CSV or JSON. */

import { el } from './dom.js';
import { inks } from '../draw/ink.js';
import { SvgContext } from '../draw/svg.js';

/**
 * A picture: layers drawn over each other, each by a function that draws in CSS pixels after
 * `setTransform(ratio, 0, 0, ratio, 0, 0)`.
 * @typedef {object} Picture
 * @property {number} width in CSS pixels
 * @property {number} height
 * @property {((ctx: CanvasRenderingContext2D, ratio: number) => void)[]} layers
 */

/**
 * Numbers with names for their rows and columns; `data` is row-major.
 * @typedef {object} Numbers
 * @property {string[]} rows
 * @property {string[]} cols
 * @property {ArrayLike<number>} data
 * @property {Record<string, unknown>} about what the numbers are: goes into the JSON file
 */

/**
 * @typedef {object} Savable
 * @property {string} name of the file, without its ending
 * @property {Picture} [picture]
 * @property {Numbers} [numbers]
 */

/** Pixels of a saved picture per CSS pixel, so that it stays sharp in print. */
const SHARPNESS = 3;

/**
 * @param {Picture} picture
 * @returns {Promise<Blob>}
 */
function png({ width, height, layers }) {
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
function svgText({ width, height, layers }) {
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
function csv({ rows, cols, data }) {
  const lines = rows.map((row, r) => [field(row), ...cols.map((_, c) => String(exact(data[r * cols.length + c])))]);
  return [['', ...cols.map(field)], ...lines].map((line) => line.join(',')).join('\r\n') + '\r\n';
}

/** @param {Numbers} numbers */
function json({ rows, cols, data, about }) {
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

/**
 * What of a view can be saved, as a menu names it.
 * @param {Savable} savable
 * @returns {{text: string, act: () => void}[]}
 */
export function choicesOf({ name, picture, numbers }) {
  const choices = [];
  if (picture) {
    choices.push({ text: 'Picture, PNG', act: save(`${name}.png`, '', () => png(picture)) });
    choices.push({ text: 'Picture, SVG', act: save(`${name}.svg`, 'image/svg+xml', () => svgText(picture)) });
  }
  if (numbers) {
    choices.push({ text: 'Numbers, CSV', act: save(`${name}.csv`, 'text/csv', () => csv(numbers)) });
    choices.push({ text: 'Numbers, JSON', act: save(`${name}.json`, 'application/json', () => json(numbers)) });
  }
  return choices;
}

/**
 * @param {string} name of the file
 * @param {string} type of a content that is text
 * @param {() => string | Promise<Blob>} make
 */
function save(name, type, make) {
  return async () => {
    const content = await make();
    download(name, content instanceof Blob ? content : new Blob([content], { type }));
  };
}
