/** The positional-encoding lab (§3.5): products of encodings, the rotation M_k, and what is added to a piece. */

/** @import { Translator } from '../../engine/translator.js' */
/** @import * as P from '../../engine/protocol' */
import { el, setText } from '../../ui/dom.js';
import { fit } from '../../draw/canvas.js';
import { inks } from '../../draw/ink.js';
import { paintSigned } from '../../draw/pixels.js';
import { drawDial } from './dial.js';
import { oneAtATime } from '../../app/requests.js';
import { prose } from '../../ui/math.js';
import { scientific, signed } from '../../ui/numbers.js';
import { chartView } from '../../ui/chart.js';

/**
 * What the lab shows.
 * @typedef {object} LabView
 * @property {P.ModelInfo|null} model whose numbers they are
 * @property {number} length
 * @property {number} position under the cross-hair
 * @property {number[]} pairs first dimensions of the chosen pairs
 * @property {{id: number, label: string, side: 'source'|'target'}|null} piece at that position
 */

const STRIP_HEIGHT = 22;

/** @param {Translator} engine */
export function positionsLab(engine) {
  /** @type {LabView|null} */
  let view = null;
  let offset = 3;

  const slider = el('input', { type: 'range', id: 'lab-offset', min: '-24', max: '24', value: String(offset), 'aria-label': 'Offset k' });
  const sliderText = el('output', { for: 'lab-offset', id: 'lab-offset-text', text: signed(offset, 0) });
  const products = chartView({
    title: 'PE(pos) · PE(pos + k)',
    id: 'lab-products',
    x: { label: 'k' },
    y: { label: '' },
    value: (v) => signed(v, 2),
    position: (k) => `k = ${signed(k, 0)}`,
    onpoint: (k) => setOffset(k),
  });
  const productsSays = el('p', { class: 'says' });
  const dials = el('ul', { class: 'dials' });
  const check = el('p', { class: 'readout', id: 'lab-check' });
  const strips = el('div', { class: 'lab-strips' });
  const embeddingSays = el('p', { class: 'says', id: 'lab-embedding-says' });
  const wrong = el('p', { class: 'readout', hidden: true });
  const node = el(
    'section',
    { class: 'lab', id: 'positions-lab', 'aria-label': 'Lab' },
    el('h3', { class: 'sub', text: 'The product depends on the distance' }),
    productsSays,
    el('div', { class: 'scrub' }, el('label', { for: 'lab-offset', text: 'offset k' }), slider, sliderText),
    products.node,
    el('h3', { class: 'sub', text: 'A step of k is a rotation' }),
    el(
      'p',
      { class: 'says' },
      ...prose('For every offset k there is one matrix M_k, the same for all positions, with PE(pos + k) = M_k · PE(pos): so the paper expected that attending by relative position is easy to learn. It turns each pair of dimensions by its own angle. Thin hand: pos; thick hand: pos + k.'),
    ),
    dials,
    check,
    el('h3', { class: 'sub', text: 'What is added to a piece' }),
    embeddingSays,
    strips,
    wrong,
  );

  const fail = (/** @type {unknown} */ error) => {
    wrong.hidden = false;
    setText(wrong, `This could not be computed: ${error instanceof Error ? error.message : error}`);
  };
  const askLab = oneAtATime((/** @type {LabView & {offset: number}} */ q) => engine.positionsLab({ length: q.length, position: q.position, offset: q.offset }), showLab, fail);
  const askEmbedding = oneAtATime(
    (/** @type {{piece: NonNullable<LabView['piece']>, position: number}} */ q) => engine.embedding({ side: q.piece.side, piece: q.piece.id, position: q.position }),
    showEmbedding,
    fail,
  );

  const ask = () => {
    if (!view) return;
    askLab({ ...view, offset });
    const { piece, position } = view;
    strips.hidden = !piece;
    if (piece) askEmbedding({ piece, position });
    else setText(embeddingSays, 'Point at a row of the map that a piece of the sentence fills.');
  };
  const setOffset = (/** @type {number} */ k) => {
    offset = k;
    slider.value = String(k);
    // The slider's own number does not wait for the engine's answer.
    setText(sliderText, signed(k, 0));
    ask();
  };
  slider.addEventListener('input', () => setOffset(Number(slider.value)));

  /**
   * @param {P.PositionsLab} lab
   * @param {LabView} asked
   */
  function showLab(lab, { pairs }) {
    wrong.hidden = true;
    const { position } = lab;
    const length = lab.products.data.length;
    setText(
      productsSays,
      `The product of two encodings depends on their distance alone: largest at k = 0, falling, with ripples, to both sides. Here pos = ${position}. Point at the curve to choose k.`,
    );
    const x = Array.from({ length }, (_, j) => j - position);
    products.show([
      { name: lab.learnedProducts ? 'sinusoidal' : '', x, y: lab.products.data },
      ...(lab.learnedProducts ? [{ name: 'learned', x, y: lab.learnedProducts.data, look: 'dash' }] : []),
    ]);
    products.point(lab.offset);
    dials.replaceChildren(...pairs.map((even) => dial(lab, even)));
    check.replaceChildren(
      ...prose(`Checked numerically: over ${lab.checked} positions and all ${lab.encoding.data.length} dimensions, |M_k · PE(pos) − PE(pos + k)| is at most ${scientific(lab.error)}.`),
    );
  }

  /**
   * @param {P.EmbeddingSteps} steps
   * @param {{piece: NonNullable<LabView['piece']>, position: number}} asked
   */
  function showEmbedding(steps, { piece, position }) {
    wrong.hidden = true;
    embeddingSays.replaceChildren(
      ...prose(`“${piece.label}” enters at position ${position}: its row of the embedding table, times ${steps.scale === 1 ? '1' : `√d_model = ${steps.scale}`} (§3.4), plus the encoding of its position.`),
    );
    /** @type {[string, P.Tensor][]} */
    const rows = [
      ['embedding × √d_model', steps.scaled],
      ['+ positional encoding', steps.encoding],
      ['= what enters layer 1', steps.sum],
    ];
    const most = Math.max(...rows.map(([, { data }]) => largest(data)));
    strips.replaceChildren(...rows.map(([name, { data }]) => strip(name, data, most)), el('p', { class: 'axis-note', text: `dimension → · scale from −${most.toFixed(2)}, purple, to ${most.toFixed(2)}, green` }));
    paint(most, rows);
  }

  /**
   * @param {string} name
   * @param {Float32Array} data
   * @param {number} most
   */
  function strip(name, data, most) {
    const words = `${name}: ${data.length} values, the largest magnitude ${largest(data).toFixed(2)}, on a scale to ${most.toFixed(2)}`;
    return el('div', { class: 'lab-strip' }, el('span', {}, ...prose(name)), el('div', { role: 'img', 'aria-label': words }, el('canvas', { 'aria-hidden': 'true' })), el('span', { class: 'size', text: largest(data).toFixed(2), title: 'largest magnitude' }));
  }

  /**
   * @param {number} most
   * @param {[string, P.Tensor][]} rows
   */
  function paint(most, rows) {
    const canvases = /** @type {NodeListOf<HTMLCanvasElement>} */ (strips.querySelectorAll('canvas'));
    canvases.forEach((canvas, i) => {
      const width = canvas.parentElement?.clientWidth ?? 0;
      if (width === 0) return;
      const { ctx, w, h } = fit(canvas, width, STRIP_HEIGHT);
      const image = ctx.createImageData(w, h);
      paintSigned(image, { data: rows[i][1].data, rows: 1, cols: rows[i][1].data.length }, most, inks().signed);
      ctx.putImageData(image, 0, 0);
    });
  }

  return {
    node,
    /** @param {LabView|null} next */
    show(next) {
      node.hidden = !next;
      if (!next || (next.model === view?.model && keyOf(next) === keyOf(view))) return;
      view = next;
      const reach = Math.min(48, next.length - 1);
      slider.min = String(-reach);
      slider.max = String(reach);
      ask();
    },
  };
}

/** What is shown of a model, to be compared. @param {LabView} view */
const keyOf = ({ model, ...rest }) => JSON.stringify(rest);

/** @param {Float32Array} data */
const largest = (data) => data.reduce((most, v) => Math.max(most, Math.abs(v)), 0);

/**
 * @param {P.PositionsLab} lab
 * @param {number} even
 */
function dial(lab, even) {
  const pair = even / 2;
  const [a, b, c, d] = lab.rotations.data.subarray(pair * 4, pair * 4 + 4);
  const angle = lab.angles[pair];
  const at = (/** @type {P.Tensor} */ { data }) => /** @type {[number, number]} */ ([data[even], data[even + 1]]);
  const degrees = `${signed((angle * 180) / Math.PI, 1)}°`;
  const cell = (/** @type {number} */ v) => el('span', { text: signed(v, 2) });
  return el(
    'li',
    {},
    drawDial({ from: at(lab.encoding), to: at(lab.rotated), angle, label: `Dimensions ${even} and ${even + 1} turn by ${degrees}` }),
    el('div', { class: 'block-of' }, el('b', { text: `dimensions ${even}, ${even + 1}` }), el('span', { text: `turn by ${degrees}` }), el('div', { class: 'matrix', role: 'img', 'aria-label': `Block: ${[a, b, c, d].map((v) => signed(v, 2)).join(', ')}` }, cell(a), cell(b), cell(c), cell(d))),
  );
}
