/** Marking many pieces with every move of the pointer: only those whose marks changed are touched. */

import { setClass, shade } from './dom.js';

/** @typedef {ReturnType<typeof createMarker>} Marker */

/** The marks that a piece may bear, as bits. */
export const MARKS = { current: 1, later: 2, pointed: 4, held: 8 };

/**
 * @param {Record<keyof typeof MARKS, string>} names class of each mark
 */
export function createMarker(names) {
  /** @type {{node: HTMLElement, plain: string}[]} */
  let pieces = [];
  /** @type {number[]} */
  let marks = [];
  /** @type {number[]} */
  let weights = [];
  const entries = /** @type {(keyof typeof MARKS)[]} */ (Object.keys(MARKS));

  return {
    /**
     * Takes new nodes over.
     * @param {HTMLElement[]} nodes
     * @param {(node: HTMLElement) => string} plain their classes without marks
     */
    take(nodes, plain) {
      pieces = nodes.map((node) => ({ node, plain: plain(node) }));
      marks = nodes.map(() => -1);
      weights = nodes.map(() => -1);
    },
    /**
     * @param {(index: number) => number} marksOf bits
     * @param {(index: number) => number} weightOf how strongly it is read, 0..1, or depended on, −1..1
     * @param {(node: HTMLElement, marks: number) => void} [changed]
     */
    mark(marksOf, weightOf, changed) {
      for (let i = 0; i < pieces.length; i++) {
        const weight = weightOf(i);
        if (weight !== weights[i]) {
          weights[i] = weight;
          shade(pieces[i].node, weight);
        }
        const now = marksOf(i);
        if (now === marks[i]) continue;
        marks[i] = now;
        const { node, plain } = pieces[i];
        setClass(node, [plain, ...entries.filter((mark) => now & MARKS[mark]).map((mark) => names[mark])].join(' '));
        changed?.(node, now);
      }
    },
  };
}
