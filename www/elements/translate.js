// <translucent-translate>: a text and its translation.

import { el, setText } from '../ui/dom.js';
import { engineFor } from './engines.js';
import { TranslucentElement } from './element.js';

export class TranslucentTranslate extends TranslucentElement {
  #source = globalThis.document && el('textarea', { part: 'source', id: 'source', rows: 3, oninput: () => this.change() });
  #label = globalThis.document && el('label', { part: 'label', for: 'source' });
  #target = globalThis.document && el('p', { class: 'translation', part: 'target', 'aria-live': 'polite' });
  /** The value of `text` that the field has. @type {string | null} */
  #given = null;
  /** @type {AbortController | null} */
  #running = null;

  parts() {
    return [this.#label, this.#source, this.#target];
  }

  get text() {
    return this.#source?.value ?? '';
  }
  set text(text) {
    // Also where the attribute has it already and the field something else.
    this.#given = null;
    this.setAttribute('text', text);
  }

  /** The translation that stands there. */
  get translation() {
    return this.#target.textContent ?? '';
  }

  /** @param {() => boolean} isCurrent */
  async update(isCurrent) {
    const given = this.getAttribute('text');
    if (given !== null && given !== this.#given) this.#source.value = given;
    this.#given = given;
    setText(this.#label, this.getAttribute('label') ?? 'Text to translate');
    this.#running?.abort();
    if (!this.model) return;
    if (!this.#target.textContent) setText(this.status, 'The model is loading.');
    const { translator, model } = await engineFor(this.origin);
    if (!isCurrent()) return;
    setText(this.status, '');
    this.#source.lang = model.sourceLanguage;
    this.#target.lang = model.targetLanguage;
    const { text } = this;
    if (!text.trim()) {
      setText(this.#target, '');
      return this.emit('translation', { text, translation: '' });
    }
    this.#running = new AbortController();
    const { signal } = this.#running;
    const result = await translator.translate(text, { beam: this.beam, signal }).catch((error) => {
      if (!signal.aborted) throw error;
      return null;
    });
    if (!isCurrent() || result?.kind !== 'translated') return;
    setText(this.#target, result.text);
    this.emit('translation', { text, translation: result.text });
  }
}
