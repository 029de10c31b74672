/**
 * Vectors one under the other, cell over cell: pointing at a dimension marks it in all of them and reads its exact
 * values; a click keeps it. One tab stop with arrow keys inside, and a table behind.
 */

import { cursorKeys } from '../../ui/cursor.js';
import { el, setAttribute, setText } from '../../ui/dom.js';
import { fitColumns } from '../../draw/canvas.js';
import { inks } from '../../draw/ink.js';
import { drawVector } from '../../draw/vector.js';
import { math } from '../../ui/math.js';
import { signed } from '../../ui/numbers.js';
import { dataTable, foldedTable } from '../../ui/table.js';

/**
 * @typedef {object} Strip
 * @property {string} name as it stands before the strip, e.g. `q`
 * @property {'source'|'target'|'none'} side whose colour the name has
 * @property {Float32Array} data
 * @property {number} [limit] magnitude of the full colour; by itself the largest one in `data`
 * @property {boolean} [chosen] stands out among its neighbours
 * @property {string} [aside] a number after the name
 */

const HEIGHT = 20;
/** A dimension's cell gets no wider than this. */
const WIDEST = 18;
/** Rows above this are left to the readout: a table of them would be as long as the picture is wide. */
const TABLE_ROWS = 256;

/** @param {ArrayLike<number>} data largest magnitude, at least a hair */
export function largest(data) {
  let most = 1e-9;
  for (let i = 0; i < data.length; i++) most = Math.max(most, Math.abs(data[i]));
  return most;
}

/** @param {Strip} strip what its full colour stands for */
const limitOf = ({ limit, data }) => `±${signed(limit ?? largest(data))}`;

/**
 * @param {string} label what the vectors are, for those who cannot see them
 * @param {{index?: string, words?: boolean, says?: (at: number, strips: Strip[]) => string}} [options] `index`: what a cell is one of;
 *   `words`: the names are words, not symbols; `says`: the readout of one index
 */
export function vectors(label, { index = 'dimension', words = false, says } = {}) {
  /** @type {Strip[]} */
  let strips = [];
  const rows = el('div', { class: 'strip-rows' });
  const pin = el('div', { class: 'strip-pin', hidden: true });
  const body = el(
    'div',
    { class: 'vector-body', tabindex: '0', role: 'slider', 'aria-label': `${label}: ${index}`, 'aria-valuemin': '0' },
    rows,
    pin,
  );
  const readout = el('p', { class: 'vector-readout' });
  const folded = foldedTable('as a table', `${label} as a table`, () => stripsTable(strips, index), { class: 'table small' });
  const node = el('div', { class: 'vectors' }, body, el('div', { class: 'vector-foot' }, readout, folded.node));

  let drawnWidth = 0;
  /** @type {number|null} */
  let held = null;
  /** @type {number|null} */
  let pointed = null;

  const length = () => strips[0]?.data.length ?? 0;
  const read = (/** @type {number} */ at) =>
    says ? says(at, strips) : `${index} ${at}: ${strips.map((s) => `${s.name} ${signed(s.data[at], 3)}`).join(' · ')}`;

  /** Marks the index that is pointed at, else the held one, else reads how it can be done. */
  function mark() {
    const at = pointed ?? held;
    pin.hidden = at === null;
    node.classList.toggle('pinned', held !== null && pointed === null);
    if (at === null) {
      const limits = [...new Set(strips.map(limitOf))];
      setText(readout, `full colour: ${limits.length === 1 ? limits[0] : strips.map((s) => `${s.name} ${limitOf(s)}`).join(' · ')}`);
    } else {
      setText(readout, read(at));
      pin.style.setProperty('--at', String(at / length()));
      pin.style.setProperty('--of', String(1 / length()));
    }
    setAttribute(body, 'aria-valuenow', String(at ?? 0));
    setAttribute(body, 'aria-valuetext', length() ? read(at ?? 0) : '');
  }

  function paint() {
    const canvases = /** @type {HTMLCanvasElement[]} */ (Array.from(rows.querySelectorAll('canvas')));
    if (drawnWidth === 0 || length() === 0) return;
    const width = Math.min(drawnWidth, WIDEST * length());
    node.style.setProperty('--strip-width', `${width}px`);
    const palette = inks();
    canvases.forEach((canvas, i) => {
      const strip = strips[i];
      const { ctx, w, h } = fitColumns(canvas, strip.data.length, width, HEIGHT);
      const ratio = Math.max(1, devicePixelRatio);
      drawVector(ctx, { w, h }, { data: strip.data, rows: 1, cols: strip.data.length }, { inks: palette, limit: strip.limit ?? largest(strip.data), ratio });
    });
  }

  const under = (/** @type {MouseEvent} */ event) => {
    const canvas = rows.querySelector('canvas');
    if (!canvas || !length()) return null;
    const box = canvas.getBoundingClientRect();
    const at = Math.floor(((event.clientX - box.left) / box.width) * length());
    return at >= 0 && at < length() ? at : null;
  };
  body.addEventListener('pointermove', (event) => {
    pointed = under(event);
    mark();
  });
  body.addEventListener('pointerleave', () => {
    pointed = null;
    mark();
  });
  body.addEventListener('click', (event) => {
    const at = under(event);
    held = at === held ? null : at;
    mark();
  });
  body.addEventListener('blur', () => {
    pointed = null;
    mark();
  });
  cursorKeys(body, {
    at: () => ({ row: 0, col: pointed ?? held ?? -1 }),
    size: () => ({ rows: 1, cols: length() }),
    go({ col }) {
      pointed = col;
      mark();
    },
    hold() {
      held = pointed === held ? null : pointed;
      mark();
    },
    free() {
      if (held === null) return false;
      held = pointed = null;
      mark();
      return true;
    },
  });
  new ResizeObserver(() => {
    drawnWidth = rows.querySelector('.strip-hold')?.clientWidth ?? 0;
    paint();
  }).observe(rows);

  return {
    node,
    /**
     * Shows these vectors, all of one length.
     * @param {Strip[]} next
     */
    show(next) {
      if (next.map((s) => s.name + s.side).join() !== strips.map((s) => s.name + s.side).join()) {
        rows.replaceChildren(
          ...next.map((s) =>
            el(
              'div',
              { class: 'strip-row' },
              el('span', { class: `strip-name ${s.side}`, title: s.name }, words ? s.name : math(s.name)),
              el('span', { class: 'strip-aside' }),
              el('div', { class: 'strip-hold' }, el('canvas', { 'aria-hidden': 'true' })),
            ),
          ),
        );
        drawnWidth = rows.querySelector('.strip-hold')?.clientWidth ?? drawnWidth;
      }
      strips = next;
      Array.from(rows.children, (row, i) => {
        row.classList.toggle('chosen', !!next[i].chosen);
        setText(row.children[1], next[i].aside ?? '');
      });
      if (held !== null && held >= length()) held = null;
      setAttribute(body, 'aria-valuemax', String(Math.max(0, length() - 1)));
      paint();
      mark();
      folded.refresh();
    },
    /** After a change of theme or size. */
    paint,
  };
}

/**
 * @param {Strip[]} strips
 * @param {string} index
 */
const stripsTable = (strips, index) =>
  dataTable(
    [index, ...strips.map(({ name }) => name)],
    Array.from(strips[0]?.data.subarray(0, TABLE_ROWS) ?? [], (_, i) => [String(i), ...strips.map(({ data }) => signed(data[i], 4))]),
  );
