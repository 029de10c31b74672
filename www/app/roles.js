/** What heads do, as measured (`heads.json`), and which one marks words in the texts. */

/** @import { HeadRef, AttentionKind } from './state.js' */
/** @import * as P from '../engine/protocol' */
import { ATTENTION_NAMES, stackOf } from './maps.js';

/**
 * Measured roles of heads (`heads.json`). Views leave out missing fields.
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
  const below = (/** @type {any} */ value, /** @type {number} */ count) => Number.isInteger(value) && value >= 0 && value < count;
  return {
    roles: (Array.isArray(file?.roles) ? file.roles : [])
      .filter((/** @type {any} */ r) => typeof r?.attention === 'string' && Object.hasOwn(ATTENTION_NAMES, r.attention) && below(r.layer, stackOf(model.config, r.attention).layers) && below(r.head, stackOf(model.config, r.attention).nHeads))
      .map((/** @type {any} */ { attention, layer, head, role, distinctive }) => ({ attention, layer, head, role: typeof role === 'string' ? role : undefined, distinctive: distinctive === true })),
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
 * The encoder–decoder head that marks words in the texts: the measured alignment head, or, where the model folder names none, the one
 * that most often reads what the upper half of the layers reads on average: lower layers read what the piece before stood for (Garg et
 * al. 2019). The previous head stays while it does about as well, so that the selected head does not change with every word.
 * @param {P.ModelInfo|null} model
 * @param {{ trace: P.Trace }} observation
 * @param {HeadRef|null} before
 * @returns {HeadRef|null}
 */
export function findAligner(model, observation, before) {
  const named = headRoles(model).roles.find((r) => r.attention === 'cross' && r.role === 'alignment');
  if (named) return { kind: 'cross', layer: named.layer, head: named.head };
  const block = observation.trace.cross;
  if (!block) return null;
  const [layers, heads, rows, cols] = block.shape;
  const upper = Math.floor(layers / 2) * heads;
  const mean = upperMean(block);
  const read = Array.from({ length: rows }, (_, row) => mostRead(mean, row * cols, cols));
  let best = 0;
  /** @type {number[]} rows of each head that agree with the mean */
  const agree = [];
  for (let i = 0; i < layers * heads; i++) {
    agree.push(i < upper ? 0 : read.filter((col, row) => mostRead(block.data, (i * rows + row) * cols, cols) === col).length);
    if (agree[i] >= agree[best]) best = i;
  }
  const kept = before ? (agree[before.layer * heads + before.head] ?? 0) : 0;
  if (before && kept > 0 && kept >= agree[best] * 0.7) return before;
  return { kind: 'cross', layer: Math.floor(best / heads), head: best % heads };
}

/**
 * The mean of the heads of the upper half of the layers.
 * @param {P.Tensor} block (layers, heads, len_tgt, len_src)
 * @returns {Float32Array} (len_tgt, len_src)
 */
export function upperMean({ data, shape: [layers, heads, rows, cols] }) {
  const first = Math.floor(layers / 2) * heads;
  const mean = new Float32Array(rows * cols);
  for (let i = first; i < layers * heads; i++) for (let at = 0; at < rows * cols; at++) mean[at] += data[i * rows * cols + at] / (layers * heads - first);
  return mean;
}

/**
 * The column that a row reads most. The last one is the end mark, where heads park what they do not need.
 * @param {ArrayLike<number>} data
 * @param {number} from where the row begins
 * @param {number} cols
 */
function mostRead(data, from, cols) {
  let best = 0;
  for (let col = 1; col + 1 < cols; col++) if (data[from + col] > data[from + best]) best = col;
  return best;
}
