/** A drawing context that writes SVG: what a view draws on its canvas can be saved, or shown, as vectors by the same function. */

import { ruler } from './canvas.js';

const NS = 'http://www.w3.org/2000/svg';

/** @typedef {{matrix: DOMMatrix, alpha: number, fill: string, stroke: string, width: number, font: string, align: CanvasTextAlign, baseline: CanvasTextBaseline, dash: number[], cap: CanvasLineCap}} Pen */

/** SVG's names of where a text is anchored. */
const ANCHORS = { left: 'start', start: 'start', center: 'middle', right: 'end', end: 'end' };

/** How far below its middle a line of text has its baseline, as a part of its size. */
const MIDDLE = 0.35;

/**
 * The part of `CanvasRenderingContext2D` that the views use. Pixels (`putImageData`) become one embedded image.
 * Coordinates are device pixels, as on a canvas: the picture's `viewBox` takes them back.
 */
export class SvgContext {
  /**
   * @param {number} width in CSS pixels
   * @param {number} height
   * @param {number} ratio device pixels per CSS pixel
   */
  constructor(width, height, ratio) {
    this.root = document.createElementNS(NS, 'svg');
    this.root.setAttribute('xmlns', NS);
    this.root.setAttribute('width', String(width));
    this.root.setAttribute('height', String(height));
    this.root.setAttribute('viewBox', `0 0 ${width * ratio} ${height * ratio}`);
    /** @type {Pen} */
    this.pen = { matrix: new DOMMatrix(), alpha: 1, fill: '#000', stroke: '#000', width: 1, font: '10px sans-serif', align: 'start', baseline: 'alphabetic', dash: [], cap: 'butt' };
    /** @type {Pen[]} */
    this.kept = [];
    this.path = '';
  }

  set fillStyle(/** @type {string} */ colour) {
    this.pen.fill = colour;
  }

  set strokeStyle(/** @type {string} */ colour) {
    this.pen.stroke = colour;
  }

  set globalAlpha(/** @type {number} */ alpha) {
    this.pen.alpha = alpha;
  }

  set lineWidth(/** @type {number} */ width) {
    this.pen.width = width;
  }

  /** Embedded pictures keep their pixels' edges. */
  set imageSmoothingEnabled(/** @type {boolean} */ _) {}

  set lineCap(/** @type {CanvasLineCap} */ cap) {
    this.pen.cap = cap;
  }

  set font(/** @type {string} */ font) {
    this.pen.font = font;
  }

  set textAlign(/** @type {CanvasTextAlign} */ align) {
    this.pen.align = align;
  }

  set textBaseline(/** @type {CanvasTextBaseline} */ baseline) {
    this.pen.baseline = baseline;
  }

  setLineDash(/** @type {number[]} */ dash) {
    this.pen.dash = dash;
  }

  save() {
    this.kept.push({ ...this.pen });
  }

  restore() {
    this.pen = this.kept.pop() ?? this.pen;
  }

  setTransform(/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ c, /** @type {number} */ d, /** @type {number} */ e, /** @type {number} */ f) {
    this.pen.matrix = new DOMMatrix([a, b, c, d, e, f]);
  }

  translate(/** @type {number} */ x, /** @type {number} */ y) {
    this.pen.matrix = this.pen.matrix.translate(x, y);
  }

  rotate(/** @type {number} */ angle) {
    this.pen.matrix = this.pen.matrix.rotate((angle * 180) / Math.PI);
  }

  scale(/** @type {number} */ x, /** @type {number} */ y) {
    this.pen.matrix = this.pen.matrix.scale(x, y);
  }

  /** A saved picture has its paper behind it: there is nothing to clear. */
  clearRect() {}

  fillRect(/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ width, /** @type {number} */ height) {
    this.#add('rect', { x, y, width, height, fill: this.pen.fill });
  }

  strokeRect(/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ width, /** @type {number} */ height) {
    this.#add('rect', { x, y, width, height, ...this.#stroke() });
  }

  beginPath() {
    this.path = '';
  }

  closePath() {
    this.path += 'Z';
  }

  moveTo(/** @type {number} */ x, /** @type {number} */ y) {
    this.path += `M${round(x)} ${round(y)}`;
  }

  lineTo(/** @type {number} */ x, /** @type {number} */ y) {
    this.path += `${this.path ? 'L' : 'M'}${round(x)} ${round(y)}`;
  }

  bezierCurveTo(/** @type {number[]} */ ...at) {
    this.path += `C${at.map(round).join(' ')}`;
  }

  rect(/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ width, /** @type {number} */ height) {
    this.path += `M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}Z`;
  }

  roundRect(/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ width, /** @type {number} */ height, /** @type {number} */ radius) {
    const r = Math.min(radius, width / 2, height / 2);
    const corner = (/** @type {number} */ dx, /** @type {number} */ dy) => `a${r} ${r} 0 0 1 ${dx} ${dy}`;
    this.path += `M${round(x + r)} ${round(y)}h${round(width - 2 * r)}${corner(r, r)}v${round(height - 2 * r)}${corner(-r, r)}h${round(2 * r - width)}${corner(-r, -r)}v${round(2 * r - height)}${corner(r, -r)}Z`;
  }

  arc(/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ r, /** @type {number} */ from, /** @type {number} */ to) {
    // Two halves: one arc that ends where it began would be nothing.
    const point = (/** @type {number} */ angle) => `${round(x + r * Math.cos(angle))} ${round(y + r * Math.sin(angle))}`;
    const half = (from + to) / 2;
    this.path += `${this.path ? 'L' : 'M'}${point(from)}A${r} ${r} 0 0 1 ${point(half)}A${r} ${r} 0 0 1 ${point(to)}`;
  }

  fill() {
    this.#add('path', { d: this.path, fill: this.pen.fill });
  }

  stroke() {
    this.#add('path', { d: this.path, ...this.#stroke() });
  }

  measureText(/** @type {string} */ text) {
    const by = ruler();
    by.font = this.pen.font;
    return by.measureText(text);
  }

  fillText(/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y) {
    const { font, align, baseline, fill } = this.pen;
    const size = Number(/([\d.]+)px/.exec(font)?.[1] ?? 10);
    const node = this.#add('text', {
      x,
      y: baseline === 'middle' ? y + size * MIDDLE : y,
      fill,
      'text-anchor': ANCHORS[align],
      'font-size': size,
      'font-weight': /^\d+ /.test(font) ? font.split(' ')[0] : null,
      'font-family': font.slice(font.indexOf('px') + 3),
    });
    node.textContent = text;
  }

  createImageData(/** @type {number} */ width, /** @type {number} */ height) {
    return new ImageData(width, height);
  }

  putImageData(/** @type {ImageData} */ image, /** @type {number} */ x, /** @type {number} */ y) {
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext('2d')?.putImageData(image, 0, 0);
    // As on a canvas, pixels go where they are put, whatever the transform.
    const node = document.createElementNS(NS, 'image');
    const at = { x, y, width: image.width, height: image.height, href: canvas.toDataURL('image/png'), 'image-rendering': 'pixelated' };
    for (const [name, value] of Object.entries(at)) node.setAttribute(name, String(value));
    this.root.append(node);
  }

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   */
  drawImage(canvas, x, y, width, height) {
    this.#add('image', { x, y, width, height, href: canvas.toDataURL('image/png'), preserveAspectRatio: 'none', 'image-rendering': 'pixelated' });
  }

  /**
   * @param {HTMLCanvasElement} tile
   * @returns {string} what `fillStyle` takes
   */
  createPattern(tile) {
    const id = `pattern${this.root.querySelectorAll('pattern').length + 1}`;
    const pattern = document.createElementNS(NS, 'pattern');
    const image = document.createElementNS(NS, 'image');
    for (const [name, value] of Object.entries({ id, width: tile.width, height: tile.height, patternUnits: 'userSpaceOnUse' })) pattern.setAttribute(name, String(value));
    image.setAttribute('href', tile.toDataURL('image/png'));
    pattern.append(image);
    this.root.append(pattern);
    return `url(#${id})`;
  }

  #stroke() {
    const { stroke, width, dash, cap } = this.pen;
    return { fill: 'none', stroke, 'stroke-width': width, 'stroke-dasharray': dash.length > 0 ? dash.join(' ') : null, 'stroke-linecap': cap === 'butt' ? null : cap };
  }

  /**
   * @param {string} tag
   * @param {Record<string, string|number|null>} attributes
   */
  #add(tag, attributes) {
    const node = document.createElementNS(NS, tag);
    const { a, b, c, d, e, f, isIdentity } = this.pen.matrix;
    if (!isIdentity) node.setAttribute('transform', `matrix(${[a, b, c, d, e, f].map(round).join(' ')})`);
    // The browser keeps a layer for every node with an `opacity`, which a hundred lines feel under the pointer.
    const opacity = !attributes.fill ? 'opacity' : attributes.fill === 'none' ? 'stroke-opacity' : 'fill-opacity';
    if (this.pen.alpha < 1) node.setAttribute(opacity, String(round(this.pen.alpha)));
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null) node.setAttribute(name, typeof value === 'number' ? String(round(value)) : value);
    }
    this.root.append(node);
    return node;
  }
}

/**
 * Shows what is drawn as vectors: they become pixels beside the page's own thread, while a canvas is filled, copied and
 * handed over by it, every time that the pointer moves.
 * @param {SVGElement} node
 * @param {number} width in CSS pixels
 * @param {number} height
 * @param {(ctx: CanvasRenderingContext2D) => void} draw
 */
export function showVectors(node, width, height, draw) {
  const sheet = new SvgContext(width, height, 1);
  draw(/** @type {any} */ (sheet));
  for (const name of ['width', 'height', 'viewBox']) {
    const value = sheet.root.getAttribute(name) ?? '';
    if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  }
  node.replaceChildren(...sheet.root.children);
}

/** @param {number} value */
const round = (value) => Math.round(value * 1000) / 1000;
