/** The whole row of a softmax: every key with its score, its exponential and its weight; a click takes the key. */

/** @import * as P from '../../engine/protocol' */
/** @import { Context } from './steps.js' */
import { el, rove, setText } from '../../ui/dom.js';
import { signed } from '../../ui/numbers.js';

/** Keys above this fold away all but the heaviest. */
const MOST = 24;

export function mountSoftmaxRow() {
  const body = el('tbody');
  const totals = { exponential: el('td'), weight: el('td', { text: '1' }) };
  const column = (/** @type {string} */ text, /** @type {string} */ title) => el('th', { scope: 'col', text, title });
  const score = column('s', 'score, as worked out above');
  const table = el(
    'table',
    { class: 'softmax-row' },
    el('thead', {}, el('tr', {}, column('key', 'the piece that is read'), score, column('e^(s−max)', 'exponential of the score less the largest one'), column('α', 'weight: the exponential over their sum'), column('without √d', 'what the weight would be without the division by √d_k'))),
    body,
    el('tfoot', {}, el('tr', {}, el('th', { scope: 'row', text: 'sum' }), el('td'), totals.exponential, totals.weight, el('td'))),
  );
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
      const told = folds && !all ? [...new Set([...order].sort((i, j) => a.weights.data[j] - a.weights.data[i]).slice(0, MOST).concat(key))].sort((i, j) => i - j) : order;
      more.hidden = !folds;
      setText(more, all ? `The ${MOST} heaviest only` : `All ${order.length} keys`);
      const focused = body.contains(document.activeElement);
      body.replaceChildren(...told.map((j) => line(a, about, j)));
      if (focused) /** @type {HTMLElement|null} */ (body.querySelector('.chosen button'))?.focus();
      setText(totals.exponential, signed(a.exponentialSum, 3));
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
    'aria-pressed': chosen,
    onclick: () => about.choose(j),
  });
  take.setAttribute('aria-pressed', String(chosen));
  const fill = el('span', { class: 'weight-fill' });
  fill.style.setProperty('--p', String(a.weights.data[j]));
  const beside = el('span', { class: 'weight-fill other' });
  beside.style.setProperty('--p', String(a.weightsUnscaled.data[j]));
  return el(
    'tr',
    { class: `${chosen ? 'chosen' : ''} ${masked ? 'masked' : ''}` },
    el('th', { scope: 'row' }, take),
    el('td', { text: masked ? 'masked' : signed(a.scores.data[j]) }),
    el('td', { text: masked ? '0' : signed(a.exponentials.data[j], 3) }),
    el('td', { class: 'bar-cell' }, fill, el('span', { text: signed(a.weights.data[j], 3) })),
    el('td', { class: 'bar-cell' }, beside, el('span', { text: signed(a.weightsUnscaled.data[j], 3) })),
  );
}
