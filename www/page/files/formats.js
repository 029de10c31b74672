/** Files as what is translated of them: a list of texts, and the file built again around their translations. */

import { openDocx } from './docx.js';
import { openHtml } from './html.js';

/**
 * `texts`: a line each, without line breaks, maybe with tags (`tags.js`); `build` takes as many translations.
 * @typedef {{ texts: string[], build: (translations: string[]) => Promise<Blob> | Blob }} Opened
 */

/** Files that can be translated. */
export const ACCEPT = '.txt,.md,.srt,.html,.htm,.docx';
/** Largest file, in bytes. */
const MOST = 50_000_000;
/** Longest line of a subtitle, in characters: longer ones are broken in two. */
const SUBTITLE = 42;

/** @param {string} name */
const extension = (name) => /\.([a-z]+)$/i.exec(name)?.[1].toLowerCase() ?? '';

/**
 * Opens a file by its name's ending.
 * @param {File} file
 * @returns {Promise<Opened>}
 * @throws {Error} saying what is wrong with it
 */
export async function openFile(file) {
  if (file.size > MOST) throw new Error(`it has ${Math.round(file.size / 1e6)} MB; at most ${MOST / 1e6} are read`);
  const kind = extension(file.name);
  if (kind === 'docx') return openDocx(file);
  const text = await file.text();
  if (kind === 'srt') return openSrt(text);
  if (kind === 'html' || kind === 'htm') return openHtml(text);
  return openLines(text, kind === 'md' ? MARKDOWN : null);
}

/** What begins a line of Markdown: heading, list, quote. */
export const MARKDOWN = /^\s*(?:(?:#{1,6}|[-*+]|>|\d+[.)])\s+)*(?:\[[ xX]\]\s+)?/;

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
 * Text line by line; in Markdown blocks of code stay as they are.
 * @param {string} text
 * @param {RegExp|null} begin what begins a line and is not translated
 * @returns {Opened}
 */
export function openLines(text, begin) {
  let fenced = false;
  const lines = text.split(/\r?\n/).map((line) => {
    const fence = begin !== null && /^\s*(```|~~~)/.test(line);
    if (fence) fenced = !fenced;
    const parts = wordsOf(line, begin?.exec(line)?.[0].length);
    return fence || fenced || !/\p{L}/u.test(parts.words) ? { before: line, words: '', after: '' } : parts;
  });
  return {
    texts: lines.flatMap(({ words }) => (words ? [words] : [])),
    build(translations) {
      let next = 0;
      return new Blob([lines.map(({ before, words, after }) => before + (words && translations[next++]) + after).join('\n')], { type: 'text/plain' });
    },
  };
}

/**
 * Subtitles: numbers and times stay; the lines of one are translated together and broken again.
 * @param {string} text
 * @returns {Opened}
 */
export function openSrt(text) {
  const blocks = text.replace(/^\ufeff/, '').split(/\r?\n(?:[ \t]*\r?\n)+/).map((block) => {
    const lines = block.split(/\r?\n/);
    const at = lines.findIndex((line) => line.includes('-->'));
    return { head: lines.slice(0, at + 1), words: lines.slice(at + 1).join(' ').trim() };
  });
  return {
    texts: blocks.flatMap(({ words }) => (words ? [words] : [])),
    build(translations) {
      let next = 0;
      const made = blocks.map(({ head, words }) => [...head, ...(words ? inTwo(translations[next++]) : [])].join('\n'));
      return new Blob([made.join('\n\n')], { type: 'application/x-subrip' });
    },
  };
}

/** @param {string} line as one line, or broken at the space nearest to its middle */
function inTwo(line) {
  if (line.length <= SUBTITLE) return [line];
  const spaces = [...line.matchAll(/ /g)].map(({ index }) => index);
  const at = spaces.sort((a, b) => Math.abs(a - line.length / 2) - Math.abs(b - line.length / 2))[0];
  return at === undefined ? [line] : [line.slice(0, at), line.slice(at + 1)];
}
