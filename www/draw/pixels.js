/** Attention maps and signed blocks as pixels. Where many cells share a pixel the largest survives, so a diagonal stays visible. */

/** @import { Matrix } from '../select.js' */
/** @import { Inks, Scale } from './ink.js' */
import { paler, transform } from './ink.js';

/** How strongly rows of later steps are drawn. */
const LATER = 0.3;

/**
 * @typedef {object} MapStyle
 * @property {Inks} inks
 * @property {Scale} scale
 * @property {number} shown rows from here on belong to later steps and are paler
 * @property {number} total rows the map will have; those not decoded yet are left empty, and with them, where the
 *   decoder reads itself, their columns
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
 * @param {Matrix|null} matrix
 * @param {MapStyle} style
 */
export function paintMap(image, matrix, { inks, scale, shown, total }) {
  const out = new Uint32Array(image.data.buffer);
  const { width, height } = image;
  if (!matrix || matrix.rows === 0) {
    out.fill(inks.void);
    return;
  }
  const { data, rows, cols, causal } = matrix;
  const all = Math.max(rows, total);
  const stand = transform(scale);
  const full = inks.weights;
  const pale = paleOf(full);
  const left = spans(width, causal ? all : cols);
  const top = spans(height, all);
  for (let y = 0; y < height; y++) {
    const r0 = top[2 * y];
    if (r0 >= rows) {
      out.fill(inks.void, y * width, (y + 1) * width);
      continue;
    }
    const r1 = Math.min(rows, top[2 * y + 1]);
    const table = r0 < shown ? full : pale;
    for (let x = 0; x < width; x++) {
      const c0 = left[2 * x];
      const c1 = Math.min(cols, left[2 * x + 1]);
      // Masked (§3.2.3): no position may read what comes after it.
      if (causal && c0 > r1 - 1) {
        out[y * width + x] = (x + y) % 5 === 0 ? inks.hatch : full[0];
        continue;
      }
      let most = 0;
      for (let r = r0; r < r1; r++) {
        for (let c = c0; c < c1; c++) {
          const w = data[r * cols + c];
          if (w > most) most = w;
        }
      }
      out[y * width + x] = table[Math.min(255, Math.round(stand(most) * 255))];
    }
  }
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
