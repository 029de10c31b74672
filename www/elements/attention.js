// <translucent-attention layer head>: the map of one head over the first sentence of a text.

import { headMap } from '../app/maps.js';
import { fit } from '../draw/canvas.js';
import { inksOf } from '../draw/ink.js';
import { drawLabels } from '../draw/lettering.js';
import { cellAt, drawCells, drawGrid, layoutMap } from '../draw/map.js';
import { drawMarks } from '../draw/marks.js';
import { isMasked } from '../draw/pixels.js';
import { EngineError } from '../engine/error.js';
import { el, setText } from '../ui/dom.js';
import { formatWeight } from '../ui/numbers.js';
import { explain } from './engines.js';
import { TranslucentElement } from './element.js';

/** @typedef {'encoder' | 'decoder' | 'cross'} Kind */

/** Attribute `kind`: the block of the trace, and its name in the paper. */
export const KINDS = /** @type {const} */ ({
  encoder: ['encoderSelf', 'Encoder self-attention'],
  decoder: ['decoderSelf', 'Masked decoder self-attention'],
  cross: ['cross', 'Encoder–decoder attention'],
});

/** @typedef {{row: number, col: number}} Cell */
/**
 * What is drawn: a head's map, its names and colours.
 * @typedef {object} Drawing
 * @property {import('../app/maps.js').ShownMap} map
 * @property {import('../draw/lettering.js').MapLabels} labels
 * @property {string[]|null} reads
 * @property {import('../draw/pixels.js').MapStyle} style
 */

export class TranslucentAttention extends TranslucentElement {
  #cells = globalThis.document && el('canvas', { 'aria-hidden': 'true' });
  #marks = globalThis.document && el('canvas', { 'aria-hidden': 'true' });
  #map = globalThis.document && el('div', { class: 'drawing', part: 'map', tabindex: '0', role: 'application', 'aria-roledescription': 'attention map' }, this.#cells, this.#marks);
  #readout = globalThis.document && el('p', { class: 'readout', part: 'readout', 'aria-live': 'polite' });
  /** @type {import('./engines.js').Explained | null} */
  #shown = null;
  /** @type {import('../draw/map.js').MapLayout | null} */
  #layout = null;
  /** @type {Cell | null} */
  #pointed = null;
  /** @type {Cell | null} */
  #held = null;

  parts() {
    const at = (/** @type {MouseEvent} */ { offsetX, offsetY }) => this.#layout && cellAt(this.#layout, offsetX, offsetY);
    this.#map.addEventListener('pointermove', (event) => this.#point(at(event)));
    this.#map.addEventListener('pointerleave', () => this.#point(null));
    this.#map.addEventListener('click', (event) => this.#hold(at(event)));
    this.#map.addEventListener('keydown', (event) => this.#key(event));
    return [this.#map, this.#readout];
  }

  /** @returns {Kind} */
  get kind() {
    const kind = this.getAttribute('kind') ?? 'cross';
    return kind in KINDS ? /** @type {Kind} */ (kind) : 'cross';
  }

  /** Layer and head, counted from 1 as in the attributes. */
  get layer() {
    return this.numberOf('layer', 1);
  }
  get head() {
    return this.numberOf('head', 1);
  }

  /** @param {() => boolean} isCurrent */
  async update(isCurrent) {
    const name = `${KINDS[this.kind][1]}, layer ${this.layer}, head ${this.head}`;
    this.#map.setAttribute('aria-label', `${name}: arrow keys move, Enter holds`);
    if (!this.model) return;
    if (!this.text.trim()) {
      this.#shown = null;
      return this.#clear();
    }
    const next = await explain(this.origin, this.text, this.beam);
    if (!isCurrent()) return;
    if (next !== this.#shown) this.#held = this.#pointed = null;
    this.#shown = next;
    this.draw();
    if (!this.#what()) throw new EngineError('RequestInvalid', `${name}: this model has no such head. Layers and heads are counted from 1.`);
  }

  /** @param {{kind?: Kind, layer?: number, head?: number} | null} held */
  follow(held) {
    if (!held?.kind || !held.layer || !held.head || 'row' in held) return;
    for (const name of /** @type {const} */ (['kind', 'layer', 'head'])) this.setAttribute(name, String(held[name]));
  }

  /** @returns {Drawing | null} null while there is none */
  #what() {
    const shown = this.#shown;
    if (!shown) return null;
    const ref = { kind: KINDS[this.kind][0], layer: this.layer - 1, head: this.head - 1 };
    const map = headMap({ observation: shown.observation, views: null, measure: 'weight', model: shown.model }, ref);
    if (!map) return null;
    const inks = inksOf(this);
    const { rows, cols, reads } = map.axes;
    const labels = { rows: rows.labels, cols: cols.labels, reads: null, losses: null, rowColour: inks[rows.side], colColour: inks[cols.side] };
    /** @type {import('../draw/pixels.js').MapStyle} */
    const style = { inks, scale: 'linear', shown: map.rows, total: map.rows };
    return { map, labels, reads, style };
  }

  draw() {
    const what = this.#what();
    const width = this.#map.clientWidth;
    if (!what) this.#clear();
    if (!what || width === 0) return;
    const measure = this.#cells.getContext('2d');
    if (!measure) return;
    this.#layout = layoutMap(measure, { labels: what.labels, available: width, inks: what.style.inks });
    const { ctx, ratio } = fit(this.#cells, width, this.#layout.height);
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, this.#cells.width, this.#cells.height);
    drawCells(ctx, ratio, this.#layout, what);
    drawGrid(ctx, ratio, this.#layout, what);
    drawLabels(ctx, ratio, this.#layout, what);
    this.#mark();
  }

  /** Without a text, and of a head that is not there, nothing is shown, not the map of the one before. */
  #clear() {
    for (const canvas of [this.#cells, this.#marks]) canvas.getContext('2d')?.clearRect(0, 0, canvas.width, canvas.height);
    this.#layout = null;
    setText(this.#readout, '');
  }

  #mark() {
    const what = this.#what();
    if (!what || !this.#layout) return;
    const { ctx, ratio } = fit(this.#marks, this.#map.clientWidth, this.#layout.height);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, this.#map.clientWidth, this.#layout.height);
    const cell = this.#pointed ?? this.#held;
    if (cell) drawMarks(ctx, this.#layout, { ...what, ...cell, pointed: true, format: formatWeight });
    setText(this.#readout, cell ? this.#says(cell, what) : '');
  }

  /**
   * @param {Cell} cell
   * @param {Drawing} what
   */
  #says({ row, col }, { map, labels, reads }) {
    const query = reads ? `“${labels.rows[row]}” (read: ${reads[row]})` : `“${labels.rows[row]}”`;
    if (isMasked(map, row, col)) return `${query} may not read “${labels.cols[col]}”`;
    return `${query} reads “${labels.cols[col]}”: ${formatWeight(map.data[row * map.cols + col])}`;
  }

  /** @param {Cell | null} cell */
  #point(cell) {
    this.#pointed = cell;
    this.#mark();
  }

  /** @param {Cell | null} cell */
  #hold(cell) {
    const what = this.#what();
    if (!what) return;
    const same = cell && this.#held?.row === cell.row && this.#held.col === cell.col;
    this.#held = same ? null : cell;
    this.#mark();
    const { kind, layer, head } = this;
    const { map, labels } = what;
    this.emit('hold', this.#held && { kind, layer, head, ...this.#held, query: labels.rows[this.#held.row], key: labels.cols[this.#held.col], weight: map.data[this.#held.row * map.cols + this.#held.col] });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const map = this.#what()?.map;
    if (!map) return;
    const { row, col } = this.#pointed ?? this.#held ?? { row: 0, col: 0 };
    /** @type {Record<string, Cell>} */
    const moves = { ArrowUp: { row: row - 1, col }, ArrowDown: { row: row + 1, col }, ArrowLeft: { row, col: col - 1 }, ArrowRight: { row, col: col + 1 }, Home: { row, col: 0 }, End: { row, col: map.cols - 1 } };
    if (event.key === 'Enter' || event.key === ' ') this.#hold({ row, col });
    else if (event.key === 'Escape' && (this.#held || this.#pointed)) {
      this.#point(null);
      if (this.#held) this.#hold(null);
    } else if (moves[event.key]) {
      const to = moves[event.key];
      if (to.row >= 0 && to.row < map.rows && to.col >= 0 && to.col < map.cols) this.#point(to);
    } else return;
    event.preventDefault();
  }
}
