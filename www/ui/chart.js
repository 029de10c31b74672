/** A line chart to be read: cross-hair by pointer or arrow keys, the values in words, a table behind it. */

/** @import { Axis, Series } from './plot.js' */
import { cursorKeys } from './cursor.js';
import { el, setText, svg } from './dom.js';
import { short } from './numbers.js';
import { chartScales, drawChart, nearest } from './plot.js';
import { dataTable, foldedTable } from './table.js';

/** More rows than this are thinned out: nobody reads three hundred. */
const MOST_ROWS = 40;

/**
 * @typedef {object} ChartOptions
 * @property {string} title
 * @property {string} [id]
 * @property {number} [height]
 * @property {Axis} x
 * @property {Axis} y
 * @property {(v: number) => string} [value] a value in words
 * @property {(x: number) => string} [position] a place on the x axis in words
 * @property {(x: number) => void} [onpoint] called with the cross-hair's position
 */

/** @param {ChartOptions} options */
export function chartView(options) {
  const height = options.height ?? 220;
  const value = options.value ?? short;
  const position = options.position ?? ((/** @type {number} */ v) => `${options.x.label} ${short(v)}`);
  const drawing = svg('svg', { class: 'chart', 'aria-hidden': 'true', focusable: 'false' });
  const plot = el('div', { class: 'plot', tabindex: '0', role: 'application', 'aria-roledescription': 'chart', 'aria-label': `${options.title}. Arrow keys read values.` }, drawing);
  const readout = el('p', { class: 'readout' });
  const spoken = el('p', { class: 'unseen', 'aria-live': 'polite' });
  const table = foldedTable('As a table', `${options.title}, as a table`, () => tableOf(axes.x, series, value, options.title));
  const node = el('figure', { class: 'chart-figure', id: options.id }, el('figcaption', { text: options.title }), readout, plot, spoken, table.node);

  /** @type {Series[]} */
  let series = [];
  let axes = { x: options.x, y: options.y };
  /** @type {number|null} */
  let at = null;
  /** @type {number|null} */
  let mark = null;
  let width = 0;

  const chart = () => ({ width, height, ...axes, series, at, mark });
  const draw = () => {
    if (width === 0 || series.length === 0) return;
    drawing.setAttribute('viewBox', `0 0 ${width} ${height}`);
    drawing.setAttribute('width', String(width));
    drawing.setAttribute('height', String(height));
    drawing.replaceChildren(...drawChart(chart()));
    setText(readout, words());
  };
  const words = () => {
    if (at === null) return '';
    const here = at;
    const values = series.map((s) => {
      const i = nearest(s.x, here);
      return i < 0 || !Number.isFinite(s.y[i]) ? '' : `${series.length > 1 ? `${s.name} ` : ''}${value(s.y[i])}`;
    });
    return `${position(here)}: ${values.filter(Boolean).join(' · ')}`;
  };

  // The cross-hair rests on the values of the densest line.
  const grid = () => series.reduce((best, s) => (s.x.length > best.length ? s.x : best), /** @type {ArrayLike<number>} */ ([]));
  const move = (/** @type {number|null} */ to) => {
    at = to;
    draw();
    if (to !== null) options.onpoint?.(to);
  };
  plot.addEventListener('pointermove', (event) => {
    if (series.length === 0) return;
    const { xs, left, right } = chartScales(chart());
    const px = event.clientX - plot.getBoundingClientRect().left;
    if (px < left - 8 || px > right + 8) return;
    const column = grid();
    let best = 0;
    for (let i = 1; i < column.length; i++) if (Math.abs(xs.at(column[i]) - px) < Math.abs(xs.at(column[best]) - px)) best = i;
    move(column[best]);
  });
  cursorKeys(plot, {
    at: () => ({ row: 0, col: at === null ? -1 : nearest(grid(), at) }),
    size: () => ({ rows: 1, cols: grid().length }),
    go({ col }) {
      move(grid()[col]);
      setText(spoken, words());
    },
  });
  new ResizeObserver(() => {
    width = plot.clientWidth;
    draw();
  }).observe(plot);

  return {
    node,
    /**
     * @param {Series[]} lines
     * @param {{x?: Axis, y?: Axis}} [other] axes that changed
     */
    show(lines, other = {}) {
      series = lines;
      axes = { x: other.x ?? options.x, y: other.y ?? options.y };
      draw();
      table.refresh();
    },
    /** @param {number|null} x */
    mark(x) {
      mark = x;
      draw();
    },
    /** @param {number|null} x moves the cross-hair there, without `onpoint` */
    point(x) {
      at = x;
      draw();
    },
  };
}

/**
 * @param {Axis} x
 * @param {Series[]} series
 * @param {(v: number) => string} value
 * @param {string} title
 */
function tableOf(x, series, value, title) {
  const places = [...new Set(series.flatMap((s) => Array.from(s.x)))].sort((a, b) => a - b);
  const every = Math.max(1, Math.ceil(places.length / MOST_ROWS));
  const rows = places.filter((_, i) => i % every === 0 || i === places.length - 1);
  const cell = (/** @type {Series} */ s, /** @type {number} */ place) => {
    const i = nearest(s.x, place);
    return i >= 0 && s.x[i] === place && Number.isFinite(s.y[i]) ? value(s.y[i]) : '–';
  };
  return dataTable(
    // A lone series has no name of its own: the chart's title says what it is.
    [x.label, ...series.map((s) => s.name || title)],
    rows.map((place) => [short(place), ...series.map((s) => cell(s, place))]),
  );
}
