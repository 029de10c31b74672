/** Tables: a heading row, rows named by their first cell; and the frames that tables stand in. */

import { el } from './dom.js';

/** @typedef {string|Node|null|undefined} Cell what a cell holds, or a `td` or `th` of its own */
/** @typedef {import('./dom.js').Props} Props */

/**
 * @param {Cell} cell
 * @param {'td'|'th'} tag
 * @param {Props} [props]
 */
const cellOf = (cell, tag, props) => (cell instanceof HTMLTableCellElement ? cell : el(tag, props, cell));

/**
 * A row; the first cell names it.
 * @param {Cell[]} cells
 * @param {Props} [props]
 */
export const tableRow = ([name, ...cells], props) => el('tr', props, cellOf(name, 'th', { scope: 'row' }), ...cells.map((cell) => cellOf(cell, 'td')));

/**
 * Rows that belong together.
 * @param {(Cell[]|HTMLTableRowElement)[]} rows
 */
export const tableBody = (rows) => el('tbody', {}, ...rows.map((row) => (row instanceof HTMLElement ? row : tableRow(row))));

/**
 * @param {Cell[]} head
 * @param {(Cell[]|HTMLTableRowElement)[]|HTMLTableSectionElement[]} rows all in one body, or bodies
 * @param {Props} [props] of the table
 * @param {Cell[]} [foot]
 */
export function dataTable(head, rows, props, foot) {
  return el(
    'table',
    props,
    el('thead', {}, el('tr', {}, ...head.map((cell) => cellOf(cell, 'th', { scope: 'col' })))),
    ...(rows[0] instanceof HTMLTableSectionElement ? /** @type {HTMLTableSectionElement[]} */ (rows) : [tableBody(/** @type {(Cell[]|HTMLTableRowElement)[]} */ (rows))]),
    foot && el('tfoot', {}, tableRow(foot)),
  );
}

/**
 * A frame that scrolls where its table is too large; it takes the focus, so that keys scroll it.
 * @param {string} label
 * @param {...Node} children
 */
export const tableBox = (label, ...children) => el('div', { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': label }, ...children);

/**
 * A frame for a table that is part of the text: as high as the table, it scrolls sideways; it takes the focus, so that keys
 * scroll it.
 * @param {string} label
 * @param {...Node} children
 */
export const tableFlow = (label, ...children) => el('div', { class: 'table-flow', tabindex: '0', role: 'region', 'aria-label': label }, ...children);

/**
 * A table behind a picture, folded away; made when it is opened, and made again by `refresh` while it is open.
 * @param {string} summary
 * @param {string} label
 * @param {() => Node|null} make
 * @param {Props} [props]
 */
export function foldedTable(summary, label, make, props) {
  const box = tableBox(label);
  const node = el('details', { class: 'table', ...props }, el('summary', { text: summary }), box);
  const refresh = () => {
    if (!node.open) return;
    const table = make();
    box.replaceChildren(...(table ? [table] : []));
  };
  node.addEventListener('toggle', refresh);
  return { node, refresh };
}
