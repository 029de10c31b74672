/** The attention boxes of the figure: all heads of a box drawn as pixels on one canvas, with a button over each square. */

/** @import { State, AttentionKind, HeadRef } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
import { formatWeight } from '../../ui/numbers.js';
import { el, onceDrawn, setAttribute } from '../../ui/dom.js';
import { holdHead, preview } from '../../app/hold.js';
import { headMap } from '../../app/maps.js';
import { isMasked, paintMap } from '../../draw/pixels.js';
import { shownHead, totalRows } from '../../app/select.js';
import { roleOf } from '../../app/roles.js';
import { drawStill } from '../../draw/canvas.js';
import { inks } from '../../draw/ink.js';
import { term } from '../../ui/term.js';
import { hideTip, showTip } from '../../ui/tip.js';
import { openLayer } from '../../app/settings.js';

/** What the boxes are called in Figure 1. */
const BOX_NAMES = {
  encoderSelf: 'Multi-Head Attention',
  decoderSelf: 'Masked Multi-Head Attention',
  cross: 'Multi-Head Attention',
};

/** Where the glossary explains each of them. */
const TERMS = { encoderSelf: 'heads', decoderSelf: 'masked', cross: 'cross' };

const COLUMNS = 4;

/** @param {HeadRef} ref */
export const headId = (ref) => `${ref.kind}-${ref.layer}-${ref.head}`;

/** @param {Store} store */
export function mountHeads(store) {
  /** @type {Set<HTMLElement>} */
  const boxes = new Set();
  /** @type {Map<string, HTMLElement>} the squares on the page, by `headId` */
  const squares = new Map();
  const marked = { shown: '', held: '' };
  const resized = new ResizeObserver((entries) => {
    for (const entry of entries) drawBox(/** @type {HTMLElement} */ (entry.target), store.get());
  });

  store.watch(['observation', 'views', 'measure', 'mode', 'stepChosen', 'step', 'scale', 'redraw'], (state) => {
    for (const box of boxes) drawBox(box, state);
  });
  store.watch(['held', 'preview', 'observation', 'alignmentHead', 'layers'], (state) => markSquares(squares, state, marked));
  store.watch(['model'], (state) => nameSquares(squares.values(), state));

  return {
    /**
     * One attention box.
     * @param {AttentionKind} kind
     * @param {number} layer
     * @param {number} count number of heads
     */
    box(kind, layer, count) {
      const canvas = el('canvas', { 'aria-hidden': 'true', data: { attention: kind, layer } });
      const buttons = Array.from({ length: count }, (_, head) => headButton(store, { kind, layer, head }, head === 0));
      const grid = el(
        'div',
        { class: 'heads', role: 'group', 'aria-label': `Heads of ${BOX_NAMES[kind]}, layer ${layer + 1}; arrow keys move, Enter holds`, data: { kind, layer } },
        canvas,
        ...buttons,
      );
      grid.addEventListener('keydown', (event) => moveFocus(event, store, buttons, { kind, layer }));
      const box = el('div', { class: `box attention ${kind}`, data: { kind, layer } }, el('h3', {}, term(TERMS[kind], BOX_NAMES[kind])), grid);
      for (const button of buttons) squares.set(String(button.dataset.head), button);
      boxes.add(grid);
      resized.observe(grid);
      return box;
    },
    /** @param {HTMLElement} box an attention box that leaves the page */
    forget(box) {
      const grid = /** @type {HTMLElement} */ (box.querySelector('.heads'));
      for (const square of grid.querySelectorAll('.head')) squares.delete(String(/** @type {HTMLElement} */ (square).dataset.head));
      boxes.delete(grid);
      resized.unobserve(grid);
    },
    refresh() {
      const state = store.get();
      for (const box of boxes) drawBox(box, state);
      nameSquares(squares.values(), state);
      markSquares(squares, state, marked);
    },
  };
}

/**
 * @param {Store} store
 * @param {HeadRef} ref
 * @param {boolean} stop whether this one is the box's tab stop
 */
function headButton(store, ref, stop) {
  const button = el(
    'button',
    { type: 'button', class: 'head', tabindex: stop ? '0' : '-1', 'aria-pressed': 'false', data: { head: headId(ref) } },
    el('span', { class: 'number', text: String(ref.head + 1) }),
  );
  button.addEventListener('pointermove', (event) => {
    if (event.pointerType === 'touch') return;
    const state = store.get();
    const map = headMap(state, ref);
    const at = button.getBoundingClientRect();
    const total = rowsOf(state, ref.kind);
    const row = Math.floor(((event.clientY - at.top) / at.height) * total);
    const col = map ? Math.floor(((event.clientX - at.left) / at.width) * (map.open ? Math.max(total, map.cols) : map.cols)) : -1;
    if (!map || row < 0 || row >= map.rows || col < 0 || col >= map.cols) {
      preview(store, { head: ref });
      hideTip();
      return;
    }
    const { rows, cols } = map.axes;
    preview(store, { head: ref, cell: { row: rows.items[row].pieces[0], col: cols.items[col].pieces[0] } });
    const value = isMasked(map, row, col) ? 'masked' : formatWeight(map.data[row * map.cols + col]);
    showTip(button, `“${rows.labels[row]}” reads “${cols.labels[col]}”: ${value}`, 'over');
  });
  button.addEventListener('pointerleave', () => {
    hideTip();
    preview(store, null);
  });
  button.addEventListener('focus', () => preview(store, { head: ref }));
  button.addEventListener('blur', () => preview(store, null));
  button.addEventListener('click', () => {
    hideTip();
    holdHead(store, ref);
  });
  return button;
}

/**
 * Arrow keys inside a box; over its upper or lower edge they go to the next box, and on to the next layer.
 * @param {KeyboardEvent} event
 * @param {Store} store
 * @param {HTMLElement[]} buttons
 * @param {{kind: AttentionKind, layer: number}} at
 */
function moveFocus(event, store, buttons, at) {
  const from = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  /** @type {Record<string, number>} */
  const deltas = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: -COLUMNS, ArrowDown: COLUMNS };
  if (from < 0 || !(event.key in deltas)) return;
  event.preventDefault();
  const to = from + deltas[event.key];
  if (to >= 0 && to < buttons.length) {
    focusIn(buttons, to);
    return;
  }
  if (event.key === 'ArrowUp' || event.key === 'ArrowDown') leaveBox(store, at, from % COLUMNS, event.key === 'ArrowUp' ? 1 : -1);
}

/**
 * @param {HTMLElement[]} buttons
 * @param {number} to
 */
function focusIn(buttons, to) {
  buttons.forEach((b, i) => (b.tabIndex = i === to ? 0 : -1));
  buttons[to].focus();
}

/**
 * @param {Store} store
 * @param {{kind: AttentionKind, layer: number}} at
 * @param {number} column
 * @param {1|-1} way up or down the stack
 */
function leaveBox(store, { kind, layer }, column, way) {
  const state = store.get();
  const config = state.model?.config;
  if (!config) return;
  const stack = kind === 'encoderSelf' ? 'encoder' : 'decoder';
  const count = stack === 'encoder' ? config.encoderLayers : config.decoderLayers;
  /** @type {AttentionKind[]} */
  const order = stack === 'encoder' ? ['encoderSelf'] : ['decoderSelf', 'cross'];
  const place = layer * order.length + order.indexOf(kind) + way;
  if (place < 0 || place >= count * order.length) return;
  const next = { kind: order[place % order.length], layer: Math.floor(place / order.length) };
  if (next.layer !== layer && !state.allLayers) openLayer(store, stack, next.layer);
  // The layer is built with the next frame.
  onceDrawn(() => {
    const grid = document.querySelector(`.heads[data-kind="${next.kind}"][data-layer="${next.layer}"]`);
    const buttons = /** @type {HTMLElement[]} */ ([...(grid?.querySelectorAll('.head') ?? [])]);
    if (buttons.length === 0) return;
    const lowest = Math.floor((buttons.length - 1) / COLUMNS) * COLUMNS;
    focusIn(buttons, Math.min(buttons.length - 1, way === 1 ? lowest + column : column));
  });
}

/**
 * Rows that the maps of an attention will have.
 * @param {State} state
 * @param {AttentionKind} kind
 */
function rowsOf({ observation, views }, kind) {
  if (!observation) return 0;
  const view = views?.observation === observation ? views.each?.[kind] ?? views.each?.[`${kind}Norms`] : null;
  return view ? view.rows.length : totalRows(observation, kind);
}

/**
 * Draws all heads of one box where their buttons lie.
 * @param {HTMLElement} grid
 * @param {State} state
 */
function drawBox(grid, state) {
  const canvas = /** @type {HTMLCanvasElement} */ (grid.firstElementChild);
  const frame = grid.getBoundingClientRect();
  if (frame.width === 0) return;
  const kind = /** @type {AttentionKind} */ (grid.dataset.kind);
  const layer = Number(grid.dataset.layer);
  const later = kind !== 'encoderSelf' && state.stepChosen && state.mode === 'translating';
  const rows = headMap(state, { kind, layer, head: 0 })?.axes.rows;
  const shown = later && rows ? (rows.of[state.step] ?? -1) + 1 || Infinity : Infinity;
  const style = { inks: inks(), scale: state.scale, shown, total: rowsOf(state, kind) };
  drawStill(canvas, grid.clientWidth, grid.clientHeight, (ctx, ratio) => {
    [...grid.querySelectorAll('.head')].forEach((node, head) => {
      const square = /** @type {HTMLElement} */ (node);
      const size = Math.max(1, Math.round(square.offsetWidth * ratio));
      const tall = Math.max(1, Math.round(square.offsetHeight * ratio));
      const image = ctx.createImageData(size, tall);
      paintMap(image, headMap(state, { kind, layer, head }), style);
      ctx.putImageData(image, Math.round(square.offsetLeft * ratio), Math.round(square.offsetTop * ratio));
    });
  });
}

/**
 * Rings the distinctive heads and names the roles: once for a model and its boxes.
 * @param {Iterable<HTMLElement>} squares
 * @param {State} state
 */
function nameSquares(squares, { model }) {
  for (const square of squares) {
    const [kind, layer, head] = String(square.dataset.head).split('-');
    const found = roleOf(model, { kind: /** @type {AttentionKind} */ (kind), layer: Number(layer), head: Number(head) });
    square.classList.toggle('ringed', !!found?.distinctive);
    setAttribute(square, 'aria-label', `Head ${Number(head) + 1}${found?.role ? `, ${found.role}` : ''}`);
  }
}

/**
 * Marks the square of the head that is shown, and of the one that is held; with the pointer only these change.
 * @param {Map<string, HTMLElement>} squares
 * @param {State} state
 * @param {{shown: string, held: string}} before
 */
function markSquares(squares, state, before) {
  const now = { shown: state.observation ? headId(shownHead(state)) : '', held: state.held.head ? headId(state.held.head) : '' };
  for (const mark of /** @type {const} */ (['shown', 'held'])) {
    const [old, fresh] = [squares.get(before[mark]), squares.get(now[mark])];
    if (old !== fresh) old?.classList.remove(mark);
    fresh?.classList.add(mark);
    if (mark === 'held') {
      if (old) setAttribute(old, 'aria-pressed', 'false');
      if (fresh) setAttribute(fresh, 'aria-pressed', 'true');
    }
  }
  Object.assign(before, now);
}
