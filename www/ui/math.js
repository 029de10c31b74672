/** Formulas as DOM: letters in italics, indices low and high, a symbol's colour that of the side it comes from. */

import { el } from './dom.js';

/** A symbol with what hangs on it; or any other character. */
const SYMBOL = /([A-Za-zα-ωΣ]+)?([_^]\{[^}]*\}|[_^](?:[A-Za-z]+|[0-9]+))?/y;

/**
 * A formula from plain text: `x·W^Q`, `e^{3.31}`, `√d_k`. Single letters are variables, longer words names;
 * `_` and `^` take letters, digits or a group in braces.
 * @param {string} text
 * @param {Record<string, string>} [sides] symbol → class, e.g. `{ q: 'target', k: 'source' }`
 */
export function math(text, sides = {}) {
  const node = el('span', { class: 'math' });
  let plain = '';
  const flush = () => {
    if (plain) node.append(plain);
    plain = '';
  };
  for (let at = 0; at < text.length; ) {
    SYMBOL.lastIndex = at;
    const [all, letters, hung] = /** @type {RegExpExecArray} */ (SYMBOL.exec(text));
    if (!all) {
      plain += text[at++];
      continue;
    }
    at += all.length;
    flush();
    const symbol = el('span', sides[letters ?? ''] ? { class: sides[letters ?? ''] } : {});
    if (letters) symbol.append(letters.length === 1 ? el('var', { text: letters }) : letters);
    if (hung) symbol.append(el(hung[0] === '_' ? 'sub' : 'sup', { text: hung.slice(1).replace(/[{}]/g, '') }));
    node.append(symbol);
  }
  flush();
  return node;
}

/** In running text a symbol is what has an index. */
const INDEXED = /(?<![A-Za-z0-9])(√?(?:log|[A-Za-zα-ω])[_^](?:\{[^}]*\}|[A-Za-z]+|[0-9]+))/;

/**
 * A sentence in which symbols with indices (`d_k`, `√d_k`, `W^O`) are set as in a formula.
 * @param {string} text
 * @returns {(Node|string)[]}
 */
export const prose = (text) => text.split(INDEXED).map((part, i) => (i % 2 ? math(part) : part));
