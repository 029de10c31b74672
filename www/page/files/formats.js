/** Files as what is translated of them: a list of texts, and the file built again around their translations. */

import { openDocx } from './docx.js';
import { openHtml } from './html.js';
import { markdown, subtitle, written } from './marks.js';
import { TAGS, collapsed } from './tags.js';

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
 * @param {RegExp|null} begin what begins a line of Markdown and is not translated
 * @returns {Opened}
 */
export function openLines(text, begin) {
  let fenced = false;
  const lines = text.replace(TAGS, '').split(/\r?\n/).map((line) => {
    const fence = begin !== null && /^\s*(```|~~~)/.test(line);
    if (fence) fenced = !fenced;
    const { before, words, after } = wordsOf(line, begin?.exec(line)?.[0].length);
    if (fence || fenced || !/\p{L}/u.test(words)) return { before: line, tagged: '', marks: [], after: '' };
    return { before, after, ...(begin ? markdown(words) : { tagged: words, marks: [] }) };
  });
  return {
    texts: lines.flatMap(({ tagged }) => (tagged ? [tagged] : [])),
    build(translations) {
      let next = 0;
      return new Blob([lines.map(({ before, tagged, marks, after }) => before + (tagged && written(translations[next++], marks)) + after).join('\n')], { type: 'text/plain' });
    },
  };
}

/** What begins a line that another person says. */
const DASH = /^\s*[-–—]\s*(?=\S)/;

/**
 * Subtitles: numbers and times stay; the lines of one are translated together and broken again, those of a dialogue each by itself.
 * @param {string} text
 * @returns {Opened}
 */
export function openSrt(text) {
  const blocks = text.replace(/^\ufeff/, '').replace(TAGS, '').split(/\r?\n(?:[ \t]*\r?\n)+/).map((block) => {
    const lines = block.split(/\r?\n/);
    const at = lines.findIndex((line) => line.includes('-->'));
    const said = lines.slice(at + 1).filter((line) => line.trim() !== '');
    const isDialogue = said.length > 1 && said.every((line) => DASH.test(line));
    const parts = (isDialogue ? said : [said.join(' ').trim()]).filter(Boolean).map((line) => {
      const dash = isDialogue ? (DASH.exec(line)?.[0] ?? '') : '';
      const { tagged, marks } = subtitle(line.slice(dash.length).trim());
      return { dash, tagged: collapsed(tagged), marks };
    });
    return { head: lines.slice(0, at + 1), parts, isDialogue };
  });
  return {
    texts: blocks.flatMap(({ parts }) => parts.map(({ tagged }) => tagged)),
    build(translations) {
      let next = 0;
      const made = blocks.map(({ head, parts, isDialogue }) => {
        const lines = parts.map(({ dash, marks }) => dash + written(translations[next++], marks));
        return [...head, ...(isDialogue ? lines : lines.flatMap(inTwo))].join('\n');
      });
      return new Blob([made.join('\n\n')], { type: 'application/x-subrip' });
    },
  };
}

/** @param {string} line as one line, or broken at the space nearest to its middle */
function inTwo(line) {
  if (line.length <= SUBTITLE) return [line];
  // Not inside of a tag such as <font color="red">.
  const spaces = [...line.matchAll(/ (?![^<>]*>)/g)].map(({ index }) => index);
  const at = spaces.sort((a, b) => Math.abs(a - line.length / 2) - Math.abs(b - line.length / 2))[0];
  return at === undefined ? [line] : [line.slice(0, at), line.slice(at + 1)];
}
