/** Table 3 of the paper: what each row changes, and what it measured. */

/**
 * A row of the table. What `settings` does not name is as in base.
 * @typedef {object} PaperRow
 * @property {string} row its name among our runs (`train/recipes/table3.toml`)
 * @property {string} group
 * @property {[name: string, value: string][]} settings the first is what the row is about
 * @property {number} perplexity per piece, on newstest2013
 * @property {number} bleu on newstest2013
 * @property {number} parameters
 */

/** What the groups vary; ours are not in the paper. */
export const GROUPS = {
  A: 'heads, with h · d_k as in base',
  B: 'size of keys and queries',
  C: 'size of the model',
  D: 'dropout and label smoothing',
  E: 'learned positions instead of sinusoids',
  big: 'the large model, dropout 0.3, three times the steps',
  ours: 'our own, not in the paper',
};

const PARAMETERS = 65;
const rows = (/** @type {string} */ group, /** @type {[string, PaperRow['settings'], number, number, number?][]} */ ...list) =>
  list.map(([row, settings, perplexity, bleu, parameters = PARAMETERS]) => ({ row, group, settings, perplexity, bleu, parameters: parameters * 1e6 }));

/** @type {PaperRow[]} */
export const PAPER = [
  ...rows('', ['base', [['N', '6'], ['d_model', '512'], ['d_ff', '2048'], ['h', '8'], ['d_k', '64'], ['P_drop', '0.1'], ['ε_ls', '0.1']], 4.92, 25.8]),
  ...rows(
    'A',
    ['A-heads-1', [['h', '1'], ['d_k', '512']], 5.29, 24.9],
    ['A-heads-4', [['h', '4'], ['d_k', '128']], 5.0, 25.5],
    ['A-heads-16', [['h', '16'], ['d_k', '32']], 4.91, 25.8],
    ['A-heads-32', [['h', '32'], ['d_k', '16']], 5.01, 25.4],
  ),
  ...rows('B', ['B-d_k-4', [['d_k', '16']], 5.16, 25.1, 58], ['B-d_k-8', [['d_k', '32']], 5.01, 25.4, 60]),
  ...rows(
    'C',
    ['C-layers-1', [['N', '2']], 6.11, 23.7, 36],
    ['C-layers-2', [['N', '4']], 5.19, 25.3, 50],
    ['C-layers-4', [['N', '8']], 4.88, 25.5, 80],
    ['C-d_model-64', [['d_model', '256'], ['d_k', '32']], 5.75, 24.5, 28],
    ['C-d_model-256', [['d_model', '1024'], ['d_k', '128']], 4.66, 26.0, 168],
    ['C-d_ff-256', [['d_ff', '1024']], 5.12, 25.4, 53],
    ['C-d_ff-1024', [['d_ff', '4096']], 4.75, 26.2, 90],
  ),
  ...rows(
    'D',
    ['D-dropout-0.0', [['P_drop', '0.0']], 5.77, 24.6],
    ['D-dropout-0.2', [['P_drop', '0.2']], 4.95, 25.5],
    ['D-label_smoothing-0.0', [['ε_ls', '0.0']], 4.67, 25.3],
    ['D-label_smoothing-0.2', [['ε_ls', '0.2']], 5.47, 25.7],
  ),
  ...rows('E', ['E-learned-positions', [['positions', 'learned']], 4.92, 25.7]),
  ...rows('big', ['big', [['d_model', '1024'], ['d_ff', '4096'], ['h', '16'], ['P_drop', '0.3']], 4.33, 26.4, 213]),
];

/** The paper's base saw 100 000 batches of some 25 000 target tokens (§5.1, §5.2). */
export const PAPER_TOKENS = 100_000 * 25_000;

/** The paper's names of a recipe's settings. */
const NAMES = /** @type {Record<string, string>} */ ({ n_heads: 'h', d_k: 'd_k', d_v: 'd_v', d_model: 'd_model', d_ff: 'd_ff', encoder_layers: 'N', decoder_layers: 'N', dropout: 'P_drop', label_smoothing: 'ε_ls', positions: 'positions' });

/** What base is told by, in the order of the paper's columns. */
const COLUMNS = ['encoder_layers', 'd_model', 'd_ff', 'n_heads', 'd_k', 'dropout', 'label_smoothing'];

/**
 * The settings of our base, from which a run's differ, under the paper's names.
 * @param {Record<string, unknown>} model as in a recipe
 * @returns {PaperRow['settings']}
 */
export function baseSettings(model) {
  return COLUMNS.filter((name) => name in model).map((name) => [NAMES[name], String(model[name])]);
}

/**
 * A run's settings under the paper's names; `d_v` and the decoder's N are named where they stray from their twins.
 * @param {string[]} set as in a recipe: `model.d_k=16`
 * @returns {PaperRow['settings']}
 */
export function settingsOf(set) {
  /** @type {PaperRow['settings']} */
  const out = [];
  for (const line of set) {
    const [, key, value] = /^(?:model\.)?([^=]*)=?"?([^"]*)"?$/.exec(line) ?? ['', line, ''];
    const setting = /** @type {PaperRow['settings'][number]} */ (special(key, value) ?? [NAMES[key] ?? key, value]);
    const twin = setting[0] === 'd_v' ? 'd_k' : setting[0];
    if (!out.some(([name, other]) => name === twin && other === setting[1])) out.push(setting);
  }
  return out;
}

/**
 * Settings that have no letter in the paper.
 * @param {string} key
 * @param {string} value
 */
function special(key, value) {
  if (key === 'compatibility') return value === 'dot_product' ? ['no 1/√d_k', ''] : [`${value} attention`, ''];
  if (key === 'neighbourhood') return [`${value} neighbours`, ''];
  return null;
}

/**
 * A setting in words that stay on one line.
 * @param {PaperRow['settings'][number]} setting
 */
export function settingText([name, value]) {
  if (name === 'positions') return `${value} positions`;
  return value ? `${name}\u00a0=\u00a0${value}` : name;
}
