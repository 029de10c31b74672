/** What Table 3 beside our runs says, in sentences; every number in them is counted from the runs. */

/** @import { Results, Row } from './table3-results.js' */
import { grouped, millions, signed } from '../../ui/numbers.js';
import { PAPER_TOKENS, settingText } from './table3-data.js';

/**
 * How the runs were made.
 * @param {Results} results
 */
export function setupText({ tokens, base: settings, set, seeds, steps, seconds, rows }) {
  const base = rows.find(({ row }) => row === 'base');
  const ends = [...new Set(steps.map(grouped))].join(' to ');
  const sizes = settings.map(settingText).join(', ');
  return (
    `The paper’s rows, trained again in miniature (base: ${sizes}${base ? `; ${millions(base.parameters)} parameters` : ''}), each from random weights for ${millions(tokens)} target tokens, ${ends} steps, ` +
    `${seeds.length === 1 ? `with seed ${seeds[0]}` : `with the seeds ${list(seeds.map(String))}`}: ${duration(seconds)} in all. ` +
    `Measured on ${set}; the paper’s on newstest2013 and over other pieces: compare changes, not values.`
  );
}

/**
 * What agrees with the paper, and what this scale cannot show.
 * @param {Row[]} rows
 * @param {Results} results
 */
export function verdictText(rows, { tokens }) {
  const changes = rows.filter(({ paper, name, group }) => paper && name !== 'base' && group !== 'big');
  const measured = changes.filter(({ change }) => change);
  if (measured.length === 0) return '';
  const scale = `The paper’s base saw some ${grouped(about(PAPER_TOKENS / tokens))} times as many tokens: what pays off late, size and regularisation above all, may count for less here, or turn round.`;
  const of = (/** @type {Row['verdict']} */ verdict) => measured.filter((row) => row.verdict === verdict);
  const judged = measured.filter(({ verdict }) => verdict);
  if (judged.length === 0) return `With one seed for each row nothing tells a change from chance. ${scale}`;
  const all = judged.length === changes.length ? `Of the paper’s ${changes.length} changes to base,` : `Of the paper’s ${changes.length} changes to base ${judged.length} were measured here:`;
  const verb = (/** @type {Row[]} */ which) => (which.length === 1 ? 'moves' : 'move');
  const [same, other, unmoved, chance] = /** @type {const} */ (['same', 'other', 'unmoved', 'chance']).map(of);
  const parts = [`${same.length} ${verb(same)} the perplexity the same way as in the paper`];
  if (other.length > 0) parts.push(`${other.length} the other way (${names(other)})`);
  if (unmoved.length > 0) parts.push(`${unmoved.length} ${verb(unmoved)} it where the paper saw no change (${names(unmoved)})`);
  if (chance.length > 0) parts.push(`${chance.length} ${verb(chance)} it by less than chance may, so this scale cannot show ${chance.length === 1 ? 'it' : 'them'}`);
  return `${all} ${list(parts)}. ${scale}`;
}

/**
 * What counts as chance.
 * @param {Row[]} rows
 */
export function chanceText(rows) {
  const repeated = rows.filter(({ name, change }) => name !== 'base' && change && change.count > 1);
  if (repeated.length === 0) return '';
  const chance = Math.min(...repeated.map((row) => row.chance ?? Infinity));
  const more = rows.some((row) => (row.chance ?? 0) > chance * 1.0001);
  return `Chance: two standard errors, ${signed(chance, 3)} nats${more ? ', more in rows with fewer seeds,' : ''} from how the change varies between the seeds of ${repeated.length === 1 ? '1 row' : `${repeated.length} rows`}. ± is half the range over the seeds.`;
}

/**
 * What our own rows did.
 * @param {Row[]} rows
 */
export function ownText(rows) {
  const own = rows.filter(({ group, change }) => group === 'ours' && change);
  if (own.length === 0) return '';
  const does = (/** @type {Row} */ row) => `${settingText(row.settings?.[0] ?? [row.name, ''])} ${changeText(row)}`;
  return `Not in the paper’s table, change of ln PPL: ${list(own.map(does))}.`;
}

/** @param {Row} row */
function changeText({ change, chance }) {
  if (!change) return '–';
  const way = chance === null ? '' : Math.abs(change.mean) <= chance ? ' (within chance)' : change.mean > 0 ? ' (worse)' : ' (better)';
  return plus(change.mean) + way;
}

/**
 * A change, with its sign; as tables and sentences print it.
 * @param {number} v
 */
export function plus(v) {
  const text = signed(v, 3);
  return v > 0 && Number(text) > 0 ? `+${text}` : text;
}

/**
 * One row in words.
 * @param {Row} row
 */
export function rowText(row) {
  const { group, paper, settings, theirs, change } = row;
  const said = (/** @type {Row['settings']} */ list) => list?.map(settingText).join(', ') ?? '';
  const [here, there] = [said(settings), said(paper?.settings ?? null)];
  const title = here && there && here !== there ? `${here} (paper: ${there})` : here || there;
  if (row.name === 'base') return `base: ${title}`;
  const parts = [];
  if (theirs !== null) parts.push(`paper ${plus(theirs)}`);
  parts.push(change ? `here ${plus(change.mean)}${change.count > 1 ? `, from ${plus(change.low)} to ${plus(change.high)} over ${change.count} seeds` : ', one seed'}` : 'not trained here');
  const verdict = row.verdict ? VERDICTS[row.verdict] : group === 'ours' && row.chance !== null && change && Math.abs(change.mean) <= row.chance ? VERDICTS.chance : '';
  return `${title}: ${parts.join(' · ')}${verdict ? ` · ${verdict}` : ''}`;
}

/** Our move beside the paper's. */
export const VERDICTS = { same: 'same way', other: 'other way', unmoved: 'only here', chance: 'within chance' };

/** @param {Row[]} rows */
const names = (rows) => rows.map(({ settings, name }) => settingText(settings?.[0] ?? [name, ''])).join(', ');

/** @param {string[]} parts */
const list = (parts) => (parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}`);

/**
 * Two digits of a number: more would claim to be known.
 * @param {number} n
 */
const about = (n) => Number(n.toPrecision(2));

/** @param {number} seconds */
function duration(seconds) {
  const minutes = seconds / 60;
  return minutes < 120 ? `${Math.max(1, Math.round(minutes))} minutes` : `${(minutes / 60).toFixed(1)} hours`;
}
