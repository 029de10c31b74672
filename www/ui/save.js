/** Saving a view: pictures as PNG or SVG, numbers as CSV or JSON; one menu for every view. */

import { el, rove } from './dom.js';
import { dropdown } from './dropdown.js';
import { inks } from '../draw/ink.js';
import { SvgContext } from '../draw/svg.js';

/** Pixels of a saved picture per CSS pixel, so that it stays sharp in print. */
const SHARPNESS = 3;

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

/**
 * A *Save* button with its menu.
 * @param {() => Savable|null} what called when the menu opens; null where there is nothing to save
 * @param {string} [id]
 */
export function saveMenu(what, id) {
  const button = el('button', { type: 'button', id, class: 'save', text: 'Save', 'aria-haspopup': 'menu', 'aria-expanded': 'false' });
  const menu = el('div', { class: 'menu compact', role: 'menu', hidden: true });
  const anchor = el('div', { class: 'menu-anchor' }, button, menu);
  const items = () => /** @type {HTMLElement[]} */ ([...menu.children]);
  rove(menu, items, 'down');
  const close = dropdown(button, menu, () => {
    const savable = what();
    const choices = savable ? choicesOf(savable) : [];
    const pick = (/** @type {() => void} */ act) => () => {
      close();
      act();
    };
    menu.replaceChildren(
      ...(choices.length > 0 ? choices : [{ text: 'Nothing to save yet', act: () => {} }]).map(({ text, act }) =>
        el('button', { type: 'button', role: 'menuitem', class: 'plain', tabindex: '-1', text, onclick: pick(act) }),
      ),
    );
  });
  return anchor;
}

/**
 * @param {Savable} savable
 * @returns {{text: string, act: () => void}[]}
 */
function choicesOf({ name, picture, numbers }) {
  const choices = [];
  if (picture) {
    choices.push({ text: 'Picture, PNG', act: async () => download(`${name}.png`, await png(picture)) });
    choices.push({ text: 'Picture, SVG', act: () => download(`${name}.svg`, new Blob([svgText(picture)], { type: 'image/svg+xml' })) });
  }
  if (numbers) {
    choices.push({ text: 'Numbers, CSV', act: () => download(`${name}.csv`, new Blob([csv(numbers)], { type: 'text/csv' })) });
    choices.push({ text: 'Numbers, JSON', act: () => download(`${name}.json`, new Blob([json(numbers)], { type: 'application/json' })) });
  }
  return choices;
}

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
