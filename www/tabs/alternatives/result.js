/** A translation beside the one on the page: both texts, what differs, and what the change did to the log-probability. */

/** @import { Store } from '../../app/store.js' */
/** @import { Steered } from '../../app/queries.js' */
import { differing } from './differ.js';
import { el, setText } from '../../ui/dom.js';
import { signed } from '../../ui/numbers.js';
import { pieceLabel } from '../../app/maps.js';

/**
 * @param {Store} store
 * @param {(steered: Steered) => void} [look] shows it on the page
 */
export function comparisonCard(store, look) {
  const [was, is] = [line('as it is'), line('now')];
  const says = el('p', { class: 'step-says' });
  const holder = el('div', { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': 'Pieces of the old translation' });
  const details = el('details', { class: 'table small' }, el('summary', { text: 'piece by piece' }), holder);
  const show = look && el('button', { type: 'button', class: 'look', text: 'Show this one on the page' });
  const node = el('div', { class: 'steered', hidden: true, 'aria-live': 'polite' }, el('dl', { class: 'two-texts' }, ...was.nodes, ...is.nodes), says, el('div', { class: 'steered-foot' }, show, details));
  /** @type {Steered|null} */
  let shown = null;
  show?.addEventListener('click', () => shown && look?.(shown));
  const fill = () => details.open && shown?.comparison && holder.replaceChildren(pieces(shown.comparison));
  details.addEventListener('toggle', fill);

  return {
    node,
    /** @param {Steered|null} steered */
    show(steered) {
      node.hidden = !steered;
      if (!steered || steered === shown) return;
      shown = steered;
      const { text, oldText, comparison, logprob } = steered;
      const lang = store.get().model?.targetLanguage ?? '';
      was.show(oldText, text, lang, comparison?.before);
      is.show(text, oldText, lang, logprob);
      setText(says, sentence(steered));
      details.hidden = !comparison;
      fill();
    },
  };
}

/** @param {Steered} steered */
function sentence({ from, text, oldText, comparison }) {
  const same = text === oldText;
  if (from === 'alternatives') return same ? 'From this prefix the search comes to the same translation.' : 'The search went on from the piece that was chosen; ln P is that of the whole translation, the chosen piece included.';
  const moved = comparison ? ` The old translation’s ln P goes from ${signed(comparison.before)} to ${signed(comparison.after)}: a change of ${signed(comparison.change)}.` : '';
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
      text.replaceChildren(...marked(other, own));
      setText(logprob, ln === undefined ? '' : `ln P = ${signed(ln)}`);
    },
  };
}

/**
 * The words of `b`, those that `a` lacks marked; none of them where the two have little in common.
 * @param {string} a
 * @param {string} b
 * @returns {(Node|string)[]}
 */
export function marked(a, b) {
  /** @type {(Node|string)[]} */
  const out = [];
  let at = 0;
  const words = differing(a, b);
  if (words.filter(({ shared }) => shared).length * 3 < words.length) return [b];
  for (const { start, end, shared } of words) {
    if (shared) continue;
    out.push(b.slice(at, start), el('mark', { text: b.slice(start, end) }));
    at = end;
  }
  return [...out, b.slice(at)];
}

/** @param {import('../../engine/protocol').Comparison} comparison */
function pieces({ target, beforePieces, afterPieces, changePieces }) {
  return el(
    'table',
    {},
    el('thead', {}, el('tr', {}, ...['piece', 'ln P as it is', 'ln P changed', 'change'].map((text) => el('th', { scope: 'col', text })))),
    el(
      'tbody',
      {},
      ...target.map((piece, i) =>
        el('tr', {}, el('th', { scope: 'row', text: pieceLabel(piece) }), ...[beforePieces[i], afterPieces[i], changePieces[i]].map((v) => el('td', { text: signed(v, 3) }))),
      ),
    ),
  );
}
