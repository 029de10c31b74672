/** The Arithmetic tab: how one attention weight comes about, from the vectors that come in to what leaves the layer. */

/** @import { State, AttentionKind, HeadRef, Observation } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
/** @import { TabContext } from '../list.js' */
/** @import { Context, Step } from './steps.js' */
import { ATTENTION_NAMES, stackOf } from '../../app/maps.js';
import { el, setText } from '../../ui/dom.js';
import { queriesOf } from '../../app/queries.js';
import { arithmeticCell, axes, rowName } from '../../app/select.js';
import { holdWeight } from '../../app/hold.js';
import { setArithmeticStep } from '../../app/settings.js';
import { addNorm, feedForward, output, weighted } from './block.js';
import { mountFlow } from './flow.js';
import { masking, product, projections, scaling, softmax } from './steps.js';
import { mountSwitches } from './switches.js';
import { mountWhyScale } from './scaling.js';

/**
 * @param {HTMLElement} panel
 * @param {TabContext} context
 */
export function mount(panel, { store, engine }) {
  const queries = queriesOf(store, engine);
  const title = el('h2');
  const says = el('p', { class: 'says', id: 'arithmetic-says' });
  const chooser = mountChooser(store);
  const switches = mountSwitches(store, queries);
  const steps = [projections(), product(), scaling(), masking(), softmax(), weighted(), output(), addNorm('attention'), feedForward(), addNorm('forward')];
  const list = el('ol', { class: 'sum-steps', id: 'arithmetic-steps' }, ...steps.map((step) => step.node));
  const flow = mountFlow(list, (id) => setArithmeticStep(store, id));
  showOneStep(store, steps, flow.node);
  const why = mountWhyScale(store, queries);
  const body = el('div', { class: 'sum-body' }, flow.node, list);
  panel.append(title, says, chooser.node, switches, body, why);

  store.watch(['observation', 'held', 'preview', 'step', 'layers', 'alignmentHead', 'tab', 'intervention', 'phase'], (state) => {
    if (state.tab === 'arithmetic') queries.arithmetic();
  });
  store.watch(['arithmetic', 'tab', 'phase', 'observation', 'held', 'preview', 'step', 'layers', 'redraw'], (state) => {
    if (state.tab !== 'arithmetic') return;
    const cell = arithmeticCell(state);
    chooser.show(state);
    if (!cell || !state.observation) {
      setText(title, 'The arithmetic of one weight');
      setText(says, 'Translate a sentence to see every weight of its attention computed here, number by number.');
    } else {
      const { rows, cols } = axes(state.observation, cell.kind);
      const input = inputOf(state.observation, cell.kind, cell.query);
      setText(title, `${ATTENTION_NAMES[cell.kind]}, layer ${cell.layer + 1}, head ${cell.head + 1}`);
      const who = cell.kind === 'encoderSelf' ? `“${rows[cell.query]}”` : `Step ${cell.query + 1}, whose input is “${input}” and which predicts “${rows[cell.query]}”,`;
      setText(says, `${who} reads “${cols[cell.key]}”. Below: how this weight is computed, and how it is used. Every number comes from the engine.`);
    }
    body.hidden = !state.arithmetic;
    panel.classList.toggle('waiting', state.phase !== 'ready' || !state.arithmetic);
    const { arithmetic: a, observation, model } = state;
    if (!a || !observation || !model) {
      if (cell && state.phase !== 'ready') setText(says, 'The numbers come from the model, which is still loading.');
      return;
    }
    const { rows, cols, rowSide, colSide } = axes(observation, a.cell.kind);
    // An answer to the sentence before: the next one is on its way.
    if (a.cell.query >= rows.length || a.weights.data.length !== cols.length) return;
    /** @type {Context} */
    const about = {
      query: inputOf(observation, a.cell.kind, a.cell.query),
      key: cols[a.cell.key],
      keys: cols,
      querySide: rowSide,
      keySide: colSide,
      queries: rows.length,
      config: { ...model.config, ...stackOf(model.config, a.cell.kind) },
      choose: (key) => holdWeight(store, { col: key }),
    };
    flow.show(a, about);
    for (const step of steps) step.show(a, about);
  });
  store.watch(['redraw'], () => paintAll(steps));
  new ResizeObserver(() => paintAll(steps)).observe(panel);
}

/**
 * While presenting one step is shown at a time: ArrowUp and ArrowDown go to the one before and the next.
 * @param {Store} store
 * @param {Step[]} steps
 * @param {HTMLElement} flow
 */
function showOneStep(store, steps, flow) {
  const ids = steps.map(({ node }) => node.id.replace('step-', ''));
  store.watch(['arithmeticStep', 'layout'], ({ arithmeticStep, layout }) => {
    steps.forEach(({ node }, i) => node.classList.toggle('shown', ids[i] === arithmeticStep));
    for (const box of flow.querySelectorAll('[aria-current]')) box.removeAttribute('aria-current');
    if (layout === 'present') flow.querySelector(`[data-step="${arithmeticStep}"]`)?.setAttribute('aria-current', 'step');
    paintAll(steps);
  });
  addEventListener(
    'keydown',
    (event) => {
      const { layout, tab, presented, arithmeticStep } = store.get();
      const along = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      if (along === 0 || layout !== 'present' || tab !== 'arithmetic' || presented === 'figure') return;
      if (/** @type {Element} */ (event.target).closest('input, textarea, select, dialog[open]')) return;
      event.preventDefault();
      setArithmeticStep(store, ids[Math.max(0, Math.min(ids.length - 1, ids.indexOf(arithmeticStep) + along))]);
    },
    // Before the key of the lecture, which would go to another step of the decoder.
    true,
  );
}

/**
 * The piece whose vector asks: a decoder row's is the piece before the one that it predicts (shifted right, §3.1).
 * @param {Observation} observation
 * @param {AttentionKind} kind
 * @param {number} row
 */
const inputOf = (observation, kind, row) => rowName(observation, kind, row).split(' → ')[0];

/** @param {Step[]} steps */
function paintAll(steps) {
  for (const step of steps) step.paint?.();
}

/** Which attention, layer, head, query and key: for those who come without the figure. @param {Store} store */
function mountChooser(store) {
  /** @param {string} label @param {(value: string) => void} choose */
  const field = (label, choose) => {
    const select = el('select', { onchange: () => choose(select.value) });
    return { select, node: el('label', { class: 'field-label' }, el('span', { text: label }), select) };
  };
  const now = () => arithmeticCell(store.get());
  const ref = (/** @type {Partial<HeadRef>} */ change) => {
    const cell = now();
    if (cell) holdWeight(store, { head: { kind: cell.kind, layer: cell.layer, head: cell.head, ...change } });
  };
  const kind = field('Attention', (value) => ref({ kind: /** @type {AttentionKind} */ (value) }));
  const layer = field('Layer', (value) => ref({ layer: Number(value) }));
  const head = field('Head', (value) => ref({ head: Number(value) }));
  const query = field('Query', (value) => holdWeight(store, { row: Number(value) }));
  const key = field('Key', (value) => holdWeight(store, { col: Number(value) }));
  const node = el('div', { class: 'chooser', role: 'group', 'aria-label': 'Which weight' }, kind.node, layer.node, head.node, query.node, key.node);

  /**
   * @param {HTMLSelectElement} select
   * @param {string[]} labels
   * @param {number} chosen
   * @param {string[]} [values]
   */
  const fill = (select, labels, chosen, values) => {
    const wanted = labels.join('\n');
    if (select.dataset.labels !== wanted) {
      select.dataset.labels = wanted;
      select.replaceChildren(...labels.map((text, i) => el('option', { value: values?.[i] ?? String(i), text })));
    }
    select.selectedIndex = chosen;
  };
  const numbers = (/** @type {number} */ count) => Array.from({ length: count }, (_, i) => String(i + 1));
  return {
    node,
    /** @param {State} state */
    show(state) {
      const cell = arithmeticCell(state);
      node.hidden = !cell;
      if (!cell || !state.observation || !state.model) return;
      const { layers, nHeads } = stackOf(state.model.config, cell.kind);
      const { rows, cols } = axes(state.observation, cell.kind);
      const kinds = /** @type {AttentionKind[]} */ (Object.keys(ATTENTION_NAMES));
      fill(kind.select, ['Encoder self', 'Masked decoder self', 'Encoder–decoder'], kinds.indexOf(cell.kind), kinds);
      fill(layer.select, numbers(layers), cell.layer);
      fill(head.select, numbers(nHeads), cell.head);
      fill(query.select, rows.map((_, i) => `${i + 1} ${rowName(/** @type {Observation} */ (state.observation), cell.kind, i)}`), cell.query);
      fill(key.select, cols.map((text, i) => `${i + 1} ${text}`), cell.key);
    },
  };
}
