/** The arithmetic from the weights on: the head's result, W^O, and the rest of the layer's boxes. */

/** @import { Step } from './steps.js' */
import { el } from '../../ui/dom.js';
import { math } from '../../ui/math.js';
import { signed } from '../../ui/numbers.js';
import { frame, shape, sides, strip } from './steps.js';
import { largest, vectors } from './vectors.js';

/** With more keys than this only the largest contributions are listed. */
const MOST_KEYS = 24;

/** Σ α·v. @returns {Step} */
export function weighted() {
  const rows = vectors('Weighted values', {
    words: true,
    says: (at, strips) => `dimension ${at}: the weighted values sum up to ${signed(strips[strips.length - 1].data[at], 3)}`,
  });
  const { node, fill } = frame('values', 'Weighted sum of the values', rows.node);
  return {
    node,
    show(a, about) {
      const count = about.keys.length;
      const width = a.head.data.length;
      const order = Array.from(about.keys.keys());
      if (count > MOST_KEYS) order.sort((i, j) => a.weights.data[j] - a.weights.data[i]);
      const told = order.slice(0, MOST_KEYS).sort((i, j) => i - j);
      const limit = Math.max(largest(a.head.data), largest(a.contributions.data));
      rows.show([
        ...told.map((j) => ({
          name: about.keys[j],
          side: about.keySide,
          data: a.contributions.data.subarray(j * width, (j + 1) * width),
          limit,
          chosen: j === a.cell.key,
          aside: signed(a.weights.data[j], 2),
        })),
        { name: 'sum', side: 'none', data: a.head.data, limit },
      ]);
      fill(
        `${shape(about.queries, count)} · ${shape(count, width)} → ${shape(about.queries, width)}`,
        [math('head = Σ_j α_j·v_j', sides(about))],
        `Each key’s value is multiplied by its weight; the sum is what this head reads for “${about.query}”.${count > MOST_KEYS ? ` Of ${count} keys the ${MOST_KEYS} with the largest weights are shown.` : ''}`,
      );
    },
    paint: rows.paint,
  };
}

/** Concatenation and W^O. @returns {Step} */
export function output() {
  const rows = vectors('Concatenated heads and the output', { index: 'component' });
  const marker = el('div', { class: 'heads-ruler', 'aria-hidden': 'true' });
  const { node, fill } = frame('output', 'Concatenate, then W^O', marker, rows.node);
  return {
    node,
    show(a, about) {
      const { nHeads, dModel } = about.config;
      marker.replaceChildren(...Array.from({ length: nHeads }, (_, h) => el('span', { class: h === a.cell.head ? 'mine' : '', text: String(h + 1) })));
      rows.show([strip('heads', 'none', a.concatenation), strip('this head', 'none', a.headOutput), strip('b^O', 'none', a.outputBias), strip('all', 'none', a.output)]);
      fill(
        `${shape(about.queries, a.concatenation.data.length)} · ${shape(a.concatenation.data.length, dModel)} → ${shape(about.queries, dModel)}`,
        [math('MultiHead = Concat(head_1, …, head_{' + nHeads + '})·W^O + b^O', sides(about))],
        `The ${nHeads} heads stand side by side, and W^O mixes them back to ${dModel} numbers, to which a learned bias b^O is added. “${about.key}” alone adds a vector of length ‖α·v·W^O‖ = ${signed(a.norms.data[a.cell.key], 3)} through this head.`,
      );
    },
    paint: rows.paint,
  };
}

/**
 * Add & Norm around a sub-layer.
 * @param {'attention'|'forward'} which
 * @returns {Step}
 */
export function addNorm(which) {
  const rows = vectors(which === 'attention' ? 'Residual, sum and norm' : 'Residual, sum and norm after the feed-forward network');
  const { node, fill } = frame(`norm-${which}`, 'Add & Norm', rows.node);
  return {
    node,
    show(a, about) {
      const own = which === 'attention';
      const norm = own ? a.norm : a.feedForwardNorm;
      const [around, added, sum] = own ? [a.residual, a.output, a.residualSum] : [a.feedForwardResidual, a.feedForward.output, a.feedForwardSum];
      const side = about.querySide;
      const before = a.normPlace === 'before';
      rows.show([
        strip('x', side, around),
        strip(own ? 'attn.' : 'FFN', 'none', added),
        strip('sum', side, sum),
        ...(before ? [] : [strip('norm', side, norm.output)]),
      ]);
      fill(
        `${shape(about.queries, about.config.dModel)} → ${shape(about.queries, about.config.dModel)}`,
        before
          ? [math('x + Sublayer(LayerNorm(x))')]
          : [math('LayerNorm(x + Sublayer(x))'), math(`= (sum − mean) / √(variance + ε) · gain + bias, mean ${signed(norm.mean, 3)}, variance ${signed(norm.variance, 3)}`)],
        own
          ? `The residual connection adds what was read to what was there; layer normalisation gives the ${about.config.dModel} numbers mean 0 and variance 1, then a learned gain and bias.`
          : 'The same again around the feed-forward network; this vector leaves the layer.',
      );
    },
    paint: rows.paint,
  };
}

/** The position-wise feed-forward network. @returns {Step} */
export function feedForward() {
  const inner = vectors('Inner layer of the feed-forward network', { index: 'unit' });
  const outer = vectors('Input and output of the feed-forward network');
  const { node, fill } = frame('forward', 'Feed Forward', outer.node, inner.node);
  return {
    node,
    show(a, about) {
      const { dModel, dFf } = about.config;
      const { activation, active } = a.feedForward;
      outer.show([strip('x', about.querySide, a.feedForward.input), strip('FFN', 'none', a.feedForward.output)]);
      inner.show([strip('inner', 'none', a.feedForward.inner), strip(activation === 'relu' ? 'max(0, ·)' : 'swish', 'none', a.feedForward.hidden)]);
      fill(
        `${shape(about.queries, dModel)} → ${shape(about.queries, dFf)} → ${shape(about.queries, dModel)}`,
        [math(activation === 'relu' ? 'FFN(x) = max(0, x·W_1 + b_1)·W_2 + b_2' : 'FFN(x) = swish(x·W_1 + b_1)·W_2 + b_2')],
        `Each position by itself: ${dFf} units, of which ${active} are active here; W_2 maps them back to ${dModel} numbers.${a.cell.kind === 'decoderSelf' ? ' (Between the two the decoder reads the source, in its encoder–decoder attention.)' : ''}`,
      );
    },
    paint() {
      inner.paint();
      outer.paint();
    },
  };
}
