/** Our runs of Table 3 (`models/table3/table3.json`): means over seeds, changes against base, and how they compare with the paper's. */

/** @import { PaperRow } from './table3-data.js' */
import { PAPER, baseSettings, settingsOf } from './table3-data.js';

/**
 * One training run: a row of the table with one seed.
 * @typedef {{row: string, set: string[], seed: number, parameters: number, steps: number, seconds: number, loss: number, perplexity: number, bleu: number}} Run
 */

/**
 * @typedef {object} Results
 * @property {number} tokens target tokens of every run
 * @property {PaperRow['settings']} base settings of the row `base`
 * @property {string} set the development set that was measured on
 * @property {Run[]} runs
 */

/**
 * Some values of one quantity.
 * @typedef {{mean: number, low: number, high: number, count: number}} Spread
 */

/**
 * A row as it is shown. Changes are those of ln PPL against base, in nats per piece; ours are taken seed by seed, as a seed
 * fixes the order of the data.
 * @typedef {object} Row
 * @property {string} name
 * @property {string} group
 * @property {PaperRow|null} paper
 * @property {PaperRow['settings']|null} settings ours; null: not measured
 * @property {Spread|null} perplexity
 * @property {Spread|null} bleu
 * @property {number|null} parameters
 * @property {number|null} theirs change in the paper
 * @property {Spread|null} change
 * @property {number|null} chance a change up to this may be chance
 * @property {'same'|'other'|'chance'|'unmoved'|null} verdict our move beside the paper's, which may be none; null: it cannot be said
 */

/** A change is told from chance where it is larger than so many standard errors. */
const ERRORS = 2;
/** Perplexities of the paper that differ by no more than their last digit are taken as equal. */
const LAST_DIGIT = 0.0101;

/**
 * The file's contents, checked. Runs that have diverged, and so have no loss, are left out.
 * @param {any} raw
 * @returns {Results}
 */
export function readResults(raw) {
  const must = (/** @type {unknown} */ fine, /** @type {string} */ what) => {
    if (!fine) throw new Error(`${what} is missing or broken`);
  };
  must(Number.isFinite(raw?.tokens), 'tokens');
  must(typeof raw.model === 'object' && raw.model, 'model');
  must(Array.isArray(raw.outcomes), 'outcomes');
  const set = Object.keys(raw.outcomes[0]?.validation ?? {})[0] ?? '';
  const runs = raw.outcomes.map((/** @type {any} */ outcome, /** @type {number} */ i) => {
    const at = `outcomes[${i}]`;
    must(typeof outcome?.row === 'string', `${at}.row`);
    must(Array.isArray(outcome.set) && outcome.set.every((/** @type {unknown} */ line) => typeof line === 'string'), `${at}.set`);
    for (const name of ['seed', 'parameters', 'steps', 'seconds']) must(Number.isFinite(outcome[name]), `${at}.${name}`);
    const score = outcome.validation?.[set];
    must(typeof score === 'object' && score, `${at}.validation.${set}`);
    const { row, set: settings, seed, parameters, steps, seconds } = outcome;
    return { row, set: settings, seed, parameters, steps, seconds, loss: score.loss ?? NaN, perplexity: score.perplexity ?? NaN, bleu: score.bleu ?? NaN };
  });
  for (const run of runs) for (const name of /** @type {const} */ (['loss', 'perplexity', 'bleu'])) must(typeof run[name] === 'number', `${name} of ${run.row}`);
  return { tokens: raw.tokens, base: baseSettings(raw.model), set, runs: runs.filter((/** @type {Run} */ run) => Number.isFinite(run.loss)) };
}

/**
 * @param {number[]} values
 * @returns {Spread|null}
 */
function spreadOf(values) {
  const known = values.filter(Number.isFinite);
  if (known.length === 0) return null;
  return { mean: known.reduce((sum, v) => sum + v, 0) / known.length, low: Math.min(...known), high: Math.max(...known), count: known.length };
}

/**
 * The paper's rows in its order, then what else was run.
 * @param {Results} results
 * @returns {Row[]}
 */
export function rowsOf({ base: settingsOfBase, runs }) {
  const of = (/** @type {string} */ name) => runs.filter(({ row }) => row === name);
  const base = new Map(of('base').map(({ seed, loss }) => [seed, loss]));
  const changes = (/** @type {string} */ name) => of(name).flatMap(({ seed, loss }) => (base.has(seed) ? [loss - Number(base.get(seed))] : []));
  const others = [...new Set(runs.map(({ row }) => row))].filter((name) => !PAPER.some(({ row }) => row === name));
  const names = [...PAPER.map(({ row }) => row), ...others];
  const deviation = commonDeviation(names.filter((name) => name !== 'base').map(changes));
  const first = PAPER[0].perplexity;
  return names.map((name) => {
    const own = of(name);
    const paper = PAPER.find(({ row }) => row === name) ?? null;
    const change = spreadOf(changes(name));
    const chance = change && deviation !== null ? (ERRORS * deviation) / Math.sqrt(change.count) : null;
    const settings = own.length > 0 ? [...(name === 'base' ? settingsOfBase : []), ...settingsOf(own[0].set)] : null;
    return {
      name,
      group: paper ? paper.group : 'ours',
      paper,
      settings: settings?.length === 0 ? [[name, '']] : settings,
      perplexity: spreadOf(own.map(({ perplexity }) => perplexity)),
      bleu: spreadOf(own.map(({ bleu }) => bleu)),
      parameters: own[0]?.parameters ?? null,
      theirs: paper ? Math.log(paper.perplexity / first) : null,
      change,
      chance,
      verdict: name === 'base' || !paper || !change || chance === null ? null : compare(change.mean, chance, paper.perplexity - first),
    };
  });
}

/**
 * How much a change varies from seed to seed, over all rows: those of one row alone are too few to tell.
 * @param {number[][]} changes of each row, by seed
 * @returns {number|null} null: no row has two seeds
 */
function commonDeviation(changes) {
  let squares = 0;
  let freedom = 0;
  for (const row of changes) {
    const mean = spreadOf(row)?.mean ?? 0;
    squares += row.reduce((sum, v) => sum + (v - mean) ** 2, 0);
    freedom += Math.max(0, row.length - 1);
  }
  return freedom > 0 ? Math.sqrt(squares / freedom) : null;
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
