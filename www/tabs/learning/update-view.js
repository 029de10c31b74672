/** One update, shown: what the last step did to one weight (§5.3), in the manner of the Arithmetic tab. */

/** @import { TensorEntry, WeightUpdate } from './protocol' */
import { el, setText } from '../../ui/dom.js';
import { math } from '../../ui/math.js';
import { scientific, signed } from '../../ui/numbers.js';
import { dataTable, tableBox, tableFlow } from '../../ui/table.js';

const BETA1 = 0.9;
const BETA2 = 0.98;

/** Four digits, in powers of ten where it is small. @param {number} v */
function digits(v) {
  if (v === 0) return '0';
  const size = Math.abs(v);
  if (size >= 0.01 && size < 1e4) return signed(v, 4);
  return scientific(v, 3).replace(/^-/, '−');
}

/** A sum without one of its two parts; 0 where only the rounding of f32 is left. @param {number} sum @param {number} part */
const without = (sum, part) => (Math.abs(sum - part) < 1e-6 * Math.abs(sum) ? 0 : sum - part);

/**
 * @param {() => Promise<TensorEntry[]>} tensors
 * @param {(weight: number) => Promise<WeightUpdate | null>} ask
 */
export function updateView(tensors, ask) {
  const tensor = el('select', { id: 'learning-tensor' });
  const row = el('input', { type: 'number', class: 'line-field', id: 'learning-weight-row', min: '1', value: '1' });
  const column = el('input', { type: 'number', class: 'line-field', id: 'learning-weight-column', min: '1', value: '1' });
  const says = el('p', { class: 'says short', id: 'learning-update-says' });
  const steps = el('div', { id: 'learning-update' });
  const shares = tableBox('Shares of the pairs in the gradient');
  const node = el(
    'details',
    { class: 'table', id: 'learning-one' },
    el('summary', { text: 'One update, shown (§5.3)' }),
    el('div', { class: 'settings' }, el('label', { for: tensor.id, class: 'setting-name', text: 'weight of' }), tensor, el('label', { for: row.id, class: 'setting-name', text: 'row' }), row, el('label', { for: column.id, class: 'setting-name', text: 'column' }), column),
    says,
    steps,
    shares,
  );
  /** @type {TensorEntry[]} */
  let entries = [];

  const chosen = () => {
    const entry = entries[tensor.selectedIndex];
    if (!entry) return null;
    const [rows, columns] = entry.shape.length > 1 ? entry.shape : [entry.shape[0], 1];
    row.max = String(rows);
    column.max = String(columns);
    column.disabled = columns === 1;
    const at = (/** @type {HTMLInputElement} */ input, /** @type {number} */ most) => Math.min(most, Math.max(1, Math.round(Number(input.value) || 1)));
    const [r, c] = [at(row, rows), at(column, columns)];
    return { entry, r, c, weight: entry.start + (r - 1) * columns + c - 1 };
  };

  async function refresh() {
    if (!node.open) return;
    if (entries.length === 0) {
      entries = await tensors();
      tensor.replaceChildren(...entries.map(({ name, shape }) => el('option', { text: `${name.replace(/^model\./, '')} (${shape.join(' × ')})` })));
      tensor.selectedIndex = Math.max(0, entries.findIndex(({ name }) => name.includes('decoder.layers.0.encoder_attn.q_proj.weight')));
    }
    const at = chosen();
    if (!at) return;
    show(await ask(at.weight));
  }

  /** @param {WeightUpdate | null} update */
  function show(update) {
    if (!update) {
      setText(says, 'No step was made since this run was started or returned to: press “one step”.');
      steps.replaceChildren();
      shares.replaceChildren();
      return;
    }
    const { gradient, first, second, firstCorrected, secondCorrected, learningRate, change, before, after, step } = update;
    setText(says, `Step ${step} moved this weight from ${signed(before, 6)} by ${digits(change)} to ${signed(after, 6)}.`);
    const oldFirst = without(first, (1 - BETA1) * gradient) / BETA1;
    const oldSecond = without(second, (1 - BETA2) * gradient * gradient) / BETA2;
    steps.replaceChildren(
      tableFlow(
        'Adam’s numbers',
        dataTable(
        ['value', 'formula', 'here'],
        [
          ['gradient', math('g = ∂L/∂w'), digits(gradient)],
          ['first moment', math('m = β_1·m + (1 − β_1)·g'), `0.9·${digits(oldFirst)} + 0.1·${digits(gradient)} = ${digits(first)}`],
          ['second moment', math('v = β_2·v + (1 − β_2)·g^2'), `0.98·${digits(oldSecond)} + 0.02·${digits(gradient * gradient)} = ${digits(second)}`],
          ['corrected', math('m / (1 − β_1^t)'), digits(firstCorrected)],
          ['corrected', math('v / (1 − β_2^t)'), digits(secondCorrected)],
          ['learning rate', 'eq. 3', digits(learningRate)],
          ['step taken', '−rate · corrected m / (√corrected v + ε)', digits(change)],
        ],
        { class: 'numbers' },
      ),
      ),
    );
    const strongest = [...update.shares].sort((a, b) => Math.abs(b.gradient) - Math.abs(a.gradient));
    if (strongest.length === 0) shares.replaceChildren(el('p', { class: 'readout', text: 'Under dropout the pairs share one mask, and their shares cannot be told apart.' }));
    else {
      const pairs = strongest.map(({ source, target, gradient: share }) => [`${source} → ${target}`, digits(share)]);
      shares.replaceChildren(dataTable([`the batch’s ${pairs.length} pairs`, 'share of g'], pairs, { class: 'numbers' }, ['sum', digits(gradient)]));
    }
  }

  node.addEventListener('toggle', refresh);
  for (const input of [tensor, row, column]) input.addEventListener('change', refresh);
  return {
    node,
    refresh,
    /** The next run may have other tensors. */
    forget() {
      entries = [];
    },
  };
}
