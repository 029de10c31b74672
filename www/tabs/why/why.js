/** The tab "Why self-attention" (§4): Table 1 as functions, as graphs, and as measured times of this engine. */

/** @import { TabContext } from '../list.js' */
/** @import * as P from '../../engine/protocol' */
import { el, segmented, setText } from '../../ui/dom.js';
import { drawPaths } from './paths.js';
import { oneAtATime } from '../../app/requests.js';
import { grouped, short } from '../../ui/numbers.js';
import { chartView } from '../../ui/chart.js';
import { math, prose } from '../../ui/math.js';
import { dataTable, tableBox } from '../../ui/table.js';
import { timing } from './timing.js';

/**
 * The layer types: names, and what Table 1 and §4 say of them.
 * @type {Record<P.LayerType, {name: string, look: string, operations: string, sequential: string, path: string}>}
 */
const LAYERS = {
  self_attention: { name: 'self-attention', look: 'solid strong', operations: 'n²·d', sequential: '1', path: '1' },
  recurrent: { name: 'recurrent', look: 'dash', operations: 'n·d²', sequential: 'n', path: 'n' },
  convolutional: { name: 'convolution, dilated', look: 'dot', operations: 'k·n·d²', sequential: '1', path: 'log_k n' },
  restricted_self_attention: { name: 'restricted attention', look: 'pale', operations: 'r·n·d', sequential: '1', path: 'n / r' },
  contiguous_convolutional: { name: 'convolution, contiguous', look: 'pale dash', operations: 'k·n·d²', sequential: '1', path: 'n / k' },
  separable_convolutional: { name: 'convolution, separable', look: 'pale dot', operations: 'k·n·d + n·d²', sequential: '1', path: 'log_k n' },
};

/** What a slider may be set to: round numbers, evenly spaced in the logarithm. */
const STEPS = {
  n: [2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096],
  d: [32, 64, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 4096],
  k: [2, 3, 4, 5, 7, 9, 11, 15, 21, 31],
  r: [2, 4, 8, 16, 32, 64, 128, 256, 512],
};
/** @typedef {keyof typeof STEPS} Variable */
const NAMES = { n: 'sequence length n', d: 'representation dimension d', k: 'kernel size k', r: 'neighbourhood r' };
const POINTS = 49;
/** Positions in the small graphs. */
const GRAPH = 16;

/**
 * @param {HTMLElement} panel
 * @param {TabContext} context
 */
export function mount(panel, { store, engine }) {
  const sizes = { n: 48, d: 256, k: 3, r: 16 };
  const local = { over: /** @type {Variable} */ ('n'), counts: /** @type {'operations'|'total'} */ ('operations') };

  const says = el('p', { class: 'says', id: 'why-says' });
  const sliders = /** @type {Variable[]} */ (['n', 'd', 'k', 'r']).map((name) => sliderFor(name, sizes, () => ask()));
  const presets = el('div', { class: 'settings' });
  const counts = segmented(
    'What is counted',
    [
      { value: 'operations', text: 'as Table 1 counts' },
      { value: 'total', text: 'with the projections' },
    ],
    (value) => {
      local.counts = /** @type {typeof local.counts} */ (value);
      ask();
    },
  );
  const over = segmented(
    'Horizontal axis',
    Object.keys(NAMES).map((name) => ({ value: name, text: name, title: NAMES[/** @type {Variable} */ (name)] })),
    (value) => {
      local.over = /** @type {Variable} */ (value);
      ask();
    },
  );
  const layers = tableBox('Table 1 at these sizes');
  layers.id = 'why-table';
  const projections = el('p', { class: 'says', id: 'why-projections' });
  const log = (/** @type {string} */ label) => ({ label, log: true });
  const operations = chartView({ title: 'Operations per layer', id: 'why-operations', x: log('n'), y: log(''), height: 260 });
  const path = chartView({ title: 'Maximum path length', id: 'why-path', x: log('n'), y: log(''), height: 220 });
  const graphs = el('ul', { class: 'graphs', id: 'why-graphs' });
  const wrong = el('p', { class: 'readout', hidden: true });
  const measured = timing(store, engine);
  panel.append(
    el('h2', { text: 'Why self-attention' }),
    el('p', {
      class: 'says',
      text: 'A layer that maps one sequence to another is judged by three things (§4): how much it computes, how many steps must run one after the other, and how far a signal travels between two positions. The shorter that path, the easier long dependencies are to learn.',
    }),
    el('div', { class: 'sliders' }, ...sliders.map(({ node }) => node)),
    presets,
    layers,
    says,
    el('h3', { class: 'sub', text: 'As functions' }),
    el('div', { class: 'settings' }, counts.node, over.node),
    projections,
    operations.node,
    path.node,
    el('h3', { class: 'sub', text: 'How far a signal travels' }),
    el('p', { class: 'says', text: `From the first of ${GRAPH} positions to the last, through as many layers as it takes, with the k and r of above.` }),
    graphs,
    measured.node,
    wrong,
  );

  const send = oneAtATime(
    (/** @type {typeof sizes & typeof local} */ { n, d, k, r, over }) => {
      const values = STEPS[over];
      return engine.complexity({ n, d, k, r, curves: { over, from: values[0], to: values[values.length - 1], points: POINTS }, paths: { n: GRAPH, from: 0, to: GRAPH - 1 } });
    },
    show,
    (error) => {
      wrong.hidden = false;
      setText(wrong, `This could not be computed: ${error instanceof Error ? error.message : error}`);
    },
  );
  const ask = () => {
    if (store.get().tab !== 'why') return;
    for (const slider of sliders) slider.show();
    counts.show(local.counts);
    over.show(local.over);
    send({ ...sizes, ...local });
  };

  /**
   * @param {P.ComplexityTable} answer
   * @param {typeof sizes & typeof local} asked
   */
  function show({ rows, curves, paths }, asked) {
    wrong.hidden = true;
    layers.replaceChildren(table(rows));
    setText(says, compare(rows, asked));
    projections.replaceChildren(...prose(projectionsText(rows)));
    if (curves) {
      const x = { label: NAMES[asked.over], log: true };
      const [types, points] = curves.operations.shape;
      const lines = (/** @type {P.Tensor} */ { data }) =>
        curves.layers.slice(0, types).map((layer, i) => ({ name: LAYERS[layer].name, look: LAYERS[layer].look, x: curves.at, y: data.subarray(i * points, (i + 1) * points) }));
      operations.show(lines(curves[asked.counts]), { x });
      path.show(lines(curves.path), { x });
      for (const view of [operations, path]) view.mark(asked[asked.over]);
    }
    if (paths) graphs.replaceChildren(...paths.map(graph));
  }

  const set = (/** @type {Partial<typeof sizes>} */ to) => {
    Object.assign(sizes, to);
    ask();
  };
  store.watch(['tab', 'model', 'observation'], ({ tab, model, observation }) => {
    if (tab !== 'why') return;
    const length = observation?.source.length ?? 0;
    presets.replaceChildren(
      ...(model ? [el('button', { type: 'button', text: `This model, d = ${model.config.dModel}`, onclick: () => set({ d: model.config.dModel }) })] : []),
      el('button', { type: 'button', text: 'base, d = 512', onclick: () => set({ d: 512 }) }),
      ...(length > 1 ? [el('button', { type: 'button', text: `This sentence, n = ${length}`, onclick: () => set({ n: length }) })] : []),
    );
    if (model && !panel.dataset.sized) {
      // Once: afterwards the sliders are the reader's.
      panel.dataset.sized = 'true';
      sizes.d = model.config.dModel;
    }
    ask();
  });
}

/**
 * A slider over round numbers; a value between two of them (a sentence's length) shows as it is.
 * @param {Variable} name
 * @param {Record<Variable, number>} sizes
 * @param {() => void} changed
 */
function sliderFor(name, sizes, changed) {
  const values = STEPS[name];
  const id = `why-${name}`;
  const input = el('input', { type: 'range', id, min: '0', max: String(values.length - 1), 'aria-label': NAMES[name] });
  const output = el('output', { for: id });
  input.addEventListener('input', () => {
    sizes[name] = values[Number(input.value)];
    changed();
  });
  return {
    node: el('div', { class: 'slider' }, el('label', { for: id }, el('i', { text: name }), ` ${NAMES[name].replace(/ \w$/, '')}`), input, output),
    show() {
      const at = values.findIndex((v) => v >= sizes[name]);
      input.value = String(at < 0 ? values.length - 1 : at);
      input.setAttribute('aria-valuetext', String(sizes[name]));
      setText(output, grouped(sizes[name]));
    },
  };
}

/** @param {P.ComplexityRow[]} rows */
function table(rows) {
  const cell = (/** @type {string} */ formula, /** @type {number} */ v) => el('span', { class: 'count' }, el('i', {}, math(formula)), el('b', { text: count(v) }));
  return dataTable(
    ['layer type', 'operations', 'projections', 'sequential', 'maximum path'],
    rows.map((row) => {
      const { name, operations, sequential, path } = LAYERS[row.layer];
      return [name, cell(operations, row.operations), row.projections ? count(row.projections) : '–', cell(sequential, row.sequential), cell(path, row.path)];
    }),
  );
}

/** @param {number} v */
const count = (v) => (Number.isFinite(v) ? (Number.isInteger(v) || v >= 100 ? short(v) : v.toFixed(1)) : '∞');

/**
 * Who computes less at these sizes, in words; the paper's condition is n < d.
 * @param {P.ComplexityRow[]} rows
 * @param {{n: number, d: number}} sizes
 */
function compare(rows, { n, d }) {
  const of = (/** @type {P.LayerType} */ type) => rows.find(({ layer }) => layer === type)?.operations ?? NaN;
  const [attention, recurrent] = [of('self_attention'), of('recurrent')];
  const which = attention < recurrent ? 'less' : attention > recurrent ? 'more' : 'as much';
  return `With n = ${grouped(n)} and d = ${grouped(d)}, self-attention computes ${which === 'as much' ? 'as much as' : `${which} than`} a recurrent layer: n²·d against n·d², so n against d. Sentences are mostly shorter than d.`;
}

/** @param {P.ComplexityRow[]} rows */
function projectionsText(rows) {
  const row = rows.find(({ layer }) => layer === 'self_attention');
  if (!row) return '';
  const more = row.projections > row.operations;
  return `Table 1 leaves out the projections W^Q, W^K, W^V and W^O: 4·n·d² for each self-attention. Here they are ${count(row.projections)}, ${more ? 'more' : 'less'} than the ${count(row.operations)} that Table 1 counts. With them, self-attention costs at least as much as a recurrent layer; its advantage is in the other two columns.`;
}

/** @param {P.PathGraph} graph */
function graph(graph) {
  const { name } = LAYERS[graph.layer];
  return el('li', {}, el('p', {}, el('b', { text: name }), ` ${graph.length} ${graph.length === 1 ? 'step' : 'steps'}`), drawPaths(graph, `${name}: ${graph.length} connections from position 1 to ${graph.n}, through ${graph.levels} layers`));
}
