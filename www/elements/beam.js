// <translucent-beam>: the search tree over the first sentence of a text.

import { pathTo } from '../draw/beam-tree.js';
import { mountTree } from '../tabs/alternatives/beam-tree.js';
import { TranslucentElement } from './element.js';
import { explain } from './engines.js';

export class TranslucentBeam extends TranslucentElement {
  #tree = globalThis.document && mountTree();

  parts() {
    this.#tree.node.setAttribute('part', 'tree');
    return [this.#tree.node];
  }

  /** @param {() => boolean} isCurrent */
  async update(isCurrent) {
    if (!this.model) return;
    if (!this.text.trim()) return this.#tree.show([], Infinity, new Set(), '');
    const { nodes, model } = await explain(this.origin, this.text, this.beam);
    if (!isCurrent()) return;
    const finished = nodes.filter(({ state }) => state === 'finished').sort((a, b) => b.score - a.score);
    this.#tree.show(nodes, Infinity, pathTo(nodes, finished[0]?.id ?? null), model.targetLanguage);
  }
}
