/** A translation beside the one on the page: both texts, what differs, and what the change did to the log-probability. */

/** @import { Comparison } from '../engine/protocol' */
import { el, setText } from './dom.js';
import { signed } from './numbers.js';
import { dataTable, foldedTable } from './table.js';
import { markDifference } from './word-diff.js';

/**
 * @typedef {object} Compared
 * @property {string} oldText
 * @property {string} text
 * @property {string} lang of both
 * @property {boolean} continued the search went on from another piece, instead of under a change of the model
 * @property {number} [logprob] of the new text
 * @property {Comparison|null} [comparison] the old text scored before and after the change
 * @property {string[]} labels of the old text's pieces
 */

/** @param {() => void} [present] shows the new translation on the page */
export function comparisonCard(present) {
  /** @type {Compared|null} */
  let shown = null;
  const [was, is] = [line('as it is'), line('now')];
  const says = el('p', { class: 'step-says' });
  const button = present && el('button', { type: 'button', class: 'look', text: 'Show this one on the page', onclick: present });
  const pieces = foldedTable('piece by piece', 'Pieces of the old translation', () => shown?.comparison ? piecesTable(shown.comparison, shown.labels) : null, { class: 'table small' });
  const node = el('div', { class: 'steered', hidden: true, 'aria-live': 'polite' }, el('dl', { class: 'two-texts' }, ...was.nodes, ...is.nodes), says, el('div', { class: 'steered-foot' }, button, pieces.node));

  return {
    node,
    /** @param {Compared|null} compared */
    show(compared) {
      node.hidden = !compared;
      shown = compared;
      if (!compared) return;
      const { text, oldText, lang, comparison, logprob } = compared;
      was.show(oldText, text, lang, comparison?.before);
      is.show(text, oldText, lang, logprob);
      setText(says, sentence(compared));
      pieces.node.hidden = !comparison;
      pieces.refresh();
    },
  };
}

/** @param {Compared} compared */
function sentence({ text, oldText, comparison, continued }) {
  const same = text === oldText;
  if (continued) return same ? 'From this prefix the search finds the same translation.' : 'The search went on from the chosen piece; ln P is that of the whole translation, the chosen piece included.';
  const moved = comparison ? ` ln P of the old translation goes from ${signed(comparison.before)} to ${signed(comparison.after)}: a change of ${signed(comparison.change)}.` : '';
  return `${same ? 'The translation stays the same.' : 'The translation changes.'}${moved}`;
}

/** @param {string} name */
function line(name) {
  const text = el('span', { class: 'prose-line' });
  const logprob = el('span', { class: 'ln' });
  return {
    nodes: [el('dt', { text: name }), el('dd', {}, text, logprob)],
    /**
     * @param {string} own
     * @param {string} other
     * @param {string} lang
     * @param {number|undefined} ln
     */
    show(own, other, lang, ln) {
      text.lang = lang;
      text.replaceChildren(...markDifference(other, own));
      setText(logprob, ln === undefined ? '' : `ln P = ${signed(ln)}`);
    },
  };
}

/**
 * @param {Comparison} comparison
 * @param {string[]} labels
 */
const piecesTable = ({ beforePieces, afterPieces, changePieces }, labels) =>
  dataTable(
    ['piece', 'ln P as it is', 'ln P changed', 'change'],
    labels.map((label, i) => [label, ...[beforePieces[i], afterPieces[i], changePieces[i]].map((v) => signed(v, 3))]),
  );
