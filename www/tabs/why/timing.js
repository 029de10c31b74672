/** Measured: this engine's self-attention against n, on this device, beside a chain of n dependent products. */

/** @import { Store } from '../../app/store.js' */
/** @import { Translator } from '../../engine/translator.js' */
/** @import { Measurement } from '../../engine/protocol' */
import { el, setText } from '../../ui/dom.js';
import { chartView } from '../../ui/chart.js';

const LENGTHS = [16, 32, 64, 128, 256, 512, 1024];

/**
 * @param {Store} store
 * @param {Translator} engine
 */
export function timing(store, engine) {
  const start = el('button', { type: 'button', id: 'why-measure', text: 'Measure on this device' });
  const says = el('p', { class: 'readout', id: 'why-measured', 'aria-live': 'polite' });
  const chart = chartView({
    title: 'Milliseconds for one layer, one sequence',
    id: 'why-times',
    x: { label: 'n', log: true },
    y: { label: '', log: true },
    height: 240,
    value: (v) => `${v < 1 ? v.toFixed(3) : v.toFixed(1)} ms`,
    position: (n) => `n = ${n}`,
  });
  chart.node.hidden = true;
  const node = el(
    'section',
    { 'aria-label': 'Measured times' },
    el('h3', { class: 'sub', text: 'As measured' }),
    el('p', {
      class: 'says',
      text: 'The first encoder layer’s self-attention, with its own kernels: the projections (4·n·d²) grow with n, the comparing of all pairs with n². Beside it n products of a vector with one d × d matrix, each waiting for the one before: the least that a recurrent layer needs.',
    }),
    start,
    says,
    chart.node,
  );

  const show = (/** @type {Measurement[]} */ rows) => {
    chart.node.hidden = rows.length === 0;
    const x = rows.map(({ n }) => n);
    chart.show([
      { name: 'attention, n² part', look: 'solid strong', x, y: rows.map((row) => row.attentionMs) },
      { name: 'projections', look: 'pale', x, y: rows.map((row) => row.projectionsMs) },
      { name: 'chain of n products', look: 'dash', x, y: rows.map((row) => row.recurrentMs) },
    ]);
  };
  start.addEventListener('click', async () => {
    start.disabled = true;
    /** @type {Measurement[]} */
    const rows = [];
    try {
      const result = await engine.measure({
        lengths: LENGTHS,
        supersede: true,
        onEvent(measurement) {
          rows.push(measurement);
          show(rows);
          setText(says, `n = ${measurement.n} of ${LENGTHS[LENGTHS.length - 1]}…`);
        },
      });
      const repeats = rows.length ? Math.min(...rows.map((row) => row.repeats)) : 0;
      setText(says, result.kind === 'cancelled' ? 'Stopped.' : `Measured on this device, one thread; each time is the best of at least ${repeats} runs.`);
    } catch (error) {
      setText(says, `This could not be measured: ${error instanceof Error ? error.message : error}`);
    }
    start.disabled = false;
  });
  store.watch(['phase'], ({ phase }) => start.toggleAttribute('disabled', phase !== 'ready'));
  return { node };
}
