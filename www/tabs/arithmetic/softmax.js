/** The whole row of a softmax: every key with its score, its exponential and its weight; a click takes the key. */

/** @import * as P from '../../engine/protocol' */
/** @import { Context } from './steps.js' */
import { el, rove, setText } from '../../ui/dom.js';
import { math } from '../../ui/math.js';
import { signed } from '../../ui/numbers.js';
import { dataTable, tableRow } from '../../ui/table.js';

/** Keys above this fold away all but the heaviest. */
const MOST = 24;

export function mountSoftmaxRow() {
  const exponentials = el('td');
  const column = (/** @type {Node|string} */ name, /** @type {string} */ title) => el('th', { scope: 'col', title }, name);
  const table = dataTable(
    [
      column('key', 'the piece that is read'),
      column(math('s'), 'score, as worked out above'),
      column(math('e^{s−max}'), 'exponential of the score less the largest one'),
      column(math('α'), 'weight: the exponential over their sum'),
      column(el('span', {}, 'without ', math('√d_k')), 'what the weight would be without the division by √d_k'),
    ],
    [],
    { class: 'softmax-row' },
    ['sum', '', exponentials, '1', ''],
  );
  const [body] = table.tBodies;
  const more = el('button', { type: 'button', class: 'plain', onclick: () => { all = !all; again(); } });
  const node = el('div', { class: 'softmax-holder' }, el('div', { class: 'table-flow' }, table), more);
  rove(body, () => /** @type {HTMLElement[]} */ (Array.from(body.querySelectorAll('button'))), 'down');

  let all = false;
  let again = () => {};

  return {
    node,
    /**
     * @param {P.Arithmetic} a
     * @param {Context} about
     */
    show(a, about) {
      again = () => this.show(a, about);
      const { key } = a.cell;
      const order = Array.from(about.keys.keys());
      const folds = order.length > MOST;
      const listed = folds && !all ? [...new Set([...order].sort((i, j) => a.weights.data[j] - a.weights.data[i]).slice(0, MOST).concat(key))].sort((i, j) => i - j) : order;
      more.hidden = !folds;
      setText(more, all ? `The ${MOST} heaviest only` : `All ${order.length} keys`);
      const focused = body.contains(document.activeElement);
      body.replaceChildren(...listed.map((j) => line(a, about, j)));
      if (focused) /** @type {HTMLElement|null} */ (body.querySelector('.chosen button'))?.focus();
      setText(exponentials, signed(a.exponentialSum, 3));
      // A model that was trained without the division has nothing to set beside its weights.
      table.classList.toggle('undivided', about.config.compatibility !== 'scaled_dot_product');
    },
  };
}

/**
 * @param {P.Arithmetic} a
 * @param {Context} about
 * @param {number} j
 */
function line(a, about, j) {
  const chosen = j === a.cell.key;
  const masked = a.mask.data[j] === 0;
  const take = el('button', {
    type: 'button',
    class: `key ${about.keySide}`,
    text: about.keys[j],
    tabindex: chosen ? '0' : '-1',
    'aria-pressed': String(chosen),
    onclick: () => about.choose(j),
  });
  const fill = el('span', { class: 'weight-fill' });
  fill.style.setProperty('--p', String(a.weights.data[j]));
  const beside = el('span', { class: 'weight-fill other' });
  beside.style.setProperty('--p', String(a.weightsUnscaled.data[j]));
  const bar = (/** @type {HTMLElement} */ fill, /** @type {number} */ weight) => el('td', { class: 'bar-cell' }, fill, el('span', { text: signed(weight, 3) }));
  return tableRow(
    [take, masked ? 'masked' : signed(a.scores.data[j]), masked ? '0' : signed(a.exponentials.data[j], 3), bar(fill, a.weights.data[j]), bar(beside, a.weightsUnscaled.data[j])],
    { class: `${chosen ? 'chosen' : ''} ${masked ? 'masked' : ''}` },
  );
}
