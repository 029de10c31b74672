/** Attention maps and signed blocks as pixels. Where many cells share a pixel the largest survives, so a diagonal stays visible. */

/** @import { Values } from '../app/maps.js' */
/** @import { Inks, Scale } from './ink.js' */
import { paler, transform } from './ink.js';

/**
 * Whether no position of the row may read the column, because it comes later (§3.2.3) or is too far away (§4).
 * @param {Values} map
 * @param {number} row
 * @param {number} col
 */
export const isMasked = (map, row, col) => map.open !== null && (col >= map.open[row] || (map.from !== null && col < map.from[row]));

/** How strongly rows of later steps are drawn. */
const LATER = 0.3;

/**
 * @typedef {object} MapStyle
 * @property {Inks} inks
 * @property {Scale} scale
 * @property {number} shown rows from here on belong to later steps and are paler
 * @property {number} total rows the map will have; those not decoded yet are left empty, and with them, where the
 *   decoder reads itself, their columns
 * @property {boolean} [flat] masked cells are left as paper: the caller hatches them
 */

/** @type {{table: Uint32Array|null, pale: Uint32Array}} */
const paleCache = { table: null, pale: new Uint32Array(256) };

/** @param {Uint32Array} table */
function paleOf(table) {
  if (paleCache.table !== table) {
    paleCache.table = table;
    paleCache.pale = paler(table, LATER);
  }
  return paleCache.pale;
}

/**
 * Fills an image with one attention map, stretched to the image.
 * @param {ImageData} image
 * @param {Values|null} map
 * @param {MapStyle} style
 */
export function paintMap(image, map, { inks, scale, shown, total, flat }) {
  const out = new Uint32Array(image.data.buffer);
  const { width, height } = image;
  if (!map || map.rows === 0) {
    out.fill(inks.void);
    return;
  }
  const { data, rows, cols, open, from, limit } = map;
  const all = Math.max(rows, total);
  const levels = levelsOf(scale);
  const full = inks.weights;
  const pale = paleOf(full);
  const across = open ? Math.max(cols, all) : cols;
  if (flat && width === across && height === all) {
    paintCells(out, map, { levels, full, pale, width, shown });
    out.fill(inks.void, rows * width);
    return;
  }
  const left = spans(width, across);
  const top = spans(height, all);
  for (let y = 0; y < height; y++) {
    const r0 = top[2 * y];
    if (r0 >= rows) {
      out.fill(inks.void, y * width, (y + 1) * width);
      continue;
    }
    const r1 = Math.min(rows, top[2 * y + 1]);
    // A row of pixels over the same cells as the one before it; hatching runs on.
    if (y > 0 && !open && r0 === top[2 * y - 2] && r1 === Math.min(rows, top[2 * y - 1])) {
      out.copyWithin(y * width, (y - 1) * width, y * width);
      continue;
    }
    const table = r0 < shown ? full : pale;
    const end = open ? open[r1 - 1] : cols;
    const start = from ? from[r0] : 0;
    for (let x = 0; x < width; x++) {
      const c0 = left[2 * x];
      const c1 = Math.min(cols, left[2 * x + 1]);
      // Masked: no position may read what comes after it (§3.2.3) or is too far away (§4).
      if (c0 >= end || c1 <= start) {
        out[y * width + x] = !flat && (x + y) % 5 === 0 ? inks.hatch : full[0];
        continue;
      }
      let most = 0;
      for (let r = r0; r < r1; r++) {
        for (let c = c0; c < c1; c++) {
          const w = data[r * cols + c];
          if (w > most) most = w;
        }
      }
      out[y * width + x] = table[levels[Math.min(LEVELS, Math.round((most / limit) * LEVELS))]];
    }
  }
}

/**
 * Cells that are pixels: the same as above without looking for what lies under each. The large map is painted so
 * whenever the pointer comes to another head.
 * @param {Uint32Array} out
 * @param {Values} map
 * @param {{levels: Uint8Array, full: Uint32Array, pale: Uint32Array, width: number, shown: number}} style
 */
function paintCells(out, { data, rows, cols, open, from, limit }, { levels, full, pale, width, shown }) {
  const part = LEVELS / limit;
  for (let r = 0; r < rows; r++) {
    const table = r < shown ? full : pale;
    const end = open ? open[r] : cols;
    const start = from ? from[r] : 0;
    const [row, at] = [r * cols, r * width];
    out.fill(full[0], at, at + start);
    for (let c = start; c < end; c++) out[at + c] = table[levels[Math.min(LEVELS, Math.round(data[row + c] * part))]];
    out.fill(full[0], at + end, at + width);
  }
}

/** Steps into which values are cut before they are looked up on the scale: no transform skips more than a few colours by it. */
const LEVELS = 4096;

/** @type {Map<Scale, Uint8Array>} */
const levelTables = new Map();

/**
 * Where on the colour table each step of a value stands: a look-up instead of a logarithm per pixel.
 * @param {Scale} scale
 */
function levelsOf(scale) {
  let table = levelTables.get(scale);
  if (!table) {
    const stand = transform(scale);
    table = Uint8Array.from({ length: LEVELS + 1 }, (_, i) => Math.round(stand(i / LEVELS) * 255));
    levelTables.set(scale, table);
  }
  return table;
}

/**
 * For every pixel the half-open range of cells under it; at least one.
 * @param {number} pixels
 * @param {number} cells
 */
function spans(pixels, cells) {
  const out = new Uint16Array(pixels * 2);
  for (let i = 0; i < pixels; i++) {
    const from = Math.floor((i * cells) / pixels);
    out[2 * i] = from;
    out[2 * i + 1] = cells <= pixels ? from + 1 : Math.max(from + 1, Math.floor(((i + 1) * cells) / pixels));
  }
  return out;
}

/**
 * Fills an image with a block of signed values (rows, cols); the value of largest magnitude survives in a pixel.
 * @param {ImageData} image
 * @param {{data: Float32Array, rows: number, cols: number}} block
 * @param {number} limit magnitude of the scale's ends
 * @param {Uint32Array} table
 */
export function paintSigned(image, { data, rows, cols }, limit, table) {
  const out = new Uint32Array(image.data.buffer);
  const { width, height } = image;
  const left = spans(width, cols);
  const top = spans(height, rows);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let most = 0;
      for (let r = top[2 * y]; r < top[2 * y + 1]; r++) {
        for (let c = left[2 * x]; c < left[2 * x + 1]; c++) {
          const v = data[r * cols + c];
          if (Math.abs(v) > Math.abs(most)) most = v;
        }
      }
      const at = Math.max(-1, Math.min(1, most / limit));
      out[y * width + x] = table[Math.round(((at + 1) / 2) * 255)];
    }
  }
}
