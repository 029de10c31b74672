// <translucent-positions>: the positional encodings (§3.5) of the first positions, as a heat map.

import { fit } from '../draw/canvas.js';
import { inksOf } from '../draw/ink.js';
import { drawCross, drawHeat, reachOf } from '../draw/positions.js';
import { el, setText } from '../ui/dom.js';
import { signed } from '../ui/numbers.js';
import { TranslucentElement } from './element.js';
import { engineFor } from './engines.js';

/** Room for the numbers along the map. */
const FRAME = { left: 36, top: 10, right: 8, bottom: 24 };
const HEIGHT = 260;

export class TranslucentPositions extends TranslucentElement {
  #heat = globalThis.document && el('canvas', { 'aria-hidden': 'true' });
  #cross = globalThis.document && el('canvas', { 'aria-hidden': 'true' });
  #map = globalThis.document && el('div', { class: 'drawing', part: 'map', tabindex: '0', role: 'application', 'aria-roledescription': 'heat map', 'aria-label': 'Positional encodings: arrow keys move, Enter holds' }, this.#heat, this.#cross);
  #readout = globalThis.document && el('p', { class: 'readout', part: 'readout', 'aria-live': 'polite' });
  /** @type {import('../draw/positions.js').Table | null} */
  #table = null;
  #at = { position: 0, dimension: 0 };

  parts() {
    this.#map.addEventListener('pointermove', ({ offsetX, offsetY }) => {
      const frame = this.#frame();
      if (!this.#table) return;
      this.#move(Math.floor(((offsetY - frame.top) / frame.h) * this.#table.rows), Math.floor(((offsetX - frame.left) / frame.w) * this.#table.cols));
    });
    this.#map.addEventListener('click', () => this.#hold());
    this.#map.addEventListener('keydown', (event) => this.#key(event));
    return [this.#map, this.#readout];
  }

  /** @param {() => boolean} isCurrent */
  async update(isCurrent) {
    if (!this.model) return;
    const { translator } = await engineFor(this.origin);
    const { sinusoidal, learned } = await translator.positions({ length: this.numberOf('length', 64) });
    if (!isCurrent()) return;
    const { data, shape } = learned ?? sinusoidal;
    this.#table = { data, rows: shape[0], cols: shape[1], reach: reachOf(data, learned !== undefined) };
    this.draw();
  }

  #frame() {
    return { left: FRAME.left, top: FRAME.top, w: Math.max(1, this.#map.clientWidth - FRAME.left - FRAME.right), h: HEIGHT };
  }

  draw() {
    const width = this.#map.clientWidth;
    if (!this.#table || width === 0) return;
    const { ctx, ratio } = fit(this.#heat, width, HEIGHT + FRAME.top + FRAME.bottom);
    drawHeat(ctx, ratio, this.#frame(), this.#table, { inks: inksOf(this), length: 0, side: 'source' });
    this.#mark();
  }

  #mark() {
    if (!this.#table) return;
    const { ctx, ratio } = fit(this.#cross, this.#map.clientWidth, HEIGHT + FRAME.top + FRAME.bottom);
    drawCross(ctx, ratio, this.#frame(), this.#table, { inks: inksOf(this), ...this.#at, chosen: [] });
    setText(this.#readout, `position ${this.#at.position}, dimension ${this.#at.dimension}: ${signed(this.#value(), 3)}`);
  }

  #value() {
    const { position, dimension } = this.#at;
    return this.#table ? this.#table.data[position * this.#table.cols + dimension] : 0;
  }

  /**
   * @param {number} position
   * @param {number} dimension
   */
  #move(position, dimension) {
    if (!this.#table || position < 0 || dimension < 0 || position >= this.#table.rows || dimension >= this.#table.cols) return;
    this.#at = { position, dimension };
    this.#mark();
  }

  #hold() {
    if (this.#table) this.emit('hold', { ...this.#at, value: this.#value() });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { position, dimension } = this.#at;
    /** @type {Record<string, [number, number]>} */
    const moves = { ArrowUp: [position - 1, dimension], ArrowDown: [position + 1, dimension], ArrowLeft: [position, dimension - 1], ArrowRight: [position, dimension + 1], Home: [0, 0] };
    if (event.key === 'Enter' || event.key === ' ') this.#hold();
    else if (moves[event.key]) this.#move(...moves[event.key]);
    else return;
    event.preventDefault();
  }
}
