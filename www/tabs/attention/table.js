/** The table behind the map: the same weights as text, for readers who cannot or would not look at a picture. */

/** @import { State } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
import { isMasked } from '../../draw/pixels.js';
import { formatWeight } from '../../ui/numbers.js';
import { dataTable, foldedTable } from '../../ui/table.js';
import { shownMap } from '../../app/maps.js';
import { shownHead } from '../../app/select.js';

/** Above this many cells each row lists its strongest columns only: nobody reads sixteen thousand numbers. */
const WHOLE = 1600;
const STRONGEST = 5;

/**
 * @param {Store} store
 * @param {HTMLElement} panel
 */
export function mountTable(store, panel) {
  const folded = foldedTable('These weights as a table', 'Weights of the shown head', () => table(store.get()), { id: 'map-table' });
  panel.append(folded.node);
  // The held head only: a table that changes under a passing pointer helps nobody.
  store.watch(['observation', 'views', 'held', 'layers', 'tab', 'heads', 'measure'], ({ tab }) => tab === 'attention' && folded.refresh());
  store.watch(['observation'], ({ observation }) => {
    folded.node.hidden = !observation;
  });
}

/** @param {State} state */
function table(state) {
  const ref = shownHead({ ...state, preview: { head: null, token: null, cell: null } });
  const map = shownMap(state, ref);
  if (!map) return null;
  const { rows, cols, reads } = map.axes;
  const whole = map.rows * map.cols <= WHOLE;
  const rowName = ref.kind === 'encoderSelf' ? 'asks' : 'input → prediction';
  const head = whole ? cols.labels : Array.from({ length: STRONGEST }, (_, i) => `reads (${i + 1})`);
  const body = Array.from({ length: map.rows }, (_, r) => {
    const values = map.data.subarray(r * map.cols, (r + 1) * map.cols);
    const cells = whole
      ? Array.from(values, (value, c) => (isMasked(map, r, c) ? 'masked' : value < 0.0005 ? '0' : value.toFixed(3)))
      : Array.from(values.keys())
          .sort((a, b) => values[b] - values[a])
          .slice(0, STRONGEST)
          .map((c) => `${cols.labels[c]} ${formatWeight(values[c])}`);
    const name = reads ? `${reads[r]} → ${rows.labels[r]}` : rows.labels[r];
    return [name, ...cells];
  });
  return dataTable([rowName, ...head], body);
}
