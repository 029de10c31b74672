/** The reader's own target under forced decoding: how probable each piece is, and how surprising. */

/** @import { Store } from '../../app/store.js' */
/** @import { Queries, Forced } from '../../app/queries.js' */
/** @import { Actions } from './alternatives.js' */
import { pieceLabel } from '../../app/maps.js';
import { observedSentence } from '../../app/queries.js';
import { formatWeight, signed } from '../../ui/numbers.js';
import { el, setText } from '../../ui/dom.js';
import { term } from '../../ui/term.js';
import { dataTable, tableFlow, tableRow } from '../../ui/table.js';

/** Surprisal at which the bar is full, in bits: a piece that one guess in a thousand would hit. */
const FULL = 10;

/**
 * @param {Store} store
 * @param {Queries} queries
 * @param {Actions} actions
 */
export function mountOwnTarget(store, queries, actions) {
  const field = el('textarea', { class: 'line-field', id: 'own-target', rows: '2', spellcheck: 'false' });
  const score = el('button', { type: 'submit', id: 'own-score', text: 'Score it' });
  const own = el('button', { type: 'button', class: 'plain', text: 'Take the translation', onclick: () => { field.value = observedSentence(store.get())?.text ?? ''; } });
  const form = el('form', { class: 'own-form' }, el('label', { class: 'setting-name', for: 'own-target', text: 'Your translation of the sentence' }), field, el('div', { class: 'settings' }, score, own));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (field.value.trim()) queries.force(field.value.trim());
  });
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  const total = el('p', { class: 'step-says', id: 'own-total', 'aria-live': 'polite' });
  const table = dataTable(columns(), [], { class: 'softmax-row forced', id: 'own-pieces' });
  const look = el('button', { type: 'button', class: 'look', text: 'Show its attention on the page' });
  look.addEventListener('click', () => {
    const { forced } = store.get();
    if (forced) actions.present({ ...forced, what: 'your own target' });
  });
  const result = el('div', { hidden: true }, total, tableFlow('Your own target, piece by piece', table), look);

  store.watch(['model'], ({ model }) => {
    field.lang = model?.targetLanguage ?? '';
  });
  let offered = '';
  store.watch(['observation', 'doc', 'steerView', 'phase', 'pendingQuery'], (state) => {
    const at = observedSentence(state);
    score.disabled = !at || state.pendingQuery !== null;
    // The field begins with the translation, until the reader has typed into it.
    if (at && field.value === offered && field.value !== at.text) field.value = offered = at.text;
  });
  store.watch(['forced'], ({ forced }) => {
    result.hidden = !forced;
    if (!forced) return;
    setText(total, summary(forced));
    table.tBodies[0].replaceChildren(...forced.target.map((piece, i) => line(forced, pieceLabel(piece), i)));
  });
  return el(
    'section',
    { class: 'steer-part', 'aria-label': 'Own target' },
    el('h2', { text: 'How would the model have said that?' }),
    el('p', { class: 'says short', text: 'Forced decoding: the model is given your pieces one by one, as in training, and gives each a probability after those before it.' }),
    form,
    result,
  );
}

/** The table's columns by name; those that the glossary knows explain themselves. */
function columns() {
  const column = (/** @type {Node|string} */ name, title = '') => el('th', { scope: 'col', title: title || null }, name);
  return [
    column(term('piece', 'piece')),
    column('P', 'probability after the pieces before it'),
    column(term('surprisal', 'surprisal')),
    column('rank', '1: the likeliest piece'),
    column('likeliest', 'what the model would have said'),
  ];
}

/** @param {Forced} forced */
function summary({ scored, modelLogprob }) {
  const beside = modelLogprob === null ? '' : ` The model’s own translation has ${signed(modelLogprob)}.`;
  return `ln P of the whole = ${signed(scored.logprob)}, perplexity ${signed(scored.perplexity)} per piece.${beside}`;
}

/**
 * @param {Forced} forced
 * @param {string} label
 * @param {number} i
 */
function line({ scored, steps }, label, i) {
  const { probability, surprisal, rank } = scored.scores[i];
  const fill = el('span', { class: 'weight-fill' });
  fill.style.setProperty('--p', String(Math.min(1, surprisal / FULL)));
  const best = steps[i]?.pieces[0];
  return tableRow(
    [
      el('th', { scope: 'row', class: 'target-word', text: label }),
      formatWeight(probability),
      el('td', { class: 'bar-cell' }, fill, el('span', { text: `${signed(surprisal, 1)} bits` })),
      String(rank),
      rank === 1 || !best ? '' : `${pieceLabel(best)} ${formatWeight(best.probability)}`,
    ],
    { class: rank === 1 ? '' : 'unlikely' },
  );
}
