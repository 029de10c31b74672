/** Sizes and quality: the paper's Table 3 and Table 2 with this model beside them. */

/** @import { ModelInfo } from '../../engine/protocol' */
/** @import { Metrics } from './metrics.js' */
import { el } from '../../ui/dom.js';
import { prose } from '../../ui/math.js';
import { both, grouped, megabytes, millions, scientific } from '../../ui/numbers.js';
import { dataTable, tableBox } from '../../ui/table.js';

/** Table 3: the two models of the paper. */
const PAPER = [
  { name: 'base', encoderLayers: 6, dModel: 512, dFf: 2048, nHeads: 8, dK: 64, vocabulary: grouped(37_000), parameters: millions(65e6), steps: grouped(100_000) },
  { name: 'big', encoderLayers: 6, dModel: 1024, dFf: 4096, nHeads: 16, dK: 64, vocabulary: grouped(37_000), parameters: millions(213e6), steps: grouped(300_000) },
];

/**
 * Table 2, and in the last column what Table 3 gives for its development set.
 * @type {[name: string, deEn2014: string, fr: string, costDe: string, costFr: string, de2013: string][]}
 */
const TABLE_2 = [
  ['ByteNet', '23.75', '', '', '', ''],
  ['Deep-Att + PosUnk', '', '39.2', '', '1.0·10²⁰', ''],
  ['GNMT + RL', '24.6', '39.92', '2.3·10¹⁹', '1.4·10²⁰', ''],
  ['ConvS2S', '25.16', '40.46', '9.6·10¹⁸', '1.5·10²⁰', ''],
  ['MoE', '26.03', '40.56', '2.0·10¹⁹', '1.2·10²⁰', ''],
  ['Deep-Att + PosUnk, ensemble', '', '40.4', '', '8.0·10²⁰', ''],
  ['GNMT + RL, ensemble', '26.30', '41.16', '1.8·10²⁰', '1.1·10²¹', ''],
  ['ConvS2S, ensemble', '26.36', '41.29', '7.7·10¹⁹', '1.2·10²¹', ''],
  ['Transformer (base)', '27.3', '38.1', '3.3·10¹⁸', '3.3·10¹⁸', '25.8'],
  ['Transformer (big)', '28.4', '41.8', '2.3·10¹⁹', '2.3·10¹⁹', '26.4'],
];

/** d_k, and d_v where it is another. @param {{dK: number, dV: number}} widths */
const perHead = ({ dK, dV }) => (dK === dV ? String(dK) : `${dK}, ${dV}`);

/** @param {ModelInfo} model */
export function sizesTable(model) {
  const { config } = model;
  const steps = /** @type {any} */ (model.training)?.steps;
  /** @type {[string, string, (m: typeof PAPER[number]) => string][]} */
  const rows = [
    ['layers N, encoder + decoder', `${config.encoderLayers} + ${config.decoderLayers}`, (m) => `${m.encoderLayers} + ${m.encoderLayers}`],
    ['d_model', String(config.dModel), (m) => String(m.dModel)],
    ['d_ff', both(grouped(config.dFf), grouped(config.decoder.dFf)), (m) => grouped(m.dFf)],
    ['heads h', both(config.nHeads, config.decoder.nHeads), (m) => String(m.nHeads)],
    ['d_k = d_v', both(perHead(config), perHead(config.decoder)), (m) => String(m.dK)],
    ['vocabulary', grouped(config.vocabSize), (m) => m.vocabulary],
    ['training steps', Number.isFinite(steps) ? grouped(steps) : '–', (m) => m.steps],
    ['parameters', millions(model.parameters), (m) => m.parameters],
    ['stored as', `${model.precision}, ${megabytes(model.bytes)}`, () => '–'],
  ];
  return tableBox(
    'Sizes beside those of Table 3',
    dataTable(
      ['size', 'this model', ...PAPER.map((m) => m.name)],
      rows.map(([name, ours, theirs]) => [el('span', {}, ...prose(name)), el('b', { text: ours }), ...PAPER.map(theirs)]),
    ),
  );
}

/**
 * newstest2014 and newstest2013 stand in columns of their own: a figure on one says nothing about the other.
 * @param {ModelInfo} model
 * @param {Metrics} metrics
 */
export function table2(model, { scores, flops }) {
  const { sourceLanguage: source, targetLanguage: target } = model;
  const pair = `${source}–${target}`.toUpperCase();
  // The paper has no figure for it, so the column is there only with ours.
  const french = pair === 'EN–FR';
  const head = ['newstest2014 EN–DE', 'newstest2014 EN–FR', 'training FLOPs, EN–DE', 'training FLOPs, EN–FR', 'newstest2013 EN–DE', ...(french ? ['newstest2013 EN–FR'] : [])];
  const ours = head.map((column) => {
    const [what, language] = column.split(/,? (?=EN–)/);
    if (language !== pair) return '–';
    return what === 'training FLOPs' ? cost(flops) : bold(scores.find(({ name }) => name === what)?.bleu.toFixed(1));
  });
  const rows = TABLE_2.map(([name, ...cells]) => /** @type {(string|Node)[]} */ ([name, ...head.map((_, i) => cells[i] || '–')]));
  return tableBox('Table 2 with this model beside it', dataTable(['model', ...head], [...rows, [el('b', { text: `this model (${model.name})` }), ...ours]], { class: 'table-2' }));
}

/**
 * The cost as the paper estimates it, and below it as counted.
 * @param {Metrics['flops']} flops
 */
const cost = ({ estimated, counted }) => el('span', {}, bold(estimated === null ? undefined : scientific(estimated)), counted === null ? null : el('small', { text: `counted: ${scientific(counted)}` }));

/** @param {string|undefined} value */
const bold = (value) => (value === undefined ? '–' : el('b', { text: value }));

/** @param {Metrics['scores']} scores */
export const testSets = (scores) =>
  tableBox(
    'This model on its test sets',
    dataTable(
      ['test set', 'sentences', 'BLEU', 'chrF2'],
      scores.map(({ name, sentences, bleu, chrf2 }) => [name, sentences === null ? '–' : grouped(sentences), bleu.toFixed(1), chrf2 === null ? '–' : chrf2.toFixed(1)]),
    ),
  );
