/** The living Figure 1: two stacks, bottom to top in the order of the computation, drawn from the translation at hand. */

/** @import { State } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
import { byId, el, rove } from '../../ui/dom.js';
import { free } from '../../app/hold.js';
import { drawWires } from './wires.js';
import { mountHeads } from './heads.js';
import { ladder } from './ladder.js';
import { mountChips } from './chips.js';
import { once, sayMissing } from '../../ui/part.js';
import { term } from '../../ui/term.js';
import { mountSoftmax } from './softmax.js';
import { mountStrips } from './strips.js';

/** Shape of the figure while no model is known: as many layers and heads as are drawn empty. */
const PLACEHOLDER = { encoderLayers: 3, decoderLayers: 3, nHeads: 8, decoder: { nHeads: 8 } };

/**
 * @param {Store} store
 */
export function mountFigure(store) {
  const stage = byId('stage');
  const wires = el('div', { class: 'wires', 'aria-hidden': 'true' });
  const caption = el(
    'div',
    { class: 'caption' },
    el('p', {}, el('strong', { text: 'Figure 1 of the paper, at work on your sentence. ' }), 'Each square is one head; each row reads the columns. Hover to preview, click to hold, Esc to release.'),
  );
  const encoderBlocks = el('div', { class: 'blocks' });
  const decoderBlocks = el('div', { class: 'blocks' });
  const encoderLadder = el('div', { class: 'ladder' });
  const decoderLadder = el('div', { class: 'ladder' });

  // The ladder runs upward: its first rung is its last layer.
  for (const box of [encoderLadder, decoderLadder]) rove(box, () => /** @type {HTMLElement[]} */ ([...box.querySelectorAll('.rung')].reverse()), 'down');

  const sourceFoot = el('div', { class: 'foot' });
  const targetFoot = el('div', { class: 'foot' });
  const softmax = el('div', { class: 'output' });

  // DOM order is the order of the computation; the style sheet draws it upward.
  stage.append(
    el('div', { class: 'stack encoder', role: 'group', 'aria-label': 'Encoder' }, sourceFoot, el('div', { class: 'tower' }, encoderLadder, encoderBlocks), caption),
    el('div', { class: 'stack decoder', role: 'group', 'aria-label': 'Decoder' }, targetFoot, el('div', { class: 'tower' }, decoderLadder, decoderBlocks), softmax),
    wires,
  );

  mountChips(store, sourceFoot, 'source');
  mountStrips(store, sourceFoot, 'source');
  mountChips(store, targetFoot, 'target');
  mountStrips(store, targetFoot, 'target');
  mountSoftmax(store, softmax);
  const withLosses = once(async () => (await import('./losses.js')).mountLosses(store, softmax));
  store.watch(['mode'], ({ mode }) => mode === 'training' && withLosses().catch(sayMissing));
  const heads = mountHeads(store);

  let shape = '';
  const redraw = () => requestAnimationFrame(() => drawWires(wires, stage, store.get().allLayers));
  store.watch(['model', 'layers', 'allLayers'], (state) => {
    const config = state.model?.config ?? PLACEHOLDER;
    const next = JSON.stringify([config.encoderLayers, config.decoderLayers, config.nHeads, config.decoder.nHeads, state.layers, state.allLayers]);
    if (next === shape) return;
    shape = next;
    const focus = /** @type {HTMLElement|null} */ (document.activeElement)?.dataset?.head;
    build(state, encoderBlocks, 'encoder', config, heads);
    build(state, decoderBlocks, 'decoder', config, heads);
    ladder(store, encoderLadder, 'encoder', config.encoderLayers);
    ladder(store, decoderLadder, 'decoder', config.decoderLayers);
    stage.classList.toggle('all', state.allLayers);
    heads.refresh();
    if (focus) /** @type {HTMLElement|null} */ (stage.querySelector(`[data-head="${focus}"]`))?.focus({ preventScroll: true });
    redraw();
  });
  new ResizeObserver(redraw).observe(stage);
  store.watch(['redraw'], redraw);

  // Esc lets go in the figure, in the inspector, and where nothing has the focus; in the text field it belongs to the input method.
  document.addEventListener('keydown', (event) => {
    const at = /** @type {Element} */ (event.target);
    // There Esc ends presenting.
    if (store.get().layout === 'present') return;
    if (event.key === 'Escape' && (at === document.body || at.closest('#figure, #inspector'))) free(store);
  });
}

/**
 * Builds the layers of one stack that are open.
 * @param {State} state
 * @param {HTMLElement} box
 * @param {'encoder'|'decoder'} stack
 * @param {typeof PLACEHOLDER} config
 * @param {ReturnType<typeof mountHeads>} heads
 */
function build(state, box, stack, config, heads) {
  const count = stack === 'encoder' ? config.encoderLayers : config.decoderLayers;
  const open = Math.min(state.layers[stack], count - 1);
  const layers = state.allLayers ? Array.from({ length: count }, (_, i) => i) : [open];
  for (const old of box.querySelectorAll('.attention')) heads.forget(/** @type {HTMLElement} */ (old));
  box.replaceChildren(
    ...layers.map((layer) => {
      const norm = () => el('div', { class: 'box norm' }, term('norm', 'Add & Norm'));
      const forward = () => el('div', { class: 'box forward' }, term('forward', 'Feed Forward'));
      const block = el('div', { class: 'block', role: 'group', 'aria-label': `Layer ${layer + 1}`, data: { stack, layer } });
      if (state.allLayers) block.append(el('span', { class: 'layer-name', text: `${layer + 1}` }));
      if (stack === 'encoder') block.append(heads.box('encoderSelf', layer, config.nHeads), norm(), forward(), norm());
      else block.append(heads.box('decoderSelf', layer, config.decoder.nHeads), norm(), heads.box('cross', layer, config.decoder.nHeads), norm(), forward(), norm());
      return block;
    }),
  );
  // A term is one stop for the keyboard, however often it stands in the stack.
  const terms = new Set();
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll('.term'))) {
    node.tabIndex = terms.has(node.dataset.term) ? -1 : 0;
    terms.add(node.dataset.term);
  }
}
