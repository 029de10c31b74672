/** Sizes and quality: the paper's Table 3 and Table 2 with this model beside them. */

/** @import { ModelInfo } from '../../engine/protocol' */
/** @import { Score } from './card.js' */
import { el } from '../../ui/dom.js';
import { grouped, megabytes, millions } from '../../ui/numbers.js';
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

/** @param {ModelInfo} model */
export function sizesTable(model) {
  const { config } = model;
  const steps = /** @type {any} */ (model.training)?.steps;
  /** @type {[string, string, (m: typeof PAPER[number]) => string][]} */
  const rows = [
    ['layers N, encoder + decoder', `${config.encoderLayers} + ${config.decoderLayers}`, (m) => `${m.encoderLayers} + ${m.encoderLayers}`],
    ['d_model', String(config.dModel), (m) => String(m.dModel)],
    ['d_ff', grouped(config.dFf), (m) => grouped(m.dFf)],
    ['heads h', String(config.nHeads), (m) => String(m.nHeads)],
    ['d_k = d_v', config.dK === config.dV ? String(config.dK) : `${config.dK}, ${config.dV}`, (m) => String(m.dK)],
    ['vocabulary', grouped(config.vocabSize), (m) => m.vocabulary],
    ['training steps', Number.isFinite(steps) ? grouped(steps) : '–', (m) => m.steps],
    ['parameters', millions(model.parameters), (m) => m.parameters],
    ['stored as', `${model.precision}, ${megabytes(model.bytes)}`, () => '–'],
  ];
  return tableBox(
    'Sizes beside those of Table 3',
    dataTable(
      ['size', 'this model', ...PAPER.map((m) => m.name)],
      rows.map(([name, ours, theirs]) => [name, el('b', { text: ours }), ...PAPER.map(theirs)]),
    ),
  );
}

/**
 * newstest2014 and newstest2013 stand in columns of their own: a figure on one says nothing about the other.
 * @param {ModelInfo} model
 * @param {Score[]} scores
 * @param {Map<string, string>} values what else the card says, by name
 */
export function table2(model, scores, values) {
  const { sourceLanguage: source, targetLanguage: target } = model;
  const pair = `${source}–${target}`.toUpperCase();
  // The paper has no figure for it, so the column is there only with ours.
  const french = pair === 'EN–FR';
  const head = ['newstest2014 EN–DE', 'newstest2014 EN–FR', 'training FLOPs, EN–DE', 'training FLOPs, EN–FR', 'newstest2013 EN–DE', ...(french ? ['newstest2013 EN–FR'] : [])];
  const ours = head.map((column) => {
    const [what, language] = column.split(/,? (?=EN–)/);
    if (language !== pair) return '–';
    return what === 'training FLOPs' ? cost(values) : bold(scores.find(({ set }) => set === what)?.bleu);
  });
  const rows = TABLE_2.map(([name, ...cells]) => /** @type {(string|Node)[]} */ ([name, ...head.map((_, i) => cells[i] || '–')]));
  const table = dataTable(['model', ...head], [...rows, [el('b', { text: `this model (${model.name})` }), ...ours]]);
  table.classList.add('table-2');
  return tableBox('Table 2 with this model beside it', table);
}

/**
 * What the card says the training cost by the paper's rule.
 * @param {Map<string, string>} values
 */
export const ownCost = (values) => values.get("training flops, the paper's way");

/**
 * The cost as the paper's own figures, and below it as counted.
 * @param {Map<string, string>} values
 */
function cost(values) {
  const counted = values.get('training flops, counted');
  return el('span', {}, bold(ownCost(values)), counted ? el('small', { text: `counted: ${counted}` }) : null);
}

/** @param {string|number|undefined} value */
const bold = (value) => (value === undefined ? '–' : el('b', { text: String(value) }));

/** @param {Score[]} scores */
export function testSets(scores) {
  return tableBox(
    'This model on its test sets',
    dataTable(
      ['test set', 'sentences', 'BLEU', 'chrF2'],
      scores.map(({ set, sentences, bleu, chrf }) => [set, sentences, String(bleu), chrf]),
    ),
  );
}
