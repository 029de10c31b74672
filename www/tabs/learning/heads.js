/** The answer to one input: its pieces with their probabilities, and the maps of all heads. */

/** @import { Answer, Answered } from './protocol' */
import { ATTENTION_NAMES, valuesOf } from '../../app/maps.js';
import { fit } from '../../draw/canvas.js';
import { inks } from '../../draw/ink.js';
import { paintMap } from '../../draw/pixels.js';
import { el, setText } from '../../ui/dom.js';
import { formatWeight } from '../../ui/numbers.js';
import { dataTable, foldedTable } from '../../ui/table.js';

/** Pixels of a cell, and least and most pixels of a map's place. */
const SIZES = { large: { cell: 6, least: 48, most: 104 }, small: { cell: 4, least: 24, most: 56 }, phone: { cell: 5, least: 30, most: 56 } };
/** Four heads side by side on a phone. */
const PHONE = matchMedia('(max-width: 480px)');
/** Most rows of a map: before it has learnt anything, a model writes as much as it may. */
const ROWS = 24;
/** @type {('cross'|'encoderSelf'|'decoderSelf')[]} */
const KINDS = ['cross', 'encoderSelf', 'decoderSelf'];

/**
 * @param {string} suffix of the ids
 * @param {'large' | 'small'} size
 * @param {string} of what the answer is to, for the table's name
 */
export function headsView(suffix, size, of) {
  const text = el('output', { class: 'learning-answer', id: `learning-answer${suffix}` });
  const sure = el('p', { class: 'readout', id: `learning-sure${suffix}` });
  const maps = el('div', { class: 'learning-maps' });
  const table = foldedTable('As a table', `What each head reads most, as a table: ${of}`, () => (last ? readsTable(last) : null));
  const node = el('div', { class: `learning-heads ${size}` }, el('div', { class: 'learning-reply' }, el('span', { class: 'setting-name', text: 'greedy answer' }), text), sure, maps, table.node);
  /** @type {Answer | null} */
  let last = null;
  let layout = '';
  /** @type {HTMLCanvasElement[]} */
  let canvases = [];

  function arrange(/** @type {Answer} */ answer) {
    const wanted = KINDS.map((kind) => answer[kind].shape.slice(0, 2)).join();
    if (wanted === layout) return;
    layout = wanted;
    canvases = [];
    maps.replaceChildren(
      ...KINDS.map((kind) => {
        const [layers, heads] = answer[kind].shape;
        const rows = Array.from({ length: layers }, (_, layer) => {
          const squares = Array.from({ length: heads }, (_, head) => {
            const canvas = el('canvas', { role: 'img', 'aria-label': `${ATTENTION_NAMES[kind]}, layer ${layer + 1}, head ${head + 1}` });
            canvases.push(canvas);
            return el('span', { class: 'learning-map' }, canvas);
          });
          return el('div', { class: 'learning-row' }, el('span', { class: 'setting-name', text: `layer ${layer + 1}` }), ...squares);
        });
        return el('section', {}, el('h3', { text: ATTENTION_NAMES[kind] }), ...rows);
      }),
    );
  }

  function draw() {
    if (!last) return;
    const { cell: largest, least, most } = SIZES[PHONE.matches ? 'phone' : size];
    // The place of a map depends on the input alone: the answer changes many times a second, and nothing below may move.
    const side = Math.max(least, Math.min(most, Math.ceil(last.source.length * largest)));
    maps.style.setProperty('--side', `${side}px`);
    const style = { inks: inks(), scale: /** @type {const} */ ('linear'), shown: Infinity, total: 0 };
    let at = 0;
    for (const kind of KINDS) {
      const { data, shape: [layers, heads, rows, cols] } = last[kind];
      for (let i = 0; i < layers * heads; i++) {
        const map = data.subarray(i * rows * cols, (i + 1) * rows * cols);
        const [height, width] = kind === 'encoderSelf' ? [rows, cols] : [Math.min(rows, ROWS), kind === 'cross' ? cols : Math.min(cols, ROWS)];
        const values = valuesOf({ data: corner(map, cols, height, width), rows: height, cols: width, causal: kind === 'decoderSelf' });
        const cell = Math.min(largest, side / Math.max(height, width));
        const { ctx, w, h } = fit(canvases[at++], Math.round(width * cell), Math.round(height * cell));
        const image = ctx.createImageData(w, h);
        paintMap(image, values, { ...style, total: height });
        ctx.putImageData(image, 0, 0);
      }
    }
  }

  return {
    node,
    draw,
    /** @param {'large' | 'small'} next */
    resize(next) {
      if (next === size) return;
      size = next;
      node.className = `learning-heads ${size}`;
      draw();
    },
    /** @param {Answered} answer */
    show(answer) {
      if (!answer) return;
      if ('refused' in answer) {
        setText(text, '–');
        setText(sure, answer.refused);
        return;
      }
      last = answer;
      setText(text, answer.text === '' ? '(nothing)' : answer.text);
      text.title = answer.text;
      const least = answer.probabilities.reduce((best, p, i) => (p < answer.probabilities[best] ? i : best), 0);
      const piece = answer.predicted[least];
      setText(sure, `${answer.predicted.length} ${answer.predicted.length === 1 ? 'piece' : 'pieces'}; least sure of “${piece}”, probability ${formatWeight(answer.probabilities[least])}.${suffix === '' ? ' Rows of a map ask, columns are read; the stronger the ink, the larger the weight.' : ''}`);
      arrange(answer);
      draw();
      table.refresh();
    },
  };
}

/**
 * The first rows and columns of a matrix.
 * @param {Float32Array} matrix
 * @param {number} cols that it has
 * @param {number} height
 * @param {number} width
 */
function corner(matrix, cols, height, width) {
  if (width === cols) return matrix.subarray(0, height * cols);
  const part = new Float32Array(height * width);
  for (let row = 0; row < height; row++) part.set(matrix.subarray(row * cols, row * cols + width), row * width);
  return part;
}

/**
 * For each row of each map the piece that is read most.
 * @param {Answer} answer
 */
function readsTable(answer) {
  const rows = KINDS.flatMap((kind) => {
    const { data, shape: [layers, heads, queries, keys] } = answer[kind];
    const asks = kind === 'encoderSelf' ? answer.source : answer.input;
    const read = kind === 'decoderSelf' ? answer.input : answer.source;
    return Array.from({ length: layers * heads }, (_, i) => {
      const most = asks.map((piece, q) => {
        const row = data.subarray((i * queries + q) * keys, (i * queries + q + 1) * keys);
        const best = row.reduce((at, weight, k) => (weight > row[at] ? k : at), 0);
        return `${piece} reads ${read[best]} (${row[best].toFixed(2)})`;
      });
      return [`${ATTENTION_NAMES[kind]}, layer ${Math.floor(i / heads) + 1}, head ${(i % heads) + 1}`, most.join(' · ')];
    });
  });
  return dataTable(['head', 'what each position reads most'], rows);
}
