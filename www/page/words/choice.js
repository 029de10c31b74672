/**
 * Other words for the one that was clicked in the translation: each is what the model says where it begins with another
 * piece, and the rest of the sentence follows it. Loaded once a model translates.
 */

/** @import { Store } from '../../app/store.js' */
/** @import { Observer } from '../../app/observation.js' */
/** @import { Translator } from '../../engine/translator.js' */
/** @import * as P from '../../engine/protocol' */
import { byId, el, onceDrawn, rove, setText } from '../../ui/dom.js';
import { createSlot } from '../../app/requests.js';
import { sentenceText } from '../../app/select.js';
import { sourceWordOf } from '../../app/source-word.js';
import { searchOptions } from '../../app/search.js';
import { sayMissing } from '../../ui/part.js';
import { hideTip } from '../../ui/tip.js';

/** Pieces that are tried in the word's place, words that are shown, and the least probability of a piece. */
const TRIED = 8;
const SHOWN = 6;
const LEAST = 0.0005;
/** Width of the list, as its style sheet has it. */
const WIDE = 340;
/** Pixels between the list and its word, and between it and the window's edge. */
const GAP = 6;
const EDGE = 8;

/** @typedef {{ word: string, text: string, target: P.Piece[], probability: number }} Choice */

/**
 * The word that a piece belongs to: where its pieces begin and end, and its letters.
 * @param {P.Piece[]} target
 * @param {string} text of the translation
 * @param {number} index
 */
export function wordAt(target, text, index) {
  const { word } = target[index];
  const first = target.findIndex((piece) => piece.word === word);
  const pieces = target.filter((piece) => piece.word === word && piece.range);
  const from = pieces[0]?.range?.[0] ?? 0;
  return { first, letters: text.slice(from, pieces.at(-1)?.range?.[1] ?? from).trim() };
}

/**
 * @param {Store} store
 * @param {object} parts
 * @param {Translator} parts.engine
 * @param {Observer} parts.observer
 * @param {() => Promise<{ open: () => void, add: (term: P.Term) => void }>} parts.words the dialog of the reader's own words
 */
export function mountChoice(store, { engine, observer, words }) {
  const translation = byId('translation');
  const scroller = byId('target-scroll');
  const slot = createSlot();
  const title = el('p', { class: 'choice-title', role: 'status' });
  const list = el('ul', { class: 'choice-words' });
  const back = el('button', { type: 'button', class: 'plain', text: 'Back to the model’s own', onclick: () => take(null) });
  const always = el('form', { class: 'word-form' });
  const box = el('div', { class: 'word-choice', id: 'choice', role: 'group', 'aria-label': 'Other words', hidden: true }, title, list, back, always);
  document.body.append(box);
  rove(list, () => /** @type {HTMLElement[]} */ ([...list.querySelectorAll('button')]), 'down');

  /** The word whose list is open. @type {{ sentence: number, index: number }|null} */
  let at = null;
  const pieceNode = () => /** @type {HTMLElement|null} */ (at && translation.querySelector(`[data-sentence="${at.sentence}"] [data-index="${at.index}"]`));
  const close = () => {
    slot.cancel();
    // A word that was scrolled away stays there.
    if (box.contains(document.activeElement)) pieceNode()?.focus({ preventScroll: true });
    at = null;
    box.hidden = true;
  };

  /** @param {Choice|null} choice null: the model's own translation */
  async function take(choice) {
    const place = at;
    close();
    if (!place) return;
    await observer.present(choice && { what: `“${choice.word}” chosen`, text: choice.text, target: choice.target }, place.sentence);
    // The sentence is drawn anew; its word may have fewer pieces now.
    onceDrawn(() => {
      const pieces = /** @type {HTMLElement[]} */ ([...translation.querySelectorAll(`[data-sentence="${place.sentence}"] [data-index]`)]);
      pieces.findLast((piece) => Number(piece.dataset.index) <= place.index)?.focus();
    });
  }

  /** Puts the list under its word, or over it where the window ends; one that is too long for either scrolls. */
  function place() {
    const node = pieceNode();
    if (!node || box.hidden) return;
    const { left, top, bottom } = node.getBoundingClientRect();
    box.style.maxHeight = '';
    const below = innerHeight - bottom - GAP - EDGE;
    const above = top - GAP - EDGE;
    const over = box.offsetHeight > below && above > below;
    box.style.maxHeight = `${Math.floor(over ? above : below)}px`;
    box.style.left = `${Math.round(Math.max(EDGE, Math.min(left, innerWidth - WIDE - 16)) + scrollX)}px`;
    box.style.top = `${Math.round((over ? top - GAP - box.offsetHeight : bottom + GAP) + scrollY)}px`;
  }

  /** The list moves with its word, and closes where the text hides it. */
  function follow() {
    const word = pieceNode()?.getBoundingClientRect();
    if (!word || box.hidden) return;
    const text = scroller.getBoundingClientRect();
    if (word.bottom < text.top || word.top > text.bottom) close();
    else place();
  }

  /**
   * The other words of a place, the likeliest first.
   * @param {number} sentence
   * @param {number} index
   * @param {AbortSignal} signal
   * @returns {Promise<Choice[]>}
   */
  async function others(sentence, index, signal) {
    const state = store.get();
    const output = state.doc.outputs[sentence];
    const target = output.target ?? [];
    const { first, letters } = wordAt(target, output.text, index);
    const source = sentenceText(state.doc, sentence);
    const ids = target.map(({ id }) => id);
    const { observed } = await engine.score(source, { target: ids, alternatives: TRIED + 1, signal });
    const pieces = observed.steps[first].pieces.filter(({ id, text, probability }) => id !== ids[first] && probability >= LEAST && text !== '</s>');
    /** @type {Choice[]} */
    const found = [];
    for (const { id, probability } of pieces) {
      const answer = await engine.translateSentence(source, { ...searchOptions(state), nBest: 1, terms: state.terms, prefix: [...ids.slice(0, first), id], signal });
      if (answer.kind !== 'translated' || !answer.target[first]?.range) continue;
      const word = wordAt(answer.target, answer.text, first).letters;
      if (word === '' || word === letters || found.some((other) => other.word === word)) continue;
      found.push({ word, text: answer.text, target: answer.target, probability });
      if (found.length === SHOWN) break;
    }
    return found;
  }

  /**
   * @param {number} sentence
   * @param {number} index
   */
  async function open(sentence, index) {
    const { doc, text, phase, layout, model } = store.get();
    const output = doc.outputs[sentence];
    if (phase !== 'ready' || layout !== 'page' || doc.text !== text || !output?.target?.[index]) return close();
    at = { sentence, index };
    const signal = slot.next();
    const { letters } = wordAt(output.target, output.text, index);
    if (!/[\p{L}\p{N}]/u.test(letters)) return close();
    try {
      const found = await others(sentence, index, signal);
      if (signal.aborted) return;
      setText(title, found.length > 0 ? `Instead of “${letters}”:` : `The model has no other word for “${letters}”.`);
      list.lang = model?.targetLanguage ?? '';
      list.replaceChildren(
        ...found.map((choice, i) =>
          el('li', {}, el('button', { type: 'button', class: 'choice-word', tabindex: i === 0 ? '0' : '-1', title: choice.text, onclick: () => take(choice) }, el('b', { text: choice.word }), el('span', { text: choice.text }))),
        ),
      );
      back.hidden = !store.get().doc.outputs[sentence]?.variant;
      offer(letters, sourceWordOf(store.get(), sentence, index));
      box.hidden = false;
      hideTip();
      place();
    } catch (error) {
      if (!signal.aborted) console.warn('other words:', error);
    }
  }

  /** The row that adds a pair to the reader's own words. @param {string} letters @param {string} word of the source */
  function offer(letters, word) {
    const { model } = store.get();
    const from = el('input', { type: 'text', class: 'line-field', value: word, lang: model?.sourceLanguage, 'aria-label': 'Word in the source', maxlength: 60 });
    const to = el('input', { type: 'text', class: 'line-field', value: letters, lang: model?.targetLanguage, 'aria-label': 'Its translation', maxlength: 60 });
    always.replaceChildren(el('span', { class: 'quiet', text: 'Always' }), from, el('span', { 'aria-hidden': 'true', text: '→' }), to, el('button', { type: 'submit', text: 'Add', title: 'Add to My words' }));
    always.onsubmit = (event) => {
      event.preventDefault();
      const term = { source: from.value, target: to.value };
      close();
      words().then((dialog) => dialog.add(term), sayMissing);
    };
  }

  const clicked = (/** @type {Element} */ node) => {
    const piece = node.closest('[data-index]');
    const sentence = node.closest('[data-sentence]');
    if (!(piece instanceof HTMLElement) || !(sentence instanceof HTMLElement)) return close();
    const place = { sentence: Number(sentence.dataset.sentence), index: Number(piece.dataset.index) };
    // The second click on a word lets it go.
    if (at?.sentence === place.sentence && at.index === place.index) return close();
    open(place.sentence, place.index);
  };
  translation.addEventListener('click', (event) => {
    if (getSelection()?.isCollapsed !== false) clicked(/** @type {Element} */ (event.target));
  });
  translation.addEventListener('keydown', (event) => {
    const node = /** @type {Element} */ (event.target);
    if ((event.key === 'Enter' || event.key === ' ') && node.closest('[data-index]')) clicked(node);
    else if (event.key === 'ArrowDown' && !box.hidden) {
      event.preventDefault();
      box.querySelector('button')?.focus();
    } else if (event.key !== 'Tab') close();
  });
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    close();
  });
  addEventListener('pointerdown', (event) => {
    const node = /** @type {Element} */ (event.target);
    if (!box.hidden && !box.contains(node) && !translation.contains(node)) close();
  });
  addEventListener('resize', place);
  scroller.addEventListener('scroll', follow);
  store.watch(['text', 'address', 'layout'], close);
}
