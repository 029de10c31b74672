/** The large map of the Attention tab: canvases, pointer and keys. */

/** @import { State, Cell, Observation, AttentionKind } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
/** @import { ShownMap } from '../../app/maps.js' */
/** @import { MapLabels } from '../../draw/lettering.js' */
/** @import { MapLayout } from '../../draw/map.js' */
/** @import { Picture } from '../../ui/save.js' */
import { cursorKeys } from '../../ui/cursor.js';
import { el, setProperty, setText, svg } from '../../ui/dom.js';
import { holdCell, preview } from '../../app/hold.js';
import { shownMap } from '../../app/maps.js';
import { shownColumn, shownHead, shownRow, totalRows } from '../../app/select.js';
import { cellText } from './sentence.js';
import { clearStill, pixelRatio, ruler, showImage } from '../../draw/canvas.js';
import { inks } from '../../draw/ink.js';
import { drawLabels } from '../../draw/lettering.js';
import { cellAt, cellImage, drawCells, drawGrid, imagePlace, layoutMap } from '../../draw/map.js';
import { drawMarks } from '../../draw/marks.js';
import { showVectors } from '../../draw/svg.js';
import { formatWeight } from '../../ui/numbers.js';
import { createLetterings } from './letterings.js';

/** @typedef {{labels: MapLabels, layout: MapLayout}} Lettering what is written along a map, and where all of it lies */

/** @type {AttentionKind[]} */
const KINDS = ['encoderSelf', 'decoderSelf', 'cross'];

/** Pixels between texts and inspector, and under the map. */
const UNDER = 18;

/**
 * @param {Store} store
 * @param {HTMLElement} spoken
 */
export function mountMap(store, spoken) {
  const base = el('canvas', { id: 'map', class: 'cells', 'aria-hidden': 'true' });
  const marks = svg('svg', { class: 'marks', 'aria-hidden': 'true' });
  const node = el(
    'div',
    { class: 'map', tabindex: '0', role: 'application', 'aria-roledescription': 'attention map', 'aria-describedby': 'says map-readout' },
    base,
    marks,
  );
  /** @type {ReturnType<typeof createLetterings<Lettering>>} */
  const letterings = createLetterings(node);

  // Compared by the observer below: asking the page while the pointer moves would lay it out each time.
  let width = 0;
  /** Where the whole map has to fit the screen: how tall it may be; else 0. */
  let tall = 0;
  /** Height of the screen from the map's top, where the inspector stands under the texts alone. */
  let low = Infinity;
  const wide = matchMedia('(min-width: 1121px)');
  /** @type {Lettering|null} */
  let lettering = null;
  /** @type {any[]} what the base canvas shows, so that pointing at cells redraws the marks alone */
  let drawn = [];
  /** @type {any[]} whose height it is */
  let measured = [];
  /** The tallest of the three attentions' maps so far: the page below stays where it is. */
  let height = 0;

  /**
   * @param {State} state
   * @param {Observation} observation
   * @param {AttentionKind} kind
   * @param {ShownMap} map
   */
  const letter = (state, observation, kind, map) => {
    const style = styleOf(state, kind, map);
    return letterings.of(
      kind,
      [map.axes, map.rows, observation, style.shown, state.redraw, state.scored, state.mode, width, tall, low],
      () => {
        const labels = labelsOf(state, observation, kind, map);
        return { labels, layout: layoutMap(ruler(), { labels, available: width, tall, low, inks: style.inks }) };
      },
      (ctx, ratio, { layout, labels }) => {
        drawGrid(ctx, ratio, layout, { map, style });
        drawLabels(ctx, ratio, layout, { labels, style });
      },
    );
  };

  const render = (/** @type {State} */ state) => {
    setProperty(node, 'hidden', state.form !== 'map');
    if (state.tab !== 'attention' || node.hidden || width === 0) return;
    const { observation } = state;
    const ref = shownHead(state);
    const map = shownMap(state, ref);
    node.classList.toggle('none', !map);
    if (!observation || !map) {
      drawn = [];
      lettering = null;
      marks.replaceChildren();
      clearStill(base);
      letterings.clear();
      return;
    }
    const style = styleOf(state, ref.kind, map);
    lettering = letter(state, observation, ref.kind, map);
    const { layout, labels } = lettering;
    const before = height;
    const basis = [observation, state.views, width, tall, low];
    if (basis.some((value, i) => value !== measured[i])) {
      measured = basis;
      height = 0;
      // All three of a whole sentence now: nothing is left to be written once the pointer moves from one to another.
      for (const kind of observation.final && tall === 0 ? KINDS : []) {
        const other = shownMap(state, { ...ref, kind, layer: 0 });
        if (other) height = Math.max(height, letter(state, observation, kind, other).layout.height);
      }
    }
    height = tall > 0 ? layout.height : Math.max(height, layout.height);
    if (height !== before) node.style.setProperty('--map-height', `${height}px`);
    letterings.show(ref.kind);
    const key = [map, lettering, style.shown, state.scale, state.redraw];
    if (key.some((value, i) => value !== drawn[i])) {
      drawn = key;
      const ratio = pixelRatio();
      showImage(base, cellImage(ratio, layout, { map, style: { ...style, total: labels.rows.length } }), imagePlace(ratio, layout));
    }
    showVectors(marks, layout.width, height, (ctx) => drawMarks(ctx, layout, { map, labels, style, ...places(state), pointed: state.preview.cell !== null, format: formatWeight }));
  };

  store.watch(
    ['observation', 'views', 'held', 'preview', 'step', 'stepChosen', 'scale', 'tab', 'layers', 'model', 'redraw', 'form', 'heads', 'measure', 'mode', 'scored'],
    render,
  );
  const resized = new ResizeObserver(() => {
    width = node.clientWidth;
    tall = store.get().layout === 'present' ? node.clientHeight : 0;
    // Scrolled down, the inspector stays at the top of the screen: what counts is where it begins.
    low = wide.matches ? innerHeight - (texts.getBoundingClientRect().bottom + scrollY + node.offsetTop + UNDER) : Infinity;
    render(store.get());
  });
  // The texts above take the height that they need.
  const texts = /** @type {HTMLElement} */ (document.querySelector('.texts'));
  for (const part of [node, texts]) resized.observe(part);
  pointing(store, node, () => lettering?.layout ?? null, spoken);

  return {
    node,
    /** @returns {Picture|null} the map as it stands, without what moves with the pointer */
    picture() {
      const state = store.get();
      const map = shownMap(state, shownHead(state));
      if (!map || !lettering || state.form !== 'map') return null;
      const { layout, labels } = lettering;
      const style = { ...styleOf(state, shownHead(state).kind, map), shown: Infinity, total: labels.rows.length };
      return {
        width: layout.width,
        height: layout.height,
        layers: [
          (ctx, ratio) => drawCells(ctx, ratio, layout, { map, style }),
          (ctx, ratio) => {
            drawGrid(ctx, ratio, layout, { map, style });
            drawLabels(ctx, ratio, layout, { labels, style });
          },
        ],
      };
    },
  };
}

/**
 * @param {State} state
 * @param {AttentionKind} kind
 * @param {ShownMap} map
 */
function styleOf(state, kind, map) {
  const later = kind !== 'encoderSelf' && state.stepChosen && state.mode === 'translating';
  const shown = later ? (map.axes.rows.of[state.step] ?? -1) + 1 || Infinity : Infinity;
  return { inks: inks(), scale: state.scale, shown, total: map.rows };
}

/**
 * What is written along the map; rows that are still to come are empty.
 * @param {State} state
 * @param {Observation} observation
 * @param {AttentionKind} kind
 * @param {ShownMap} map
 * @returns {MapLabels}
 */
function labelsOf(state, observation, kind, map) {
  const { scored, mode, views } = state;
  const { rows, cols, reads } = map.axes;
  const total = views?.observation === observation ? rows.labels.length : totalRows(observation, kind);
  const palette = inks();
  const pieces = state.unit === 'pieces' && rows.items.every(({ pieces: [first, end] }) => end === first + 1);
  const scores = mode === 'training' && scored?.observation === observation && kind !== 'encoderSelf' && pieces ? scored.scores : null;
  return {
    rows: upTo(rows.labels, total),
    cols: kind === 'decoderSelf' ? upTo(cols.labels, total) : cols.labels,
    reads,
    losses: scores && rows.items.map(({ pieces: [first] }) => scores[first]?.loss ?? 0),
    rowColour: palette[rows.side],
    colColour: palette[cols.side],
  };
}

/**
 * Labels with empty ones for what is still to come.
 * @param {string[]} labels
 * @param {number} total
 */
const upTo = (labels, total) => labels.concat(Array(Math.max(0, total - labels.length)).fill(''));

/**
 * The marked row and column in the map's own count; −1 and null where they are none.
 * @param {State} state
 */
export function places(state) {
  const map = shownMap(state, shownHead(state));
  const piece = shownColumn(state);
  const col = piece === null ? -1 : (map?.axes.cols.of[piece] ?? -1);
  return { row: map?.axes.rows.of[shownRow(state)] ?? -1, col: col < 0 ? null : col };
}

/**
 * A cell of the map in pieces: the store counts in pieces everywhere.
 * @param {State} state
 * @param {Cell|null} cell
 * @returns {Cell|null}
 */
function pieceCell(state, cell) {
  const map = shownMap(state, shownHead(state));
  if (!cell || !map || cell.row < 0 || cell.col < 0 || cell.row >= map.rows || cell.col >= map.cols) return null;
  return { row: map.axes.rows.items[cell.row].pieces[0], col: map.axes.cols.items[cell.col].pieces[0] };
}

/**
 * Pointer and keys on the map.
 * @param {Store} store
 * @param {HTMLElement} node
 * @param {() => MapLayout|null} layoutOf
 * @param {HTMLElement} spoken
 */
function pointing(store, node, layoutOf, spoken) {
  const under = (/** @type {PointerEvent|MouseEvent} */ event) => {
    const layout = layoutOf();
    const at = node.getBoundingClientRect();
    return layout && store.get().observation ? pieceCell(store.get(), cellAt(layout, event.clientX - at.left, event.clientY - at.top)) : null;
  };
  node.addEventListener('pointermove', (event) => {
    const cell = under(event);
    preview(store, cell ? { cell } : null);
  });
  node.addEventListener('pointerleave', () => preview(store, null));
  node.addEventListener('click', (event) => {
    const cell = under(event);
    if (cell) holdCell(store, cell);
  });
  node.addEventListener('blur', () => preview(store, null));
  cellKeys(store, node, spoken);
}

/**
 * Arrow keys go from cell to cell, Enter holds.
 * @param {Store} store
 * @param {HTMLElement} node
 * @param {HTMLElement} spoken
 */
export function cellKeys(store, node, spoken) {
  const map = () => shownMap(store.get(), shownHead(store.get()));
  const at = () => {
    const { row, col } = places(store.get());
    return { row: Math.max(0, row), col: col ?? 0 };
  };
  cursorKeys(node, {
    at,
    size: () => ({ rows: map()?.rows ?? 0, cols: map()?.cols ?? 0 }),
    go(to) {
      const state = store.get();
      const cell = pieceCell(state, to);
      preview(store, { cell });
      setText(spoken, cellText({ ...state, preview: { head: null, token: null, cell } }));
    },
    hold() {
      const cell = pieceCell(store.get(), at());
      if (cell) holdCell(store, cell);
    },
  });
}
