// What all elements share: a shadow root, attributes, one update after several changes, events, errors.

import { el, setText } from '../ui/dom.js';
import { elementStyle } from './style.js';

// Where a server renders the page there are no elements: the modules load there and do nothing.
const Base = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? class {});

/** @typedef {import('../engine/error.js').EngineError} EngineError */

export class TranslucentElement extends Base {
  /** @type {readonly string[]} */
  static observedAttributes = ['model', 'text', 'beam', 'for', 'kind', 'layer', 'head', 'length', 'theme', 'label', 'lang'];

  /** What went wrong, or what is awaited. */
  status = globalThis.document && el('p', { class: 'readout', part: 'status', role: 'status' });
  /** Times that the element was asked to change; what was awaited for an older one is dropped. */
  #turn = 0;
  #waiting = false;
  /** @type {AbortController | null} */
  #listening = null;
  /** The elements whose events are heard. @type {TranslucentElement[]} */
  #heard = [];
  /** Ends that. */
  #deaf = new AbortController();

  connectedCallback() {
    if (!this.shadowRoot) {
      const root = this.attachShadow({ mode: 'open' });
      root.adoptedStyleSheets = [elementStyle()];
      root.append(...this.parts(), this.status);
    }
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    const redraw = () => this.draw();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw, { signal });
    const sizes = new ResizeObserver(redraw);
    sizes.observe(this);
    signal.addEventListener('abort', () => sizes.disconnect());
    this.change();
  }

  disconnectedCallback() {
    this.#listening?.abort();
    this.#hearNothing();
    this.#turn++;
  }

  /** Hears of what happens in the followed elements, which may be others than before, or have come later. */
  #hear() {
    const followed = this.#chain();
    if (followed.length === this.#heard.length && followed.every((element, i) => element === this.#heard[i])) return;
    this.#hearNothing();
    this.#heard = followed;
    const { signal } = this.#deaf;
    for (const element of followed) element.addEventListener('translucent-translation', () => this.change(), { signal });
    followed[0]?.addEventListener('translucent-hold', (event) => this.follow(/** @type {CustomEvent} */ (event).detail), { signal });
  }

  #hearNothing() {
    this.#deaf.abort();
    this.#deaf = new AbortController();
    this.#heard = [];
  }

  /** The followed element, the one that it follows, and so on: one of them has the text. */
  #chain() {
    /** @type {TranslucentElement[]} */
    const chain = [];
    for (let at = this.followed; at && !chain.includes(at); at = at.followed) chain.push(at);
    return chain;
  }

  attributeChangedCallback() {
    if (this.isConnected && this.shadowRoot) this.change();
  }

  /** The element that `for` names: its text is shown, and what is held in it. @returns {TranslucentElement | null} */
  get followed() {
    const id = this.getAttribute('for');
    const root = /** @type {Document | ShadowRoot} */ (this.getRootNode());
    return id ? root.querySelector(`#${CSS.escape(id)}`) : null;
  }

  /** Address of the model's folder. @returns {string} */
  get model() {
    return this.getAttribute('model') ?? this.followed?.model ?? '';
  }
  set model(address) {
    this.setAttribute('model', address);
  }

  /** @returns {import('./engines.js').Origin} */
  get origin() {
    return { model: this.model, worker: this.getAttribute('worker') ?? this.followed?.getAttribute('worker') ?? null };
  }

  /** The text to translate. @returns {string} */
  get text() {
    return this.getAttribute('text') ?? this.followed?.text ?? '';
  }
  set text(text) {
    this.setAttribute('text', text);
  }

  /** @returns {number} */
  get beam() {
    return this.numberOf('beam', this.followed?.beam ?? 4);
  }

  /**
   * A whole number of an attribute.
   * @param {string} name
   * @param {number} otherwise
   */
  numberOf(name, otherwise) {
    const value = Number(this.getAttribute(name) ?? NaN);
    return Number.isInteger(value) && value > 0 ? value : otherwise;
  }

  /** What stands in the shadow root. @returns {Node[]} */
  parts() {
    return [];
  }

  /** Fetches and computes what the attributes ask for. @param {() => boolean} _current whether nothing newer was asked @returns {Promise<void>} */
  async update(_current) {}

  /** Draws what is there, after a change of size, theme or data. */
  draw() {}

  /** Takes over what is held in the followed element. @param {any} _held */
  follow(_held) {}

  /** Updates once after several changes. */
  async change() {
    if (this.#waiting) return;
    this.#waiting = true;
    await Promise.resolve();
    this.#waiting = false;
    if (this.isConnected) this.#hear();
    const turn = ++this.#turn;
    const isCurrent = () => turn === this.#turn;
    this.status.classList.remove('failed');
    try {
      await this.update(isCurrent);
      if (isCurrent()) setText(this.status, '');
    } catch (thrown) {
      const { code, message } = /** @type {EngineError} */ (thrown);
      if (!isCurrent()) return;
      this.status.classList.add('failed');
      setText(this.status, message);
      this.emit('error', { code, message });
    }
  }

  /**
   * @param {'translation' | 'hold' | 'error'} name
   * @param {unknown} detail
   */
  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(`translucent-${name}`, { detail, bubbles: true, composed: true }));
  }
}
