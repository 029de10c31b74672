/** The arithmetic of one weight, step by step: for each a line of formula, the vectors, and one plain sentence. */

/** @import { Strip } from './vectors.js' */
/** @import * as P from '../../engine/protocol' */
import { el, setText } from '../../ui/dom.js';
import { math, prose } from '../../ui/math.js';
import { signed } from '../../ui/numbers.js';
import { mountSoftmaxRow } from './softmax.js';
import { term } from '../../ui/term.js';
import { vectors } from './vectors.js';

/**
 * What the numbers are about, beside the numbers.
 * @typedef {object} Context
 * @property {string} query the query's piece, as printed
 * @property {string} key the piece that is read
 * @property {string[]} keys all pieces of the key side
 * @property {'source'|'target'} querySide
 * @property {'source'|'target'} keySide
 * @property {number} queries number of positions that ask
 * @property {P.ModelConfig} config
 * @property {(key: number) => void} choose takes another key
 */

/**
 * @typedef {object} Step
 * @property {HTMLElement} node
 * @property {(a: P.Arithmetic, about: Context) => void} show
 * @property {() => void} [paint]
 */

/** @type {Record<string, string>} the steps that are terms of the paper, and their places in the glossary */
const TERMS = { project: 'qkv', product: 'dk', scale: 'scale', mask: 'masked', softmax: 'softmax', values: 'attention', output: 'heads', forward: 'forward' };

/** @param {number[]} shape */
export const shape = (...shape) => `(${shape.join(', ')})`;

/**
 * The frame that all steps share.
 * @param {string} id
 * @param {string} title may hold formulas
 * @param {...HTMLElement} body
 */
export function frame(id, title, ...body) {
  const shapes = el('span', { class: 'shapes' });
  const formula = el('p', { class: 'formula' });
  const says = el('p', { class: 'step-says' });
  const node = el('li', { class: 'sum-step', id: `step-${id}` }, el('h3', { tabindex: '-1' }, TERMS[id] ? term(TERMS[id], math(title)) : math(title)), shapes, formula, ...body, says);
  return {
    node,
    /**
     * @param {string} shapeText
     * @param {Node[]} lines of the formula
     * @param {string} sentence
     */
    fill(shapeText, lines, sentence) {
      setText(shapes, shapeText);
      formula.replaceChildren(...lines);
      says.replaceChildren(...prose(sentence));
    },
  };
}

/**
 * @param {string} name
 * @param {'source'|'target'|'none'} side
 * @param {P.Tensor} tensor
 * @returns {Strip}
 */
export const strip = (name, side, tensor) => ({ name, side, data: tensor.data });

/** The symbols' colours: a query has the colour of its side, keys and values that of the side that is read. @param {Context} about */
export const sides = ({ querySide, keySide }) => ({ q: querySide, k: keySide, v: keySide, Q: querySide, K: keySide, V: keySide });

/** What comes in, and its three projections. @returns {Step} */
export function projections() {
  const inputs = vectors('Vectors that come in');
  const projected = vectors('Query, key and value');
  const { node, fill } = frame('project', 'Query, key and value', inputs.node, projected.node);
  return {
    node,
    show(a, about) {
      const { dModel, dK } = about.config;
      const side = sides(about);
      const x = about.querySide === about.keySide ? ['x_q', 'x_k'] : ['x', 'm'];
      inputs.show([strip(x[0], about.querySide, a.xQuery), strip(x[1], about.keySide, a.xKey)]);
      projected.show([
        strip('q', about.querySide, a.query),
        strip('k', about.keySide, a.key),
        strip('v', about.keySide, a.value),
        strip('b^Q', 'none', a.queryBias),
        strip('b^K', 'none', a.keyBias),
        strip('b^V', 'none', a.valueBias),
      ]);
      fill(
        `${shape(about.queries, dModel)} · ${shape(dModel, dK)} → ${shape(about.queries, dK)}`,
        [math('q = x·W^Q + b^Q', { ...side, x: about.querySide }), math(`k = ${x[1]}·W^K + b^K`.replace('x_k', 'x'), { ...side, x: about.keySide, m: about.keySide }), math(`v = ${x[1]}·W^V + b^V`.replace('x_k', 'x'), { ...side, x: about.keySide, m: about.keySide })],
        `Three matrices that this head has learned, and a bias b after each, turn the vector of “${about.query}” into a query (what it looks for), and that of “${about.key}” into a key (what it is matched by) and a value (what is read from it)${a.cell.kind === 'cross' ? '; m is the encoder’s output, the memory' : ''}.`,
      );
    },
    paint() {
      inputs.paint();
      projected.paint();
    },
  };
}

/** q·k, or the hidden layer of additive attention: terms and their sum. @returns {Step} */
export function product() {
  const terms = vectors('Query, key and the terms of their score', {
    says(at, [q, k, ...made]) {
      const [first, second] = [q, k, ...made].map(({ data }) => signed(data[at], 3));
      const [third, fourth] = made.map(({ data }) => signed(data[at], 3));
      return `dimension ${at}: ${fourth === undefined ? `${first} · ${second} = ${third}` : `tanh(${first} + ${second}) = ${third}, times w: ${fourth}`}`;
    },
  });
  const { node, fill } = frame('product', 'How well do they match?', terms.node);
  return {
    node,
    show(a, about) {
      const hidden = a.additiveHidden;
      const made = hidden ? [strip('tanh', 'none', hidden), strip('w·tanh', 'none', a.products)] : [strip('q∘k', 'none', a.products)];
      terms.show([strip('q', about.querySide, a.query), strip('k', about.keySide, a.key), ...made]);
      const first = Array.from(a.products.data.slice(0, 3), (v, i) => (i === 0 ? signed(v) : v < 0 ? ` − ${signed(-v)}` : ` + ${signed(v)}`)).join('');
      fill(
        `${shape(about.queries, about.config.dK)} · ${shape(about.config.dK, about.keys.length)} → ${shape(about.queries, about.keys.length)}`,
        [math(hidden ? 'w·tanh(q + k)' : 'q·k = Σ_i q_i·k_i', sides(about)), math(`= ${first} + … = ${signed(a.sum)}`)],
        hidden
          ? `A small network instead of a product (§3.2.1): each of the ${hidden.data.length} sums of query and key goes through tanh, and weights w that this head has learned make one number of them.`
          : `The ${a.products.data.length} products add up to one number: large where query and key point the same way.`,
      );
    },
    paint: terms.paint,
  };
}

/** Division by √d_k. @returns {Step} */
export function scaling() {
  const { node, fill } = frame('scale', 'Scale');
  return {
    node,
    show(a, about) {
      const { dK } = about.config;
      const s = a.statistics;
      const spread = s
        ? ` Over all ${s.pairs} pairs of this head in this sentence q·k has variance ${signed(s.variance)}, beside d_k = ${dK}; after the division ${signed(s.scaledVariance)}.`
        : '';
      fill(
        shape(about.queries, about.keys.length),
        a.divisor === 1
          ? [math(a.compatibility === 'additive' ? 'w·tanh(q + k)' : 'q·k', sides(about)), math(`= ${signed(a.score)}`)]
          : [math('q·k / √d_k', sides(about)), math(`= ${signed(a.sum)} / √${dK} = ${signed(a.sum)} / ${signed(a.divisor)} = ${signed(a.score)}`)],
        (a.divisor > 1
          ? 'A sum of more products varies more; the division undoes that, so that the softmax is not all or nothing.'
          : `The scores go into the softmax as they are${about.config.compatibility === 'scaled_dot_product' ? '' : ': this model was trained without a division'}.`) + spread,
      );
    },
  };
}

/** What may be read. @returns {Step} */
export function masking() {
  const row = el('div', { class: 'mask-row', role: 'img' });
  const { node, fill } = frame('mask', 'Mask', row);
  return {
    node,
    show(a, about) {
      const open = Array.from(a.mask.data, (m) => m === 1);
      const masked = about.keys.filter((_, j) => !open[j]);
      row.replaceChildren(...about.keys.map((key, j) => el('span', { class: open[j] ? `cell ${about.keySide}` : 'cell masked', text: key })));
      row.setAttribute('aria-label', masked.length ? `Masked: ${masked.join(', ')}` : 'Nothing is masked');
      row.hidden = masked.length === 0;
      const later = a.cell.kind === 'decoderSelf' ? open.filter((is, j) => !is && j > a.cell.query).length : 0;
      const far = masked.length - later;
      fill(
        shape(about.queries, about.keys.length),
        [math(masked.length ? 'score = −∞  where masked' : 'all scores stay')],
        masked.length === 0
          ? 'Nothing is masked here: the whole source may be read.'
          : [
              later && `What comes after step ${a.cell.query + 1} is not decoded yet, so ${later} of ${about.keys.length} positions are masked.`,
              far && `${far} of ${about.keys.length} positions lie outside the neighbourhood and are masked.`,
            ]
              .filter(Boolean)
              .join(' '),
      );
    },
  };
}

/** The softmax over the whole row. @returns {Step} */
export function softmax() {
  const table = mountSoftmaxRow();
  const { node, fill } = frame('softmax', 'Softmax', table.node);
  return {
    node,
    show(a, about) {
      const { key } = a.cell;
      const sum = signed(a.exponentialSum, 3);
      table.show(a, about);
      const masked = a.mask.data[key] === 0;
      const divided = about.config.compatibility === 'scaled_dot_product';
      const saturates = `entropy of the row: ${divided ? `${signed(a.entropyScaled)} bits with √d_k, ${signed(a.entropyUnscaled)} without` : `${signed(a.entropyUnscaled)} bits`}`;
      fill(
        shape(about.queries, about.keys.length),
        masked
          ? [math('e^{−∞} = 0')]
          : [
              math('α = e^{s − max} / Σ_j e^{sⱼ − max}'),
              math(`= e^{${signed(a.score)} − ${signed(a.maximum)}} / ${sum} = ${signed(a.exponentials.data[key], 3)} / ${sum} = ${signed(a.weights.data[key], 3)}`),
            ],
        `Exponentials make every score positive, their sum makes the row add up to 1; the largest score, ${signed(a.maximum)}, is subtracted from all of them first, which changes no weight. The ${saturates}.`,
      );
    },
  };
}
