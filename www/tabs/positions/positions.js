/** The Positions tab: what is added to every embedding (§3.5), as a heat map and as the curves it is made of. */

/** @import { State } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
/** @import { TabContext } from '../list.js' */
/** @import { Frame, Table } from '../../draw/positions.js' */
import { pieceLabel } from '../../app/maps.js';
import { cursorKeys } from '../../ui/cursor.js';
import { el, segmented, setAttribute, setText } from '../../ui/dom.js';
import { fit } from '../../draw/canvas.js';
import { inks } from '../../draw/ink.js';
import { drawCross, drawHeat, drawPair, reachOf } from '../../draw/positions.js';
import { math } from '../../ui/math.js';
import { signed } from '../../ui/numbers.js';
import { positionsLab } from './lab.js';

const FRAME = { left: 44, top: 12, bottom: 30, right: 4 };
const HEAT_HEIGHT = 300;
const CURVE_HEIGHT = 64;
const MOST_CURVES = 5;

/**
 * @param {HTMLElement} panel
 * @param {TabContext} context
 */
export function mount(panel, { store, engine }) {
  const says = el('p', { class: 'says' });
  const readout = el('p', { class: 'readout', id: 'positions-readout' });
  const heat = el('canvas', { id: 'positions-map', 'aria-hidden': 'true' });
  const cross = el('canvas', { class: 'marks', 'aria-hidden': 'true' });
  const map = el(
    'div',
    { class: 'map heat', tabindex: '0', role: 'application', 'aria-roledescription': 'heat map', 'aria-label': 'Positional encodings; arrow keys move, Enter adds the curve of the dimension' },
    heat,
    cross,
  );
  const spoken = el('p', { class: 'unseen', 'aria-live': 'polite' });
  const curves = el('ul', { class: 'curves' });
  const which = segmented(
    'Which positions',
    [
      { value: 'sinusoidal', text: 'sinusoidal' },
      { value: 'learned', text: 'learned' },
    ],
    (value) => {
      local.scheme = value;
      render(store.get());
    },
  );
  const legend = signedLegend(store);
  const curvesSay = el('p', { class: 'says' });
  panel.append(
    el('h2', { text: 'Positional encoding' }),
    says,
    el('div', { class: 'settings' }, which.node, legend.node),
    el('p', { class: 'axis-note', text: 'position ↓ · dimension →' }),
    map,
    readout,
    spoken,
    el('h3', { class: 'sub', text: 'The curves of chosen dimensions' }),
    curvesSay,
    curves,
  );
  const lab = positionsLab(engine);
  panel.append(lab.node);

  // What this tab alone knows: the cross-hair, which pairs are drawn, and of which table, where there are two.
  /** @type {{position: number, dimension: number, pairs: number[], scheme: string}} */
  const local = { position: 0, dimension: 0, pairs: [], scheme: 'learned' };
  // Compared by the observer below: asking the page while the pointer moves would lay it out each time.
  let width = 0;
  /** Of the map itself; while presenting it fills the panel. */
  let height = HEAT_HEIGHT;
  /** @type {any} */
  let drawn = null;
  /** The value under the cross-hair in words, without its formula. */
  let spokenValue = '';
  /** @type {State['held']['token']} the held piece that the cross-hair has gone to */
  let followed = null;

  const tableOf = (/** @type {State} */ { positions }) => {
    if (!positions) return null;
    const learned = local.scheme === 'learned' ? positions.learned : undefined;
    const { data, shape } = learned ?? positions.sinusoidal;
    return { data, rows: shape[0], cols: shape[1], reach: reachOf(data, !!learned) };
  };
  // Whole device pixels for every cell, where they fit: stripes of uneven width would be a pattern that is not in the table.
  const frame = (/** @type {Table} */ { cols, rows }) => {
    const ratio = Math.max(1, devicePixelRatio);
    const whole = (/** @type {number} */ room, /** @type {number} */ cells) => {
      const pixels = Math.floor((room * ratio) / cells);
      return pixels >= 1 ? (pixels * cells) / ratio : room;
    };
    return { left: FRAME.left, top: FRAME.top, w: whole(width - FRAME.left - FRAME.right, cols), h: whole(height, rows) };
  };

  const render = (/** @type {State} */ state) => {
    if (state.tab !== 'positions' || width === 0) return;
    const table = tableOf(state);
    panel.classList.toggle('none', !table);
    which.node.hidden = !state.positions?.learned;
    which.show(local.scheme);
    if (!table || !state.positions) {
      setText(says, 'Computed by the engine; here as soon as it has arrived.');
      return;
    }
    // A narrower model does not have the dimensions of the one before.
    if (local.pairs.length === 0 || Math.max(local.dimension, ...local.pairs) >= table.cols) {
      // Wavelengths from a few words to the whole text: the pairs differ visibly over one sentence.
      local.pairs = [0, 0.12, 0.25, 0.42].map((part) => 2 * Math.round((part * table.cols) / 2));
      local.position = Math.min(7, table.rows - 1);
      local.dimension = local.pairs[1];
    }
    const learned = table.data === state.positions.learned?.data;
    legend.show(table.reach);
    const palette = inks();
    const pointed = state.preview.token ?? state.held.token;
    const side = pointed?.side ?? 'source';
    const length = (side === 'source' ? state.observation?.source.length : state.observation?.target.length) ?? 0;
    if (state.preview.token || (state.held.token && state.held.token !== followed)) local.position = Math.min(table.rows - 1, pointed?.index ?? 0);
    followed = state.held.token;
    const place = frame(table);
    const key = [table.data, width, height, state.redraw, length, side];
    if (!drawn || key.some((v, i) => v !== drawn[i])) {
      drawn = key;
      const { ctx, ratio } = fit(heat, width, height + FRAME.top + FRAME.bottom);
      drawHeat(ctx, ratio, place, table, { inks: palette, length, side });
    }
    const { ctx, ratio } = fit(cross, width, height + FRAME.top + FRAME.bottom);
    drawCross(ctx, ratio, place, table, { inks: palette, position: local.position, dimension: local.dimension, chosen: local.pairs });
    // The decoder reads its outputs shifted right (§3.1): at position p what was predicted at step p − 1.
    const piece = side === 'source' ? state.observation?.source[local.position] : state.observation?.target[local.position - 1];
    const even = local.dimension - (local.dimension % 2);
    const formula = local.dimension % 2 === 0 ? 'sin' : 'cos';
    const value = table.data[local.position * table.cols + local.dimension];
    const wave = state.positions.wavelengths?.[local.dimension];
    const where = `position ${local.position}${piece ? ` “${pieceLabel(piece)}”` : ''}, dimension ${local.dimension}:`;
    spokenValue = `${where} ${signed(value, 3)}${learned ? ', learned' : ''}`;
    if (learned) setText(readout, spokenValue);
    else readout.replaceChildren(`${where} `, math(`${formula}(${local.position} / 10000^{${even}/${table.cols}})`), ` = ${signed(value, 3)}${wave ? ` · wavelength ${formatWave(wave)}` : ''}`);
    setText(says, `Attention by itself knows no order. ${tableSays(state, table, { learned, position: local.position })}`);
    setText(curvesSay, `${learned ? 'Two neighbouring dimensions each (line and dashes), over the positions.' : 'Each pair of dimensions is a sine (line) and a cosine (dashes) of one wavelength.'} Click a column of the map to add its pair.`);
    renderCurves(curves, { learned, waves: learned ? null : state.positions.wavelengths }, table, local, () => render(store.get()));
    // The lab needs the engine, which the recorded example comes without.
    lab.show(
      state.phase === 'ready'
        ? { model: state.model, length: table.rows, position: local.position, pairs: local.pairs, piece: piece ? { id: piece.id, label: pieceLabel(piece), side } : null }
        : null,
    );
  };
  store.watch(['tab', 'positions', 'observation', 'preview', 'held', 'redraw', 'model', 'phase'], render);
  new ResizeObserver(() => {
    width = map.clientWidth;
    height = store.get().layout === 'present' ? Math.max(64, map.clientHeight - FRAME.top - FRAME.bottom) : HEAT_HEIGHT;
    render(store.get());
  }).observe(map);

  const move = (/** @type {number} */ position, /** @type {number} */ dimension) => {
    const table = tableOf(store.get());
    if (!table) return;
    local.position = Math.max(0, Math.min(table.rows - 1, position));
    local.dimension = Math.max(0, Math.min(table.cols - 1, dimension));
    render(store.get());
  };
  let waiting = false;
  map.addEventListener('pointermove', (event) => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      const table = tableOf(store.get());
      const at = map.getBoundingClientRect();
      if (!table) return;
      const place = frame(table);
      move(
        Math.floor(((event.clientY - at.top - place.top) / place.h) * table.rows),
        Math.floor(((event.clientX - at.left - place.left) / place.w) * table.cols),
      );
    });
  });
  const addPair = () => {
    const even = local.dimension - (local.dimension % 2);
    if (local.pairs.includes(even)) local.pairs = local.pairs.filter((p) => p !== even);
    else local.pairs = [...local.pairs, even].slice(-MOST_CURVES).sort((a, b) => a - b);
    render(store.get());
  };
  map.addEventListener('click', addPair);
  cursorKeys(map, {
    at: () => ({ row: local.position, col: local.dimension }),
    size: () => tableOf(store.get()) ?? { rows: 0, cols: 0 },
    go({ row, col }) {
      move(row, col);
      setText(spoken, spokenValue);
    },
    hold: addPair,
  });
}

/**
 * What the shown table is to the model.
 * @param {State} state
 * @param {Table} table
 * @param {{learned: boolean, position: number}} shown
 */
function tableSays({ positions, model }, { cols }, { learned, position }) {
  const added = `is added to the embedding of the piece at position ${position}`;
  const waves = `${cols} dimensions, wavelengths from 2π to 10000\u00a0·\u00a02π (§3.5)`;
  if (learned) return `This model has learned a table for it (§3.5; Table 3, row E): row ${position}, ${cols} numbers without a formula, ${added}.`;
  if (positions?.learned) return `This is the paper’s table, which this model does without: ${waves}. It has learned one instead.`;
  if (model?.config.positions === 'none') return `This model adds nothing to its embeddings; here is the paper’s table: ${waves}.`;
  const halves = model?.config.positions === 'sinusoidal_halves';
  return `So row ${position} of this table ${added}: ${waves}.${halves ? ' Interleaved as in the paper; this model’s file keeps all sines before all cosines.' : ''}`;
}

/** @param {number} wavelength in positions */
function formatWave(wavelength) {
  return wavelength < 100 ? wavelength.toFixed(2) : Math.round(wavelength).toLocaleString('en');
}

/**
 * @param {HTMLElement} list
 * @param {{learned: boolean, waves: Float32Array|null}} what
 * @param {Table} table
 * @param {{position: number, pairs: number[]}} local
 * @param {() => void} again
 */
function renderCurves(list, { learned, waves }, table, local, again) {
  const wanted = `${local.pairs.join()}${waves ? '' : '?'}`;
  if (list.dataset.pairs !== wanted) {
    list.dataset.pairs = wanted;
    list.replaceChildren(
      ...local.pairs.map((even) =>
        el(
          'li',
          { data: { even } },
          el(
            'div',
            { class: 'curve-name' },
            el('b', { text: `${even}, ${even + 1}` }),
            el('span', { text: waves ? `λ = ${formatWave(waves[even])}` : '' }),
            el('span', { class: 'values' }),
          ),
          el('div', { class: 'curve' }, el('canvas', { 'aria-hidden': 'true' })),
          el('button', {
            type: 'button',
            class: 'plain square',
            text: '✕',
            'aria-label': `Remove the curves of dimensions ${even} and ${even + 1}`,
            onclick: () => {
              local.pairs = local.pairs.filter((p) => p !== even);
              again();
            },
          }),
        ),
      ),
    );
  }
  for (const item of /** @type {Iterable<HTMLElement>} */ (/** @type {any} */ (list.children))) {
    const even = Number(item.dataset.even);
    const holder = /** @type {HTMLElement} */ (item.querySelector('.curve'));
    const canvas = /** @type {HTMLCanvasElement} */ (holder.firstElementChild);
    const { ctx, ratio } = fit(canvas, holder.clientWidth, CURVE_HEIGHT);
    drawPair(ctx, ratio, { w: holder.clientWidth, h: CURVE_HEIGHT }, table, { inks: inks(), even, wavelength: waves?.[even] ?? null, position: local.position });
    const at = local.position * table.cols + even;
    const [first, second] = learned ? ['', ''] : ['sin ', 'cos '];
    setText(/** @type {Element} */ (item.querySelector('.values')), `${first}${signed(table.data[at], 2)} · ${second}${signed(table.data[at + 1], 2)}`);
  }
}

/** @param {Store} store */
function signedLegend(store) {
  const canvas = el('canvas');
  store.watch(['redraw'], () => {
    const { ctx, w, h } = fit(canvas, 132, 10);
    const image = ctx.createImageData(w, h);
    const out = new Uint32Array(image.data.buffer);
    const table = inks().signed;
    for (let y = 0; y < h; y++) for (let x = 0; x < w; x++) out[y * w + x] = table[Math.round((x / Math.max(1, w - 1)) * 255)];
    ctx.putImageData(image, 0, 0);
  });
  const least = el('span');
  const most = el('span');
  const node = el('div', { class: 'legend inline', role: 'img' }, least, canvas, most);
  return {
    node,
    /** @param {number} reach the value of full colour */
    show(reach) {
      const end = reach === 1 ? '1' : reach.toFixed(2);
      setText(least, `−${end}`);
      setText(most, end);
      setAttribute(node, 'aria-label', `Scale from −${end}, purple, to ${end}, green`);
    },
  };
}
