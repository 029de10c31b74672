/** Models that were trained another way than the paper's, in the Models dialog: what each is, and what to look at. */

/** @import { StoredFolder } from '../../engine/models/store.js' */
/** @import { Shipped } from '../../app/models.js' */
/** @import { Words } from './models.js' */
import { el } from '../../ui/dom.js';
import { prose } from '../../ui/math.js';

/** By folder. @type {Record<string, {title: string, says: string}>} */
const WORDS = {
  base: { title: 'As in the paper', says: '8 heads of d_k = 16, sinusoids, scaled dot products: compare the others with it' },
  'one-head': { title: 'One head', says: 'one head in each layer, with d_k = 128' },
  'learned-positions': { title: 'Learned positions', says: 'a learned vector for each position instead of sinusoids; see Positions' },
  additive: { title: 'Additive attention', says: 'scores are w·tanh(q + k) instead of q·k/√d_k; see Arithmetic' },
  unscaled: { title: 'Without the division by √d_k', says: 'trained on plain q·k: its rows are sharper' },
  'neighbourhood-8': { title: 'Neighbourhood of 8', says: 'self-attention reaches 4 positions to each side, in the decoder 4 back; encoder–decoder attention reaches all' },
};

/** @param {(folder: StoredFolder, words: Words) => HTMLElement} row */
export function variantsSection(row) {
  const list = el('ul', { class: 'model-list', id: 'variant-list' });
  const node = el(
    'section',
    { class: 'model-variants', 'aria-labelledby': 'models-variants', hidden: true },
    el('h3', { id: 'models-variants', text: 'Trained another way' }),
    el('p', { class: 'quiet', text: 'Tiny models that translate picture captions. Each differs from the first in one choice, so that you can see its effect.' }),
    list,
  );
  return {
    node,
    /**
     * @param {Shipped[]} models
     * @param {(model: { url: string, name: string }) => StoredFolder} stored
     */
    show(models, stored) {
      node.hidden = models.length === 0;
      list.replaceChildren(
        ...models.map(({ name, address, bytes }) => {
          const { title, says } = Object.hasOwn(WORDS, name) ? WORDS[name] : { title: name, says: 'no description' };
          return row(stored({ url: address, name }), { title: prose(title), says: prose(says), bytes });
        }),
      );
    },
  };
}
