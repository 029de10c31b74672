/** The step control: first, previous, play, next, last; time is visible, and every view shows the same step t. */

/** @import { State, Observation } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
import { byId, el, segmented } from '../../ui/dom.js';
import { once, sayMissing } from '../../ui/part.js';
import { transport } from '../../ui/transport.js';
import { pause, play, setStep } from '../../app/hold.js';
import { setMode, toggleAllLayers } from '../../app/settings.js';
import { shownStep, stepCount } from '../../app/select.js';
import { START_LABEL, pieceLabel } from '../../app/maps.js';

/** @param {Store} store */
export function mountSteps(store) {
  const bar = byId('steps');
  const player = transport({
    id: 'step',
    label: 'Steps',
    names: { first: 'First step', previous: 'Previous step', next: 'Next step', last: 'Last step' },
    playClass: 'wide-only',
    go: (step) => setStep(store, step, true),
    // In training view nothing follows anything: all rows are computed at once.
    where: () => ({ at: store.get().step, last: stepCount(store.get().observation) - 1, off: store.get().mode === 'training' }),
    onplay: (playing) => (playing ? play : pause)(store),
  });
  const label = el('p', { id: 'step-label', class: 'step-label' });
  const all = el(
    'button',
    { type: 'button', id: 'all-layers', title: 'Show every head of every layer', 'aria-label': 'All layers', onclick: () => toggleAllLayers(store) },
    'All',
    el('span', { class: 'wide-only', text: '\u00a0layers' }),
  );
  const mode = segmented(
    'How the decoder works',
    [
      { value: 'translating', text: 'Translating', title: 'One step at a time: each step reads what the last one predicted' },
      { value: 'training', text: 'Training view', title: 'Teacher forcing: all rows at once under the mask, with the loss of each piece' },
    ],
    (value) => setMode(store, /** @type {State['mode']} */ (value)),
  );
  mode.node.id = 'mode';
  const walk = once(async () => (await import('./walk.js')).mountWalk(store, walkButton));
  const through = () => walk().then(({ toggle }) => toggle(), sayMissing);
  const walkButton = el('button', { type: 'button', id: 'walk-open', title: 'One step box by box, with the shapes', 'aria-label': 'Walk through', 'aria-pressed': 'false', onclick: through }, 'Walk', el('span', { class: 'wide-only', text: '\u00a0through' }));
  bar.append(mode.node, player.node, walkButton, all, label);
  store.watch(['mode'], (state) => mode.show(state.mode));
  store.watch(['allLayers'], ({ allLayers }) => all.setAttribute('aria-pressed', String(allLayers)));
  store.watch(['playing'], ({ playing }) => {
    if (!playing) player.stop();
  });
  store.watch(['observation', 'step', 'mode'], player.refresh);

  /** @type {any[]} what the label was made of */
  let labelled = [];
  store.watch(['observation', 'step', 'preview', 'held', 'mode', 'scored', 'model'], (state) => {
    const { observation, mode: shownMode, scored, model } = state;
    const count = stepCount(observation);
    // The pointer passes over much that lies at the same step.
    const now = [observation, count, shownStep(state), shownMode, scored, model];
    if (now.every((value, i) => value === labelled[i])) return;
    labelled = now;
    label.replaceChildren(...(observation && count > 0 ? labelOf(state, observation, count) : ['no step yet']));
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
  const loss = scored ? [`, loss ${scored.scores[t].loss.toFixed(2)} nats`] : [];
  return [`all ${of} rows at once · row `, el('b', { text: String(t + 1) }), ...reads, ...loss];
}
