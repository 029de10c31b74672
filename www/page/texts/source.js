/** The source text: a real text field, with the marks lying behind it. */

/** @import { Marker } from '../../ui/marks.js' */
/** @import { State } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
import { byId, onceDrawn, setText } from '../../ui/dom.js';
import { MARKS, createMarker } from '../../ui/marks.js';
import { preview } from '../../app/hold.js';
import { languageName } from '../../app/language.js';
import { reading } from '../../app/select.js';
import { watchInSight } from '../../ui/in-sight.js';
import { createBackdrop } from './backdrop.js';
import { createPlaces } from './places.js';

/** Browsers insert line by line, each more slowly than the one before: seconds for some hundreds. */
const MOST_LINES = 200;

/**
 * @typedef {object} SourceActions
 * @property {(text: string) => void} typed
 * @property {(caret: number) => void} caretMoved
 */

/**
 * @param {Store} store
 * @param {SourceActions} actions
 */
export function mountSource(store, actions) {
  const area = /** @type {HTMLTextAreaElement} */ (byId('source'));
  const backdrop = byId('backdrop');
  const clear = byId('clear');
  /** @type {string|null} what Clear took away */
  let cleared = null;
  /** @type {string|null} the example that the page began with, until the reader edits it */
  let example = null;

  area.value = store.get().text;
  area.addEventListener('input', () => {
    if (area.value !== '') cleared = null;
    example = null;
    actions.typed(area.value);
  });
  area.addEventListener('keyup', () => actions.caretMoved(area.selectionStart));
  area.addEventListener('click', () => actions.caretMoved(area.selectionStart));
  clear.addEventListener('click', () => {
    const before = area.value;
    const text = before === '' ? (cleared ?? '') : '';
    cleared = before === '' ? null : before;
    replace(text);
  });

  /** @param {string} text takes the place of what stands in the field; Ctrl+Z undoes it, or where it has many lines `#text-before` */
  function replace(text) {
    area.focus();
    if (text.split('\n', MOST_LINES).length === MOST_LINES) {
      area.value = text;
      actions.typed(text);
      return;
    }
    area.select();
    replaceSelection(text);
  }

  // Focus selects the example: the first character or paste replaces it. A second click sets the caret.
  const selectExample = () => {
    if (example !== null && area.value === example) area.select();
  };
  area.addEventListener('focus', selectExample);
  area.addEventListener('pointerdown', () => {
    if (document.activeElement !== area) area.addEventListener('click', selectExample, { once: true });
  });

  // The field lies over the marks: the piece under the pointer is found by where the marks lie.
  area.addEventListener('pointermove', (event) => {
    if (event.buttons !== 0 || event.pointerType === 'touch') return;
    const index = places.at(event.offsetX, event.offsetY);
    preview(store, index === null ? null : { token: { side: 'source', index } });
  });
  area.addEventListener('pointerleave', () => preview(store, null));

  store.watch(['text', 'model'], (state) => {
    if (area.value !== state.text) {
      area.value = state.text;
      if (state.text !== '') cleared = null;
    }
    if (state.model) {
      const language = state.model.sourceLanguage;
      const name = languageName(language);
      area.lang = language;
      area.placeholder = name ? `Type ${name} here` : 'Type here';
      setText(byId('about'), aboutOf(state.model));
      setText(byId('source-language').firstElementChild ?? byId('source-language'), name || 'Source text');
    }
    setText(clear, cleared !== null && state.text === '' ? 'Undo clear' : 'Clear');
    clear.hidden = state.text === '' && cleared === null;
  });

  const marker = createMarker({ current: 'asks', later: '', pointed: 'pointed', held: 'held' });
  /** @type {number[]} which piece each marked node is: some have no letters of their own */
  let indices = [];
  const places = createPlaces(backdrop);
  const marks = createBackdrop(backdrop, (later) => {
    const pieces = [.../** @type {NodeListOf<HTMLElement>} */ (backdrop.querySelectorAll('.piece'))];
    marker.take(pieces, () => 'piece');
    places.forget();
    indices = pieces.map((piece) => Number(piece.dataset.index));
    if (later) markSource(marker, indices, store.get());
  });
  const target = /** @type {HTMLElement} */ (document.querySelector('.target-side .scroll'));
  new ResizeObserver(() => {
    places.forget();
    // More than any window has is no use. Set on the one box that takes it: on the root it would style the whole page anew.
    const height = `${Math.min(backdrop.offsetHeight + 14, 2000)}px`;
    const { style } = target;
    if (style.getPropertyValue('--source-height') !== height) style.setProperty('--source-height', height);
  }).observe(backdrop);
  /** @type {unknown[]} what the backdrop was made of: it stays while other sentences are translated */
  let laid = [];
  store.watch(['text', 'doc', 'observation'], (state) => {
    const now = [state.text, state.doc.text, state.doc.sentences, state.observation?.source];
    if (now.every((value, i) => value === laid[i])) return;
    laid = now;
    marks.render(state);
    const cut = state.doc.text === state.text && state.doc.sentences.some((s) => s.cutAt !== null);
    setText(byId('source-note'), cut ? cutNote(state) : '');
  });
  watchInSight(store, backdrop, ['text', 'doc', 'observation', 'views', 'heads', 'measure', 'step', 'held', 'dependence'], (state) => {
    backdrop.classList.toggle('signed', state.dependence !== null);
    markSource(marker, indices, state);
  });

  return {
    replace,
    /** @param {string} text stands in the field as an example from the next frame on */
    offer(text) {
      example = text;
      onceDrawn(() => document.activeElement === area && selectExample());
    },
  };
}

/**
 * What a model is good at and what not, as its folder says it (`metrics.json`).
 * @param {NonNullable<State['model']>} model
 */
function aboutOf({ metrics }) {
  const { about } = /** @type {{about?: unknown}} */ (metrics ?? {});
  return typeof about === 'string' ? about.slice(0, 200) : '';
}

/**
 * Replaces what is selected in the field that has the focus, as typing does: Ctrl+Z undoes it.
 * @param {string} text
 */
function replaceSelection(text) {
  // The standard has no other way to leave the browser's own undo intact.
  document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
}

/**
 * Says where sentences were cut that are too long to be translated at once.
 * @param {State} state
 */
function cutNote({ doc }) {
  const cuts = doc.sentences.flatMap(({ cutAt }) => (cutAt === null ? [] : [cutAt]));
  const around = doc.text.slice(Math.max(0, cuts[0] - 24), cuts[0]).trim();
  const places = cuts.length === 1 ? `after “…${around}”` : `in ${cuts.length} places, the first after “…${around}”`;
  return `A sentence is too long for the model. It was cut ${places}, and each part is translated by itself.`;
}

/**
 * Marks what the shown head reads, or what the prediction depends on, and what is pointed at or held.
 * @param {Marker} marker
 * @param {number[]} indices
 * @param {State} state
 */
function markSource(marker, indices, state) {
  const read = reading(state);
  const { dependence } = state;
  const weights = dependence ? dependence.observation === state.observation && dependence.source : read?.side === 'source' && read.weights;
  const asks = read?.ref.kind === 'encoderSelf' ? read.row : -1;
  const pointed = state.preview.token?.side === 'source' ? state.preview.token.index : -1;
  const held = state.held.token?.side === 'source' ? state.held.token.index : -1;
  marker.mark(
    (i) => (indices[i] === asks ? MARKS.current : 0) | (indices[i] === pointed ? MARKS.pointed : 0) | (indices[i] === held ? MARKS.held : 0),
    (i) => (weights && weights[indices[i]]) || 0,
  );
}
