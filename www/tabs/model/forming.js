/** Heads form: the attention of a few sentences at some moments of the training, scrubbed by a slider. */

/** @import { Probes } from './probes.js' */
/** @import { AttentionKind } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
import { el, segmented, setText } from '../../ui/dom.js';
import { fit } from '../../draw/canvas.js';
import { inks } from '../../draw/ink.js';
import { paintMap } from '../../draw/pixels.js';
import { drawLabels } from '../../draw/lettering.js';
import { drawCells, drawGrid, layoutMap } from '../../draw/map.js';
import { grouped, millions } from '../../ui/numbers.js';
import { transport } from '../../ui/transport.js';
import { ATTENTION_NAMES, START_LABEL, pieceLabel, valuesOf } from '../../app/maps.js';

/** Milliseconds that a moment stays while the run plays. */
const TEMPO = 900;

/**
 * @param {Store} store
 * @param {(step: number) => void} onstep called with the step that is shown
 */
export function formingHeads(store, onstep) {
  const local = { checkpoint: 0, sentence: 0, kind: /** @type {AttentionKind} */ ('cross'), layer: 0, head: 0 };
  /** @type {Probes|null} */
  let probes = null;
  const slider = el('input', { type: 'range', min: '0', id: 'probe-step', 'aria-label': 'Moment of the training' });
  const moment = el('output', { id: 'probe-moment', for: 'probe-step' });
  const controls = transport({
    id: 'probe',
    label: 'Moments of the training',
    names: { first: 'First moment', previous: 'Previous moment', next: 'Next moment', last: 'Last moment' },
    go: (checkpoint) => choose({ checkpoint }),
    where: () => ({ at: local.checkpoint, last: (probes?.checkpoints.length ?? 0) - 1 }),
    pace: () => TEMPO,
  });
  const sentences = el('select', { 'aria-label': 'Sentence', id: 'probe-sentence' });
  const kinds = segmented(
    'Which attention',
    [
      { value: 'encoderSelf', text: 'encoder' },
      { value: 'decoderSelf', text: 'masked decoder' },
      { value: 'cross', text: 'encoder–decoder' },
    ],
    (value) => choose({ kind: /** @type {AttentionKind} */ (value) }),
  );
  const grid = el('div', { class: 'probe-grid', role: 'group', 'aria-label': 'Heads, a row for each layer' });
  const title = el('p', { class: 'probe-title' });
  const canvas = el('canvas', { id: 'probe-map', role: 'img' });
  const large = el('div', { class: 'probe-large' }, canvas);
  const node = el(
    'div',
    { class: 'forming' },
    el('p', { class: 'says', text: 'The same sentences, read by the weights as they were at each moment of the training: nearly even at step 0, then sharpening, each head in its own time.' }),
    el('div', { class: 'settings' }, sentences, kinds.node),
    el('div', { class: 'scrub' }, controls.node, slider, moment),
    grid,
    title,
    large,
  );

  const choose = (/** @type {Partial<typeof local>} */ patch) => {
    Object.assign(local, patch);
    if (probes) local.layer = Math.min(local.layer, probes.layers[local.kind] - 1);
    render();
  };
  slider.addEventListener('input', () => {
    controls.stop();
    choose({ checkpoint: Number(slider.value) });
  });
  sentences.addEventListener('change', () => choose({ sentence: Number(sentences.value) }));
  const styleOf = (/** @type {number} */ total) => ({ inks: inks(), scale: store.get().scale, shown: Infinity, total });
  const render = () => {
    if (!probes) return;
    const now = probes.checkpoints[local.checkpoint];
    slider.value = String(local.checkpoint);
    const words = `step ${grouped(now.step)} · ${millions(now.targetTokens)} target tokens`;
    setText(moment, words);
    slider.setAttribute('aria-valuetext', words);
    kinds.show(local.kind);
    onstep(now.step);
    controls.refresh();
    drawSquares(probes);
    drawLarge(probes);
  };

  const drawSquares = (/** @type {Probes} */ p) => {
    const layers = p.layers[local.kind];
    const wanted = `${layers}×${p.heads}`;
    if (grid.dataset.form !== wanted) {
      grid.dataset.form = wanted;
      const square = (/** @type {number} */ layer, /** @type {number} */ head) =>
        el('button', { type: 'button', data: { layer, head }, 'aria-label': `Layer ${layer + 1}, head ${head + 1}`, onclick: () => choose({ layer, head }) }, el('canvas', { 'aria-hidden': 'true' }));
      grid.replaceChildren(
        ...Array.from({ length: layers }, (_, layer) =>
          el('div', { class: 'probe-row' }, el('span', { class: 'probe-layer', text: String(layer + 1) }), ...Array.from({ length: p.heads }, (_, head) => square(layer, head))),
        ),
      );
    }
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (grid.querySelectorAll('button'))) {
      const [layer, head] = [Number(button.dataset.layer), Number(button.dataset.head)];
      button.setAttribute('aria-pressed', String(layer === local.layer && head === local.head));
      const matrix = p.matrix({ ...local, layer, head });
      const side = button.clientWidth;
      if (side === 0) continue;
      const { ctx, w, h } = fit(/** @type {HTMLCanvasElement} */ (button.firstElementChild), side, side);
      const image = ctx.createImageData(w, h);
      paintMap(image, valuesOf(matrix), styleOf(matrix.rows));
      ctx.putImageData(image, 0, 0);
    }
  };

  const drawLarge = (/** @type {Probes} */ p) => {
    const { source, target, sourcePieces, targetPieces } = p.sentences[local.sentence];
    const matrix = p.matrix(local);
    const label = (/** @type {string} */ text) => pieceLabel({ text });
    const [asked, made] = [sourcePieces.map(label), targetPieces.map(label)];
    const rows = local.kind === 'encoderSelf' ? asked : made;
    const cols = local.kind === 'decoderSelf' ? [START_LABEL, ...made.slice(0, -1)] : asked;
    const what = `${ATTENTION_NAMES[local.kind]}, layer ${local.layer + 1}, head ${local.head + 1}, at step ${grouped(p.checkpoints[local.checkpoint].step)}`;
    setText(title, what);
    canvas.setAttribute('aria-label', `${what}: “${source}” and “${target}”. ${strongest(matrix, rows, cols)}`);
    const width = large.clientWidth;
    if (width === 0) return;
    const measure = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    measure.setTransform(1, 0, 0, 1, 0, 0);
    const palette = inks();
    const sides = { rowColour: local.kind === 'encoderSelf' ? palette.source : palette.target, colColour: local.kind === 'decoderSelf' ? palette.target : palette.source };
    const labels = { rows, cols, reads: null, losses: null, ...sides };
    const layout = layoutMap(measure, { labels, available: width, inks: palette });
    const { ctx, ratio, w, h } = fit(canvas, layout.width, layout.height);
    const style = styleOf(rows.length);
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, w, h);
    const shown = { map: valuesOf(matrix), style };
    drawCells(ctx, ratio, layout, shown);
    drawGrid(ctx, ratio, layout, shown);
    drawLabels(ctx, ratio, layout, { labels, style });
  };

  store.watch(['redraw', 'scale', 'tab'], render);
  new ResizeObserver(render).observe(large);
  return {
    node,
    /** @param {Probes|null} read */
    show(read) {
      probes = read;
      node.hidden = !read;
      controls.stop();
      if (!read) return;
      slider.max = String(read.checkpoints.length - 1);
      sentences.replaceChildren(...read.sentences.map((s, i) => el('option', { value: i, text: s.source })));
      choose({ checkpoint: read.checkpoints.length - 1, sentence: 0, layer: read.layers[local.kind] - 1, head: 0 });
    },
  };
}

/**
 * Each row's strongest column, in words: what the picture shows, for those who do not see it.
 * @param {import('../../app/select.js').Matrix} matrix
 * @param {string[]} rows
 * @param {string[]} cols
 */
function strongest({ data, cols: width }, rows, cols) {
  return rows
    .map((row, r) => {
      const weights = data.subarray(r * width, (r + 1) * width);
      const best = weights.indexOf(Math.max(...weights));
      return `${row} reads ${cols[best]} ${weights[best].toFixed(2)}`;
    })
    .join('; ');
}
