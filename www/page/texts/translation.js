/** The translation as it streams in: final text plain, the tail dotted, doubtful pieces underlined; every piece can be held. */

/** @import { Marker } from '../../ui/marks.js' */
/** @import { State } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
import { byId, el, onceDrawn, setText } from '../../ui/dom.js';
import { MARKS, createMarker } from '../../ui/marks.js';
import { free, holdToken, preview } from '../../app/hold.js';
import { searchOptions } from '../../app/search.js';
import { reading, wholeText } from '../../app/select.js';
import { watchInSight } from '../../ui/in-sight.js';
import { explainPiece } from './explain.js';
import { createSentenceList } from './sentences.js';
import { hideTip, showTip } from '../../ui/tip.js';

/**
 * @param {Store} store
 * @param {{observe: (sentence: number, step?: number) => void}} actions
 */
export function mountTranslation(store, actions) {
  const box = byId('translation');
  const copy = byId('copy');

  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(wholeText(store.get()));
      setText(copy, 'Copied');
    } catch {
      // Without permission the text is selected instead, so that the reader's own copy works.
      getSelection()?.selectAllChildren(box);
      setText(copy, 'Selected');
    }
    setTimeout(() => setText(copy, 'Copy'), 1600);
  });

  const pieceOf = (/** @type {Event} */ event) => {
    const node = /** @type {HTMLElement} */ (event.target).closest?.('[data-index]');
    return /** @type {HTMLElement|null} */ (node);
  };
  const place = (/** @type {HTMLElement} */ node) => ({
    sentence: Number(/** @type {HTMLElement} */ (node.closest('.sentence')).dataset.sentence),
    index: Number(node.dataset.index),
  });
  const pointAt = (/** @type {HTMLElement|null} */ node, withTip = true) => {
    const at = node && place(node);
    if (!node || !at) {
      hideTip();
      preview(store, null);
      return;
    }
    const state = store.get();
    const observed = state.observation?.sentence === at.sentence;
    const piece = state.doc.outputs[at.sentence]?.target?.[at.index];
    if (piece && withTip) showTip(node, explainPiece(piece, observed ? state.observation?.steps[at.index] : undefined));
    preview(store, observed ? { token: { side: 'target', index: at.index } } : null);
  };
  const hold = (/** @type {HTMLElement} */ node) => {
    const at = place(node);
    if (store.get().observation?.sentence === at.sentence) holdToken(store, { side: 'target', index: at.index });
    else actions.observe(at.sentence, at.index);
  };

  box.addEventListener('pointerover', (event) => {
    if (event.pointerType !== 'touch') pointAt(pieceOf(event));
  });
  box.addEventListener('pointerleave', () => pointAt(null));
  box.addEventListener('click', (event) => {
    // Selecting text is no click.
    if (getSelection()?.isCollapsed === false) return;
    const node = pieceOf(event);
    if (node) hold(node);
    else {
      const sentence = /** @type {HTMLElement} */ (event.target).closest?.('.sentence');
      if (sentence) actions.observe(Number(/** @type {HTMLElement} */ (sentence).dataset.sentence));
    }
  });
  box.addEventListener('focusin', (event) => {
    const node = pieceOf(event);
    // A finger that taps does not leave: the note would cover the next line until the next tap.
    pointAt(node, node?.matches(':focus-visible'));
  });
  box.addEventListener('focusout', () => pointAt(null));
  box.addEventListener('keydown', (event) => {
    const all = /** @type {HTMLElement[]} */ ([...box.querySelectorAll('.piece')]);
    const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    /** @type {Record<string, number>} */
    const jumps = { ArrowRight: at + 1, ArrowLeft: Math.max(0, at - 1), Home: 0, End: all.length - 1 };
    if (event.key in jumps && all.length > 0) {
      event.preventDefault();
      all[Math.min(all.length - 1, jumps[event.key])].focus();
    } else if ((event.key === 'Enter' || event.key === ' ') && at >= 0) {
      event.preventDefault();
      const { sentence, index } = place(all[at]);
      hold(all[at]);
      // Holding may redraw the text: the focus stays on its piece.
      onceDrawn(() => {
        const again = box.querySelector(`[data-sentence="${sentence}"] [data-index="${index}"]`);
        if (again && document.activeElement === document.body) /** @type {HTMLElement} */ (again).focus();
      });
    } else if (event.key === 'Escape') free(store);
  });

  const list = createSentenceList(box);
  const marker = createMarker({ current: 'step', later: 'later', pointed: 'pointed', held: 'quiet' });
  /** @type {number[]} which piece each marked node is: those of the observed sentence, as a text may have thousands */
  let indices = [];
  store.watch(['doc', 'sentence', 'text', 'phase', 'queued'], (state) => {
    list.render(state.doc, state.sentence);
    const nodes = list.piecesOf(state.sentence);
    marker.take(nodes, (node) => (node.classList.contains('doubtful') ? 'piece doubtful' : 'piece'));
    indices = nodes.map((node) => Number(node.dataset.index));
    // A queued text has no translation yet: what another text's was is not offered as its.
    const waits = state.queued && state.doc.text !== state.text;
    if (!state.doc.running) byId('doubt').hidden = waits || !box.querySelector('.doubtful');
    copy.hidden = waits || !state.doc.outputs.some(({ text }) => text.trim() !== '');
  });
  watchInSight(store, box, ['doc', 'sentence', 'observation', 'views', 'heads', 'measure', 'mode', 'step', 'stepChosen', 'held', 'dependence'], (state) => {
    box.classList.toggle('signed', state.dependence !== null);
    const { stepChosen, held, preview: pointed } = state;
    document.body.toggleAttribute('data-unmarked', !stepChosen && !(held.head ?? held.token ?? pointed.head ?? pointed.token ?? pointed.cell));
    markTarget(marker, indices, state);
  });
  store.watch(['model', 'beam', 'alpha', 'variant'], (state) => {
    const { model, variant } = state;
    if (!model) return;
    const note = byId('search-note');
    const { beam, scoring } = searchOptions(state);
    const penalty = scoring.kind === 'wu' ? `α = ${scoring.alpha}` : `length penalty ${Number(scoring.lengthPenalty.toPrecision(4))}`;
    setText(note, variant ? `not the model’s own translation: ${variant.what}` : `beam ${beam}, ${penalty}`);
    note.title = note.textContent ?? '';
  });
  store.watch(['model'], ({ model }) => {
    if (!model) return;
    box.lang = model.targetLanguage;
    byId('live').lang = model.targetLanguage;
  });
}

/**
 * @param {Marker} marker
 * @param {number[]} indices
 * @param {State} state
 */
function markTarget(marker, indices, state) {
  const { observation, preview: pointed, held, doc, sentence, dependence } = state;
  const read = reading(state);
  const weights = dependence ? dependence.observation === observation && dependence.input : read?.side === 'target' && read.weights;
  const step = read && read.ref.kind !== 'encoderSelf' ? read.row : state.step;
  const marked = state.stepChosen || pointed.token?.side === 'target' || pointed.cell !== null || held.cell !== null;
  const over = pointed.token?.side === 'target' ? pointed.token.index : -1;
  const later = state.stepChosen && state.mode === 'translating' ? state.step : Infinity;
  const here = observation?.final === true && observation.source === doc.sentences[sentence]?.source;
  // A step that nobody chose is marked quietly.
  const current = marked ? MARKS.current : MARKS.held;
  marker.mark(
    (i) => (here ? (indices[i] === step ? current : 0) | (indices[i] > later ? MARKS.later : 0) | (indices[i] === over ? MARKS.pointed : 0) : 0),
    // Column c of the masked attention is the piece that was predicted one step earlier.
    (i) => (here && weights && weights[indices[i] + 1]) || 0,
  );
}
