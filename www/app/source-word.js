/** The source word that a word of the translation stands for: the one that its pieces read most, whole words compared. */

/** @import { State } from './state.js' */
import { matrixOf } from './select.js';

/**
 * @param {Pick<State, 'observation'|'alignmentHead'|'doc'>} state
 * @param {number} sentence
 * @param {number} index of one of the word's pieces
 * @returns {string} the word as it stands in the text; empty where nothing is known of it
 */
export function sourceWordOf({ observation, alignmentHead, doc }, sentence, index) {
  const matrix = observation?.final && observation.sentence === sentence && alignmentHead ? matrixOf(observation, alignmentHead) : null;
  const wanted = observation?.target[index]?.word ?? null;
  if (!observation || !matrix || wanted === null) return '';
  const { source, target } = observation;
  /** @type {Map<number, number>} what each word of the source gets from all pieces of the word */
  const read = new Map();
  target.slice(0, matrix.rows).forEach(({ word }, row) => {
    if (word !== wanted) return;
    source.slice(0, matrix.cols).forEach((piece, col) => piece.word !== null && piece.range && read.set(piece.word, (read.get(piece.word) ?? 0) + matrix.data[row * matrix.cols + col]));
  });
  const [best] = [...read].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [-1, 0]);
  const ranges = source.flatMap(({ word, range }) => (word === best && range ? [range] : []));
  return ranges.length > 0 ? doc.text.slice(ranges[0][0], ranges.at(-1)?.[1]).trim() : '';
}
