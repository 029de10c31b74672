/** The step control: first, previous, playButton, next, last; time is visible, and every view shows the same step t. */

/** @import { State, Observation } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
import { byId, el, icon, segmented, setAttribute, setIdle, setText } from '../../ui/dom.js';
import { goToStep, pause, play, setStep } from '../../app/hold.js';
import { setMode, toggleAllLayers } from '../../app/settings.js';
import { shownStep, stepCount } from '../../app/select.js';
import { START_LABEL, pieceLabel } from '../../app/maps.js';

const PLAY = 'M4 2.5v11l9-5.5z';
const PAUSE = 'M4 3h3v10H4zM9 3h3v10H9z';

/** Milliseconds a step stays while playing. */
const TEMPO = 700;

/** @param {Store} store */
export function mountSteps(store) {
  const bar = byId('steps');
  const button = (/** @type {string} */ id, /** @type {string} */ label, /** @type {string} */ path, /** @type {() => void} */ act) =>
    el('button', { type: 'button', class: 'square', id, 'aria-label': label, title: label, onclick: act }, icon(path));
  const go = (/** @type {number} */ t) => goToStep(store, t);
  const last = () => stepCount(store.get().observation) - 1;

  const first = button('step-first', 'First step', 'M3 3h1.6v10H3zM13 3v10L6 8z', () => go(0));
  const previous = button('step-previous', 'Previous step', 'M11 3v10L4 8z', () => go(store.get().step - 1));
  const playIcon = icon(PLAY);
  const playName = el('span', { class: 'wide-only' });
  const playButton = el('button', { type: 'button', id: 'step-play', onclick: () => (store.get().playing ? pause : play)(store) }, playIcon, playName);
  const next = button('step-next', 'Next step', 'M5 3v10l7-5z', () => go(store.get().step + 1));
  const end = button('step-last', 'Last step', 'M11.4 3H13v10h-1.6zM3 3v10l7-5z', () => go(last()));
  const label = el('p', { id: 'step-label', class: 'step-label' });
  const all = el('button', {
    type: 'button',
    id: 'all-layers',
    title: 'Show every head of every layer',
    'aria-label': 'All layers',
    onclick: () => toggleAllLayers(store),
  });
  all.append('All', el('span', { class: 'wide-only', text: '\u00a0layers' }));
  const mode = segmented(
    'How the decoder works',
    [
      { value: 'translating', text: 'Translating', title: 'One step at a time: each step reads what the last one predicted' },
      { value: 'training', text: 'Training view', title: 'Teacher forcing: all rows at once under the mask, with the loss of each piece' },
    ],
    (value) => setMode(store, /** @type {State['mode']} */ (value)),
  );
  mode.node.id = 'mode';
  bar.append(mode.node, el('div', { class: 'transport' }, first, previous, playButton, next, end), all, label);
  store.watch(['mode'], (state) => mode.show(state.mode));

  store.watch(['allLayers'], ({ allLayers }) => all.setAttribute('aria-pressed', String(allLayers)));
  /** @type {any[]} what the label was made of */
  let said = [];
  store.watch(['observation', 'step', 'playing', 'preview', 'held', 'mode', 'scored', 'model'], (state) => {
    const { observation, step, playing, mode: shownMode, scored, model } = state;
    const count = stepCount(observation);
    const training = shownMode === 'training';
    for (const b of [first, previous]) setIdle(b, count === 0 || step === 0);
    for (const b of [next, end]) setIdle(b, count === 0 || step >= count - 1);
    // In training nothing follows anything: all rows are computed at once.
    playButton.toggleAttribute('disabled', count < 2 || training);
    setText(playName, playing ? 'Pause' : 'Play');
    setAttribute(playButton, 'aria-label', playing ? 'Pause' : 'Play');
    if (playIcon.firstElementChild) setAttribute(playIcon.firstElementChild, 'd', playing ? PAUSE : PLAY);
    // The pointer passes over much that lies at the same step.
    const now = [observation, count, shownStep(state), shownMode, scored, model];
    if (now.every((value, i) => value === said[i])) return;
    said = now;
    label.replaceChildren(...(observation && count > 0 ? labelOf(state, observation, count) : ['no step yet']));
  });

  // One timer while playing; the last step ends it.
  /** @type {number|undefined} */
  let timer;
  store.watch(['playing'], ({ playing }) => {
    clearInterval(timer);
    if (!playing) return;
    timer = window.setInterval(() => {
      if (store.get().step >= last()) pause(store);
      else setStep(store, store.get().step + 1, true);
    }, TEMPO);
  });
}

/**
 * *step 9 of 14 · reads weil → predicts es*; in training view with the piece's loss, and how many rows there are at once.
 * @param {State} state
 * @param {Observation} observation
 * @param {number} count
 * @returns {(Node|string)[]}
 */
function labelOf(state, observation, count) {
  const t = shownStep(state);
  const lang = state.model?.targetLanguage;
  const piece = (/** @type {string} */ text) => el('b', { class: 'on-target', text, lang });
  const reads = [' reads ', piece(t === 0 ? START_LABEL : pieceLabel(observation.target[t - 1])), ' → predicts ', piece(pieceLabel(observation.target[t]))];
  const of = observation.final ? observation.target.length : `${count}…`;
  if (state.mode === 'translating') return ['step ', el('b', { text: String(t + 1) }), ` of ${of} ·`, ...reads];
  const scored = state.scored?.observation === observation ? state.scored : null;
  const loss = scored ? [`, loss ${scored.scores[t].loss.toFixed(2)} of mean ${scored.loss.toFixed(2)} nats`] : [];
  return [`all ${of} rows at once · row `, el('b', { text: String(t + 1) }), ...reads, ...loss];
}
