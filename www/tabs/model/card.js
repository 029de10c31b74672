/** A model's card (`README.md` of its folder), from parsed Markdown to elements. */

/** @import { Block, Span } from '../../ui/markdown.js' */
import { el } from '../../ui/dom.js';
import { plain } from '../../ui/markdown.js';
import { prose } from '../../ui/math.js';
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
  return spans.flatMap(({ text, kind, link }) => {
    const nodes = kind === 'text' ? prose(text) : [el(kind, { text })];
    return link ? [el('a', { href: link, rel: 'noopener noreferrer' }, ...nodes)] : nodes;
  });
}
