/** The selected row and weight in plain sentences. They say *reads*, never *because*: a weight is no explanation. */

/** @import { State } from '../../app/state.js' */
/** @import { Reading } from '../../app/select.js' */
import { ATTENTION_NAMES } from '../../app/maps.js';
import { formatWeight } from '../../ui/numbers.js';
import { isMasked } from '../../draw/pixels.js';
import { axes, reading, rowName, shownColumn, shownHead } from '../../app/select.js';
import { headRoles, roleOf } from '../../app/roles.js';

/**
 * What the inspector's map shows: attention, layer, head or mean.
 * @param {State} state
 */
export function mapTitle(state) {
  const { kind, layer, head } = shownHead(state);
  const name = ATTENTION_NAMES[kind];
  if (state.heads === 'layers') return `${name}, mean of all layers and heads`;
  const which = { one: `head ${head + 1}`, all: state.form === 'lines' ? 'all heads' : `head ${head + 1}`, mean: 'mean of its heads' };
  return `${name}, layer ${layer + 1}, ${which[state.heads]}`;
}

/**
 * One plain sentence on the shown row.
 * @param {State} state
 */
export function describe(state) {
  const read = reading(state);
  if (!read) return state.observation ? 'This row is a special piece; special pieces are hidden.' : 'Nothing has been translated yet.';
  const { map, item, ref } = read;
  const { rows, cols, reads } = map.axes;
  const values = map.data.subarray(item * map.cols, (item + 1) * map.cols);
  const norms = state.measure === 'norm';
  const order = largest(values, 3);
  const strong = order.filter((col) => values[col] >= 0.1 * (norms ? values[order[0]] * 2 : 1));
  const quote = (/** @type {number} */ col) => `“${cols.labels[col]}” (${values[col].toFixed(2)})`;
  const heads = state.heads === 'mean' ? 'this layer’s heads, on average,' : state.heads === 'layers' ? 'all heads of all layers, on average,' : state.heads === 'all' && state.form === 'lines' ? `head ${ref.head + 1}` : 'this head';
  const verb = state.heads === 'one' || state.heads === 'all' ? (norms ? 'adds' : 'reads') : norms ? 'add' : 'read';
  const step = ref.kind === 'encoderSelf' ? `At “${rows.labels[item]}”` : `At step ${read.row + 1}, reading “${reads?.[item]}” and predicting “${rows.labels[item]}”`;
  const who = `${step}, ${heads} ${verb}`;
  if (strong.length === 0) return norms ? `${who} next to nothing.` : `${who} broadly: nothing gets more than ${quote(order[0])}.`;
  const last = strong.length > 1 ? ` and ${quote(strong[strong.length - 1])}` : '';
  const first = strong.slice(0, strong.length > 1 ? -1 : 1).map(quote).join(', ');
  return norms ? `${who} most from ${first}${last}: lengths of the vectors that are added.` : `${who} ${first}${last}.`;
}

/**
 * Where the largest values stand, the largest first. Asked with every move of the pointer: nothing is sorted as a whole.
 * @param {Float32Array} values
 * @param {number} count
 */
function largest(values, count) {
  /** @type {number[]} */
  const found = [];
  for (let i = 0; i < values.length; i++) {
    if (found.length === count && values[i] <= values[found[count - 1]]) continue;
    const at = found.findIndex((other) => values[i] > values[other]);
    found.splice(at < 0 ? found.length : at, 0, i);
    if (found.length > count) found.pop();
  }
  return found;
}

/**
 * What the shown head does over many sentences, as measured.
 * @param {State} state
 */
export function roleText(state) {
  if (state.heads === 'mean' || state.heads === 'layers') return '';
  const role = roleOf(state.model, shownHead(state))?.role;
  if (!role) return '';
  const over = headRoles(state.model).sentences;
  return `${over ? `Over ${over} dev sentences it` : 'It'} acts as ${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role} head.`;
}

/**
 * The value under the pointer or at the held cell; otherwise what rows and columns are.
 * @param {State} state
 */
export function cellText(state) {
  const read = reading(state);
  if (!read) return '';
  const { map, item, ref } = read;
  const piece = shownColumn(state);
  const col = piece === null ? -1 : (map.axes.cols.of[piece] ?? -1);
  if (col < 0 || col >= map.cols) {
    return `rows: ${ref.kind === 'encoderSelf' ? 'what asks' : 'input → prediction'} · columns: what is read`;
  }
  // A decoder row is named by its input first: it predicts the other.
  const reads = map.axes.reads?.[item];
  const row = `“${reads ? `${reads} → ` : ''}${map.axes.rows.labels[item]}”`;
  const column = `“${map.axes.cols.labels[col]}”`;
  if (isMasked(map, item, col)) {
    const isLater = ref.kind === 'decoderSelf' && map.open !== null && col >= map.open[item];
    return isLater ? `${column} is masked at step ${read.row + 1}: it comes later` : `${row} cannot read ${column}: it is outside the neighbourhood`;
  }
  const value = formatWeight(map.data[item * map.cols + col]);
  return state.measure === 'norm' ? `${row} gets from ${column} a vector of norm ${value}` : `${row} reads ${column} with weight ${value}`;
}

/**
 * How the values on screen differ from what the head computed; empty where they do not.
 * @param {State} state
 */
export function viewNote(state) {
  const read = reading(state);
  if (!read) return '';
  const parts = [];
  if (state.unit === 'words') parts.push('Words: mean over a word’s rows, sum over its columns.');
  if (state.specialTokens === 'hidden') {
    const kept = read.map.remaining?.[read.item];
    parts.push(
      state.measure === 'norm'
        ? 'Special pieces are hidden.'
        : `Special pieces are hidden, and each row is divided by what is left of it${kept === undefined ? '' : ` (this row: ${formatWeight(kept)})`}.`,
    );
  }
  if (state.measure === 'norm') parts.push('The scale ends at the layer’s largest norm.');
  return parts.join(' ');
}

/** @param {State} state */
export function heldText({ held, observation, step, stepChosen }) {
  const parts = [];
  if (held.head) parts.push(`layer ${held.head.layer + 1} head ${held.head.head + 1}`);
  if (held.token?.side === 'source' && observation) parts.push(`“${axes(observation, 'encoderSelf').rows[held.token.index]}”`);
  if (stepChosen && observation) parts.push(`“${rowName(observation, 'cross', step)}”, step ${step + 1}`);
  return `held: ${parts.join(' · ')}`;
}
