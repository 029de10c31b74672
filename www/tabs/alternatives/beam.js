/** The beam: the search's tree as it grows and is pruned, its two settings, and the n best translations. */

/** @import { Store, State } from '../../app/state.js' */
/** @import { Asking, Tree } from '../../app/queries.js' */
/** @import { Actions } from './alternatives.js' */
import { askable } from '../../app/queries.js';
import { el, icon, setIdle, setText } from '../../ui/dom.js';
import { pathTo } from '../../draw/beam-tree.js';
import { math } from '../../ui/math.js';
import { signed } from '../../ui/numbers.js';
import { RANGES } from '../../app/state.js';
import { mountTree } from './beam-tree.js';
import { term } from '../../page/glossary/glossary.js';
import { marked } from './result.js';

/** Milliseconds for a step while the tree plays. */
const PACE = 700;

/**
 * @param {Store} store
 * @param {Asking} asking
 * @param {Actions} actions
 */
export function mountBeam(store, asking, actions) {
  const beam = slider(store, actions, 'beam', 'Beam size');
  const alpha = slider(store, actions, 'alpha', 'Length penalty α');
  const tree = mountTree();
  const list = el('ol', { class: 'n-best', id: 'n-best' });
  const label = el('p', { class: 'tree-step', id: 'tree-step' });
  const controls = growth((to) => show(to), () => ({ at: upTo(), last: last() }));

  /** Up to which step the tree is shown; Infinity follows its end. */
  let shown = Infinity;
  /** @type {number|null} last node of the translation pointed at in the list */
  let pointed = null;
  const last = () => (store.get().tree?.nodes ?? []).reduce((most, node) => Math.max(most, node.step), 0);
  const upTo = () => Math.min(shown, last());
  const show = (/** @type {number} */ step) => {
    shown = step >= last() ? Infinity : Math.max(0, step);
    render(store.get());
  };

  /** @param {State} state */
  function render(state) {
    const { tree: found } = state;
    if (state.tab !== 'alternatives' || state.steer !== 'beam') return;
    tree.node.hidden = controls.node.hidden = !found;
    if (!found) return;
    const best = found.nBest[0]?.node ?? null;
    tree.show(found.nodes, upTo(), pathTo(found.nodes, pointed ?? best), state.model?.targetLanguage ?? '');
    setText(label, stepText(found, upTo()));
    controls.refresh();
  }
  /** @type {string} */
  let asked = '';
  store.watch(['tab', 'steer', 'observation', 'doc', 'beam', 'alpha', 'phase', 'text'], (state) => {
    if (state.tab !== 'alternatives' || state.steer !== 'beam') return;
    const at = askable(state);
    const question = at ? JSON.stringify([at.source, state.beam, state.alpha]) : '';
    if (!at || question === asked) return;
    asked = question;
    shown = Infinity;
    asking.searchTree();
  });
  store.watch(['tree', 'tab', 'steer', 'look'], render);
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
            { type: 'button', onpointerenter: point(true), onpointerleave: point(false), onfocus: point(true), onblur: point(false), onclick: () => actions.present({ what: `number ${i + 1} of the beam`, text: hypothesis.text, target: hypothesis.target }), title: 'Show this one on the page' },
            el('span', { class: 'score', text: signed(hypothesis.score, 3) }),
            el('span', { class: 'prose-line' }, ...(best && i > 0 ? marked(best.text, hypothesis.text) : [hypothesis.text])),
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
    el('p', { class: 'says short' }, 'At every step the search keeps the best few beginnings and drops the rest. They are compared by ', math('log P / ((5 + length) / 6)^{α}'), ': the ', term('penalty', 'length penalty'), ' keeps short ones from winning for being short (§6.1).'),
    el('div', { class: 'settings' }, beam, alpha),
    controls.node,
    label,
    tree.node,
    el('h3', { class: 'sub', text: 'The n best' }),
    list,
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

/**
 * @param {Store} store
 * @param {Actions} actions
 * @param {'beam'|'alpha'} key
 * @param {string} name
 */
function slider(store, actions, key, name) {
  const [min, max, step] = RANGES[key];
  const value = el('output', { class: 'range-value', for: `set-${key}` });
  const input = el('input', {
    type: 'range',
    id: `set-${key}`,
    min: String(min),
    max: String(max),
    step: String(step),
    oninput: () => {
      store.set({ [key]: Number(input.value) });
      // The page's own translation is found by the same search.
      actions.typed(store.get().text);
    },
  });
  store.watch([key], (state) => {
    input.value = String(state[key]);
    setText(value, String(state[key]));
  });
  return el('div', { class: 'setting' }, el('label', { class: 'setting-name', for: `set-${key}`, text: name }), input, value);
}

/**
 * Buttons that let the tree grow step by step.
 * @param {(to: number) => void} show
 * @param {() => {at: number, last: number}} where
 */
function growth(show, where) {
  let timer = 0;
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    setText(word, 'Grow');
  };
  const word = el('span', { text: 'Grow' });
  const button = (/** @type {string} */ id, /** @type {string} */ label, /** @type {string} */ path, /** @type {() => void} */ act) =>
    el('button', { type: 'button', class: 'square', id, 'aria-label': label, title: label, onclick: () => (stop(), act()) }, icon(path));
  const play = el('button', {
    type: 'button',
    id: 'tree-play',
    onclick: () => {
      if (timer) return stop();
      setText(word, 'Pause');
      show(where().at >= where().last ? 0 : where().at + 1);
      timer = window.setInterval(() => {
        const { at, last } = where();
        if (at >= last) return stop();
        show(at + 1);
      }, PACE);
    },
  }, icon('M4 2.5v11l9-5.5z'), word);
  const buttons = [
    button('tree-first', 'First step of the tree', 'M2 2h2v12H2zM14 2v12L5 8z', () => show(0)),
    button('tree-previous', 'Previous step of the tree', 'M12 2v12L3 8z', () => show(where().at - 1)),
    play,
    button('tree-next', 'Next step of the tree', 'M4 2v12l9-6z', () => show(where().at + 1)),
    button('tree-last', 'Whole tree', 'M12 2h2v12h-2zM2 2v12l9-6z', () => show(Infinity)),
  ];
  return {
    node: el('div', { class: 'tree-controls', role: 'group', 'aria-label': 'Growth of the tree' }, ...buttons),
    refresh() {
      const { at, last } = where();
      for (const button of buttons.slice(0, 2)) setIdle(button, at === 0);
      for (const button of buttons.slice(3)) setIdle(button, at === last);
    },
  };
}
