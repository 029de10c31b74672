/** The way through the layer as in the paper's Figures 1 and 2, shapes on the arrows; every box leads to its step. */

/** @import * as P from '../../engine/protocol' */
/** @import { Context } from './steps.js' */
import { el, setText } from '../../ui/dom.js';

/**
 * Boxes in order: the step they lead to, their name, their colour as in Figure 1.
 * @type {[string, string, string][]}
 */
const BOXES = [
  ['project', 'Linear', 'linear'],
  ['product', 'MatMul', 'matmul'],
  ['scale', 'Scale', 'scale'],
  ['mask', 'Mask', 'mask'],
  ['softmax', 'SoftMax', 'softmax'],
  ['values', 'MatMul', 'matmul'],
  ['output', 'Concat, Linear', 'linear'],
  ['norm-attention', 'Add & Norm', 'norm'],
  ['forward', 'Feed Forward', 'forward'],
  ['norm-forward', 'Add & Norm', 'norm'],
];

/**
 * @param {HTMLElement} list the steps
 * @param {(id: string) => void} choose
 */
export function mountFlow(list, choose) {
  const shapes = BOXES.map(() => el('span', { class: 'arrow' }));
  const entry = el('span', { class: 'arrow' });
  const node = el(
    'ol',
    { class: 'flow', 'aria-label': 'The steps, with the shapes that go in and come out' },
    el('li', {}, entry),
    ...BOXES.map(([id, name, kind], i) =>
      el(
        'li',
        {},
        el('button', {
          type: 'button',
          class: `flow-box ${kind}`,
          text: name,
          data: { step: id },
          onclick: () => {
            choose(id);
            const step = list.querySelector(`#step-${id}`);
            step?.scrollIntoView({ block: 'start', behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' });
            /** @type {HTMLElement|null|undefined} */ (step?.querySelector('h3'))?.focus({ preventScroll: true });
          },
        }),
        shapes[i],
      ),
    ),
  );
  return {
    node,
    /**
     * @param {P.Arithmetic} a
     * @param {Context} about
     */
    show(a, about) {
      const rows = about.queries;
      const { dModel, dK, dV, dFf } = about.config;
      const keys = about.keys.length;
      const weights = `(${rows}, ${keys})`;
      setText(entry, `(${rows}, ${dModel})`);
      const after = [`(${rows}, ${dK})`, weights, weights, weights, weights, `(${rows}, ${dV})`, `(${rows}, ${dModel})`, `(${rows}, ${dModel})`, `(${rows}, ${dFf}) → (${rows}, ${dModel})`, `(${rows}, ${dModel})`];
      shapes.forEach((span, i) => setText(span, after[i]));
      node.children[3].classList.toggle('idle', a.divisor === 1);
      node.children[4].classList.toggle('idle', a.mask.data.every((m) => m === 1));
    },
  };
}
