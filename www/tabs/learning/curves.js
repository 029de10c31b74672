/** The curves of a run: what is measured, and the norm and rate of each step. Of two runs the second one, B, is dashed. */

/** @import { Settings } from './protocol' */
import { chartView } from '../../ui/chart.js';
import { el } from '../../ui/dom.js';
import { COLUMN, emptyHistory, heldLine, learningRate, line } from './history.js';

/** @typedef {ReturnType<typeof emptyHistory>} History */

export function curvesView() {
  const x = { label: 'step', from: 0 };
  const loss = chartView({ title: 'Loss, nats a piece', id: 'learning-loss', height: 140, x, y: { label: '', from: 0 }, value: (v) => v.toFixed(3) });
  const exact = chartView({ title: 'Exact match, held-out inputs', id: 'learning-exact', height: 140, x, y: { label: '', from: 0, to: 1 }, value: (v) => `${(100 * v).toFixed(1)} %` });
  const norm = chartView({ title: 'Gradient norm', id: 'learning-norm', height: 130, x, y: { label: '', from: 0 } });
  const rate = chartView({ title: 'Learning rate, eq. 3', id: 'learning-rate', height: 130, x, y: { label: '', from: 0 }, value: (v) => v.toExponential(2) });
  const dashed = (/** @type {string} */ name, /** @type {{ x: number[], y: number[] }} */ values) => ({ name, ...values, look: 'dash' });

  /**
   * @param {{ history: History, settings: Settings | null, step: number, second: { history: History, settings: Settings | null } | null }} shown
   *   `step`: marked where later ones are there; `second`: run B, beside which this one is A
   */
  function show({ history: { rows, held }, settings, step, second }) {
    const name = second ? 'A' : '';
    const other = second?.history;
    loss.show([
      { name: `train ${name}`.trim(), ...line(rows, COLUMN.loss), look: 'pale' },
      { name: `held ${name}`.trim(), ...heldLine(held, 'loss'), look: 'strong' },
      ...(other ? [dashed('held B', heldLine(other.held, 'loss'))] : []),
    ]);
    exact.show([{ name, ...heldLine(held, 'exact'), look: 'strong' }, ...(other ? [dashed('B', heldLine(other.held, 'exact'))] : [])]);
    norm.show([{ name, ...line(rows, COLUMN.norm) }, ...(other ? [dashed('B', line(other.rows, COLUMN.norm))] : [])]);
    if (settings) {
      const last = Math.max(4 * settings.warmupSteps, 1.25 * step, 400);
      const at = Array.from({ length: 120 }, (_, i) => 1 + Math.round((i * last) / 120));
      const curve = (/** @type {Settings} */ of) => ({ x: at, y: at.map((step) => learningRate(of, step)) });
      rate.show([{ name, ...curve(settings) }, ...(second?.settings ? [dashed('B', curve(second.settings))] : [])]);
    }
    const end = rows.at(-1)?.[COLUMN.step] ?? 0;
    for (const chart of [loss, exact, norm]) chart.mark(step < end ? step : null);
    rate.mark(step);
  }

  return {
    measured: el('div', { class: 'learning-pair' }, exact.node, loss.node),
    steps: el('div', { class: 'learning-pair' }, norm.node, rate.node),
    show,
  };
}
