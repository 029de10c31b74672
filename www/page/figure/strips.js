/** The embeddings (× √d_model, §3.4) and positional encodings (§3.5) at the foot of a stack: the real ones of this sentence. */

/** @import { State } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
import { el } from '../../ui/dom.js';
import { pixelRatio, showImage, wholeColumns } from '../../draw/canvas.js';
import { inks } from '../../draw/ink.js';
import { paintSigned } from '../../draw/pixels.js';
import { reachOf } from '../../draw/positions.js';
import { term } from '../../ui/term.js';
import { openInspector } from '../../app/settings.js';

/** Magnitude at which the embedding strip's colour is full; entries of a trained table × √d_model spread about 1. */
const EMBEDDING_LIMIT = 2.5;

/**
 * @param {Store} store
 * @param {HTMLElement} foot
 * @param {'source'|'target'} side
 */
export function mountStrips(store, foot, side) {
  const name = side === 'source' ? 'Input Embedding' : 'Output Embedding';
  const embedding = el('canvas', { 'aria-hidden': 'true' });
  const positions = el('canvas', { 'aria-hidden': 'true' });
  /** Of the strips: asking for them would lay the page out once more. @type {Map<Element | null, DOMRectReadOnly>} */
  const sizes = new Map();
  const observer = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) sizes.set(target, contentRect);
    draw(store.get());
  });
  const strip = (/** @type {HTMLCanvasElement} */ canvas) => {
    const box = el('div', { class: 'strip' }, canvas);
    observer.observe(box);
    return box;
  };
  const open = el(
    'button',
    { type: 'button', class: 'strip-button', title: 'Open the Positions tab', onclick: () => openInspector(store, 'positions') },
    el('span', { class: 'plus', text: '⊕', 'aria-hidden': 'true' }),
    el('span', { class: 'part', text: 'Positional Encoding' }),
    strip(positions),
  );
  const root = el('span', { class: 'part' }, term('embedding', `${name} × √d`, el('sub', { text: 'model' })));
  foot.append(el('div', { class: 'box embedding' }, root, strip(embedding)), open);

  const draw = (/** @type {State} */ state) => {
    const { observation } = state;
    const block = side === 'source' ? observation?.trace.sourceEmbedding : observation?.trace.targetEmbedding;
    paintStrip(embedding, sizes.get(embedding.parentElement), block ? { data: block.data, rows: block.shape[0], cols: block.shape[1] } : null, EMBEDDING_LIMIT);
    const learned = state.positions?.learned;
    const table = learned ?? state.positions?.sinusoidal;
    const length = side === 'source' ? (observation?.source.length ?? 0) : (observation?.target.length ?? 0);
    const rows = table ? Math.min(length, table.shape[0]) : 0;
    paintStrip(positions, sizes.get(positions.parentElement), table && rows > 0 ? { data: table.data, rows, cols: table.shape[1] } : null, table ? reachOf(table.data, !!learned) : 1);
  };
  store.watch(['observation', 'positions', 'redraw'], draw);
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {{width: number, height: number} | undefined} size in CSS pixels
 * @param {{data: Float32Array, rows: number, cols: number}|null} block
 * @param {number} limit
 */
function paintStrip(canvas, size, block, limit) {
  if (!size?.width) return;
  const { width, height } = size;
  const image = new ImageData(wholeColumns(block?.cols ?? 1, width), Math.max(1, Math.round(height * pixelRatio())));
  if (block && block.rows > 0 && block.cols > 0) paintSigned(image, block, limit, inks().signed);
  else new Uint32Array(image.data.buffer).fill(inks().void);
  showImage(canvas, image, { left: 0, top: 0, width, height });
}
