/** A model's card (`README.md` of its folder), from parsed Markdown to elements; and the figures in its tables. */

/** @import { Block, Span } from '../../ui/markdown.js' */
import { el } from '../../ui/dom.js';
import { plain } from '../../ui/markdown.js';
import { dataTable, tableBox } from '../../ui/table.js';

/**
 * @param {Block[]} blocks
 * @returns {HTMLElement[]}
 */
export function renderBlocks(blocks) {
  let tables = 0;
  return blocks.map((block) => {
    switch (block.kind) {
      case 'heading':
        // Headings of a card stand below the tab's own.
        return el('h4', {}, ...inline(block.spans));
      case 'paragraph':
        return el('p', {}, ...inline(block.spans));
      case 'code':
        return el('pre', { tabindex: '0' }, el('code', { text: block.text }));
      case 'list':
        return el('ul', { class: 'bullets' }, ...block.items.map((item) => el('li', {}, ...inline(item))));
      case 'table':
        return tableBox(
          // Tables of a card may have the same columns.
          `Table ${(tables += 1)} of the card: ${block.head.map(plain).join(', ')}`,
          dataTable(
            block.head.map(plain),
            block.rows.map((row) => row.map((cell) => el('span', {}, ...inline(cell)))),
          ),
        );
    }
  });
}

/** @param {Span[]} spans */
export function inline(spans) {
  return spans.map(({ text, kind, link }) => {
    const node = kind === 'text' ? document.createTextNode(text) : el(kind, { text });
    return link ? el('a', { href: link, rel: 'noopener noreferrer' }, node) : node;
  });
}

/**
 * A row of the card's table of test sets.
 * @typedef {{set: string, sentences: string, bleu: number, chrf: string}} Score
 */

/**
 * What the card measured: the table that has a column BLEU.
 * @param {Block[]} blocks
 * @returns {Score[]}
 */
export function scoresOf(blocks) {
  for (const block of blocks) {
    if (block.kind !== 'table') continue;
    const head = block.head.map((cell) => plain(cell).toLowerCase());
    const bleu = head.findIndex((name) => name === 'bleu');
    if (bleu < 0) continue;
    const column = (/** @type {string} */ name) => head.findIndex((h) => h.startsWith(name));
    const [sentences, chrf] = [column('sentences'), column('chrf')];
    return block.rows
      .map((row) => ({ set: plain(row[0] ?? []), sentences: plain(row[sentences] ?? []), bleu: Number(plain(row[bleu] ?? [])), chrf: plain(row[chrf] ?? []) }))
      .filter(({ set, bleu: score }) => set !== '' && Number.isFinite(score));
  }
  return [];
}

/**
 * What the card's tables of two columns say, by the name of the row: lower case, with a plain apostrophe.
 * @param {Block[]} blocks
 * @returns {Map<string, string>}
 */
export function valuesOf(blocks) {
  const rows = blocks.flatMap((block) => (block.kind === 'table' && block.head.length === 2 ? block.rows : []));
  return new Map(rows.map(([name, value]) => [plain(name).toLowerCase().replaceAll('’', "'"), plain(value ?? [])]));
}
