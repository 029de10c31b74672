/** Exercises of scenes: the answer is computed from the trace of the sentence at hand, and what to look at is said. */

/** @import { HeadRef, Observation, State } from './state.js' */
/** @import { Exercise, Scene } from './scenes.js' */
import { axes, matrixOf, rowName, sameHead } from './select.js';

/** @typedef {{right: boolean, says: string}} Verdict */

/** How far a number may be from the computed one. */
const TOLERANCE = 0.03;

/** @param {number} v */
const two = (v) => v.toFixed(2);
/** @param {HeadRef} head */
const named = ({ layer, head }) => `layer ${layer + 1}, head ${head + 1}`;

/**
 * The exercise's row and column in the words of this translation; empty where it has no such place.
 * @param {Exercise} exercise
 * @param {Scene} scene
 * @param {Observation|null} observation
 */
export function placeOf({ choose, kind, row, col, what }, scene, observation) {
  const matrix = observation && matrixOf(observation, headOf(scene, kind));
  if (!observation || !matrix || row >= matrix.rows || col >= matrix.cols) return '';
  const column = choose === 'head' || (choose === 'number' && what === 'weight') ? `, column “${axes(observation, kind).cols[col]}”` : '';
  const head = choose === 'head' || what === 'probability' ? 'Row' : `In ${named(headOf(scene, kind))}: row`;
  return `${head} “${rowName(observation, kind, row)}”${column}`;
}

/**
 * @param {Scene} scene
 * @param {HeadRef['kind']} kind
 * @returns {HeadRef} the head that an exercise is about: the one that its scene holds
 */
const headOf = ({ held }, kind) => (held.head?.kind === kind ? held.head : { kind, layer: 0, head: 0 });

/**
 * What of the page the reader has chosen, in words; empty while it is nothing that answers.
 * @param {Exercise} exercise
 * @param {State} state
 */
export function chosenOf({ choose }, { held, observation }) {
  if (!observation) return '';
  const { head, cell, token } = held;
  if (choose === 'head') return head ? named(head) : '';
  if (choose === 'word') return token?.side === 'source' ? `“${wordAt(observation, token.index)}”` : '';
  return head && cell && matrixOf(observation, head) ? `“${axes(observation, head.kind).cols[cell.col] ?? ''}”` : '';
}

/**
 * @param {Exercise} exercise
 * @param {Scene} scene
 * @param {State} state
 * @param {string} typed the answer to an exercise of a number
 * @returns {Verdict}
 */
export function verdict(exercise, scene, state, typed) {
  const { observation } = state;
  const head = headOf(scene, exercise.kind);
  if (!observation?.final || !observation.trace[exercise.kind]) return { right: false, says: 'The sentence is not translated yet.' };
  const matrix = matrixOf(observation, head);
  if (!matrix) return { right: false, says: `This model has no ${named(head)}: the exercise was made with another model.` };
  if (exercise.row >= matrix.rows || exercise.col >= matrix.cols) return { right: false, says: 'This translation has no such place: the exercise was made with another model.' };
  const setting = settingToChange(exercise, state);
  if (setting) return { right: false, says: setting };
  const weights = matrix.data.subarray(exercise.row * matrix.cols, (exercise.row + 1) * matrix.cols);
  switch (exercise.choose) {
    case 'cell':
      return cellVerdict(exercise, head, weights, observation, state);
    case 'head':
      return headVerdict(exercise, observation, state);
    case 'word':
      return wordVerdict(exercise, weights, observation, state);
    case 'number':
      return numberVerdict(exercise, weights, matrix.causal, observation, typed);
  }
}

/**
 * Exercises are about the weights of one head in pieces. Where the map shows something else, its cells do not answer.
 * @param {Exercise} exercise
 * @param {State} state
 * @returns {string} the setting to change, in words; empty: none
 */
function settingToChange({ choose, what }, { unit, measure, specialTokens, heads }) {
  if (choose === 'number' && what === 'probability') return '';
  if (unit !== 'pieces') return 'This exercise is about pieces: choose “pieces” under the map.';
  if (measure !== 'weight') return 'This exercise is about weights: choose “weight” under the map.';
  if (specialTokens !== 'shown') return 'This exercise counts the special pieces: choose “⟨s⟩ ⟨/s⟩” under the map.';
  if (choose !== 'head' && heads !== 'one') return 'This exercise is about one head: choose “head” under the map.';
  return '';
}

/**
 * @param {Exercise} exercise
 * @param {HeadRef} head
 * @param {Float32Array} weights
 * @param {Observation} observation
 * @param {State} state
 * @returns {Verdict}
 */
function cellVerdict({ kind, row }, head, weights, observation, { held }) {
  if (!held.cell || !held.head) return { right: false, says: 'Hold a cell of the map first: click it, or press Enter on it.' };
  if (!sameHead(held.head, head)) return { right: false, says: `That is another head. The exercise is about ${named(head)}.` };
  const name = rowName(observation, kind, row);
  if (held.cell.row !== row) return { right: false, says: `That is another row. Look along row “${name}”.` };
  const [own, best] = [weights[held.cell.col], weights.indexOf(Math.max(...weights))];
  const column = axes(observation, kind).cols[held.cell.col];
  if (own >= weights[best]) return { right: true, says: `Right: row “${name}” gives “${column}” ${two(own)}, more than any other.` };
  return { right: false, says: `Not yet: “${column}” gets ${two(own)}. A darker cell lies to the ${best < held.cell.col ? 'left' : 'right'}.` };
}

/**
 * @param {Exercise} exercise
 * @param {Observation} observation
 * @param {State} state
 * @returns {Verdict}
 */
function headVerdict({ kind, row, col }, observation, { held }) {
  if (!held.head) return { right: false, says: 'Hold a head first: click its square in Figure 1, or press Enter on it.' };
  if (held.head.kind !== kind) return { right: false, says: 'That head belongs to another attention.' };
  const block = observation.trace[kind];
  const [layers, heads] = block?.shape ?? [0, 0];
  /** @param {number} layer @param {number} head */
  const at = (layer, head) => {
    const matrix = matrixOf(observation, { kind, layer, head });
    return matrix ? matrix.data[row * matrix.cols + col] : 0;
  };
  let best = { layer: 0, head: 0 };
  for (let layer = 0; layer < layers; layer++) for (let head = 0; head < heads; head++) if (at(layer, head) > at(best.layer, best.head)) best = { layer, head };
  const own = at(held.head.layer, held.head.head);
  if (own >= at(best.layer, best.head)) return { right: true, says: `Right: ${named(held.head)} gives this cell ${two(own)}, more than any other head.` };
  const where = best.layer === held.head.layer ? 'Another head of this layer gives it more' : `Look in layer ${best.layer + 1}`;
  return { right: false, says: `Not yet: ${named(held.head)} gives this cell ${two(own)}. ${where}.` };
}

/**
 * @param {Exercise} exercise
 * @param {Float32Array} weights
 * @param {Observation} observation
 * @param {State} state
 * @returns {Verdict}
 */
function wordVerdict({ kind, row }, weights, observation, { held }) {
  const { token } = held;
  if (token?.side !== 'source') return { right: false, says: 'Hold a word of the source first: click its piece at the foot of Figure 1.' };
  /** @type {Map<number, number>} */
  const sums = new Map();
  observation.source.forEach(({ word }, i) => word !== null && sums.set(word, (sums.get(word) ?? 0) + weights[i]));
  const { word } = observation.source[token.index];
  const own = word === null ? 0 : (sums.get(word) ?? 0);
  const name = wordAt(observation, token.index);
  const rowIs = rowName(observation, kind, row);
  if (word !== null && own >= Math.max(...sums.values())) return { right: true, says: `Right: row “${rowIs}” gives “${name}” ${two(own)}, more than any other word.` };
  return { right: false, says: `Not yet: “${name}” gets ${two(own)}. Follow row “${rowIs}” of the map to its darkest cell.` };
}

/**
 * A word of the source as it is written; a special piece as printed.
 * @param {Observation} observation
 * @param {number} index of one of its pieces
 */
function wordAt({ source }, index) {
  const { word, text } = source[index] ?? { word: null, text: '' };
  if (word === null) return text;
  return source.flatMap((piece) => (piece.word === word ? piece.text.replace('▁', '') : [])).join('');
}

/** Where the answer to a number is seen. */
const LOOK = {
  weight: 'Point at the cell: the line under the map says its weight.',
  sum: 'All weights of a row come from one softmax.',
  columns: 'Count the cells of the row that are not hatched.',
  probability: 'Look at the top of Figure 1 at this step.',
};

/**
 * @param {Exercise} exercise
 * @param {Float32Array} weights
 * @param {boolean} causal
 * @param {Observation} observation
 * @param {string} typed
 * @returns {Verdict}
 */
function numberVerdict({ row, col, what }, weights, causal, observation, typed) {
  const given = Number(typed.trim().replace(',', '.'));
  if (typed.trim() === '' || !Number.isFinite(given)) return { right: false, says: 'Type a number.' };
  const value = {
    weight: () => weights[col],
    sum: () => weights.reduce((sum, w) => sum + w, 0),
    columns: () => (causal ? row + 1 : weights.length),
    probability: () => Math.exp(observation.target[row]?.logprob ?? -Infinity),
  }[what]();
  const off = given - value;
  if (Math.abs(off) <= (what === 'columns' ? 0 : TOLERANCE)) return { right: true, says: `Right: it is ${what === 'columns' ? value : two(value)}.` };
  return { right: false, says: `Not yet: that is too ${off > 0 ? 'much' : 'little'}. ${LOOK[what]}` };
}
