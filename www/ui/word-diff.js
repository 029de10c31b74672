/** Which words two texts do not share. */

import { el } from './dom.js';

/** A word, or a mark by itself. */
const WORD = /[\p{L}\p{N}'’-]+|[^\s\p{L}\p{N}]/gu;

/** Pairs of words that are compared at most: the table of a longer text would fill the memory. */
const MOST_PAIRS = 4_000_000;

/**
 * The words of `b` in order, those that `a` has too in the same order marked as shared (longest common subsequence).
 * @param {string} a
 * @param {string} b
 * @returns {{start: number, end: number, shared: boolean}[]} ranges of `b`; none is shared where the texts are too long
 */
export function wordDiff(a, b) {
  const matches = [...b.matchAll(WORD)];
  const [old, now] = [a.match(WORD) ?? [], matches.map(([word]) => word)];
  if (old.length * now.length > MOST_PAIRS) return matches.map(({ index, 0: word }) => ({ start: index, end: index + word.length, shared: false }));
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
    out.push({ start: matches[j].index, end: matches[j].index + now[j].length, shared });
  }
  return out;
}

/**
 * The words of `b`, those that `a` lacks marked; none of them where the two have little in common.
 * @param {string} a
 * @param {string} b
 * @returns {(Node|string)[]}
 */
export function markDifference(a, b) {
  /** @type {(Node|string)[]} */
  const out = [];
  let at = 0;
  const words = wordDiff(a, b);
  if (words.filter(({ shared }) => shared).length * 3 < words.length) return [b];
  for (const { start, end, shared } of words) {
    if (shared) continue;
    out.push(b.slice(at, start), el('mark', { text: b.slice(start, end) }));
    at = end;
  }
  return [...out, b.slice(at)];
}
