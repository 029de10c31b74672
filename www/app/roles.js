/** What heads do, as measured (`heads.json`), and which one marks words in the texts. */

/** @import { Observation, HeadRef, AttentionKind } from './state.js' */
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
 * The encoder–decoder head that marks words in the texts: the measured alignment head, or, where
 * the model folder names none, the one whose rows point most clearly at different words of this sentence.
 * The previous head stays while it aligns about as well, so that the selected head does not change with every word.
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
