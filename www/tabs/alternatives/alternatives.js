/** The Alternatives & beam tab: what else could have been said. Six views; this file has the first, the alternatives of a step. */

/** @import { State } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
/** @import { Queries } from '../../app/queries.js' */
/** @import { TabContext } from '../list.js' */
import { pieceLabel } from '../../app/maps.js';
import { comparisonCard } from '../../ui/comparison.js';
import { formatWeight } from '../../ui/numbers.js';
import { holdToken, preview } from '../../app/hold.js';
import { comparedOf } from '../../app/interventions.js';
import { observedSentence, queriesOf } from '../../app/queries.js';
import { byId, el, rove, segmented, setAttribute, setProperty, setText } from '../../ui/dom.js';
import { shownStep } from '../../app/select.js';
import { mountBeam } from './beam.js';
import { mountCompare } from './compare.js';
import { mountHeadSwitches } from './heads.js';
import { mountSampling } from './sampling.js';
import { mountOwnTarget } from './target.js';
import { removeOutdated, setSteerView } from '../../app/settings.js';

/** @typedef {{typed: (text: string) => void, present: (shown: import('../../app/queries.js').Variant|null) => void}} Actions what the page can be made to show */

/**
 * @param {HTMLElement} panel
 * @param {TabContext} context
 */
export function mount(panel, { store, engine, observer, session }) {
  const queries = queriesOf(store, engine);
  const actions = { typed: session.typed, present: observer.present };
  const views = segmented(
    'What to steer',
    [
      { value: 'alternatives', text: 'Alternatives' },
      { value: 'target', text: 'Own target' },
      { value: 'heads', text: 'Heads off' },
      { value: 'compare', text: 'A | B' },
      { value: 'beam', text: 'Beam' },
      { value: 'sampling', text: 'Sampling' },
    ],
    (value) => setSteerView(store, /** @type {State['steerView']} */ (value)),
  );
  views.node.classList.add('steer-views');
  const parts = {
    alternatives: alternatives(store, queries, actions),
    target: mountOwnTarget(store, queries, actions),
    heads: mountHeadSwitches(store, queries, actions),
    compare: mountCompare(store, queries, actions),
    beam: mountBeam(store, queries, actions),
    sampling: mountSampling(store, engine, actions),
  };
  const waits = el('p', { class: 'says', id: 'steer-waits' });
  const instead = el('span');
  const back = () => {
    // The button goes with what it says.
    byId('tab-alternatives').focus();
    actions.present(null);
  };
  const variant = el('p', { class: 'variant', hidden: true }, instead, el('button', { type: 'button', class: 'plain', id: 'variant-back', text: 'back to the model’s own', onclick: () => back() }));
  store.watch(['variant'], ({ variant: shown }) => {
    variant.hidden = !shown;
    setText(instead, shown ? `The page shows another translation: ${shown.what}.` : '');
  });
  panel.append(views.node, variant, waits, ...Object.entries(parts).map(([name, part]) => (part.dataset.steer = name, part)));
  store.watch(['steerView', 'phase', 'observation', 'doc', 'text'], (state) => {
    views.show(state.steerView);
    setProperty(waits, 'hidden', observedSentence(state) !== null);
    setText(waits, state.phase === 'ready' && !state.text.trim() ? 'These views need a text. They open once a sentence is typed and translated.' : 'These views need the model. They open once it is loaded and the sentence is translated.');
    for (const [name, part] of Object.entries(parts)) setProperty(part, 'hidden', name !== state.steerView);
  });
  // What was found for another sentence or search says nothing about this one.
  store.watch(['observation', 'doc'], (state) => {
    const source = state.observation ? observedSentence(state)?.source : '';
    if (source !== undefined) removeOutdated(store, source);
  });
}

/**
 * @param {Store} store
 * @param {Queries} queries
 * @param {Actions} actions
 */
function alternatives(store, queries, actions) {
  const says = el('p', { class: 'says short', id: 'alternatives-says' });
  const row = el('div', { class: 'piece-row', role: 'group', 'aria-label': 'Pieces of the translation; arrow keys move, Enter holds' });
  const list = el('ol', { class: 'choices', id: 'choices' });
  const card = comparisonCard(() => {
    const { branch } = store.get();
    if (branch) actions.present({ ...branch, what: `with “${pieceLabel({ text: branch.what })}” at step ${(branch.step ?? 0) + 1}` });
  });
  const chosen = el('p', { class: 'chosen-note', role: 'status' });
  rove(row, () => /** @type {HTMLElement[]} */ (Array.from(row.children)));
  rove(list, () => /** @type {HTMLElement[]} */ (Array.from(list.querySelectorAll('button'))), 'down');
  const indexOf = (/** @type {Event} */ event) => {
    const piece = /** @type {HTMLElement} */ (event.target).closest?.('.step-piece');
    return piece ? Number(/** @type {HTMLElement} */ (piece).dataset.index) : null;
  };
  const point = (/** @type {Event} */ event) => {
    const index = indexOf(event);
    preview(store, index === null ? null : { token: { side: 'target', index } });
  };
  row.addEventListener('pointerover', point);
  row.addEventListener('pointerleave', () => preview(store, null));
  row.addEventListener('focusin', point);
  row.addEventListener('focusout', () => preview(store, null));
  row.addEventListener('click', (event) => {
    const index = indexOf(event);
    if (index !== null) holdToken(store, { side: 'target', index });
  });

  store.watch(['observation', 'step', 'preview', 'tab', 'steerView', 'phase', 'pendingQuery', 'text', 'doc'], (state) => {
    if (state.tab !== 'alternatives' || state.steerView !== 'alternatives') return;
    const { observation } = state;
    const step = shownStep(state);
    const target = observation?.target ?? [];
    const labels = target.map(pieceLabel);
    for (const node of [row, list]) setProperty(node, 'lang', state.model?.targetLanguage ?? '');
    if (row.dataset.labels !== labels.join('\n')) {
      row.dataset.labels = labels.join('\n');
      row.replaceChildren(...labels.map((text, index) => el('button', { type: 'button', class: 'step-piece piece', text, tabindex: '-1', data: { side: 'target', index } })));
    }
    Array.from(row.children, (node, i) => {
      /** @type {HTMLElement} */ (node).tabIndex = i === state.step ? 0 : -1;
      node.classList.toggle('shown', i === step);
      setAttribute(node, 'aria-pressed', String(i === step));
    });
    setText(says, target.length ? `At step ${step + 1} the decoder said “${labels[step]}”. These pieces were the most probable; choose another, and decoding goes on from there.` : 'Translate a sentence to see the alternatives of each piece here.');
    const able = observedSentence(state) !== null && state.pendingQuery === null;
    const held = state.preview.token ? null : document.activeElement;
    const focus = held instanceof HTMLElement && list.contains(held) ? held.dataset.id : null;
    list.replaceChildren(
      ...(observation?.steps[step]?.pieces ?? []).map((piece, i) => choice(piece, i === 0, piece.id === target[step]?.id, able, () => queries.choose(step, piece))),
    );
    if (focus) /** @type {HTMLElement|null} */ (list.querySelector(`[data-id="${focus}"]`))?.focus();
  });
  store.watch(['branch'], (state) => {
    const { branch } = state;
    card.show(comparedOf(state, branch));
    setProperty(chosen, 'hidden', !branch);
    if (branch) chosen.replaceChildren(`step ${(branch.step ?? 0) + 1}: `, el('b', { text: pieceLabel({ text: branch.what }) }), ' chosen instead');
  });
  return el('section', { class: 'steer-part', 'aria-label': 'Alternatives' }, el('h2', { text: 'What else could it have said?' }), says, row, list, chosen, card.node);
}

/**
 * @param {{id: number, text: string, probability: number}} piece
 * @param {boolean} first
 * @param {boolean} said by the translation on the page
 * @param {boolean} able
 * @param {() => void} choose
 */
function choice(piece, first, said, able, choose) {
  const fill = el('span', { class: 'fill' });
  fill.style.setProperty('--p', String(piece.probability));
  // Never `disabled`: the list is one tab stop whose first piece is mostly the one that was said, and the focus stays on a
  // piece while its translation is on its way.
  const button = el(
    'button',
    { type: 'button', class: said ? 'choice said' : 'choice', tabindex: first ? '0' : '-1', 'aria-disabled': able && !said ? null : 'true', data: { id: piece.id }, onclick: () => able && !said && choose() },
    el('span', { class: 'name', text: pieceLabel(piece) }),
    el('span', { class: 'track' }, fill),
    el('span', { class: 'value', text: formatWeight(piece.probability) }),
    el('span', { class: 'go', text: said ? 'said' : 'go on from here' }),
  );
  return el('li', {}, button);
}
