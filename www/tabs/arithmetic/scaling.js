/** Why the scores are divided by √d_k (footnote 4, checked on random vectors), and additive attention beside it. */

/** @import { Store } from '../../app/store.js' */
/** @import { Queries } from '../../app/queries.js' */
import { el } from '../../ui/dom.js';
import { math, prose } from '../../ui/math.js';
import { both, signed } from '../../ui/numbers.js';
import { dataTable, tableFlow, tableRow } from '../../ui/table.js';

const WIDTHS = [1, 4, 16, 32, 64, 128, 256, 512];

/**
 * @param {Store} store
 * @param {Queries} queries
 */
export function mountWhyScale(store, queries) {
  const holder = tableFlow('Products of random vectors');
  const details = el(
    'details',
    { class: 'table', id: 'why-scale' },
    el('summary', {}, 'Why ', math('√d_k'), '? Footnote 4, checked on random vectors'),
    el(
      'p',
      { class: 'says short' },
      'If the components of q and k are independent with mean 0 and variance 1, their product ',
      math('q·k'),
      ' has mean 0 and variance ',
      math('d_k'),
      '. The engine draws such vectors and measures; on the right, the largest of 16 softmax weights: near 1, a softmax hardly learns any more.',
    ),
    holder,
  );
  details.addEventListener('toggle', async () => {
    if (!details.open || holder.firstChild || store.get().phase !== 'ready') return;
    const rows = await queries.randomProducts(WIDTHS);
    if (rows) holder.replaceChildren(table(rows, store.get().model?.config));
  });
  return el('div', { class: 'why' }, details, additive(store));
}

/**
 * @param {import('../../engine/protocol').RandomProducts[]} rows
 * @param {import('../../engine/protocol').ModelConfig|undefined} config of the model
 */
function table(rows, config) {
  const isOwn = (/** @type {number} */ dK) => dK === config?.dK || dK === config?.decoder.dK;
  const head = ['d_k', 'mean', 'variance', 'after ÷ √d_k', 'largest weight', 'without √d_k'];
  return dataTable(
    head.map((text) => el('span', {}, ...prose(text))),
    rows.map((r) =>
      tableRow([isOwn(r.dK) ? `${r.dK} (this model)` : String(r.dK), ...[r.mean, r.variance, r.scaledVariance, r.largestScaled, r.largestUnscaled].map((v) => signed(v))], { class: isOwn(r.dK) ? 'chosen' : '' }),
    ),
    { class: 'numbers' },
  );
}

/** @param {Store} store */
function additive(store) {
  const cost = el('p', { class: 'says short' });
  store.watch(['model'], ({ model }) => {
    if (!model) return;
    const own = model.config.compatibility === 'additive' ? 'This model uses additive attention.' : `This model uses dot products of d_k = ${both(model.config.dK, model.config.decoder.dK)} numbers.`;
    cost.replaceChildren(...prose(`${own} The paper (§3.2.1): both cost about the same on paper, but dot products of all queries with all keys are one matrix product, for which machines are built; without the scaling, additive attention does better where d_k is large.`));
  });
  const way = (/** @type {string} */ name, /** @type {string} */ formula, /** @type {string} */ says) =>
    el('div', { class: 'way' }, el('h4', { text: name }), el('p', { class: 'formula' }, math(formula)), el('p', { class: 'step-says' }, ...prose(says)));
  return el(
    'details',
    { class: 'table', id: 'additive' },
    el('summary', { text: 'Additive attention beside dot-product attention' }),
    el(
      'div',
      { class: 'ways' },
      way('Scaled dot product (eq. 1)', 's = q·k / √d_k', 'Two vectors match when they point the same way. No weights of its own: what matches is decided by W^Q and W^K alone.'),
      way('Additive (Bahdanau et al., 2015)', 's = w·tanh(q + k)', 'A small network with one hidden layer scores the pair. tanh keeps every unit within ±1, so scores stay bounded without √d_k.'),
    ),
    cost,
  );
}
