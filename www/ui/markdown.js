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
      let stop = i + 1;
      while (stop < lines.length && !lines[stop].startsWith('```')) stop++;
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
 * Emphasis, code and links of a line. Every character is read a bounded number of times: cards come from anywhere.
 * @param {string} text
 * @returns {Span[]}
 */
function spansOf(text) {
  /** @type {Span[]} */
  const spans = [];
  const next = finder(text);
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const run = runAt(text, at, next);
    if (!run) {
      at++;
      continue;
    }
    if (at > from) spans.push({ text: text.slice(from, at), kind: 'text', link: null });
    const inner = text.slice(at + run.open, run.close);
    if (run.kind === 'link') {
      const link = run.address.startsWith('https://') ? run.address : null;
      spans.push(...spansOf(inner).map((span) => ({ ...span, link })));
    } else spans.push({ text: inner, kind: run.kind, link: null });
    from = at = run.end;
  }
  if (from < text.length) spans.push({ text: text.slice(from), kind: 'text', link: null });
  return spans;
}

/** @typedef {(mark: string, from: number) => number} Finder where a mark stands next; −1: nowhere */

/**
 * Remembers where each mark stands next, so that looking for one that is far away or missing is done once.
 * @param {string} text
 * @returns {Finder}
 */
function finder(text) {
  /** @type {Map<string, number>} */
  const found = new Map();
  return (mark, from) => {
    const known = found.get(mark);
    if (known !== undefined && (known < 0 || known >= from)) return known;
    const at = text.indexOf(mark, from);
    found.set(mark, at);
    return at;
  };
}

/**
 * The run that begins at a place, if one does: its content lies from `at + open` to `close`.
 * @param {string} text
 * @param {number} at
 * @param {Finder} next
 * @returns {{kind: 'code'|'strong'|'em', open: number, close: number, end: number}|{kind: 'link', open: number, close: number, end: number, address: string}|null}
 */
function runAt(text, at, next) {
  if (text[at] === '`') {
    const close = next('`', at + 1);
    return close > at + 1 ? { kind: 'code', open: 1, close, end: close + 1 } : null;
  }
  if (text[at] === '*') {
    const strong = text[at + 1] === '*';
    const open = strong ? 2 : 1;
    const close = next('*', at + open);
    if (close <= at + open || (strong && text[close + 1] !== '*')) return null;
    return { kind: strong ? 'strong' : 'em', open, close, end: close + open };
  }
  if (text[at] !== '[') return null;
  const close = next(']', at + 1);
  if (close <= at + 1 || text[close + 1] !== '(') return null;
  const end = next(')', close + 2);
  const blank = next(' ', close + 2);
  if (end <= close + 2 || (blank >= 0 && blank < end)) return null;
  return { kind: 'link', open: 1, close, end: end + 1, address: text.slice(close + 2, end) };
}

/** @param {Span[]} spans */
export const plain = (spans) => spans.map((span) => span.text).join('');
