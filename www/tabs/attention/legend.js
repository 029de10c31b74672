/** The scale of the weights: its colours, its transform's ticks, and the shown weight's place on it. */

/** @import { State } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
import { formatWeight } from '../../ui/numbers.js';
import { el, setProperty } from '../../ui/dom.js';
import { showImage } from '../../draw/canvas.js';
import { inks, transform } from '../../draw/ink.js';
import { shownMap } from '../../app/maps.js';
import { shownHead } from '../../app/select.js';
import { places } from './map.js';

const WIDTH = 132;
const HEIGHT = 10;

/** Ticks that each transform spreads well. */
const TICKS = { linear: [0, 0.5, 1], sqrt: [0, 0.1, 0.5, 1], log: [0.001, 0.01, 0.1, 1] };

/** @param {Store} store */
export function legend(store) {
  const canvas = el('canvas');
  const pin = el('span', { class: 'pin' });
  const ticks = el('div', { class: 'ticks' });
  let drawn = '';
  const node = el('div', { class: 'legend', role: 'img', 'aria-label': 'Scale from paper, 0, to ink, the largest value' }, el('div', { class: 'ramp' }, canvas, pin), ticks);

  store.watch(['scale', 'redraw', 'measure', 'observation', 'views', 'held', 'preview', 'layers', 'heads'], (state) => {
    const limit = shownMap(state, shownHead(state))?.limit ?? 1;
    const { scale, redraw } = state;
    // The colours change with the theme, the ticks with scale and limit: not with the pointer.
    const now = [scale, redraw, limit].join();
    if (now === drawn) return;
    drawn = now;
    const table = inks().weights;
    const image = new ImageData(table.length, 1);
    new Uint32Array(image.data.buffer).set(table);
    showImage(canvas, image, { left: 0, top: 0, width: WIDTH, height: HEIGHT });
    const stand = transform(scale);
    ticks.replaceChildren(
      ...TICKS[scale].map((part) => {
        const tick = el('span', { text: limit === 1 ? String(part) : String(Number((part * limit).toPrecision(2))) });
        tick.style.setProperty('--at', String(stand(part)));
        return tick;
      }),
    );
  });
  store.watch(['scale', 'preview', 'held', 'observation', 'views', 'step', 'layers', 'measure', 'heads'], (state) => {
    const shown = shownValue(state);
    setProperty(pin, 'hidden', shown === null);
    if (shown === null) return;
    pin.style.setProperty('--at', String(transform(state.scale)(shown.part)));
    setProperty(pin, 'title', formatWeight(shown.value));
  });
  return node;
}

/**
 * The marked cell's value, and which part it is of the scale's dark end.
 * @param {State} state
 */
function shownValue(state) {
  const map = shownMap(state, shownHead(state));
  const { row, col } = places(state);
  if (!map || col === null || row < 0 || row >= map.rows || col >= map.cols) return null;
  const value = map.data[row * map.cols + col];
  return { value, part: value / map.limit };
}
