/** The little of Markdown that model cards use, read into plain data: text in, no markup ever out. */

/**
 * A run of text. `link` is an https address, or null.
 * @typedef {{text: string, kind: 'text'|'code'|'strong'|'em', link: string|null}} Span
 * @typedef {{kind: 'heading', level: number, spans: Span[]} | {kind: 'paragraph', spans: Span[]} | {kind: 'code', text: string}
 *   | {kind: 'list', items: Span[][]} | {kind: 'table', head: Span[][], rows: Span[][][]}} Block
 */

/**
 * @param {string} text
 * @returns {Block[]}
 */
export function parseMarkdown(text) {
  const lines = withoutFrontMatter(text.split(/\r?\n/));
  /** @type {Block[]} */
  const blocks = [];
  for (let i = 0; i < lines.length; ) {
    const line = lines[i];
    const heading = /^(#{1,6}) +(.*)$/.exec(line);
    if (line.trim() === '') i++;
    else if (heading) {
      blocks.push({ kind: 'heading', level: heading[1].length, spans: spansOf(heading[2]) });
      i++;
    } else if (line.startsWith('```')) {
      const end = lines.findIndex((l, at) => at > i && l.startsWith('```'));
      const stop = end < 0 ? lines.length : end;
      blocks.push({ kind: 'code', text: lines.slice(i + 1, stop).join('\n') });
      i = stop + 1;
    } else if (line.startsWith('|')) {
      const rows = [];
      for (; i < lines.length && lines[i].startsWith('|'); i++) rows.push(cellsOf(lines[i]));
      const [head, ...rest] = rows;
      blocks.push({ kind: 'table', head, rows: rest.filter((row) => !row.every(([span]) => /^:?-+:?$/.test(span?.text ?? '-'))) });
    } else if (/^[-*] /.test(line)) {
      /** @type {string[]} */
      const items = [];
      for (; i < lines.length && /^([-*] | {2})/.test(lines[i]); i++) {
        if (lines[i].startsWith(' ')) items.push(`${items.pop() ?? ''} ${lines[i].trim()}`);
        else items.push(lines[i].slice(2));
      }
      blocks.push({ kind: 'list', items: items.map(spansOf) });
    } else {
      const rows = [];
      for (; i < lines.length && lines[i].trim() !== '' && !/^(#|```|\||[-*] )/.test(lines[i]); i++) rows.push(lines[i].trim());
      if (rows.length === 0) rows.push(lines[i++]);
      blocks.push({ kind: 'paragraph', spans: spansOf(rows.join(' ')) });
    }
  }
  return blocks;
}

/** @param {string[]} lines */
function withoutFrontMatter(lines) {
  if (lines[0] !== '---') return lines;
  const end = lines.indexOf('---', 1);
  return end < 0 ? lines : lines.slice(end + 1);
}

/** @param {string} line */
const cellsOf = (line) =>
  line
    .replace(/^\||\|\s*$/g, '')
    .split('|')
    .map((cell) => spansOf(cell.trim()));

/**
 * @param {string} text
 * @returns {Span[]}
 */
function spansOf(text) {
  /** @type {Span[]} */
  const spans = [];
  const pattern = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\(([^)\s]+)\)/g;
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > from) spans.push({ text: text.slice(from, match.index), kind: 'text', link: null });
    const [whole, code, strong, em, name, address] = match;
    const link = address !== undefined && /^https:\/\//.test(address) ? address : null;
    if (name !== undefined) spans.push(...spansOf(name).map((span) => ({ ...span, link })));
    else spans.push({ text: code ?? strong ?? em, kind: code ? 'code' : strong ? 'strong' : 'em', link: null });
    from = match.index + whole.length;
  }
  if (from < text.length) spans.push({ text: text.slice(from), kind: 'text', link: null });
  return spans;
}

/** @param {Span[]} spans */
export const plain = (spans) => spans.map((span) => span.text).join('');
