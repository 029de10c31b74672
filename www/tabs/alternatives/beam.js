/** The beam: the search's tree as it grows and is pruned, its two settings, and the n best translations. */

/** @import { State } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
/** @import { Queries, Tree } from '../../app/queries.js' */
/** @import { Actions } from './alternatives.js' */
import { observedSentence } from '../../app/queries.js';
import { el, setText } from '../../ui/dom.js';
import { pathTo } from '../../draw/beam-tree.js';
import { math } from '../../ui/math.js';
import { transport } from '../../ui/transport.js';
import { signed } from '../../ui/numbers.js';
import { mountTree } from './beam-tree.js';
import { slider } from './slider.js';
import { term } from '../../ui/term.js';
import { markDifference } from '../../ui/word-diff.js';

/**
 * @param {Store} store
 * @param {Queries} queries
 * @param {Actions} actions
 */
export function mountBeam(store, queries, actions) {
  // The page's own translation is found by the same search.
  const translateAgain = () => actions.typed(store.get().text);
  const beam = slider(store, 'beam', 'Beam size', translateAgain);
  const alpha = slider(store, 'alpha', 'Length penalty α', translateAgain);
  // A model of `transformers` is scored as its folder defines.
  store.watch(['model'], ({ model }) => {
    alpha.hidden = model?.search?.scoring?.kind === 'hf';
  });
  /** Up to which step the tree is shown; Infinity follows its end. */
  let shown = Infinity;
  /** @type {number|null} last node of the translation pointed at in the list */
  let pointed = null;
  const tree = mountTree();
  const list = el('ol', { class: 'n-best', id: 'n-best' });
  const label = el('p', { class: 'tree-step', id: 'tree-step' });
  const last = () => (store.get().tree?.nodes ?? []).reduce((most, node) => Math.max(most, node.step), 0);
  const upTo = () => Math.min(shown, last());
  const controls = transport({
    id: 'tree',
    label: 'Growth of the tree',
    play: 'Grow',
    names: { first: 'First step of the tree', previous: 'Previous step of the tree', next: 'Next step of the tree', last: 'Whole tree' },
    go: (step) => show(step),
    where: () => ({ at: upTo(), last: last() }),
  });
  const result = el('div', { hidden: true }, controls.node, label, tree.node, el('h3', { class: 'sub', text: 'The n best' }), list);
  const show = (/** @type {number} */ step) => {
    shown = step >= last() ? Infinity : Math.max(0, step);
    render(store.get());
  };

  /** @param {State} state */
  function render(state) {
    const { tree: found } = state;
    if (state.tab !== 'alternatives' || state.steerView !== 'beam') return;
    if (!found) return;
    const best = found.nBest[0]?.node ?? null;
    tree.show(found.nodes, upTo(), pathTo(found.nodes, pointed ?? best), state.model?.targetLanguage ?? '');
    setText(label, stepText(found, upTo()));
    controls.refresh();
  }
  /** @type {string} */
  let asked = '';
  store.watch(['tab', 'steerView', 'observation', 'doc', 'beam', 'alpha', 'terms', 'phase', 'text'], (state) => {
    if (state.tab !== 'alternatives' || state.steerView !== 'beam') return;
    const at = observedSentence(state);
    if (!at) return;
    const question = JSON.stringify([state.address, at.source, state.beam, state.alpha, state.terms]);
    // A change of model removes the tree, and a change of text leaves it unfinished.
    if (question === asked && (state.tree?.done || state.pendingQuery === 'beam')) return;
    asked = question;
    shown = Infinity;
    queries.searchTree();
  });
  store.watch(['tree', 'observation'], ({ tree: found, observation }) => {
    // An edited text keeps its tree until its own grows: hidden meanwhile, it would move the page under the reader.
    result.hidden = !found || !observation;
  });
  store.watch(['tree', 'tab', 'steerView', 'redraw'], render);
  store.watch(['tree'], ({ tree: found, model }) => {
    const best = found?.nBest[0];
    list.lang = model?.targetLanguage ?? '';
    list.replaceChildren(
      ...(found?.nBest ?? []).map((hypothesis, i) => {
        const point = (/** @type {boolean} */ on) => () => {
          pointed = on ? hypothesis.node : null;
          render(store.get());
        };
        return el(
          'li',
          {},
          el(
            'button',
            { type: 'button', onpointerenter: point(true), onpointerleave: point(false), onfocus: point(true), onblur: point(false), onclick: () => actions.present({ what: `beam ${i + 1}`, text: hypothesis.text, target: hypothesis.target }), title: 'Show this one on the page' },
            el('span', { class: 'score', text: signed(hypothesis.score, 3) }),
            el('span', { class: 'prose-line' }, ...(best && i > 0 ? markDifference(best.text, hypothesis.text) : [hypothesis.text])),
            el('span', { class: 'ln', text: `ln P ${signed(hypothesis.logprob)}, ${hypothesis.target.length} pieces` }),
          ),
        );
      }),
    );
  });
  return el(
    'section',
    { class: 'steer-part', 'aria-label': 'Beam search' },
    el('h2', {}, term('beam', 'Beam search')),
    el('p', { class: 'says short' }, 'At every step the search keeps the best few hypotheses and drops the rest. They are compared by ', math('log P / ((5 + length) / 6)^{α}'), ': the ', term('penalty', 'length penalty'), ' keeps short ones from winning for being short (§6.1).'),
    el('div', { class: 'settings' }, beam, alpha),
    result,
  );
}

/**
 * @param {Tree} tree
 * @param {number} step
 */
function stepText({ nodes, beam }, step) {
  const here = nodes.filter((node) => node.step === step);
  const count = (/** @type {string} */ state) => here.filter((node) => node.state === state).length;
  return `step ${step + 1}: ${here.length} candidates, ${count('open')} kept (beam ${beam}), ${count('pruned')} dropped${count('finished') ? `, ${count('finished')} finished` : ''}`;
}
