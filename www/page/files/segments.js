/** A file as a list of what stays and what is translated. */

/** @import { Marked } from './marks.js' */
/** @import { Opened } from './formats.js' */
import { written } from './marks.js';
import { TAGS } from './tags.js';

/** What stays as it is, or what is translated. @typedef {string | Marked} Segment */

/**
 * A text's words, and the white space around them. Not by one expression: that would be tried anew at every blank.
 * @param {string} text
 * @param {number} [from] where the words may begin
 */
export function wordsOf(text, from = 0) {
  const words = text.slice(from).trim();
  const start = words === '' ? text.length : text.indexOf(words, from);
  return { before: text.slice(0, start), words, after: text.slice(start + words.length) };
}

/**
 * @param {string} line
 * @param {(words: string) => Marked} mark finds the marks inside of the words
 * @param {number} [from] where the words may begin
 * @returns {Segment[]}
 */
export function segmentsOf(line, mark, from) {
  const { before, words, after } = wordsOf(line, from);
  const marked = mark(words);
  return /\p{L}/u.test(marked.tagged.replace(TAGS, '')) ? [before, marked, after] : [line];
}

/**
 * Lines, each with its line break.
 * @param {string} text
 */
export const linesOf = (text) => text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+/g) ?? [];

/**
 * @param {Segment[]} segments
 * @returns {Opened}
 */
export function openSegments(segments) {
  return {
    texts: segments.flatMap((segment) => (typeof segment === 'string' ? [] : [segment.tagged])),
    build(translations) {
      let next = 0;
      const parts = segments.map((segment) => (typeof segment === 'string' ? segment : written(translations[next++], segment.marks)));
      return new Blob([parts.join('')], { type: 'text/plain' });
    },
  };
}
