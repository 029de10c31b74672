/** The scale of the weights: its colours, its transform's ticks, and the shown weight's place on it. */

/** @import { Store, State } from '../state.js' */
import { el } from '../dom.js';
import { fit } from '../draw/canvas.js';
import { inks, transform } from '../draw/ink.js';
import { formatWeight, matrixOf, shownColumn, shownHead, shownRow } from '../select.js';

const WIDTH = 132;
const HEIGHT = 10;

/** Ticks that each transform spreads well. */
const TICKS = { linear: [0, 0.5, 1], sqrt: [0, 0.1, 0.5, 1], log: [0.001, 0.01, 0.1, 1] };

/** @param {Store} store */
export function legend(store) {
  const canvas = el('canvas');
  const pin = el('span', { class: 'pin' });
  const ticks = el('div', { class: 'ticks' });
  const node = el('div', { class: 'legend', role: 'img', 'aria-label': 'Scale from 0, paper, to 1, ink' }, el('div', { class: 'ramp' }, canvas, pin), ticks);

  store.watch(['scale', 'look'], ({ scale }) => {
    const { ctx, w, h } = fit(canvas, WIDTH, HEIGHT);
    const image = ctx.createImageData(w, h);
    const out = new Uint32Array(image.data.buffer);
    const table = inks().weights;
    for (let y = 0; y < h; y++) for (let x = 0; x < w; x++) out[y * w + x] = table[Math.round((x / Math.max(1, w - 1)) * 255)];
    ctx.putImageData(image, 0, 0);
    const stand = transform(scale);
    ticks.replaceChildren(
      ...TICKS[scale].map((value) => {
        const tick = el('span', { text: String(value) });
        tick.style.setProperty('--at', String(stand(value)));
        return tick;
      }),
    );
  });
  store.watch(['scale', 'preview', 'held', 'observation', 'step', 'layers'], (state) => {
    const weight = shownWeight(state);
    pin.hidden = weight === null;
    if (weight === null) return;
    pin.style.setProperty('--at', String(transform(state.scale)(weight)));
    pin.title = formatWeight(weight);
  });
  return node;
}

/** @param {State} state */
function shownWeight(state) {
  const matrix = matrixOf(state.observation, shownHead(state));
  const col = shownColumn(state);
  const row = shownRow(state);
  if (!matrix || col === null || row >= matrix.rows) return null;
  return matrix.data[row * matrix.cols + col];
}
