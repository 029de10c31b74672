/** What is written along a map or its lines: drawn once for each of the three attentions, so that going from head to head draws none of it. */

/** @import { AttentionKind } from '../../app/state.js' */
import { el } from '../../ui/dom.js';
import { clearStill, drawStill } from '../../draw/canvas.js';

/**
 * @template {{layout: {width: number, height: number}}} Written what is written, and where
 * @param {HTMLElement} node where the canvases lie over each other
 */
export function createLetterings(node) {
  /** @type {Map<AttentionKind, {key: any[], canvas: HTMLCanvasElement, written: Written}>} */
  const kept = new Map();

  return {
    /**
     * What is written for an attention; the same object as long as it is made of the same.
     * @param {AttentionKind} kind
     * @param {any[]} key all that it is made of
     * @param {() => Written} write
     * @param {(ctx: CanvasRenderingContext2D, ratio: number, written: Written) => void} draw
     * @returns {Written}
     */
    of(kind, key, write, draw) {
      const found = kept.get(kind);
      if (found && key.every((value, i) => value === found.key[i])) return found.written;
      const canvas = found?.canvas ?? el('canvas', { class: 'lettering', 'aria-hidden': 'true' });
      if (!found) node.append(canvas);
      const written = write();
      const { width, height } = written.layout;
      drawStill(canvas, width, height, (ctx, ratio) => draw(ctx, ratio, written));
      kept.set(kind, { key, canvas, written });
      return written;
    },
    /** @param {AttentionKind} kind the visible one */
    show(kind) {
      for (const [other, { canvas }] of kept) canvas.classList.toggle('away', other !== kind);
    },
    clear() {
      for (const lettering of kept.values()) {
        clearStill(lettering.canvas);
        lettering.key = [];
      }
    },
  };
}
