// <translucent-figure>: every head of the three attentions, where Figure 1 of the paper has them.

import { headMap } from '../app/maps.js';
import { fit } from '../draw/canvas.js';
import { inksOf } from '../draw/ink.js';
import { paintMap } from '../draw/pixels.js';
import { el } from '../ui/dom.js';
import { KINDS } from './attention.js';
import { TranslucentElement } from './element.js';
import { explain } from './engines.js';

/** @typedef {import('./attention.js').Kind} Kind */
/** @typedef {{kind: Kind, layer: number, head: number}} Head counted from 1 */

/** Width of a thumbnail in CSS pixels. */
const SIDE = 44;

export class TranslucentFigure extends TranslucentElement {
  #root = globalThis.document && el('div', { class: 'stacks', part: 'figure' });
  /** @type {import('./engines.js').Explained | null} */
  #shown = null;
  /** @type {{at: Head, button: HTMLButtonElement, canvas: HTMLCanvasElement}[]} */
  #heads = [];
  /** @type {Head | null} */
  #held = null;

  parts() {
    this.#root.addEventListener('keydown', (event) => this.#key(event));
    return [this.#root];
  }

  /** @param {() => boolean} isCurrent */
  async update(isCurrent) {
    if (!this.model) return;
    if (!this.text.trim()) return this.#clear();
    const next = await explain(this.origin, this.text, this.beam);
    if (!isCurrent()) return;
    if (next.model !== this.#shown?.model) this.#build(next);
    this.#shown = next;
    this.draw();
  }

  /** Both stacks, first layers at the bottom. @param {import('./engines.js').Explained} shown */
  #build({ observation: { trace } }) {
    this.#heads = [];
    const layer = (/** @type {Kind} */ kind, /** @type {number} */ i) => {
      const heads = trace[KINDS[kind][0]]?.shape[1] ?? 0;
      const row = Array.from({ length: heads }, (_, h) => this.#thumbnail({ kind, layer: i + 1, head: h + 1 }));
      return el('div', { class: 'layer', part: 'layer' }, el('span', { text: `${KINDS[kind][1]}, layer ${i + 1}` }), ...row);
    };
    const stack = (/** @type {string} */ name, /** @type {Kind[]} */ kinds) => {
      const layers = trace[KINDS[kinds[0]][0]]?.shape[0] ?? 0;
      const rows = Array.from({ length: layers }, (_, i) => kinds.map((kind) => layer(kind, i))).flat();
      return el('div', { class: 'stack', part: 'stack', role: 'group', 'aria-label': `${name} stack` }, ...rows);
    };
    this.#root.replaceChildren(stack('Encoder', ['encoder']), stack('Decoder', ['decoder', 'cross']));
    this.#heads.forEach(({ button }, i) => (button.tabIndex = i === 0 ? 0 : -1));
  }

  /** @param {Head} at */
  #thumbnail(at) {
    const canvas = el('canvas', { 'aria-hidden': 'true' });
    const name = `${KINDS[at.kind][1]}, layer ${at.layer}, head ${at.head}`;
    const button = el('button', { class: 'head', part: 'head', type: 'button', title: name, 'aria-label': name, 'aria-pressed': 'false', onclick: () => this.#hold(at) }, canvas);
    this.#heads.push({ at, button, canvas });
    return button;
  }

  draw() {
    const shown = this.#shown;
    if (!shown) return;
    const inks = inksOf(this);
    for (const { at, canvas } of this.#heads) {
      const ref = { kind: KINDS[at.kind][0], layer: at.layer - 1, head: at.head - 1 };
      const map = headMap({ observation: shown.observation, views: null, measure: 'weight', model: shown.model }, ref);
      const { ctx, w, h } = fit(canvas, SIDE, SIDE);
      const image = ctx.createImageData(w, h);
      paintMap(image, map, { inks, scale: 'sqrt', shown: map?.rows ?? 0, total: map?.rows ?? 0 });
      ctx.putImageData(image, 0, 0);
    }
  }

  /** Without a text there is nothing to show. */
  #clear() {
    this.#shown = null;
    this.#heads = [];
    this.#root.replaceChildren();
    if (this.#held) this.#hold(null);
  }

  /** @param {Head | null} at */
  #hold(at) {
    this.#held = this.#held === at ? null : at;
    for (const { at: one, button } of this.#heads) button.setAttribute('aria-pressed', String(one === this.#held));
    this.emit('hold', this.#held && { ...this.#held });
  }

  /** Arrow keys walk from head to head, Escape lets the held one go; Tab leaves. @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === 'Escape' && this.#held) {
      this.#hold(null);
      return event.preventDefault();
    }
    const from = this.#heads.findIndex(({ button }) => button === this.shadowRoot?.activeElement);
    /** @type {Record<string, number>} */
    const moves = { ArrowRight: from + 1, ArrowDown: from + 1, ArrowLeft: from - 1, ArrowUp: from - 1, Home: 0, End: this.#heads.length - 1 };
    const to = this.#heads[moves[event.key] ?? -1];
    if (!to || from < 0) return;
    this.#heads[from].button.tabIndex = -1;
    to.button.tabIndex = 0;
    to.button.focus();
    event.preventDefault();
  }
}
