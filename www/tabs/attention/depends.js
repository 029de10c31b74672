/** Depends on: beside what attention reads, what a predicted piece depends on, by gradients and by leaving pieces out. */

/** @import { Store } from '../../app/store.js' */
/** @import { State } from '../../app/state.js' */
/** @import { Correlations, Dependence, Integral, Measure, Question, Reply } from './depends-protocol' */
import { setDependence } from '../../app/dependence.js';
import { holdToken, preview } from '../../app/hold.js';
import { pieceAxes } from '../../app/maps.js';
import { observedSentence } from '../../app/queries.js';
import { shownHead } from '../../app/select.js';
import { el, segmented, setText } from '../../ui/dom.js';
import { hoverable } from '../../ui/hoverable.js';
import { grouped, signed } from '../../ui/numbers.js';
import { dataTable, tableFlow } from '../../ui/table.js';

/** A column of the table; signed ones in two colours, weights in ink. @type {{ id: Measure | 'head', name: string, title: string, isSigned: boolean }[]} */
const COLUMNS = [
  { id: 'gradientInput', name: 'gradient × input', title: 'the slope of log p along the piece’s embedding, times the embedding', isSigned: true },
  { id: 'integrated', name: 'integrated', title: 'integrated gradients: the slopes on the way from no pieces to all of them, summed', isSigned: true },
  { id: 'leftOut', name: 'left out', title: 'what log p loses when the piece is deleted and everything is computed again', isSigned: true },
  { id: 'head', name: 'head', title: 'the weight of the shown head', isSigned: false },
  { id: 'mean', name: 'mean head', title: 'mean of all heads of encoder–decoder attention', isSigned: false },
  { id: 'rollout', name: 'rollout', title: 'attention rollout: the maps of all layers multiplied, each residual sum counted half', isSigned: false },
];
/** Those with which the texts can be marked. @type {{ value: 'gradientInput' | 'integrated' | 'leftOut', text: string }[]} */
const MARKING = [
  { value: 'gradientInput', text: 'gradient × input' },
  { value: 'integrated', text: 'integrated gradients' },
  { value: 'leftOut', text: 'left out' },
];
/** Nats: where the largest share is smaller, its mark is weaker. */
const LEAST = 0.02;
/** The order of the measures in the worker's answers. @type {Measure[]} */
const MEASURES = ['gradientInput', 'integrated', 'leftOut', 'mean', 'rollout'];

/** What is known of a question so far. @typedef {{ first: Dependence | null, integral: Integral | null, leftOut: number[] | null, correlations: Correlations | null, ms: { first: number, integral: number } }} Known */
/** @returns {Known} */
const nothing = () => ({ first: null, integral: null, leftOut: null, correlations: null, ms: { first: 0, integral: 0 } });

/** @param {Store} store */
export function dependsView(store) {
  /** @type {Worker | null} */
  let worker = null;
  let id = 0;
  let asked = '';
  let shown = false;
  let trouble = '';
  let known = nothing();
  /** @type {'gradientInput' | 'integrated' | 'leftOut'} */
  let marking = 'integrated';

  const title = el('h2', { id: 'depends-title' });
  const says = el('p', { class: 'says', id: 'depends-says' });
  const choice = segmented('Which measure marks the words', MARKING, (value) => {
    marking = /** @type {typeof marking} */ (value);
    draw();
  });
  const sourceStrip = el('p', { class: 'depends-strip', id: 'depends-source' });
  const targetStrip = el('p', { class: 'depends-strip', id: 'depends-target' });
  const status = el('p', { class: 'readout', id: 'depends-status' });
  const table = tableFlow('What each piece contributes');
  const ranks = tableFlow('Rank correlations');
  const spoken = el('p', { class: 'unseen', 'aria-live': 'polite' });
  const about = el('p', { class: 'readout', text: 'All is of the log-probability of this one piece, computed in f32 on this device; the baseline of integrated gradients is the same sentence with every embedding zero, its positions kept. Attention says what is read; the others say what the prediction would change with. They need not agree.' });
  const node = el('section', { class: 'depends', 'aria-label': 'Depends on', hidden: true }, title, says, el('div', { class: 'settings' }, el('span', { class: 'setting-name', text: 'mark by' }), choice.node, el('span', { class: 'depends-key plus', text: 'raises the probability' }), el('span', { class: 'depends-key minus', text: 'lowers it' })), sourceStrip, targetStrip, status, table, el('h3', { class: 'sub', text: 'Do they agree?' }), el('p', { class: 'readout', text: 'Spearman’s rank correlation ρ over the source’s pieces, by size: 1 is the same order, 0 none in common.' }), ranks, about, spoken);

  hoverable(sourceStrip, (index) => preview(store, index === null ? null : { token: { side: 'source', index } }), (index) => holdToken(store, { side: 'source', index }));

  function receive(/** @type {Reply} */ reply) {
    if (reply.id !== id) return;
    if (reply.kind === 'first') {
      known.first = reply.found;
      known.ms.first = reply.ms;
    } else if (reply.kind === 'integral') {
      known.integral = reply.found;
      known.ms.integral = reply.ms;
    } else if (reply.kind === 'leftOut') known.leftOut = reply.values;
    else if (reply.kind === 'done') {
      known.correlations = reply.correlations;
      setText(spoken, says.textContent ?? '');
    } else if (reply.kind === 'failed') trouble = reply.message;
    draw();
  }

  /** @param {Question} question */
  function ask(question) {
    if (!worker) {
      worker = new Worker(new URL('./depends-worker.js', import.meta.url), { type: 'module', name: 'translucent depends on' });
      worker.onmessage = ({ data }) => receive(data);
      worker.onerror = (event) => {
        event.preventDefault();
        stop();
        trouble = event.message || 'The learning package could not be fetched.';
        draw();
      };
    }
    known = nothing();
    trouble = '';
    setDependence(store, null);
    worker.postMessage({ id: ++id, question });
  }

  /** Ends the work and frees its memory. */
  function stop() {
    worker?.terminate();
    worker = null;
    asked = '';
  }

  /** Asks about the piece at hand, unless that was the last question. @param {State} state */
  function refresh(state) {
    if (!shown || state.tab !== 'attention') {
      setDependence(store, null);
      if (worker) stop();
      return;
    }
    const { observation, address, step } = state;
    if (!observation || !address || !observedSentence(state) || step >= observation.target.length) return;
    const ids = (/** @type {{ id: number }[]} */ pieces) => pieces.map((piece) => piece.id);
    const question = { address, source: ids(observation.source), target: ids(observation.target), step };
    const key = JSON.stringify(question);
    if (key !== asked) {
      asked = key;
      ask(question);
    }
    draw();
  }

  /** Values of a measure: of the source's pieces, and of the target's read so far, where it has them. @param {Measure | 'head'} measure */
  function valuesOf(measure) {
    const { first, integral, leftOut } = known;
    const n = store.get().observation?.source.length ?? 0;
    if (measure === 'leftOut') return leftOut && { source: leftOut, input: null };
    if (measure === 'integrated') return integral && integral.shares;
    if (!first) return null;
    if (measure !== 'head') return first[measure];
    const at = headIndex(store.get());
    return at === null ? null : { source: first.cross.subarray(at * n, (at + 1) * n), input: null };
  }

  /** Marks the page's own texts by the chosen measure. */
  function markTexts() {
    const { observation } = store.get();
    const values = shown && !trouble && observation ? valuesOf(marking) : null;
    if (!observation || !values) return setDependence(store, null);
    const all = [...values.source, ...(values.input ?? [])];
    const limit = Math.max(LEAST, ...all.map(Math.abs));
    const shares = (/** @type {ArrayLike<number>} */ list) => Float32Array.from(list, (value) => value / limit);
    setDependence(store, { observation, source: shares(values.source), input: values.input && shares(values.input) });
  }

  function draw() {
    const state = store.get();
    const { observation, step } = state;
    choice.show(marking);
    markTexts();
    if (!observation || step >= observation.target.length) return;
    const { rows, cols, reads } = pieceAxes(observation, 'cross');
    const read = (reads ?? []).slice(0, step + 1);
    const piece = rows.labels[step];
    setText(title, `What “${piece}” depends on`);
    strip(sourceStrip, cols.labels, valuesOf(marking)?.source ?? null, 'source');
    strip(targetStrip, [...read, `→ ${piece}`], valuesOf(marking)?.input ?? null, 'target');
    setText(says, sentence(piece, cols.labels, read));
    setText(status, progress());
    table.replaceChildren(contributions(state, cols.labels, read));
    ranks.replaceChildren(...(known.correlations ? [agreement(known.correlations, headIndex(state))] : []));
  }

  /** @param {string} piece @param {string[]} source @param {string[]} read */
  function sentence(piece, source, read) {
    if (trouble) return `This cannot be computed for this model: ${trouble}`;
    const found = valuesOf(marking);
    if (!found) return known.first ? 'Computing…' : 'Getting the model’s weights and its backward pass…';
    const all = [...source.map((label, i) => ({ label, value: found.source[i] })), ...(found.input ? read.map((label, i) => ({ label, value: found.input[i] })) : [])];
    const largest = all.sort((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, 2);
    const quote = largest.map(({ label, value }) => `“${label}” (${signed(value)})`).join(' and ');
    // A softmax near 1 is flat.
    if (marking === 'gradientInput' && (known.first?.logprob ?? 0) > -0.1) return `The model is nearly certain of “${piece}”: every slope is close to zero, and gradient × input says little. The other measures do not rest on the slope here alone.`;
    if (marking === 'leftOut') return `Deleting ${quote} changes the log-probability of “${piece}” most.`;
    return `The log-probability of “${piece}” depends most on ${quote}.`;
  }

  function progress() {
    const { first, integral, leftOut, ms } = known;
    if (!first || trouble) return '';
    const parts = [`log p = ${signed(first.logprob, 3)}`, `gradient × input after ${ms.first.toFixed(0)} ms`];
    if (integral) {
      const off = (100 * Math.abs(integral.sum - integral.difference)) / Math.abs(integral.difference);
      parts.push(`integrated gradients sum to ${signed(integral.sum)} where log p differs by ${signed(integral.difference)}: ${off.toFixed(1)} % off after ${integral.steps} steps, ${grouped(Math.round(ms.integral))} ms`);
    }
    if (!leftOut) parts.push('computing…');
    return parts.join(' · ');
  }

  /** @param {State} state @param {string[]} source @param {string[]} read */
  function contributions(state, source, read) {
    const head = shownHead(state);
    const names = COLUMNS.map(({ id, name, title }) => el('th', { scope: 'col', title }, id === 'head' && head.kind === 'cross' ? `head ${head.layer + 1}.${head.head + 1}` : name));
    const found = COLUMNS.map(({ id, isSigned }) => {
      const values = valuesOf(id);
      const limit = Math.max(1e-9, ...[...(values?.source ?? []), ...(values?.input ?? [])].map(Math.abs));
      return { values, limit, isSigned };
    });
    const row = (/** @type {string} */ label, /** @type {'source' | 'input'} */ side, /** @type {number} */ i) => [
      el('th', { scope: 'row', class: side === 'source' ? 'of-source' : 'of-target' }, label),
      ...found.map(({ values, limit, isSigned }) => share(values?.[side]?.[i], limit, isSigned)),
    ];
    return dataTable(['piece', ...names], [...source.map((label, i) => row(label, 'source', i)), ...read.map((label, i) => row(label, 'input', i))], { class: 'numbers depends-table' });
  }

  choice.show(marking);
  store.watch(['observation', 'step', 'tab', 'address', 'phase', 'doc', 'held'], refresh);
  return {
    node,
    /** @param {boolean} on */
    show(on) {
      shown = on;
      node.hidden = !on;
      refresh(store.get());
    },
  };
}

/** The shown head among all heads of cross-attention; null where it is one of another attention. @param {State} state */
function headIndex(state) {
  const { kind, layer, head } = shownHead(state);
  return kind === 'cross' && state.model ? layer * state.model.config.decoder.nHeads + head : null;
}

/**
 * A cell with its number, and a bar of its size.
 * @param {number | undefined} value undefined: not there, or not yet
 * @param {number} limit
 * @param {boolean} isSigned
 */
function share(value, limit, isSigned) {
  if (value === undefined) return el('td', { text: '' });
  const cell = el('td', { class: !isSigned ? 'weight' : value < 0 ? 'minus' : 'plus', text: isSigned ? signed(value, 3) : value.toFixed(2) });
  cell.style.setProperty('--size', `${((94 * Math.abs(value)) / limit).toFixed(0)}%`);
  return cell;
}

/** @type {WeakMap<HTMLElement, string[]>} */
const written = new WeakMap();

/**
 * Pieces marked by their values; the elements stay while the pieces are the same, so that the focus does.
 * @param {HTMLElement} box
 * @param {string[]} labels
 * @param {ArrayLike<number> | null} values
 * @param {'source' | 'target'} side source pieces can be held
 */
function strip(box, labels, values, side) {
  const before = written.get(box);
  if (!before || before.length !== labels.length || before.some((label, i) => label !== labels[i])) {
    written.set(box, labels);
    box.replaceChildren(...labels.map((label, index) => (side === 'source' ? el('button', { type: 'button', class: 'depends-piece', data: { index } }, label) : el('span', { class: 'depends-piece' }, label))));
  }
  const limit = Math.max(LEAST, ...Array.from(values ?? [], Math.abs));
  [...box.children].forEach((child, i) => {
    const node = /** @type {HTMLElement} */ (child);
    const value = values?.[i] ?? 0;
    node.classList.toggle('minus', value < 0);
    node.style.setProperty('--size', `${((45 * Math.abs(value)) / limit).toFixed(0)}%`);
    node.title = values && i < values.length ? signed(value, 3) : '';
  });
}

/**
 * The table of rank correlations: each measure, and the shown head, with each measure.
 * @param {Correlations} correlations
 * @param {number | null} head
 */
function agreement({ measures, heads }, head) {
  const name = (/** @type {Measure} */ id) => COLUMNS.find((column) => column.id === id)?.name ?? id;
  const number = (/** @type {number | null | undefined} */ value) => (value === null || value === undefined ? '–' : signed(value));
  const rows = MEASURES.map((id, i) => [name(id), ...MEASURES.map((_, j) => (i === j ? '1' : number(measures[i][j])))]);
  if (head !== null && heads[head]) rows.push(['this head', ...heads[head].map(number)]);
  return dataTable(['ρ', ...MEASURES.map(name)], rows, { class: 'numbers', id: 'depends-ranks' });
}
