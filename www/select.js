/** What follows from the state: which head, row and words are shown. Pure functions; arithmetic on weights stays in the core. */

/** @import { State, Observation, HeadRef, AttentionKind, Marks } from './state.js' */
/** @import * as P from './protocol' */

/** The three attentions under the names of the paper. */
export const ATTENTION_NAMES = {
  encoderSelf: 'Encoder self-attention',
  decoderSelf: 'Masked decoder self-attention',
  cross: 'Encoder–decoder attention',
};

/** Printed for the start symbol, which no vocabulary piece stands for on the page. */
export const START_LABEL = '⟨s⟩';

/**
 * One attention map: `data` holds `rows × cols` weights, row-major.
 * @typedef {{data: Float32Array, rows: number, cols: number, causal: boolean}} Matrix
 */

/**
 * A piece as the page prints it: without the word mark, inner pieces led by a dot.
 * @param {P.Piece} piece
 */
export function pieceLabel(piece) {
  const text = piece.text;
  if (text === '</s>') return '⟨/s⟩';
  if (text === '<unk>') return '⟨unk⟩';
  if (text === '▁') return '␣';
  if (text.startsWith('▁')) return text.slice(1);
  return /^[\p{L}\p{N}]/u.test(text) ? `·${text}` : text;
}

/**
 * Whether a piece continues the word before it.
 * @param {P.Piece} piece
 */
export const isInner = (piece) => !piece.text.startsWith('▁') && !piece.text.startsWith('<');

/**
 * The weights of one head; null where they were not observed.
 * @param {Observation|null} observation
 * @param {HeadRef} ref
 * @returns {Matrix|null}
 */
export function matrixOf(observation, ref) {
  const block = observation?.trace[ref.kind];
  if (!block) return null;
  const [layers, heads, rows, cols] = block.shape;
  if (ref.layer >= layers || ref.head >= heads) return null;
  const from = (ref.layer * heads + ref.head) * rows * cols;
  return { data: block.data.subarray(from, from + rows * cols), rows, cols, causal: ref.kind === 'decoderSelf' };
}

/**
 * Labels of a map's two axes. Decoder rows are named by the piece that they predict;
 * columns of the masked attention by the piece that was read (shifted right, §3.1).
 * @param {Observation} observation
 * @param {AttentionKind} kind
 * @returns {{rows: string[], cols: string[], rowSide: 'source'|'target', colSide: 'source'|'target'}}
 */
export function axes(observation, kind) {
  const source = observation.source.map(pieceLabel);
  const target = observation.target.map(pieceLabel);
  const shifted = [START_LABEL, ...target.slice(0, -1)];
  if (kind === 'encoderSelf') return { rows: source, cols: source, rowSide: 'source', colSide: 'source' };
  if (kind === 'decoderSelf') return { rows: target, cols: shifted, rowSide: 'target', colSide: 'target' };
  return { rows: target, cols: source, rowSide: 'target', colSide: 'source' };
}

/** @param {Observation|null} observation number of steps that were decoded and observed */
export function stepCount(observation) {
  if (!observation) return 0;
  const rows = (observation.trace.cross ?? observation.trace.decoderSelf)?.shape[2];
  return Math.min(observation.target.length, rows ?? observation.target.length);
}

/**
 * Rows of a decoder's map: while a sentence grows as many as its source has pieces, for that is about how
 * many there will be, and the map fills instead of stretching.
 * @param {Observation} observation
 * @param {AttentionKind} kind
 */
export function totalRows({ source, target, final }, kind) {
  if (kind === 'encoderSelf') return source.length;
  return final ? target.length : Math.max(source.length, target.length);
}

/**
 * Measured roles of heads (`heads.json`). Fields that a folder leaves out are simply not shown.
 * @typedef {{attention: AttentionKind, layer: number, head: number, role?: string, distinctive?: boolean}} HeadRole
 */

/** @type {WeakMap<P.ModelInfo, {roles: HeadRole[], sentences: number|null}>} */
const rolesOf = new WeakMap();

/**
 * @param {P.ModelInfo|null} model
 * @returns {{roles: HeadRole[], sentences: number|null}}
 */
export function headRoles(model) {
  if (!model) return { roles: [], sentences: null };
  const known = rolesOf.get(model) ?? readRoles(model);
  rolesOf.set(model, known);
  return known;
}

/** @param {P.ModelInfo} model */
function readRoles(model) {
  const file = /** @type {any} */ (model.heads);
  const roles = Array.isArray(file?.roles) ? file.roles : [];
  return {
    roles: roles.filter((/** @type {any} */ r) => r && r.attention in ATTENTION_NAMES && r.layer >= 0 && r.head >= 0),
    sentences: typeof file?.sentences === 'number' ? file.sentences : null,
  };
}

/**
 * @param {P.ModelInfo|null} model
 * @param {HeadRef} ref
 */
export function roleOf(model, ref) {
  return headRoles(model).roles.find((r) => r.attention === ref.kind && r.layer === ref.layer && r.head === ref.head) ?? null;
}

/**
 * The encoder–decoder head that marks words in the texts: the measured alignment head, or, where
 * the model folder names none, the one whose rows point most clearly at different words of this sentence.
 * The one known before stays while it does about as well: which head is shown should not change with every word.
 * @param {P.ModelInfo|null} model
 * @param {Observation} observation
 * @param {HeadRef|null} before
 * @returns {HeadRef|null}
 */
export function findAligner(model, observation, before) {
  const named = headRoles(model).roles.find((r) => r.attention === 'cross' && r.role === 'alignment');
  if (named) return { kind: 'cross', layer: named.layer, head: named.head };
  const block = observation.trace.cross;
  if (!block) return null;
  const [layers, heads, rows, cols] = block.shape;
  /** @type {HeadRef|null} */
  let best = null;
  let most = -1;
  let kept = -1;
  for (let layer = 0; layer < layers; layer++) {
    for (let head = 0; head < heads; head++) {
      const columns = new Set();
      for (let row = 0; row < rows; row++) {
        const from = ((layer * heads + head) * rows + row) * cols;
        // The last column is the end mark, where heads park what they do not need.
        for (let col = 0; col + 1 < cols; col++) if (block.data[from + col] > 0.5) columns.add(col);
      }
      if (before?.layer === layer && before.head === head) kept = columns.size;
      if (columns.size > most) {
        most = columns.size;
        best = { kind: 'cross', layer, head };
      }
    }
  }
  return kept >= most * 0.7 ? before : best;
}

/**
 * The head that marks words in the texts; before any is known, the first of the open layer.
 * @param {State} state
 * @returns {HeadRef}
 */
const alignmentHead = (state) => state.aligner ?? { kind: 'cross', layer: state.layers.decoder, head: 0 };

/**
 * The head that the inspector shows: pointed at, else held, else the alignment head.
 * @param {State} state
 * @returns {HeadRef}
 */
export const shownHead = (state) => state.preview.head ?? state.held.head ?? alignmentHead(state);

/**
 * The step that every view shows: of the piece or the decoder row that is pointed at, else t.
 * @param {State} state
 * @returns {number}
 */
export function shownStep(state) {
  const { preview, step, observation } = state;
  const last = Math.max(0, stepCount(observation) - 1);
  if (preview.cell && shownHead(state).kind !== 'encoderSelf') return Math.min(preview.cell.row, last);
  return Math.min(preview.token?.side === 'target' ? preview.token.index : step, last);
}

/**
 * The row of the shown head that is read out. Decoder rows follow the step t; rows of the encoder
 * follow the source piece that is pointed at or held, else the one that step t reads most.
 * @param {State} state
 * @returns {number}
 */
export function shownRow(state) {
  const { preview, held } = state;
  const ref = shownHead(state);
  if (ref.kind !== 'encoderSelf') return shownStep(state);
  if (preview.cell) return preview.cell.row;
  if (preview.token?.side === 'source') return preview.token.index;
  if (held.cell && held.head?.kind === 'encoderSelf') return held.cell.row;
  if (held.token?.side === 'source') return held.token.index;
  return strongestColumn(state, alignmentHead(state), state.step) ?? 0;
}

/**
 * The column of a row with the largest weight, end mark left out.
 * @param {State} state
 * @param {HeadRef} ref
 * @param {number} row
 */
function strongestColumn(state, ref, row) {
  const matrix = matrixOf(state.observation, ref);
  if (!matrix || row >= matrix.rows) return null;
  let best = 0;
  for (let col = 1; col + 1 < matrix.cols; col++) {
    if (matrix.data[row * matrix.cols + col] > matrix.data[row * matrix.cols + best]) best = col;
  }
  return best;
}

/**
 * The column that is marked: of the cell pointed at or held, or of a held or pointed piece.
 * @param {State} state
 * @returns {number|null}
 */
export function shownColumn(state) {
  const { preview, held } = state;
  const ref = shownHead(state);
  if (preview.cell) return preview.cell.col;
  const side = ref.kind === 'decoderSelf' ? 'target' : 'source';
  // A column of the masked attention is the piece as input, one later than as output.
  const shift = side === 'target' ? 1 : 0;
  if (ref.kind !== 'encoderSelf') {
    if (preview.token?.side === side && ref.kind === 'cross') return preview.token.index;
    if (held.cell && !preview.head && !preview.token && held.cell.row === state.step && held.head?.kind === ref.kind) return held.cell.col;
    if (held.token?.side === side && side === 'source') return held.token.index + shift;
    return null;
  }
  return held.cell && held.head?.kind === 'encoderSelf' && !preview.head ? held.cell.col : null;
}

/**
 * What the shown head reads in the shown row, for marking pieces on the page.
 * @param {State} state
 * @returns {{ref: HeadRef, row: number, weights: Float32Array, side: 'source'|'target'}|null}
 */
export function reading(state) {
  const ref = shownHead(state);
  const matrix = matrixOf(state.observation, ref);
  if (!matrix) return null;
  const row = shownRow(state);
  if (row >= matrix.rows) return null;
  return {
    ref,
    row,
    weights: matrix.data.subarray(row * matrix.cols, (row + 1) * matrix.cols),
    side: ref.kind === 'decoderSelf' ? 'target' : 'source',
  };
}

/**
 * One plain sentence on what is seen. It says *reads*, never *because*: a weight is no explanation.
 * @param {State} state
 */
export function describe(state) {
  const read = reading(state);
  if (!read || !state.observation) return 'Nothing has been translated yet.';
  const { rows, cols } = axes(state.observation, read.ref.kind);
  const order = Array.from(read.weights.keys()).sort((a, b) => read.weights[b] - read.weights[a]);
  const strong = order.filter((col) => read.weights[col] >= 0.1).slice(0, 3);
  const quote = (/** @type {number} */ col) => `“${cols[col]}” (${read.weights[col].toFixed(2)})`;
  const who =
    read.ref.kind === 'encoderSelf'
      ? `At “${rows[read.row]}”, this head`
      : `At step ${read.row + 1}, predicting “${rows[read.row]}”, this head`;
  if (strong.length === 0) return `${who} reads broadly: nothing gets more than ${quote(order[0])}.`;
  const last = strong.length > 1 ? ` and ${quote(strong[strong.length - 1])}` : '';
  const first = strong.slice(0, strong.length > 1 ? -1 : 1).map(quote).join(', ');
  return `${who} reads ${first}${last}.`;
}

/**
 * A number from 0 to 1 as the page prints it.
 * @param {number} p
 */
export function formatWeight(p) {
  if (p === 0) return '0';
  if (p >= 0.001) return p.toFixed(3);
  return p >= 1e-6 ? p.toFixed(6) : 'less than 0.000001';
}

/**
 * @param {HeadRef|null} a
 * @param {HeadRef|null} b
 */
export const sameHead = (a, b) => a === b || (!!a && !!b && a.kind === b.kind && a.layer === b.layer && a.head === b.head);

/**
 * @param {Marks} a
 * @param {Marks} b
 */
export function sameMarks(a, b) {
  return (
    sameHead(a.head, b.head) &&
    a.token?.side === b.token?.side &&
    a.token?.index === b.token?.index &&
    a.cell?.row === b.cell?.row &&
    a.cell?.col === b.cell?.col
  );
}
