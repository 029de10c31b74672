/** The table behind the map: the same weights as text, for readers who cannot or would not look at a picture. */

/** @import { Store, State } from '../state.js' */
import { el, setText } from '../dom.js';
import { axes, formatWeight, matrixOf, shownHead } from '../select.js';

/** Above this many cells each row lists its strongest columns only: nobody reads sixteen thousand numbers. */
const WHOLE = 1600;
const STRONGEST = 5;

/**
 * @param {Store} store
 * @param {HTMLElement} panel
 */
export function mountTable(store, panel) {
  const summary = el('summary', { text: 'These weights as a table' });
  const holder = el('div', { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': 'Weights of the shown head' });
  const details = el('details', { class: 'table', id: 'map-table' }, summary, holder);
  panel.append(details);
  const fill = (/** @type {State} */ state) => {
    if (!details.open || state.tab !== 'attention') return;
    holder.replaceChildren(...table(state));
  };
  details.addEventListener('toggle', () => fill(store.get()));
  // The held head only: a table that changes under a passing pointer helps nobody.
  store.watch(['observation', 'held', 'layers', 'tab'], fill);
  store.watch(['observation'], (state) => {
    details.hidden = !state.observation;
    setText(summary, 'These weights as a table');
  });
}

/** @param {State} state */
function table(state) {
  const ref = shownHead({ ...state, preview: { head: null, token: null, cell: null } });
  const matrix = matrixOf(state.observation, ref);
  if (!matrix || !state.observation) return [];
  const { rows, cols } = axes(state.observation, ref.kind);
  const whole = matrix.rows * matrix.cols <= WHOLE;
  const rowName = ref.kind === 'encoderSelf' ? 'asks' : 'predicts';
  const head = whole ? cols : Array.from({ length: STRONGEST }, (_, i) => `reads (${i + 1})`);
  const body = Array.from({ length: matrix.rows }, (_, r) => {
    const weights = matrix.data.subarray(r * matrix.cols, (r + 1) * matrix.cols);
    const cells = whole
      ? Array.from(weights, (w, c) => (matrix.causal && c > r ? 'masked' : w < 0.0005 ? '0' : w.toFixed(3)))
      : Array.from(weights.keys())
          .sort((a, b) => weights[b] - weights[a])
          .slice(0, STRONGEST)
          .map((c) => `${cols[c]} ${formatWeight(weights[c])}`);
    return el('tr', {}, el('th', { scope: 'row', text: rows[r] }), ...cells.map((text) => el('td', { text })));
  });
  return [
    el(
      'table',
      {},
      el('thead', {}, el('tr', {}, el('th', { scope: 'col', text: rowName }), ...head.map((text) => el('th', { scope: 'col', text })))),
      el('tbody', {}, ...body),
    ),
  ];
}
