/** How a model learned: loss, learning rate (eq. 3) and BLEU over the steps of its training (`training.json`). */

/** @import { Series } from '../../ui/plot.js' */
/** @import { TrainingLog } from './training-log.js' */
import { el } from '../../ui/dom.js';
import { prose } from '../../ui/math.js';
import { grouped, millions } from '../../ui/numbers.js';
import { chartView } from '../../ui/chart.js';
import { descendsAtTheEnd } from './training-log.js';

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
    /** @param {TrainingLog|null} log */
    show(log) {
      node.hidden = !log;
      if (!log) return;
      const { training, validation } = log;
      const lines = validation.map(({ name, ...columns }, i) => ({ name, look: LOOKS[i % LOOKS.length], ...columns }));
      loss.show([{ name: 'training', x: training.step, y: training.loss, look: 'solid' }, ...lines.map(({ name, look, step: x, loss: y }) => ({ name, look, x, y }))]);
      rate.show([{ name: '', x: training.step, y: training.rate }]);
      // A set that was translated once has no curve.
      const curves = lines
        .map(({ name, look, step: x, bleu: y }) => ({ name, look, x: x.filter((_, i) => Number.isFinite(y[i])), y: y.filter(Number.isFinite) }))
        .filter(({ x }) => x.length > 1);
      bleu.node.hidden = curves.length === 0;
      bleu.show(curves);
      says.replaceChildren(...prose(summary(log)));
    },
    /** @param {number} s a step that another view shows */
    mark(s) {
      for (const view of [loss, rate, bleu]) view.mark(s);
    },
  };
}

/** @param {TrainingLog} log */
function summary({ steps, targetTokens, seconds, training }) {
  const counts = [steps !== null && `${grouped(steps)} steps`, targetTokens !== null && `${millions(targetTokens)} target tokens`, seconds !== null && duration(seconds)].filter(Boolean).join(', ');
  const top = training.rate.reduce((best, rate, i) => (rate > (training.rate[best] ?? 0) ? i : best), 0);
  const end = descendsAtTheEnd(training) ? '; at the end it descends to zero' : '';
  return `${counts ? `${counts}. ` : ''}The learning rate rises linearly to step ${grouped(training.step[top])}, then falls with 1/√step${end}. The training loss includes label smoothing (§5.4), the others do not: so it lies higher.`;
}

/** @param {number} seconds */
function duration(seconds) {
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${(minutes / 60).toFixed(1)} hours`;
}
