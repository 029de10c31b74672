/** Terms of the glossary, where they stand on the page. */

import { el } from './dom.js';

/**
 * A term that explains itself, and leads to its place in the glossary when pressed.
 * @param {string} id in the glossary
 * @param {...(Node|string)} says
 */
export const term = (id, ...says) => el('button', { type: 'button', class: 'term', 'aria-describedby': 'tip', data: { term: id } }, ...says);
