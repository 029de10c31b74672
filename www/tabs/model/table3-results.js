/** Our runs of Table 3 (`models/table3/table3.json`, written by the trainer's `sweep`) beside the paper's rows. */

/** @import { PaperRow } from './table3-data.js' */
import { PAPER, baseSettings, settingsOf } from './table3-data.js';

/**
 * Some values of one quantity.
 * @typedef {{mean: number, low: number, high: number, count: number}} Spread
 */

/**
 * A row over its seeds, as the file has it. `change`: of ln PPL against base, seed by seed, as a seed fixes the order of the
 * data, in nats per piece; one up to `chance` may be chance.
 * @typedef {{row: string, set: string[], parameters: number, perplexity: Spread|null, bleu: Spread|null, change: Spread|null, chance: number|null}} Statistics
 */

/**
 * @typedef {object} Results
 * @property {number} tokens target tokens of every run
 * @property {PaperRow['settings']} base settings of the row `base`
 * @property {string} set the development set that was measured on
 * @property {number[]} seeds
 * @property {number[]} steps the fewest and the most of a run
 * @property {number} seconds of all runs
 * @property {Statistics[]} rows
 */

/**
 * A row as it is shown: `theirs` is the change of ln PPL in the paper.
 * @typedef {object} Row
 * @property {string} name
 * @property {string} group
 * @property {PaperRow|null} paper
 * @property {PaperRow['settings']|null} settings ours; null: not measured
 * @property {Spread|null} perplexity
 * @property {Spread|null} bleu
 * @property {number|null} parameters
 * @property {number|null} theirs
 * @property {Spread|null} change
 * @property {number|null} chance
 * @property {'same'|'other'|'chance'|'unmoved'|null} verdict our move beside the paper's, which may be none; null: it cannot be said
 */

/** Perplexities of the paper that differ by no more than their last digit are taken as equal. */
const LAST_DIGIT = 0.0101;

/** @param {unknown} fine @param {string} what */
function must(fine, what) {
  if (!fine) throw new Error(`${what} is missing or broken`);
}

/**
 * The file's contents, checked.
 * @param {any} raw
 * @returns {Results}
 */
export function readResults(raw) {
  must(Number.isFinite(raw?.tokens), 'tokens');
  must(typeof raw.model === 'object' && raw.model, 'model');
  must(Array.isArray(raw.outcomes), 'outcomes');
  must(Array.isArray(raw.rows), 'rows');
  const runs = raw.outcomes.map((/** @type {any} */ run, /** @type {number} */ i) => {
    for (const name of ['seed', 'steps', 'seconds']) must(Number.isFinite(run?.[name]), `outcomes[${i}].${name}`);
    return run;
  });
  const set = Object.keys(raw.rows[0]?.validation ?? {})[0] ?? '';
  const rows = raw.rows.map((/** @type {any} */ row, /** @type {number} */ i) => {
    const at = `rows[${i}]`;
    must(typeof row?.row === 'string', `${at}.row`);
    must(Array.isArray(row.set) && row.set.every((/** @type {unknown} */ line) => typeof line === 'string'), `${at}.set`);
    must(Number.isFinite(row.parameters), `${at}.parameters`);
    const { perplexity, bleu, change, chance } = row.validation?.[set] ?? {};
    return { row: row.row, set: row.set, parameters: row.parameters, perplexity: spread(perplexity, `${at}.perplexity`), bleu: spread(bleu, `${at}.bleu`), change: spread(change, `${at}.change`), chance: Number.isFinite(chance) ? chance : null };
  });
  const steps = runs.map((/** @type {any} */ run) => run.steps);
  return {
    tokens: raw.tokens,
    base: baseSettings(raw.model),
    set,
    seeds: [...new Set(/** @type {number[]} */ (runs.map((/** @type {any} */ run) => run.seed)))].sort((a, b) => a - b),
    steps: [Math.min(...steps), Math.max(...steps)],
    seconds: runs.reduce((/** @type {number} */ sum, /** @type {any} */ run) => sum + run.seconds, 0),
    rows,
  };
}

/**
 * @param {any} value
 * @param {string} what
 * @returns {Spread|null} null: not measured
 */
function spread(value, what) {
  if (value === null || value === undefined) return null;
  const { mean, low, high, count } = value;
  must([mean, low, high, count].every(Number.isFinite), what);
  return { mean, low, high, count };
}

/**
 * The paper's rows in its order, then what else was run.
 * @param {Results} results
 * @returns {Row[]}
 */
export function rowsOf({ base, rows }) {
  const ours = new Map(rows.map((row) => [row.row, row]));
  const others = rows.filter(({ row }) => !PAPER.some((paper) => paper.row === row));
  const first = PAPER[0].perplexity;
  return [...PAPER.map(({ row }) => row), ...others.map(({ row }) => row)].map((name) => {
    const own = ours.get(name);
    const paper = PAPER.find(({ row }) => row === name) ?? null;
    const { perplexity = null, bleu = null, parameters = null, change = null, chance = null } = own ?? {};
    const measured = own && perplexity ? [...(name === 'base' ? base : []), ...settingsOf(own.set)] : null;
    return {
      name,
      group: paper ? paper.group : 'ours',
      paper,
      settings: measured?.length === 0 ? [[name, '']] : measured,
      perplexity,
      bleu: measured && bleu,
      parameters: measured && parameters,
      theirs: paper ? Math.log(paper.perplexity / first) : null,
      change,
      chance,
      verdict: name === 'base' || !paper || !change || chance === null ? null : compare(change.mean, chance, paper.perplexity - first),
    };
  });
}

/**
 * @param {number} ours
 * @param {number} chance
 * @param {number} theirs change of the paper's perplexity
 * @returns {Row['verdict']}
 */
function compare(ours, chance, theirs) {
  if (Math.abs(ours) <= chance) return 'chance';
  if (Math.abs(theirs) < LAST_DIGIT) return 'unmoved';
  return ours > 0 === theirs > 0 ? 'same' : 'other';
}
