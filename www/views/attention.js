/** The Attention tab: one head's map large, with its labels, the number under the pointer and one plain sentence. */

/** @import { Store, State, Cell } from '../state.js' */
/** @import { MapLayout } from '../draw/map.js' */
import { byId, el, segmented, setText } from '../dom.js';
import { free, holdCell, preview } from '../act.js';
import { ATTENTION_NAMES, axes, describe, formatWeight, headRoles, matrixOf, roleOf, shownColumn, shownHead, shownRow, totalRows } from '../select.js';
import { fit } from '../draw/canvas.js';
import { inks, transform } from '../draw/ink.js';
import { cellAt, drawMap, drawMarks, layoutMap } from '../draw/map.js';
import { legend } from './legend.js';
import { saveMenu } from '../save.js';
import { mountTable } from './table.js';

/** @param {Store} store */
export function mountAttention(store) {
  const panel = byId('panel-attention');
  const title = el('h2', { id: 'head-title' });
  const sentence = el('p', { class: 'says', id: 'says' });
  const heldHead = el('button', { type: 'button', class: 'held-chip', id: 'held-chip', onclick: () => free(store) });
  const scale = segmented(
    'Scale of the weights',
    [
      { value: 'linear', text: 'linear' },
      { value: 'sqrt', text: '√', title: 'square root: small weights show more' },
      { value: 'log', text: 'log', title: 'logarithm, from 0.001' },
    ],
    (value) => store.set({ scale: /** @type {State['scale']} */ (value) }),
  );
  const base = el('canvas', { id: 'map', 'aria-hidden': 'true' });
  const marks = el('canvas', { class: 'marks', 'aria-hidden': 'true' });
  const readout = el('p', { class: 'readout', id: 'map-readout' });
  const map = el(
    'div',
    { class: 'map', tabindex: '0', role: 'application', 'aria-roledescription': 'attention map', 'aria-describedby': 'says map-readout' },
    base,
    marks,
  );
  const spoken = el('p', { class: 'unseen', 'aria-live': 'polite' });
  const scaleLegend = legend(store);
  panel.append(title, sentence, el('div', { class: 'settings' }, heldHead, scale.node, scaleLegend, saveMenu(savable, 'save-map')), readout, map, spoken);
  mountTable(store, panel);

  // Kept by the observer below: asking the page while the pointer moves would lay it out each time.
  let width = 0;
  /** @type {MapLayout|null} */
  let layout = null;
  /** @type {string} what the base canvas shows, so that pointing at cells redraws the marks alone */
  let drawn = '';
  /** @type {any} */
  let drawnObservation = null;

  const render = (/** @type {State} */ state) => {
    if (state.tab !== 'attention' || width === 0) return;
    const ref = shownHead(state);
    const { observation } = state;
    const palette = inks();
    map.classList.toggle('none', !observation);
    if (!observation) {
      drawn = '';
      for (const canvas of [base, marks]) canvas.getContext('2d')?.clearRect(0, 0, canvas.width, canvas.height);
      return;
    }
    const { rows: named, cols: read, rowSide, colSide } = axes(observation, ref.kind);
    const total = totalRows(observation, ref.kind);
    const rows = upTo(named, total);
    const cols = ref.kind === 'decoderSelf' ? upTo(read, total) : read;
    const matrix = matrixOf(observation, ref);
    const shown = ref.kind !== 'encoderSelf' && state.stepChosen ? state.step + 1 : Infinity;
    const rowColour = palette[rowSide];
    const colColour = palette[colSide];
    const next = [ref.kind, ref.layer, ref.head, shown, state.scale, state.look, width].join();
    if (next !== drawn || drawnObservation !== observation) {
      drawn = next;
      drawnObservation = observation;
      const measure = /** @type {CanvasRenderingContext2D} */ (base.getContext('2d'));
      measure.setTransform(1, 0, 0, 1, 0, 0);
      layout = layoutMap(measure, { rows, cols, available: width, inks: palette });
      map.style.setProperty('--map-height', `${layout.height}px`);
      const { ctx, ratio } = fit(base, layout.width, layout.height);
      drawMap(ctx, ratio, layout, { matrix, rows, cols, rowColour, colColour, style: { inks: palette, scale: state.scale, shown, total: rows.length } });
    }
    if (!layout) return;
    const { ctx, ratio } = fit(marks, layout.width, layout.height);
    drawMarks(ctx, ratio, layout, { matrix, rows, cols, rowColour, colColour, row: shownRow(state), col: shownColumn(state), pointed: state.preview.cell !== null, shown, inks: palette, stand: transform(state.scale) });
  };

  /** The map as it is held, to be saved. */
  function savable() {
    const state = store.get();
    const { observation } = state;
    const ref = shownHead(state);
    const matrix = matrixOf(observation, ref);
    if (!observation || !matrix || !layout) return null;
    const place = layout;
    const { rows, cols, rowSide, colSide } = axes(observation, ref.kind);
    const palette = inks();
    const common = { matrix, rows, cols, rowColour: palette[rowSide], colColour: palette[colSide] };
    return {
      name: `${ref.kind}-layer${ref.layer + 1}-head${ref.head + 1}`,
      picture: {
        width: layout.width,
        height: layout.height,
        layers: [
          (/** @type {CanvasRenderingContext2D} */ ctx, /** @type {number} */ ratio) =>
            drawMap(ctx, ratio, place, { ...common, style: { inks: palette, scale: state.scale, shown: Infinity, total: rows.length } }),
        ],
      },
      numbers: { rows, cols, data: matrix.data, about: { attention: ref.kind, layer: ref.layer + 1, head: ref.head + 1, model: state.model?.name, source: state.text, translation: observation.target.map((p) => p.text) } },
    };
  }

  store.watch(['observation', 'held', 'preview', 'step', 'stepChosen', 'scale', 'tab', 'layers', 'model', 'look'], (state) => {
    render(state);
    const ref = shownHead(state);
    const empty = !state.observation;
    setText(title, empty ? 'Attention' : `${ATTENTION_NAMES[ref.kind]}, layer ${ref.layer + 1}, head ${ref.head + 1}`);
    const role = roleOf(state.model, ref)?.role;
    const over = headRoles(state.model).sentences;
    const says = role ? `${describe(state)} ${over ? `Over ${over} dev sentences it` : 'It'} acts as ${article(role)} head.` : describe(state);
    setText(sentence, empty ? 'Translate a sentence: every head of its translation can then be looked at here.' : says);
    setText(readout, cellText(state));
    map.setAttribute('aria-label', `${title.textContent}. Arrow keys read weights, Enter holds.`);
    const { held } = state;
    heldHead.hidden = !held.head && !held.token && !state.stepChosen;
    setText(heldHead, `${heldText(state)} ✕`);
    heldHead.setAttribute('aria-label', `Let go of ${heldText(state)}`);
  });
  store.watch(['scale'], (state) => scale.show(state.scale));
  new ResizeObserver(() => {
    width = map.clientWidth;
    render(store.get());
  }).observe(map);

  pointing(store, map, () => layout, spoken);
}

/**
 * Labels with empty ones for what is still to come.
 * @param {string[]} labels
 * @param {number} total
 */
const upTo = (labels, total) => labels.concat(Array(Math.max(0, total - labels.length)).fill(''));

/** @param {string} role */
const article = (role) => `${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}`;

/** @param {State} state */
function heldText({ held, observation: names, step, stepChosen }) {
  const parts = [];
  if (held.head) parts.push(`layer ${held.head.layer + 1} head ${held.head.head + 1}`);
  if (held.token?.side === 'source' && names) parts.push(`“${axes(names, 'encoderSelf').rows[held.token.index]}”`);
  if (stepChosen && names) parts.push(`“${axes(names, 'cross').rows[step]}”, step ${step + 1}`);
  return `held: ${parts.join(' · ')}`;
}

/**
 * The weight under the pointer (or at the held cell), in words.
 * @param {State} state
 */
function cellText(state) {
  const { observation } = state;
  const col = shownColumn(state);
  const ref = shownHead(state);
  const matrix = matrixOf(observation, ref);
  if (!observation || !matrix) return '';
  const row = shownRow(state);
  const names = axes(observation, ref.kind);
  const what = ref.kind === 'encoderSelf' ? 'rows: what asks · columns: what is read' : 'rows: what is predicted · columns: what is read';
  if (col === null || row >= matrix.rows) return what;
  if (matrix.causal && col > row) return `“${names.cols[col]}” is masked at step ${row + 1}: it comes later`;
  const weight = matrix.data[row * matrix.cols + col];
  return `“${names.rows[row]}” reads “${names.cols[col]}” with weight ${formatWeight(weight)}`;
}

/**
 * Pointer and keys on the map.
 * @param {Store} store
 * @param {HTMLElement} map
 * @param {() => MapLayout|null} layoutOf
 * @param {HTMLElement} spoken
 */
function pointing(store, map, layoutOf, spoken) {
  const under = (/** @type {PointerEvent|MouseEvent} */ event) => {
    const layout = layoutOf();
    const at = map.getBoundingClientRect();
    return layout && store.get().observation ? cellAt(layout, event.clientX - at.left, event.clientY - at.top) : null;
  };
  const withinRows = (/** @type {Cell|null} */ cell) => {
    const matrix = matrixOf(store.get().observation, shownHead(store.get()));
    return cell && matrix && cell.row < matrix.rows && cell.col < matrix.cols ? cell : null;
  };
  map.addEventListener('pointermove', (event) => {
    const cell = withinRows(under(event));
    preview(store, cell ? { cell } : null);
  });
  map.addEventListener('pointerleave', () => preview(store, null));
  map.addEventListener('click', (event) => {
    const cell = withinRows(under(event));
    if (cell) holdCell(store, cell);
  });
  map.addEventListener('blur', () => preview(store, null));
  map.addEventListener('keydown', (event) => {
    const state = store.get();
    const ref = shownHead(state);
    const matrix = matrixOf(state.observation, ref);
    if (!matrix) return;
    const now = state.preview.cell ?? { row: shownRow(state), col: shownColumn(state) ?? 0 };
    /** @type {Record<string, Cell>} */
    const moves = {
      ArrowRight: { row: now.row, col: now.col + 1 },
      ArrowLeft: { row: now.row, col: now.col - 1 },
      ArrowDown: { row: now.row + 1, col: now.col },
      ArrowUp: { row: now.row - 1, col: now.col },
      Home: { row: now.row, col: 0 },
      End: { row: now.row, col: matrix.cols - 1 },
    };
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      holdCell(store, now);
      return;
    }
    const to = moves[event.key];
    if (!to) return;
    event.preventDefault();
    const clamp = (/** @type {number} */ v, /** @type {number} */ n) => Math.max(0, Math.min(n - 1, v));
    const cell = { row: clamp(to.row, matrix.rows), col: clamp(to.col, matrix.cols) };
    preview(store, { cell });
    setText(spoken, cellText({ ...state, preview: { head: null, token: null, cell } }));
  });
}
