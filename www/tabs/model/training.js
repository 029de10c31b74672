/** How a model learned: loss, learning rate (eq. 3) and BLEU over the steps of its training (`training.json`). */

/** @import { Series } from '../../draw/chart.js' */
import { el, setText } from '../../ui/dom.js';
import { grouped, millions } from '../../ui/numbers.js';
import { chartView } from '../../ui/chart.js';

/** @type {Series['look'][]} */
const LOOKS = ['dash', 'dot', 'pale'];

export function trainingCurves() {
  const step = { label: 'step', from: 0 };
  const position = (/** @type {number} */ s) => `step ${grouped(s)}`;
  const loss = chartView({
    title: 'Loss per piece, in nats',
    id: 'chart-loss',
    x: step,
    y: { label: '' },
    value: (v) => v.toFixed(2),
    position,
  });
  const rate = chartView({
    title: 'Learning rate (§5.3, eq. 3)',
    id: 'chart-rate',
    height: 170,
    x: step,
    y: { label: '', from: 0, format: (v) => (v === 0 ? '0' : `${(v * 1e3).toFixed(1)}·10⁻³`) },
    value: (v) => `${(v * 1e3).toFixed(3)}·10⁻³`,
    position,
  });
  const bleu = chartView({ title: 'BLEU on development sentences', id: 'chart-bleu', height: 170, x: step, y: { label: '', from: 0 }, value: (v) => v.toFixed(1), position });
  const says = el('p', { class: 'says', id: 'training-says' });
  const node = el('div', {}, says, loss.node, rate.node, bleu.node);
  return {
    node,
    /** @param {unknown} training `training.json`; what it lacks is not shown */
    show(training) {
      const { training: points = [], validation = {}, ...counts } = /** @type {any} */ (training ?? {});
      const column = (/** @type {any[]} */ rows, /** @type {string} */ key) => rows.map((row) => Number(row[key] ?? NaN));
      const dev = /** @type {[string, any[]][]} */ (Object.entries(validation).filter(([, rows]) => Array.isArray(rows) && rows.length > 0));
      node.hidden = !Array.isArray(points) || points.length === 0;
      if (node.hidden) return;
      const x = column(points, 'step');
      loss.show([
        { name: 'training', x, y: column(points, 'loss'), look: 'solid' },
        ...dev.map(([name, rows], i) => ({ name, x: column(rows, 'step'), y: column(rows, 'loss'), look: LOOKS[i % LOOKS.length] })),
      ]);
      rate.show([{ name: '', x, y: column(points, 'learning_rate') }]);
      const measured = dev
        .map(([name, rows], i) => ({ name, look: LOOKS[i % LOOKS.length], rows: rows.filter((row) => Number.isFinite(row.bleu)) }))
        .filter(({ rows }) => rows.length > 1);
      bleu.node.hidden = measured.length === 0;
      bleu.show(measured.map(({ name, look, rows }) => ({ name, look, x: column(rows, 'step'), y: column(rows, 'bleu') })));
      const top = points.reduce((/** @type {any} */ best, /** @type {any} */ p) => (p.learning_rate > best.learning_rate ? p : best));
      setText(
        says,
        `${grouped(counts.steps)} steps over ${millions(counts.target_tokens)} target tokens in ${duration(counts.seconds)}. The learning rate rises linearly to step ${grouped(top.step)}, then falls with 1/√step${fallsAway(points) ? '; a last descent to zero ends the run' : ''}. The training loss counts label smoothing (§5.4), the others do not: so it lies higher.`,
      );
    },
    /** @param {number} s a step that another view shows */
    mark(s) {
      for (const view of [loss, rate, bleu]) view.mark(s);
    },
  };
}

/** @param {number} seconds */
function duration(seconds) {
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${(minutes / 60).toFixed(1)} hours`;
}

/**
 * Whether the rate ends far below the 1/√step that it followed: eq. 3 alone never does.
 * @param {any[]} points
 */
function fallsAway(points) {
  const [mid, last] = [points[Math.floor(points.length * 0.7)], points[points.length - 1]];
  return last.learning_rate < 0.5 * mid.learning_rate * Math.sqrt(mid.step / last.step);
}
