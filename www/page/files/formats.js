/** Files as what is translated of them: a list of texts, and the file built again around their translations. */

import { openDocx } from './docx.js';
import { decode } from './encoding.js';
import { openHtml } from './html.js';
import { openMarkdown } from './markdown.js';
import { subtitle, written } from './marks.js';
import { linesOf, openSegments, segmentsOf, wordsOf } from './segments.js';
import { TAGS, collapsed } from './tags.js';

/**
 * `texts`: a line each, without line breaks, maybe with tags (`tags.js`); `build` takes as many translations, and their language
 * if it is known.
 * @typedef {{ texts: string[], build: (translations: string[], language?: string) => Promise<Blob> | Blob }} Opened
 */

/** Opens the text of a file, by the ending of its name. @type {Record<string, (text: string) => Opened>} */
const TEXTS = { txt: openText, md: openMarkdown, srt: openSrt, html: openHtml, htm: openHtml };
/** Files that can be translated. */
export const ACCEPT = [...Object.keys(TEXTS), 'docx'].map((kind) => `.${kind}`).join();
/** Largest file, in bytes. */
const MOST = 50_000_000;
/** Longest line of a subtitle, in characters: longer ones are broken in two. */
const SUBTITLE = 42;

/**
 * Opens a file by its name's ending.
 * @param {File} file
 * @returns {Promise<Opened & { encoding: string }>} with the encoding that it was read in
 * @throws {Error} saying what is wrong with it
 */
export async function openFile(file) {
  const ending = /\.[^.]+$/.exec(file.name)?.[0].toLowerCase();
  if (!ending || !ACCEPT.split(',').includes(ending)) throw new Error(`files ${ending ? `of type ${ending}` : 'without a type'} cannot be read, only ${ACCEPT.replaceAll(',', ', ')}`);
  if (file.size > MOST) throw new Error(`it has ${Math.round(file.size / 1e6)} MB; at most ${MOST / 1e6} are read`);
  const kind = ending.slice(1);
  if (kind === 'docx') return { ...(await openDocx(file)), encoding: 'utf-8' };
  const { text, encoding } = decode(await file.arrayBuffer(), TEXTS[kind] === openHtml);
  return { ...TEXTS[kind](text), encoding };
}

/**
 * Text line by line.
 * @param {string} text
 */
export function openText(text) {
  return openSegments(linesOf(text.replace(TAGS, '')).flatMap((line) => segmentsOf(line, (words) => ({ tagged: words, marks: [] }))));
}

/** What begins a line that another person says. */
const DASH = /^\s*[-–—]\s*(?=\S)/;

/**
 * Subtitles: numbers and times stay; the lines of one are translated together and broken again, those of a dialogue each by itself.
 * @param {string} text
 * @returns {Opened}
 */
export function openSrt(text) {
  const lineBreak = /\r?\n/.exec(text)?.[0] ?? '\n';
  const { before, words, after } = wordsOf(text.replace(TAGS, ''));
  // Every second one is what stands between two subtitles.
  const parted = words.split(/(\r?\n(?:[ \t]*\r?\n)+)/);
  const blocks = parted.filter((_, i) => i % 2 === 0).map((block) => {
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
      const made = blocks.map(({ head, parts, isDialogue }, i) => {
        const lines = parts.map(({ dash, marks }) => dash + written(translations[next++], marks));
        return [...head, ...(isDialogue ? lines : lines.flatMap(inTwo))].join(lineBreak) + (parted[2 * i + 1] ?? '');
      });
      return new Blob([before, ...made, after], { type: 'application/x-subrip' });
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
