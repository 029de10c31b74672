/** What a map shows: one head's weights or norms, or a mean, in pieces or words, and the names of its rows and columns. */

/** @import { State, Observation, Views, HeadRef, AttentionKind } from './state.js' */
/** @import * as P from '../engine/protocol' */

/** The three attentions under the names of the paper. */
export const ATTENTION_NAMES = {
  encoderSelf: 'Encoder self-attention',
  decoderSelf: 'Masked decoder self-attention',
  cross: 'Encoder–decoder attention',
};

/**
 * Layers, heads and widths of the stack that an attention belongs to.
 * @param {P.ModelConfig} config
 * @param {AttentionKind} kind
 */
export function stackOf(config, kind) {
  if (kind !== 'encoderSelf') return { layers: config.decoderLayers, ...config.decoder };
  const { encoderLayers: layers, nHeads, dK, dV, dFf } = config;
  return { layers, nHeads, dK, dV, dFf };
}

/** Printed for the start symbol, which no vocabulary piece stands for on the page. */
export const START_LABEL = '⟨s⟩';

/**
 * @typedef {object} Axis
 * @property {P.AxisItem[]} items
 * @property {string[]} labels
 * @property {Int16Array} of for every piece the item that it belongs to; −1 where it is hidden
 * @property {'source'|'target'} side
 */

/**
 * Decoder rows are named by the piece that they predict; columns of the masked attention by the piece that was
 * read (shifted right, §3.1).
 * @typedef {{rows: Axis, cols: Axis, reads: string[]|null}} Axes `reads`: what each decoder row reads at its step
 */

/**
 * Values as they are drawn.
 * @typedef {object} Values
 * @property {Float32Array} data (rows, cols), row-major
 * @property {number} rows
 * @property {number} cols
 * @property {Uint16Array|null} open where something is masked: the column from which on each row may read nothing, because it
 *   comes later (§3.2.3) or is too far away (restricted self-attention, §4)
 * @property {Uint16Array|null} from of restricted self-attention: the first column that each row may read
 * @property {number} limit the value at the dark end of the scale: 1 for weights, the layer's largest for norms
 */

/**
 * @typedef {Values & {axes: Axes, remaining: Float32Array|null}} ShownMap
 *   `kept` (rows): the weight left in each row without special pieces, before it was renormalised
 */

/**
 * One head's weights in pieces, as values to be drawn.
 * @param {{data: Float32Array, rows: number, cols: number, causal: boolean}} matrix
 * @returns {Values}
 */
export const valuesOf = ({ data, rows, cols, causal }) => ({ data, rows, cols, open: causal ? Uint16Array.from({ length: rows }, (_, r) => r + 1) : null, from: null, limit: 1 });

/**
 * A piece as the page prints it: without the word mark, inner pieces led by a dot.
 * @param {{text: string}} piece
 */
export function pieceLabel({ text }) {
  if (text === '</s>') return '⟨/s⟩';
  if (text === '<s>') return START_LABEL;
  if (text === '<unk>') return '⟨unk⟩';
  if (text === '▁') return '␣';
  if (text.startsWith('▁')) return text.slice(1);
  return /^[\p{L}\p{N}]/u.test(text) ? `·${text}` : text;
}

/**
 * @param {P.AxisItem[]} items
 * @param {'source'|'target'} side
 * @param {'pieces'|'words'} by
 * @returns {Axis}
 */
function axis(items, side, by) {
  const of = new Int16Array(items.reduce((end, item) => Math.max(end, item.pieces[1]), 0)).fill(-1);
  items.forEach(({ pieces: [first, end] }, i) => of.fill(i, first, end));
  return { items, labels: items.map((item) => label(item.text, item.special ? 'pieces' : by)), of, side };
}

/**
 * @param {string} text
 * @param {'pieces'|'words'} by a word has lost its marks already
 */
const label = (text, by) => (by === 'words' && text !== '</s>' && text !== '<s>' ? text : pieceLabel({ text }));

/** @type {WeakMap<object, Map<string, any>>} what was made of an observation or its views, by name */
const made = new WeakMap();

/**
 * @template T
 * @param {object} root
 * @param {string} name
 * @param {() => T} make
 * @returns {T}
 */
function once(root, name, make) {
  let known = made.get(root);
  if (!known) made.set(root, (known = new Map()));
  if (!known.has(name)) known.set(name, make());
  return known.get(name);
}

/**
 * The axes of an attention as it was observed, in pieces.
 * @param {Observation} observation
 * @param {AttentionKind} kind
 * @returns {Axes}
 */
export function pieceAxes(observation, kind) {
  return once(observation, `axes ${kind}`, () => {
    const items = (/** @type {P.Piece[]} */ pieces) =>
      pieces.map(({ text, range }, i) => /** @type {P.AxisItem} */ ({ text, range, pieces: [i, i + 1], special: text === '</s>' ? 'end' : text === '<s>' ? 'start' : null }));
    const source = axis(items(observation.source), 'source', 'pieces');
    if (kind === 'encoderSelf') return { rows: source, cols: source, reads: null };
    const start = { id: -1, text: '<s>', range: null, word: null };
    const shifted = axis(items([start, ...observation.target.slice(0, -1)]), 'target', 'pieces');
    return { rows: axis(items(observation.target), 'target', 'pieces'), cols: kind === 'cross' ? source : shifted, reads: shifted.labels };
  });
}

/**
 * @param {Views} views
 * @param {P.AttentionView} view
 * @param {AttentionKind} kind
 * @returns {Axes}
 */
function viewAxes(views, view, kind) {
  return once(views, `axes ${kind}`, () => {
    const rows = axis(view.rows, kind === 'encoderSelf' ? 'source' : 'target', views.unit);
    // Before a word's first piece is predicted, the last piece of the word before it is read: that word is named.
    const read = (/** @type {P.AxisItem} */ { reads }, /** @type {number} */ i) => (views.unit === 'words' && i > 0 ? rows.labels[i - 1] : pieceLabel({ text: reads ?? '' }));
    return {
      rows,
      cols: axis(view.cols, kind === 'decoderSelf' ? 'target' : 'source', views.unit),
      reads: kind === 'encoderSelf' ? null : view.rows.map(read),
    };
  });
}

/**
 * The map of one head; null where it was not observed.
 * @param {Pick<State, 'observation'|'views'|'measure'|'model'>} state
 * @param {HeadRef} ref
 * @returns {ShownMap|null}
 */
export function headMap(state, ref) {
  const { observation, measure } = state;
  const mask = maskOf(state, ref.kind);
  const views = state.views?.observation === observation ? state.views : null;
  if (!observation) return null;
  const name = blockName(ref.kind, measure);
  return once(views ?? observation, `${name} ${ref.layer} ${ref.head}`, () => {
    const view = views?.each?.[name];
    const values = view?.values ?? observation.trace[name];
    if (!values || ref.layer >= values.shape[0] || ref.head >= values.shape[1]) return null;
    return cut(values, ref.layer, ref.head, view && views ? viewAxes(views, view, ref.kind) : pieceAxes(observation, ref.kind), mask, measure, view?.shown);
  });
}

/**
 * The map that the Attention tab shows for a head: the head's, or the mean over heads once that is computed.
 * @param {State} state
 * @param {HeadRef} ref
 * @returns {ShownMap|null}
 */
export function shownMap(state, ref) {
  const { views, heads, measure } = state;
  if (heads !== 'mean' && heads !== 'layers') return headMap(state, ref);
  const name = blockName(ref.kind, measure);
  const view = views && views.observation === state.observation ? views.mean?.[name] : null;
  if (!views || !view) return headMap(state, ref);
  const layer = heads === 'layers' ? 0 : ref.layer;
  if (layer >= view.values.shape[0]) return null;
  return once(views, `mean ${name} ${layer}`, () => cut(view.values, layer, 0, viewAxes(views, view, ref.kind), maskOf(state, ref.kind), measure, view.shown));
}

/**
 * @param {AttentionKind} kind
 * @param {State['measure']} measure
 * @returns {AttentionKind|`${AttentionKind}Norms`}
 */
const blockName = (kind, measure) => (measure === 'norm' ? `${kind}Norms` : kind);

/**
 * One head's map out of a block (layers, heads, rows, cols).
 * @param {P.Tensor} values
 * @param {number} layer
 * @param {number} head
 * @param {Axes} axes
 * @param {Mask} mask
 * @param {State['measure']} measure
 * @param {P.Tensor} [shown] (layers, heads, rows)
 * @returns {ShownMap}
 */
function cut({ data, shape: [, heads, rows, cols] }, layer, head, axes, mask, measure, shown) {
  const at = layer * heads + head;
  return {
    data: data.subarray(at * rows * cols, (at + 1) * rows * cols),
    rows,
    cols,
    axes,
    ...once(axes, `mask ${rows}`, () => openColumns(axes, rows, mask)),
    limit: measure === 'norm' ? once(data, `limit ${layer}`, () => largest(data.subarray(layer * heads * rows * cols, (layer + 1) * heads * rows * cols))) : 1,
    remaining: shown ? shown.data.subarray(at * rows, (at + 1) * rows) : null,
  };
}

/**
 * What no position may read: later ones, and those further away than `reach`.
 * @typedef {{ causal: boolean, reach: number }} Mask
 */

/**
 * @param {Pick<State, 'model'>} state
 * @param {AttentionKind} kind
 * @returns {Mask}
 */
function maskOf({ model }, kind) {
  const neighbourhood = kind === 'cross' ? null : (model?.config.neighbourhood ?? null);
  return { causal: kind === 'decoderSelf', reach: neighbourhood === null ? Infinity : Math.floor(neighbourhood / 2) };
}

/**
 * The columns that each row may read: what is known at its last step, and near enough to one of its pieces.
 * @param {Axes} axes
 * @param {number} rows
 * @param {Mask} mask
 * @returns {Pick<Values, 'open'|'from'>}
 */
function openColumns({ rows: { items }, cols }, rows, { causal, reach }) {
  /** @param {(row: P.AxisItem, col: P.AxisItem) => boolean} isBefore */
  const count = (isBefore) => Uint16Array.from({ length: rows }, (_, r) => cols.items.filter((col) => isBefore(items[r], col)).length);
  const ahead = causal ? 0 : reach;
  return {
    open: ahead === Infinity ? null : count((row, col) => col.pieces[0] < row.pieces[1] + ahead),
    from: reach === Infinity ? null : count((row, col) => col.pieces[1] <= row.pieces[0] - reach),
  };
}

/** @param {Float32Array} values */
const largest = (values) => values.reduce((most, value) => Math.max(most, value), 0) || 1;

/**
 * What a row reads, spread over the pieces of the column side, as parts of the scale's dark end: for marking text.
 * @param {ShownMap} map
 * @param {number} row
 * @returns {Float32Array}
 */
export function spread(map, row) {
  const { data, cols, axes, limit } = map;
  const weights = data.subarray(row * cols, (row + 1) * cols);
  const { of } = axes.cols;
  if (limit === 1 && of.length === cols && axes.cols.items.length === cols) return weights;
  return Float32Array.from(of, (item) => (item < 0 || item >= cols ? 0 : weights[item] / limit));
}
