/** Table 3: what each choice is worth, the paper's rows beside runs of our own; a dot plot, and the table itself. */

/** @import { Store } from '../../app/store.js' */
/** @import { DotPlot } from '../../draw/dots.js' */
/** @import { PaperRow } from './table3-data.js' */
/** @import { Results, Row, Spread } from './table3-results.js' */
import { el, setText, svg } from '../../ui/dom.js';
import { dotRowAt, drawDots, layDots } from '../../draw/dots.js';
import { inks } from '../../draw/ink.js';
import { showVectors } from '../../draw/svg.js';
import { grouped, signed } from '../../ui/numbers.js';
import { cursorKeys } from '../../ui/cursor.js';
import { prose } from '../../ui/math.js';
import { saveMenu } from '../../ui/save-menu.js';
import { dataTable, tableBody, tableBox } from '../../ui/table.js';
import { GROUPS, settingText } from './table3-data.js';
import { readResults, rowsOf } from './table3-results.js';
import { VERDICTS, chanceText, ownText, plus, rowText, setupText, verdictText } from './table3-words.js';

const RESULTS = new URL('../../models/table3/table3.json', import.meta.url);
const AXIS = 'change of ln PPL against base, nats per piece';
/** Width of a saved picture, whatever the page has room for. */
const SAVED_WIDTH = 640;
/** A change beyond this is shown by its number: that is half as much perplexity again, and would hide the others. */
const MOST = 0.4;
const TITLE = 'Change of ln PPL against base';
const COLUMNS = ['what changes', 'by', 'perplexity', 'BLEU', 'params ×10⁶', 'ln PPL − base', 'moves'];

/** @param {Store} store */
export function table3(store) {
  const node = el('section', { id: 'table3', hidden: true, 'aria-labelledby': 'table3-title' });
  // Fetched by who looks, and once; where the page stands without the file there is no such section.
  let asked = false;
  store.watch(['tab'], async ({ tab }) => {
    if (tab !== 'model' || asked) return;
    asked = true;
    const results = await fetchResults().catch((error) => console.warn(`${RESULTS} is not shown: ${error.message}`));
    const rows = results ? rowsOf(results) : [];
    if (!results || !rows.some(({ name, change }) => name !== 'base' && change)) return;
    const plot = dotPlot(store, rows, results);
    const says = (/** @type {string} */ id, /** @type {string} */ text) => (text ? el('p', { class: 'says', id }, ...prose(text)) : null);
    node.append(
      el('h3', { class: 'sub', id: 'table3-title', text: 'What each choice is worth: Table 3' }),
      ...[says('table3-setup', setupText(results)), says('table3-verdict', verdictText(rows, results)), says('table3-own', ownText(rows))].filter((p) => p !== null),
      plot,
      tableBox('Table 3 with our runs beside it', tableOf(rows)),
    );
    node.hidden = false;
  });
  return node;
}

/** @returns {Promise<Results|null>} null: not there */
async function fetchResults() {
  const response = await fetch(RESULTS, { cache: 'no-cache' });
  return response.ok ? readResults(await response.json()) : null;
}

/**
 * @param {Store} store
 * @param {Row[]} rows
 * @param {Results} results
 */
function dotPlot(store, rows, results) {
  /** @type {DotPlot} */
  const plot = {
    head: 'paper → here',
    rows: rows.map((row) => ({
      group: row.group,
      mark: row.group.length === 1 ? `(${row.group})` : '',
      ...namesOf(row),
      ring: row.theirs,
      dot: row.change,
      band: row.name === 'base' ? null : row.chance,
    })),
    legend: { ring: 'paper', dot: 'here: mean and range over the seeds', band: rows.some(({ chance }) => chance) ? 'within chance' : '' },
    ways: { low: 'better', high: 'worse' },
    axis: AXIS,
    most: MOST,
    format: signed,
  };
  const drawing = svg('svg', { 'aria-hidden': 'true', focusable: 'false' });
  const holder = el('div', { class: 'plot dots', tabindex: '0', role: 'application', 'aria-roledescription': 'chart', 'aria-label': `${TITLE}, a line for each row. Arrow keys read them; the table below has them all.` }, drawing);
  const readout = el('p', { class: 'readout' });
  const spoken = el('p', { class: 'unseen', 'aria-live': 'polite' });
  const caption = el('figcaption', {}, el('span', { text: TITLE }), saveMenu(savable, 'save-table3'));
  const figure = el('figure', { class: 'chart-figure', id: 'table3-plot' }, caption, readout, holder, spoken, el('p', { class: 'axis-note', id: 'table3-chance', text: chanceText(rows) }));

  let width = 0;
  let at = -1;
  const draw = () => {
    if (width === 0) return;
    const laid = layDots(plot, width, inks());
    showVectors(drawing, width, laid.height, (ctx) => drawDots(ctx, 1, laid, { inks: inks(), row: at }));
    setText(readout, at < 0 ? 'Point at a row to read its numbers.' : rowText(rows[at]));
    readout.classList.toggle('at', at >= 0);
  };
  const point = (/** @type {number} */ to) => {
    if (to === at) return;
    at = to;
    draw();
  };
  holder.addEventListener('pointermove', (event) => point(dotRowAt(layDots(plot, width, inks()), event.clientY - holder.getBoundingClientRect().top)));
  holder.addEventListener('pointerleave', () => point(-1));
  cursorKeys(holder, {
    at: () => ({ row: at, col: 0 }),
    size: () => ({ rows: rows.length, cols: 1 }),
    go({ row }) {
      point(row);
      setText(spoken, readout.textContent ?? '');
    },
  });
  new ResizeObserver(() => {
    width = holder.clientWidth;
    draw();
  }).observe(holder);
  store.watch(['redraw'], draw);

  function savable() {
    const laid = layDots(plot, SAVED_WIDTH, inks());
    return {
      name: 'table3',
      picture: { width: SAVED_WIDTH, height: laid.height, layers: [(/** @type {CanvasRenderingContext2D} */ ctx, /** @type {number} */ ratio) => drawDots(ctx, ratio, laid, { inks: inks(), row: -1 })] },
      numbers: numbersOf(rows, results),
    };
  }
  return figure;
}

/**
 * What a row is about, short enough for a picture, and shorter.
 * @param {Row} row
 */
function namesOf({ name, paper, settings }) {
  if (name === 'base' || name === 'big') return { name, short: name };
  const [theirs, ours] = [paper?.settings[0], settings?.[0]];
  const short = settingText(ours ?? theirs ?? [name, '']);
  return { name: theirs && ours && theirs[1] !== ours[1] ? `${settingText(theirs)} → ${ours[1]}` : short, short };
}

/**
 * The numbers of the table, one column for each.
 * @param {Row[]} rows
 * @param {Results} results
 */
function numbersOf(rows, { tokens, set }) {
  /** @type {[string, (row: Row) => number|null|undefined][]} */
  const columns = [
    ['paper: perplexity', ({ paper }) => paper?.perplexity],
    ['paper: BLEU', ({ paper }) => paper?.bleu],
    ['paper: parameters', ({ paper }) => paper?.parameters],
    ['paper: change of ln PPL', ({ theirs }) => theirs],
    ...spreadColumns('perplexity', ({ perplexity }) => perplexity),
    ...spreadColumns('BLEU', ({ bleu }) => bleu),
    ['parameters', ({ parameters }) => parameters],
    ...spreadColumns('change of ln PPL', ({ change }) => change),
    ['within chance up to', ({ chance }) => chance],
  ];
  return {
    rows: rows.map(({ name }) => name),
    cols: columns.map(([name]) => name),
    data: rows.flatMap((row) => columns.map(([, value]) => value(row) ?? NaN)),
    about: { table: 'Table 3', targetTokens: tokens, measuredOn: set },
  };
}

/**
 * @param {string} name
 * @param {(row: Row) => Spread|null} of
 * @returns {[string, (row: Row) => number|undefined][]}
 */
const spreadColumns = (name, of) => [
  [name, (row) => of(row)?.mean],
  [`${name}: lowest`, (row) => of(row)?.low],
  [`${name}: highest`, (row) => of(row)?.high],
];

/**
 * The table: the paper's line above ours, so that numbers of a kind stand in one column.
 * @param {Row[]} rows
 */
function tableOf(rows) {
  const groups = [...new Set(rows.map(({ group }) => group))];
  const bodies = groups.map((group) => tableBody([groupRow(group, rows[0]), ...rows.filter((row) => row.group === group).flatMap(linesOf)]));
  return dataTable(COLUMNS, bodies, { class: 'table-3' });
}

/**
 * @param {string} group
 * @param {Row} base
 */
function groupRow(group, { paper, settings }) {
  const title = group === '' ? 'base ' : group.length === 1 ? `(${group}) ` : '';
  const says = group === '' ? `paper: ${settingsText(paper?.settings)}; here: ${settingsText(settings)}` : GROUPS[/** @type {keyof typeof GROUPS} */ (group)];
  return el('tr', { class: 'group' }, el('th', { scope: 'rowgroup', colspan: COLUMNS.length }, title ? el('b', { text: title }) : null, ...prose(says)));
}

/** @param {Row} row */
function linesOf({ name, paper, settings, perplexity, bleu, parameters, theirs, change, verdict }) {
  const [there, here] = name === 'base' ? ['base', settings ? 'base' : ''] : [settingsText(paper?.settings), settingsText(settings)];
  const line = (/** @type {string} */ by, /** @type {Node|null} */ title, /** @type {(string|Node)[]} */ ...cells) =>
    el('tr', { data: { row: name, by } }, title, el('th', { scope: 'row', text: by }), ...cells.map((cell) => el('td', {}, cell)));
  const one = there === here;
  const title = (/** @type {string} */ text) => el('th', { class: 'what', scope: 'row', rowspan: one ? 2 : 1 }, ...prose(text));
  const bold = (/** @type {string} */ text) => el('b', { text });
  const lines = [];
  if (paper) lines.push(line('paper', title(there), paper.perplexity.toFixed(2), paper.bleu.toFixed(1), String(paper.parameters / 1e6), moved(theirs), ''));
  if (here) {
    const cells = [spreadText(perplexity, 2), spreadText(bleu, 1), parameters === null ? '–' : (parameters / 1e6).toFixed(2), moved(change?.mean)];
    lines.push(line('here', one ? null : title(here), ...cells.map(bold), verdict ? VERDICTS[verdict] : ''));
  }
  lines.at(-1)?.classList.add('last');
  return lines;
}

/** @param {PaperRow['settings']|null} [settings] */
const settingsText = (settings) => settings?.map(settingText).join(', ') ?? '';

/** @param {number|null} [v] */
const moved = (v) => (v === null || v === undefined ? '–' : plus(v));

/**
 * A mean with half the range; one value alone has none.
 * @param {Spread|null} spread
 * @param {number} digits
 */
function spreadText(spread, digits) {
  if (!spread) return '–';
  const { mean, low, high, count } = spread;
  const text = (/** @type {number} */ v) => (mean < 1000 ? v.toFixed(digits) : grouped(Math.round(v)));
  return count > 1 ? `${text(mean)}\u00a0±\u00a0${text((high - low) / 2)}` : text(mean);
}
