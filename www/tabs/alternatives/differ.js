/** Which words two texts do not share. */

/** A word, or a mark by itself. */
const WORD = /[\p{L}\p{N}'’-]+|[^\s\p{L}\p{N}]/gu;

/**
 * The words of `b` in order, those that `a` has too in the same order told apart (longest common subsequence).
 * @param {string} a
 * @param {string} b
 * @returns {{start: number, end: number, shared: boolean}[]} ranges of `b`
 */
export function differing(a, b) {
  const found = [...b.matchAll(WORD)];
  const [old, now] = [a.match(WORD) ?? [], found.map(([word]) => word)];
  /** @type {Uint16Array[]} longest common run of old[i..] and now[j..] */
  const longest = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      longest[i][j] = old[i] === now[j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
    }
  }
  const out = [];
  let i = 0;
  for (let j = 0; j < now.length; j++) {
    while (i < old.length && old[i] !== now[j] && longest[i + 1][j] === longest[i][j]) i++;
    const shared = i < old.length && old[i] === now[j] && longest[i][j] === longest[i + 1][j + 1] + 1;
    if (shared) i++;
    out.push({ start: found[j].index, end: found[j].index + now[j].length, shared });
  }
  return out;
}
