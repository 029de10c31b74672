/** Translation A kept beside translation B of an edited sentence: what differs in text, probability and attention. */

/** @import { State } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
/** @import { Compared, Queries, Pinned } from '../../app/queries.js' */
/** @import { Actions } from './alternatives.js' */
import { ATTENTION_NAMES } from '../../app/maps.js';
import { observedSentence } from '../../app/queries.js';
import { el, setText } from '../../ui/dom.js';
import { signed } from '../../ui/numbers.js';
import { axes, matrixOf, shownHead, shownRow } from '../../app/select.js';
import { unpin } from '../../app/settings.js';
import { dataTable, tableFlow } from '../../ui/table.js';
import { markDifference } from '../../ui/word-diff.js';

/** The paper's successors' favourite: one word decides what “it” is. */
const PAIR = ["The animal didn't cross the street because it was too tired.", "The animal didn't cross the street because it was too wide."];

/**
 * @param {Store} store
 * @param {Queries} queries
 * @param {Actions} actions
 */
export function mountCompare(store, queries, actions) {
  /** @type {string|null} the second sentence of the pair, while the first is being translated */
  let follows = null;
  const pin = el('button', { type: 'button', id: 'pin', text: 'Pin as A', onclick: () => queries.pin() });
  const drop = el('button', { type: 'button', class: 'plain', text: 'unpin', onclick: () => unpin(store) });
  const example = el('button', {
    type: 'button',
    class: 'plain',
    id: 'tired-wide',
    text: 'Example: too tired / too wide',
    onclick: () => {
      unpin(store);
      follows = PAIR[1];
      actions.typed(PAIR[0]);
    },
  });
  const status = el('p', { class: 'step-says', role: 'status' });
  const [a, b] = [side('A'), side('B')];
  const both = el('div', { class: 'two-sides', hidden: true }, a.node, b.node);
  const crossed = tableFlow('ln P of each translation for each sentence');
  const attention = tableFlow('What the attention reads in both');
  const attentionTitle = el('h3', { class: 'sub' });
  const found = el('div', { hidden: true }, el('h3', { class: 'sub', text: 'ln P of each translation for each sentence' }), crossed, attentionTitle, attention);

  store.watch(['observation', 'doc', 'pinned', 'phase', 'pendingQuery', 'tab', 'steerView'], (state) => {
    const at = observedSentence(state);
    pin.disabled = !at || state.pendingQuery === 'compare';
    const { pinned } = state;
    drop.hidden = !pinned;
    const other = at && pinned && at.source !== pinned.a.source;
    setText(status, !pinned ? 'Pin the sentence on the page, then edit it above: both translations stand beside each other.' : !other ? 'A is pinned. Now edit the sentence above: the edited one is B.' : '');
    if (!at || state.pendingQuery === 'compare') return;
    if (follows && at.source === PAIR[0] && !pinned) queries.pin();
    else if (follows && pinned?.a.source === PAIR[0]) {
      const next = follows;
      follows = null;
      actions.typed(next);
    } else if (other && state.tab === 'alternatives' && state.steerView === 'compare' && pinned.b?.source !== at.source) queries.comparePinned();
  });
  store.watch(['pinned', 'model'], ({ pinned, model }) => {
    both.hidden = !pinned;
    found.hidden = !pinned?.b;
    if (!pinned) return;
    const langs = { source: model?.sourceLanguage ?? '', target: model?.targetLanguage ?? '' };
    a.show(pinned.a, pinned.b, langs);
    b.show(pinned.b, pinned.a, langs);
    crossed.replaceChildren(crossTable(pinned));
  });
  store.watch(['pinned', 'held', 'preview', 'step', 'steerView', 'tab', 'layers'], (state) => {
    if (!state.pinned?.b || state.tab !== 'alternatives' || state.steerView !== 'compare') return;
    setText(attentionTitle, rowTitle(state));
    attention.replaceChildren(...rows(state, state.pinned));
  });
  return el(
    'section',
    { class: 'steer-part', 'aria-label': 'Comparison' },
    el('h2', { text: 'Two sentences, side by side' }),
    el('div', { class: 'settings' }, pin, drop, example),
    status,
    both,
    found,
  );
}

/** @param {string} name */
function side(name) {
  const source = el('p', { class: 'prose-line source-line' });
  const target = el('p', { class: 'prose-line target-line' });
  const node = el('div', { class: 'side' }, el('h3', { text: name }), source, target);
  return {
    node,
    /** @param {Compared|null} own @param {Compared|null} other @param {{source: string, target: string}} langs */
    show(own, other, langs) {
      node.classList.toggle('empty', !own);
      source.lang = langs.source;
      target.lang = langs.target;
      source.replaceChildren(...(own ? markDifference(other?.source ?? own.source, own.source) : ['…']));
      target.replaceChildren(...(own ? markDifference(other?.text ?? own.text, own.text) : []));
    },
  };
}

/** @param {Pinned} pinned */
function crossTable({ a, b, crossed }) {
  const row = (/** @type {string} */ name, /** @type {number[]} */ values, /** @type {number} */ own) => [name, ...values.map((v, i) => el('td', { class: i === own ? 'own' : '', text: signed(v) }))];
  const rows = b && crossed ? [row('for sentence A', [a.logprob, crossed.bForA], 0), row('for sentence B', [crossed.aForB, b.logprob], 1)] : [];
  return dataTable(['', 'translation of A', 'translation of B'], rows, { class: 'numbers', id: 'crossed' });
}

/** @param {State} state */
function rowTitle(state) {
  const ref = shownHead(state);
  return `${ATTENTION_NAMES[ref.kind]}, layer ${ref.layer + 1}, head ${ref.head + 1}: the same row in both`;
}

/**
 * The shown row in A and in B, weight beside weight.
 * @param {State} state
 * @param {Pinned} pinned
 */
function rows(state, { a, b }) {
  if (!b) return [];
  const ref = shownHead(state);
  const row = shownRow(state);
  const pair = [a, b].map((kept) => {
    const observation = { sentence: 0, source: kept.sourcePieces, target: kept.target, steps: [], trace: kept.trace, final: true };
    const matrix = matrixOf(observation, ref);
    const names = axes(observation, ref.kind);
    return matrix && row < matrix.rows ? { weights: matrix.data.subarray(row * matrix.cols, (row + 1) * matrix.cols), names, asks: names.rows[row] } : null;
  });
  const longest = Math.max(...pair.map((t) => t?.weights.length ?? 0));
  const cells = (/** @type {number} */ j) =>
    pair.flatMap((t) => {
      if (!t || j >= t.weights.length) return [el('td'), el('td')];
      const fill = el('span', { class: 'weight-fill' });
      fill.style.setProperty('--p', String(t.weights[j]));
      return [el('td', { class: `name ${t.names.colSide}-word`, text: t.names.cols[j] }), el('td', { class: 'bar-cell' }, fill, el('span', { text: signed(t.weights[j], 3) }))];
    });
  const head = pair.map((side, i) => el('th', { scope: 'colgroup', colspan: '2', text: `${'AB'[i]}: “${side?.asks ?? '…'}” reads` }));
  return [dataTable(head, Array.from({ length: longest }, (_, j) => cells(j)), { class: 'softmax-row pair', id: 'pair-rows' })];
}
