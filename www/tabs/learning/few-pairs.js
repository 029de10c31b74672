/** A small set of pairs: strings of three to five letters, and the same backwards. */

const LETTERS = 'abcdefgh';
const COUNT = 120;

/** Strings that look drawn by chance and are the same everywhere (xorshift32). */
function strings() {
  let state = 1;
  const below = (/** @type {number} */ n) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % n;
  };
  /** @type {Set<string>} */
  const found = new Set();
  while (found.size < COUNT) found.add(Array.from({ length: 3 + below(3) }, () => LETTERS[below(LETTERS.length)]).join(''));
  return [...found];
}

/** A hundred and twenty lines, source and target separated by a tab. */
export const FEW_PAIRS = strings().map((source) => `${source}\t${[...source].reverse().join('')}`).join('\n');
