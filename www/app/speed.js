/** Tokens per second, as the page shows it: the median of the last translations, each over its whole time. */

/** Translations that count; one alone says little where a sentence takes a few milliseconds. */
const LAST = 7;

/** @returns {(tokens: number, ms: number) => number|null} takes one more translation, and gives the median; null before any */
export function createSpeed() {
  /** @type {number[]} */
  const rates = [];
  return (tokens, ms) => {
    if (tokens > 0 && ms > 0) rates.push((1000 * tokens) / ms);
    if (rates.length > LAST) rates.shift();
    const sorted = rates.toSorted((a, b) => a - b);
    return sorted[sorted.length >> 1] ?? null;
  };
}
