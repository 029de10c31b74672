/** What follows from the state: which head, row and words are shown. Pure functions; arithmetic on weights stays in the core. */

/** @import { State, Doc, Observation, HeadRef, AttentionKind, Marks } from './state.js' */
/** @import { ShownMap } from './maps.js' */
/** @import * as P from '../engine/protocol' */
import { pieceAxes, shownMap, spread } from './maps.js';

/**
 * One head's weights as they were observed, in pieces: `data` holds `rows × cols` weights, row-major.
 * @typedef {{data: Float32Array, rows: number, cols: number, causal: boolean}} Matrix
 */

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
 * Labels of an attention's two axes in pieces. Decoder rows are named by the piece that they predict;
 * columns of the masked attention by the piece that was read (shifted right, §3.1).
 * @param {Observation} observation
 * @param {AttentionKind} kind
 * @returns {{rows: string[], cols: string[], rowSide: 'source'|'target', colSide: 'source'|'target'}}
 */
export function axes(observation, kind) {
  const { rows, cols } = pieceAxes(observation, kind);
  return { rows: rows.labels, cols: cols.labels, rowSide: rows.side, colSide: cols.side };
}

/**
 * What a row of an attention is called: one of the decoder by its input first (shifted right, §3.1), then by what it predicts.
 * @param {Observation} observation
 * @param {AttentionKind} kind
 * @param {number} row
 */
export function rowName(observation, kind, row) {
  const { rows, reads } = pieceAxes(observation, kind);
  return reads ? `${reads[row]} → ${rows.labels[row]}` : rows.labels[row];
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
 * The head that marks words in the texts; before any is known, the first of the open layer.
 * @param {State} state
 * @returns {HeadRef}
 */
const alignmentHeadOf = (state) => state.alignmentHead ?? { kind: 'cross', layer: state.layers.decoder, head: 0 };

/**
 * The head that the inspector shows: pointed at, else held, else the alignment head.
 * @param {State} state
 * @returns {HeadRef}
 */
export const shownHead = (state) => state.preview.head ?? state.held.head ?? alignmentHeadOf(state);

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
 * The selected row of the selected head. Decoder rows follow the step t; rows of the encoder
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
  return strongestColumn(state, alignmentHeadOf(state), state.step) ?? 0;
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
 * The weight of the Arithmetic tab: of the selected head and row, the marked column, else the heaviest.
 * @param {State} state
 * @returns {P.Cell|null}
 */
export function arithmeticCell(state) {
  const ref = shownHead(state);
  const matrix = matrixOf(state.observation, ref);
  if (!matrix) return null;
  const query = Math.min(shownRow(state), matrix.rows - 1);
  let key = shownColumn(state);
  if (key === null) {
    key = 0;
    for (let j = 1; j < matrix.cols; j++) if (matrix.data[query * matrix.cols + j] > matrix.data[query * matrix.cols + key]) key = j;
  }
  return { kind: ref.kind, layer: ref.layer, head: ref.head, query, key: Math.min(key, matrix.cols - 1) };
}

/**
 * The weights of the selected row of the inspector's map, for marking pieces on the page.
 * @typedef {object} Reading
 * @property {HeadRef} ref
 * @property {ShownMap} map
 * @property {number} row the piece or step
 * @property {number} item its row in the map
 * @property {Float32Array} weights of every piece of the column side, 0..1
 * @property {'source'|'target'} side
 */

/** @type {{map: ShownMap|null, item: number, weights: Float32Array}} the last answer: several views need the same row */
const lastRead = { map: null, item: -1, weights: new Float32Array() };

/**
 * @param {State} state
 * @returns {Reading|null}
 */
export function reading(state) {
  const ref = shownHead(state);
  const map = shownMap(state, ref);
  if (!map) return null;
  const row = shownRow(state);
  const item = map.axes.rows.of[row] ?? -1;
  if (item < 0 || item >= map.rows) return null;
  if (lastRead.map !== map || lastRead.item !== item) Object.assign(lastRead, { map, item, weights: spread(map, item) });
  return { ref, map, row, item, weights: lastRead.weights, side: map.axes.cols.side };
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

/**
 * Whether two sentences are of the same pieces.
 * @param {P.Piece[]} a
 * @param {P.Piece[]} b
 */
export function samePieces(a, b) {
  return a.length === b.length && a.every(({ id }, i) => id === b[i].id);
}

/**
 * The text of a sentence as the engine takes it.
 * @param {Doc} doc
 * @param {number} sentence
 */
export function sentenceText(doc, sentence) {
  const { range, cutAt, source } = doc.sentences[sentence];
  // A first piece without a place is the line's language code, which stands before an earlier sentence.
  const code = source.length > 1 && !source[0].range ? source[0].text : '';
  return code + doc.text.slice(range[0], cutAt ?? range[1]);
}

/**
 * The whole translation, with the white space of the text.
 * @param {Pick<State, 'doc'>} state
 */
export function wholeText({ doc }) {
  return doc.sentences.map((sentence, i) => (doc.outputs[i]?.text ?? '') + sentence.after).join('');
}
