/** The line view of the Attention tab: one head's lines in ink, or all heads of a layer, each in its hue. */

/** @import { State } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
/** @import { LineLayout, LineView } from '../../draw/lines.js' */
/** @import { Picture } from '../../ui/save.js' */
import { el, setProperty, svg } from '../../ui/dom.js';
import { holdCell, holdToken, preview } from '../../app/hold.js';
import { headMap, shownMap, stackOf } from '../../app/maps.js';
import { shownHead, shownRow } from '../../app/select.js';
import { ruler } from '../../draw/canvas.js';
import { headHues, inks } from '../../draw/ink.js';
import { drawLineLabels, drawLineMarks, drawLines, endAt, layoutLines } from '../../draw/lines.js';
import { showVectors } from '../../draw/svg.js';
import { formatWeight } from '../../ui/numbers.js';
import { createLetterings } from './letterings.js';
import { cellKeys, places } from './map.js';

/**
 * @param {Store} store
 * @param {HTMLElement} spoken
 */
export function mountLines(store, spoken) {
  const base = svg('svg', { id: 'lines', 'aria-hidden': 'true' });
  const marks = svg('svg', { class: 'marks', 'aria-hidden': 'true' });
  const node = el(
    'div',
    { class: 'map lines', tabindex: '0', role: 'application', 'aria-roledescription': 'attention lines', 'aria-describedby': 'says map-readout', hidden: true },
    base,
    marks,
  );
  /** @type {ReturnType<typeof createLetterings<{layout: LineLayout}>>} */
  const letterings = createLetterings(node);
  let width = 0;
  /** @type {LineLayout|null} */
  let layout = null;
  /** @type {LineView|null} */
  let view = null;
  /** @type {any[]} */
  let drawn = [];

  /**
   * @param {State} state
   * @param {LineView} what
   */
  const letter = (state, what) => {
    const { kind } = shownHead(state);
    const { axes } = what.heads[0].map;
    return letterings.of(
      kind,
      [axes, axes.rows.labels.length, what.shown, state.redraw, width],
      () => ({ layout: layoutLines(ruler(), what, width) }),
      (ctx, ratio, { layout: place }) => drawLineLabels(ctx, ratio, place, what),
    );
  };

  const render = (/** @type {State} */ state) => {
    setProperty(node, 'hidden', state.form !== 'lines');
    if (state.tab !== 'attention' || node.hidden || width === 0) return;
    const ref = shownHead(state);
    const all = state.heads === 'all';
    const next = [state.observation, state.views, state.measure, state.heads, state.bundle, ref.kind, state.heads === 'layers' ? 0 : ref.layer, all ? 0 : ref.head, shownRows(state), state.scale, state.redraw, width];
    if (next.some((value, i) => value !== drawn[i])) {
      drawn = next;
      view = lineView(state);
      if (!view) {
        layout = null;
        marks.replaceChildren();
        base.replaceChildren();
        letterings.clear();
        return;
      }
      const what = view;
      const place = (layout = letter(state, what).layout);
      letterings.show(ref.kind);
      node.style.setProperty('--map-height', `${place.height}px`);
      showVectors(base, place.width, place.height, (ctx) => drawLines(ctx, 1, place, what));
    }
    if (!layout || !view) return;
    const [place, what] = [layout, view];
    showVectors(marks, place.width, place.height, (ctx) => drawLineMarks(ctx, place, what, places(state)));
    // All other lines are faint while one row is selected.
    node.classList.toggle('focused', state.preview.cell !== null || state.preview.token !== null || state.stepChosen || state.held.token !== null);
  };
  store.watch(
    ['observation', 'views', 'held', 'preview', 'step', 'stepChosen', 'scale', 'tab', 'layers', 'redraw', 'form', 'heads', 'bundle', 'measure', 'mode'],
    render,
  );
  new ResizeObserver(() => {
    width = node.clientWidth;
    render(store.get());
  }).observe(node);
  pointing(store, node, () => layout);
  cellKeys(store, node, spoken);

  return {
    node,
    /** @returns {Picture|null} the lines as they stand */
    picture() {
      if (!layout || !view || store.get().form !== 'lines') return null;
      const place = layout;
      const what = view;
      return { width: place.width, height: place.height, layers: [(ctx, ratio) => drawLines(ctx, ratio, place, what), (ctx, ratio) => drawLineLabels(ctx, ratio, place, what)] };
    },
  };
}

/** @param {State} state rows whose lines are drawn: those of later steps are left out */
function shownRows(state) {
  const map = shownMap(state, shownHead(state));
  const later = shownHead(state).kind !== 'encoderSelf' && state.stepChosen && state.mode === 'translating';
  return later && map ? (map.axes.rows.of[state.step] ?? -1) + 1 || Infinity : Infinity;
}

/**
 * @param {State} state
 * @returns {LineView|null}
 */
function lineView(state) {
  const ref = shownHead(state);
  const palette = inks();
  const one = shownMap(state, ref);
  if (!one) return null;
  const count = state.model ? stackOf(state.model.config, ref.kind).nHeads : 1;
  const hues = headHues(count);
  const bundle = state.bundle ?? Array.from({ length: count }, (_, head) => head);
  const heads = state.heads === 'all' ? bundle.flatMap((head) => {
    const map = headMap(state, { ...ref, head });
    return map ? [{ map, colour: hues[head] }] : [];
  }) : [{ map: one, colour: palette.ink }];
  const { rows, cols } = one.axes;
  return { heads, rows: rows.labels, cols: cols.labels, rowColour: palette[rows.side], colColour: palette[cols.side], shown: shownRows(state), inks: palette, scale: state.scale, format: formatWeight };
}

/**
 * Pointing at a piece at the left shows what it reads; at one on the right, what reads it.
 * @param {Store} store
 * @param {HTMLElement} node
 * @param {() => LineLayout|null} layoutOf
 */
function pointing(store, node, layoutOf) {
  const under = (/** @type {PointerEvent|MouseEvent} */ event) => {
    const layout = layoutOf();
    const state = store.get();
    const map = shownMap(state, shownHead(state));
    if (!layout || !map) return null;
    const frame = node.getBoundingClientRect();
    const end = endAt(layout, event.clientX - frame.left, event.clientY - frame.top);
    if (!end) return null;
    const { rows, cols } = map.axes;
    if ('row' in end) return end.row < map.rows ? { token: { side: rows.side, index: rows.items[end.row].pieces[0] }, cell: null } : null;
    return end.col < map.cols ? { token: null, cell: { row: shownRow({ ...state, preview: { ...state.preview, cell: null } }), col: cols.items[end.col].pieces[0] } } : null;
  };
  node.addEventListener('pointermove', (event) => preview(store, under(event)));
  node.addEventListener('pointerleave', () => preview(store, null));
  node.addEventListener('click', (event) => {
    const at = under(event);
    if (at?.token) holdToken(store, at.token);
    else if (at?.cell) holdCell(store, at.cell);
  });
  node.addEventListener('blur', () => preview(store, null));
}
