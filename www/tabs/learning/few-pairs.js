/** A small set of pairs: numbers in English words, and in digits. */

const ONES = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** @param {number} n 1 to 199 @returns {string} */
function words(n) {
  if (n > 100) return `one hundred and ${words(n - 100)}`;
  if (n === 100) return 'one hundred';
  if (n < 20) return ONES[n - 1];
  return [TENS[Math.floor(n / 10) - 2], ...(n % 10 > 0 ? [ONES[(n % 10) - 1]] : [])].join('-');
}

/** A hundred and twenty lines, source and target separated by a tab. */
export const FEW_PAIRS = Array.from({ length: 120 }, (_, i) => `${words(i + 1)}\t${i + 1}`).join('\n');
