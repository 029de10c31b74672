/** From numbers to colours: the ordered scale of weights, the two-sided scale of signed values, and the page's inks. */

/** @typedef {'linear'|'sqrt'|'log'} Scale */

/** Weights below this are drawn as paper on the log scale. */
const LOG_FLOOR = 1e-3;

/**
 * Where a weight in 0..1 stands on the scale, in 0..1.
 * @param {Scale} scale
 * @returns {(w: number) => number}
 */
export function transform(scale) {
  if (scale === 'sqrt') return Math.sqrt;
  if (scale === 'log') return (w) => (w <= LOG_FLOOR ? 0 : 1 - Math.log(w) / Math.log(LOG_FLOOR));
  return (w) => w;
}

/**
 * The inks of the present theme, read from the style sheet.
 * @typedef {object} Inks
 * @property {Uint32Array} weights 256 steps from paper to ink, as ABGR words
 * @property {Uint32Array} signed 256 steps from −1 (purple) over paper to +1 (green)
 * @property {number} hatch colour of masked cells' hatching
 * @property {number} hatchStep from one line of it to the next, in device pixels
 * @property {number} void colour of rows that are not decoded yet
 * @property {string} paper
 * @property {string} panel what lies behind the map
 * @property {string} ink
 * @property {string} text
 * @property {string} grey
 * @property {string} line
 * @property {string} source
 * @property {string} target
 * @property {string} sans font family
 * @property {number} font size of a map's labels, in CSS pixels
 */

/** @type {Inks|null} */
let current = null;

/** Forgets the inks, after a change of theme. */
export function forgetInks() {
  current = null;
}

/** @returns {Inks} */
export const inks = () => (current ??= inksOf(document.documentElement));

/**
 * The inks of an element whose style has colours of its own.
 * @param {Element} element
 * @returns {Inks}
 */
export function inksOf(element) {
  const style = getComputedStyle(element);
  const read = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  const paper = rgb(read('--map-paper'));
  const ink = rgb(read('--map-ink'));
  return {
    weights: ramp([paper, mix(paper, ink, 0.56), ink]),
    signed: ramp([rgb(read('--negative')), paper, rgb(read('--positive'))]),
    hatch: word(rgb(read('--map-hatch'))),
    hatchStep: Number(read('--map-hatch-step')),
    void: word(rgb(read('--map-void'))),
    paper: read('--map-paper'),
    panel: read('--panel'),
    ink: read('--map-ink'),
    text: read('--ink'),
    grey: read('--grey'),
    line: read('--line'),
    source: read('--source'),
    target: read('--target'),
    sans: read('--sans'),
    font: Number(read('--map-font')),
  };
}

/**
 * `#rrggbb` as three numbers.
 * @param {string} hex
 */
function rgb(hex) {
  const n = parseInt(hex.slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}

/**
 * @param {number[]} a
 * @param {number[]} b
 * @param {number} t
 */
const mix = (a, b, t) => a.map((v, i) => v + (b[i] - v) * t);

/** @param {number[]} c a colour as the little-endian word of an ImageData */
const word = ([r, g, b]) => ((255 << 24) | (Math.round(b) << 16) | (Math.round(g) << 8) | Math.round(r)) >>> 0;

/**
 * 256 steps through the given colours.
 * @param {number[][]} stops
 */
function ramp(stops) {
  const table = new Uint32Array(256);
  for (let i = 0; i < 256; i++) {
    const at = (i / 255) * (stops.length - 1);
    const low = Math.min(stops.length - 2, Math.floor(at));
    table[i] = word(mix(stops[low], stops[low + 1], at - low));
  }
  return table;
}

/** @param {number[]} c relative luminance of a colour (WCAG 2, with its curve taken as a power) */
const luminance = ([r, g, b]) => 0.2126 * (r / 255) ** 2.2 + 0.7152 * (g / 255) ** 2.2 + 0.0722 * (b / 255) ** 2.2;

/**
 * Of the two inks for numbers, text and paper, the one with more contrast on a cell.
 * @param {Inks} inks
 * @param {number} level where the cell's weight stands on the scale, 0..1
 */
export function legible(inks, level) {
  const cell = inks.weights[Math.round(level * 255)];
  const under = luminance([cell & 255, (cell >> 8) & 255, (cell >> 16) & 255]) + 0.05;
  const contrast = (/** @type {string} */ ink) => {
    const over = luminance(rgb(ink)) + 0.05;
    return Math.max(over / under, under / over);
  };
  return contrast(inks.paper) > contrast(inks.text) ? inks.paper : inks.text;
}

/**
 * Distinct colours for heads: hues of equal lightness (OKLCH), chosen for the theme's background.
 * @param {number} count
 * @returns {string[]} `#rrggbb`
 */
export function headHues(count) {
  const dark = luminance(rgb(inks().panel)) < 0.2;
  return Array.from({ length: count }, (_, i) => oklch(dark ? 0.76 : 0.55, 0.15, ((i + 0.35) / count) * 2 * Math.PI));
}

/**
 * Björn Ottosson's OKLab, from polar coordinates to sRGB.
 * @param {number} lightness 0..1
 * @param {number} chroma
 * @param {number} hue radians
 */
function oklch(lightness, chroma, hue) {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s, -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s];
  const channel = (/** @type {number} */ v) => {
    const c = Math.max(0, Math.min(1, v));
    return Math.round(255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055));
  };
  return `#${linear.map((v) => channel(v).toString(16).padStart(2, '0')).join('')}`;
}

/**
 * Halfway (or more) from a colour word to the paper: for rows of later steps.
 * @param {Uint32Array} table
 * @param {number} strength 1 keeps the colour, 0 is paper
 */
export function paler(table, strength) {
  const paper = [table[0] & 255, (table[0] >> 8) & 255, (table[0] >> 16) & 255];
  return table.map((w) => word(mix(paper, [w & 255, (w >> 8) & 255, (w >> 16) & 255], strength)));
}
