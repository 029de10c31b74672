/** Markdown line by line. Code, front matter, comments and reference definitions stay; tables are translated cell by cell. */

/** @import { Opened } from './formats.js' */
/** @import { Segment } from './segments.js' */
import { markdown } from './marks.js';
import { linesOf, openSegments, segmentsOf } from './segments.js';
import { TAGS } from './tags.js';

/** What begins a line and is not translated: heading, list, quote, task, footnote. */
const BEGIN = /^\s*(?:(?:#{1,6}|[-*+]|>|\d+[.)])\s+)*(?:\[[ xX]\]\s+|\[\^[^\]]{1,100}\]:\s+)?/;
const FENCE = /^\s*(?:```|~~~)/;
const LIST_ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?=\S)/;
/** `[name]: address "title"`, but no footnote. */
const REFERENCE = /^\s*\[(?!\^)[^\]]{1,300}\]:\s*(?:<[^<>]*>|\S+)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*$/;

/** Columns of white space. @param {string} blanks */
const width = (blanks) => blanks.replaceAll('\t', '    ').length;
/** The row between a table's head and its body. @param {string} [line] */
const isDelimiterRow = (line = '') => /^[-:|\s]+$/.test(line) && line.includes('|') && line.includes('-');

/**
 * @param {string} text
 * @returns {Opened}
 */
export function openMarkdown(text) {
  const lines = linesOf(text.replace(TAGS, ''));
  const start = frontMatter(lines);
  let isFenced = false;
  let isComment = false;
  let isTable = false;
  /** The line before is blank or code: what is indented after it may be code. */
  let afterBreak = true;
  /** Columns before the words of the list item that a line may belong to. */
  let item = 0;

  /** @type {(line: string, i: number) => Segment[]} */
  const segments = (line, i) => {
    if (i < start) return [line];
    if (isComment) {
      isComment = !line.includes('-->');
      return [line];
    }
    const isFence = FENCE.test(line);
    if (isFence) isFenced = !isFenced;
    if (isFence || isFenced) return [line];
    if (line.trim() === '') {
      afterBreak = true;
      isTable = false;
      return [line];
    }
    const indent = width(/^[ \t]*/.exec(line)?.[0] ?? '');
    if (afterBreak && indent >= Math.min(item, indent) + 4) return [line];
    if (afterBreak) item = Math.min(item, indent);
    afterBreak = false;
    if (/^\s*<!--/.test(line)) {
      isComment = !line.includes('-->');
      if (isComment || line.trimEnd().endsWith('-->')) return [line];
    }
    const marker = LIST_ITEM.exec(line)?.[0];
    if (marker) item = width(marker);
    if (REFERENCE.test(line)) return [line];
    isTable = line.includes('|') && (isTable || isDelimiterRow(lines[i + 1]));
    if (!isTable) return segmentsOf(line, markdown, BEGIN.exec(line)?.[0].length);
    return line.split(/(?<!\\)(\|)/).flatMap((cell) => segmentsOf(cell, markdown));
  };
  return openSegments(lines.flatMap(segments));
}

/** How many lines the front matter has: from `---` or `+++` in the first line to the next one. @param {string[]} lines */
function frontMatter(lines) {
  const fence = lines[0]?.trimEnd();
  // Before a blank line it is a rule.
  if ((fence !== '---' && fence !== '+++') || !lines[1]?.trim()) return 0;
  return lines.findIndex((line, i) => i > 0 && line.trimEnd() === fence) + 1;
}
