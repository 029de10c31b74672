/** Heads off, uniform or alone: the new translation beside the old one. */

/** @import { State, AttentionKind, HeadRef } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
/** @import { Queries } from '../../app/queries.js' */
/** @import { Actions } from './alternatives.js' */
/** @import * as P from '../../engine/protocol' */
import { roleOf } from '../../app/roles.js';
import { ATTENTION_NAMES, stackOf } from '../../app/maps.js';
import { changesHead, comparedOf, headChangesText } from '../../app/interventions.js';
import { observedSentence } from '../../app/queries.js';
import { comparisonCard } from '../../ui/comparison.js';
import { el, onceDrawn, rove, segmented, setText } from '../../ui/dom.js';
import { clearHeadToFocus, setHeadChanges } from '../../app/settings.js';

/** @typedef {'off'|'uniform'|'only'} Change */
const MARKS = { off: '✕', uniform: '≡', only: '◎' };
const WORDS = { off: 'off', uniform: 'uniform', only: 'the only one' };

/**
 * @param {Store} store
 * @param {Queries} queries
 * @param {Actions} actions
 */
export function mountHeadSwitches(store, queries, actions) {
  /** @type {Change} what a click does */
  let tool = 'off';
  const tools = segmented(
    'A click makes a head',
    [
      { value: 'off', text: '✕ off', title: 'it adds nothing to the output' },
      { value: 'uniform', text: '≡ uniform', title: 'the same weight for every key that it may see' },
      { value: 'only', text: '◎ only this one', title: 'the other heads of its attention are off' },
    ],
    (value) => {
      tool = /** @type {Change} */ (value);
      tools.show(tool);
    },
  );
  tools.show(tool);
  const grid = el('div', { class: 'head-grid' });
  const status = el('p', { class: 'intervened', role: 'status' });
  const clear = el('button', { type: 'button', class: 'plain', text: 'all as trained', onclick: () => reset() });
  const bar = el('div', { class: 'intervened-bar', hidden: true }, status, clear);
  const card = comparisonCard(() => {
    const { interventionResult } = store.get();
    if (interventionResult) actions.present(interventionResult);
  });

  /** @param {P.HeadChange[]} headChanges */
  const set = (headChanges) => setHeadChanges(store, headChanges);
  const reset = () => {
    // The button goes with the changes.
    /** @type {HTMLElement|null} */ (grid.querySelector('.head-switch[tabindex="0"]'))?.focus();
    set([]);
  };
  /** @param {HeadRef} ref */
  const toggle = (ref) => {
    const { headChanges } = store.get();
    const now = stateOf(headChanges, ref);
    const others = headChanges.filter((c) => !changesHead(c, ref) && !(tool === 'only' && c.change === 'only' && c.kind === ref.kind && c.layer === ref.layer));
    set(now === tool ? others : [...others, { ...ref, change: tool }]);
  };
  /** @param {AttentionKind} kind @param {number} layer @param {number} count */
  const toggleLayer = (kind, layer, count) => {
    const { headChanges } = store.get();
    const whole = Array.from({ length: count }, (_, head) => ({ kind, layer, head }));
    const off = whole.every((ref) => stateOf(headChanges, ref) === 'off');
    const others = headChanges.filter((c) => !(c.kind === kind && c.layer === layer));
    set(off ? others : [...others, ...whole.map((ref) => ({ ...ref, change: /** @type {const} */ ('off') }))]);
  };

  store.watch(['model'], ({ model }) => {
    if (!model) return;
    const { encoderLayers, decoderLayers, decoder } = model.config;
    grid.style.setProperty('--heads', String(Math.max(model.config.nHeads, decoder.nHeads)));
    grid.replaceChildren(
      ...layerRows(encoderLayers, decoderLayers).map(({ kind, layer, first }) => {
        const { nHeads } = stackOf(model.config, kind);
        const heads = Array.from({ length: nHeads }, (_, head) => {
          const role = roleOf(model, { kind, layer, head })?.role;
          return el('button', { type: 'button', class: 'head-switch', tabindex: head === 0 ? '0' : '-1', title: role ? `head ${head + 1}, ${role}` : `head ${head + 1}`, data: { kind, layer, head }, onclick: () => toggle({ kind, layer, head }) });
        });
        const row = el('div', { class: 'head-row', role: 'group', 'aria-label': `${ATTENTION_NAMES[kind]}, layer ${layer + 1}` }, el('span', { class: 'row-number', text: String(layer + 1) }), ...heads, el('button', { type: 'button', class: 'plain whole', text: 'all off', onclick: () => toggleLayer(kind, layer, nHeads), 'aria-label': `all off: heads of layer ${layer + 1}` }));
        rove(row, () => heads);
        return el('div', {}, first && el('h3', { class: 'grid-title', text: ATTENTION_NAMES[kind] }), row);
      }),
    );
    mark(store.get());
  });

  /** @param {State} state */
  function mark({ headChanges }) {
    for (const node of grid.querySelectorAll('.head-switch')) {
      const { kind, layer, head } = /** @type {HTMLElement} */ (node).dataset;
      const change = stateOf(headChanges, { kind: /** @type {AttentionKind} */ (kind), layer: Number(layer), head: Number(head) });
      setText(node, change === 'on' || change === 'silent' ? String(Number(head) + 1) : MARKS[change]);
      node.setAttribute('aria-label', `head ${Number(head) + 1}: ${change === 'on' ? 'as trained' : change === 'silent' ? 'off, another one is alone' : WORDS[change]}`);
      node.setAttribute('aria-pressed', String(change !== 'on' && change !== 'silent'));
      /** @type {HTMLElement} */ (node).dataset.change = change;
    }
  }
  store.watch(['headChanges'], (state) => {
    mark(state);
    bar.hidden = state.headChanges.length === 0;
  });
  store.watch(['headToFocus', 'model', 'tab', 'steerView'], ({ headToFocus: head, tab, steerView }) => {
    if (!head || tab !== 'alternatives' || steerView !== 'heads') return;
    // Once the panel is shown: what is hidden takes no focus.
    onceDrawn(() => {
      const button = /** @type {HTMLElement|null} */ (grid.querySelector(`[data-kind="${head.kind}"][data-layer="${head.layer}"][data-head="${head.head}"]`));
      if (!button?.offsetParent) return;
      clearHeadToFocus(store);
      button.focus();
    });
  });
  store.watch(['headChanges', 'pendingQuery'], ({ headChanges, pendingQuery: busy }) => {
    setText(status, `${busy === 'heads' ? 'Translating with' : 'Intervention on a model trained otherwise:'} ${headChangesText(headChanges)}.`);
  });
  /** @type {string} the last request: one that failed is not repeated */
  let asked = '';
  store.watch(['headChanges', 'observation', 'steerView', 'tab', 'phase', 'beam', 'alpha'], (state) => {
    if (state.tab !== 'alternatives' || state.steerView !== 'heads') return;
    const at = observedSentence(state);
    const question = at && state.headChanges.length ? JSON.stringify([at.source, at.own.text, state.headChanges, state.beam, state.alpha]) : '';
    if (!question || (question === asked && state.interventionResult)) return;
    asked = question;
    queries.intervene('heads', headChangesText(state.headChanges));
  });
  store.watch(['interventionResult', 'tab'], (state) => card.show(comparedOf(state, state.interventionResult?.from === 'heads' ? state.interventionResult : null)));

  return el(
    'section',
    { class: 'steer-part', 'aria-label': 'Heads off' },
    el('h2', { text: 'What does a head do for this sentence?' }),
    el('p', { class: 'says short', text: 'Change a head and see how the translation changes. The model was not trained without it, so what is lost is more than what the head does.' }),
    el('div', { class: 'settings' }, tools.node),
    grid,
    bar,
    card.node,
  );
}

/**
 * @param {number} encoderLayers
 * @param {number} decoderLayers
 * @returns {{kind: AttentionKind, layer: number, first: boolean}[]}
 */
function layerRows(encoderLayers, decoderLayers) {
  const of = (/** @type {AttentionKind} */ kind, /** @type {number} */ layers) => Array.from({ length: layers }, (_, layer) => ({ kind, layer, first: layer === 0 }));
  return [...of('encoderSelf', encoderLayers), ...of('decoderSelf', decoderLayers), ...of('cross', decoderLayers)];
}

/**
 * @param {P.HeadChange[]} changes
 * @param {HeadRef} ref
 * @returns {Change|'silent'|'on'} `silent`: another head of its attention is the only one
 */
function stateOf(changes, ref) {
  const own = changes.find((c) => changesHead(c, ref));
  if (own) return /** @type {Change} */ (own.change);
  return changes.some((c) => c.change === 'only' && c.kind === ref.kind && c.layer === ref.layer) ? 'silent' : 'on';
}
