// The sentences of the models with random weights: words that their vocabulary has as one piece each.

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Pieces that are no words: see `FIRST_WORD` in ../peers/shapes.py; the last id is the padding. */
const OTHERS = 30;
const VOCABULARY = { S: 8000, Sr: 8000, M: 16000 };

/** The word with the index i (`words` in ../peers/shapes.py). @param {number} i */
const word = (i) => [17576, 676, 26, 1].map((place) => LETTERS[Math.floor(i / place) % 26]).join('');

/**
 * Gives ever new sentences of `pieces` pieces, the end mark among them.
 * @param {keyof typeof VOCABULARY} model
 * @param {number} pieces
 */
export function sentences(model, pieces) {
  const words = VOCABULARY[model] - OTHERS;
  let at = 0;
  return () => Array.from({ length: pieces - 1 }, () => word((at += 7919) % words)).join(' ');
}
