/** Marks inside of a line of text: emphasis, links and code of Markdown, the tags of subtitles. */

/** @import { Part } from './tags.js' */
import { MOST_TAGS, closes, opens, partsOf } from './tags.js';

/** What stands around the text of a tag; `whole` where the tag goes through the translation as it is. @typedef {{ open: string, close: string, whole: string | null }} Mark */
/** @typedef {{ tagged: string, marks: Mark[] }} Marked */

/**
 * What a line of Markdown holds: code; what stays (picture, comment, tag or address, footnote, escaped bar of a table); link, strong,
 * emphasis. Lengths are bounded, so that a mark that is never closed is not looked for in the whole text again and again.
 */
const MARKDOWN = /(?<code>(`{1,3})([^`]{1,300})\2)|(?<fixed>!\[[^\]]{0,300}\](?:\([^()]{0,300}\)|\[[^\]]{0,300}\])|<!--.{0,300}?-->|<\/?[a-zA-Z][^<>]{0,300}>|\[\^[^\]\s]{1,100}\]|\\\|)|(?<link>\[([^[\]]{1,300})\](\([^()]{1,300}\)|\[[^[\]]{0,300}\]))|(?<strong>(\*\*|__|~~)(?=\S)((?:(?!\9).){1,300})(?<=\S)\9)|(?<em>(?<![\p{L}\p{N}])([*_])(?=\S)([^*_]{1,300})(?<=\S)\12(?![\p{L}\p{N}]))/gu;

/**
 * @param {string} text
 * @param {Mark[]} [marks] those before
 * @returns {Marked}
 */
export function markdown(text, marks = []) {
  let tagged = '';
  let at = 0;
  const put = (/** @type {Mark} */ mark, /** @type {string} */ content) => {
    const id = marks.push(mark) - 1;
    tagged += opens(id, mark.whole !== null) + (mark.whole === null ? markdown(content, marks).tagged : content) + closes(id);
  };
  for (const match of text.matchAll(MARKDOWN)) {
    const { code, fixed, link, strong, em } = match.groups ?? {};
    if (marks.length >= MOST_TAGS) break;
    tagged += text.slice(at, match.index);
    if (code) put({ open: '', close: '', whole: code }, match[3]);
    // The name of a reference is not translated, also where it is the text of the link.
    else if (link) put({ open: '[', close: `]${match[7] === '[]' ? `[${match[6]}]` : match[7]}`, whole: null }, match[6]);
    else if (strong) put({ open: match[9], close: match[9], whole: null }, match[10]);
    else if (em) put({ open: match[12], close: match[12], whole: null }, match[13]);
    else put({ open: '', close: '', whole: fixed }, '');
    at = match.index + match[0].length;
  }
  return { tagged: tagged + text.slice(at), marks };
}

/** Tags of subtitles, and places on the screen. */
const SUBTITLE = /<(\/?)([ibu]|font)\b[^<>]{0,100}>|\{\\[^{}]{0,60}\}/gi;

/**
 * @param {string} text
 * @returns {Marked}
 */
export function subtitle(text) {
  /** @type {Mark[]} */
  const marks = [];
  /** @type {{ id: number, name: string }[]} */
  const open = [];
  const tagged = text.replace(SUBTITLE, (mark, slash, name) => {
    if (slash && open.at(-1)?.name === name) {
      const { id } = /** @type {{ id: number }} */ (open.pop());
      marks[id].close = mark;
      return closes(id);
    }
    if (marks.length >= MOST_TAGS) return mark;
    const closed = !slash && name && new RegExp(`</${name}>`, 'i').test(text);
    const id = marks.push({ open: closed ? mark : '', close: '', whole: closed ? null : mark }) - 1;
    if (!closed) return opens(id, true) + closes(id);
    open.push({ id, name });
    return opens(id);
  });
  return { tagged: tagged + open.reverse().map(({ id }) => closes(id)).join(''), marks };
}

/** @param {string} tagged @param {Mark[]} marks */
export function written(tagged, marks) {
  /** @type {(parts: Part[]) => string} */
  const write = (parts) => parts.map((part) => (typeof part === 'string' ? part : around(marks[part.id], part.parts))).join('');
  const around = (/** @type {Mark} */ { open, close, whole }, /** @type {Part[]} */ parts) => whole ?? open + write(parts) + close;
  return write(partsOf(tagged));
}
