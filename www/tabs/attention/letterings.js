/** What is written along a map or its lines: drawn once for each of the three attentions, so that going from head to head draws none of it. */

/** @import { AttentionKind } from '../../app/state.js' */
import { el } from '../../ui/dom.js';
import { clearStill, drawStill } from '../../draw/canvas.js';

/**
 * @template {{layout: {width: number, height: number}}} Written what is written, and where
 * @param {HTMLElement} node where the canvases lie over each other
 */
export function createLetterings(node) {
  /** @typedef {{key: any[], canvas: HTMLCanvasElement, written: Written, draw: (() => void) | null}} Kept `draw`: what is still to be drawn */
  /** @type {Map<AttentionKind, Kept>} */
  const kept = new Map();
  let idle = 0;

  const finish = (/** @type {Kept} */ lettering) => {
    lettering.draw?.();
    lettering.draw = null;
  };
  /** Draws what is not seen yet, one in each pause of the page. */
  const finishLater = () => {
    idle ||= whenIdle(() => {
      idle = 0;
      const next = [...kept.values()].find(({ draw }) => draw);
      if (!next) return;
      finish(next);
      finishLater();
    });
  };

  return {
    /**
     * What is written for an attention; the same object as long as it is made of the same. It is drawn when it is shown, or before
     * that when the page has nothing else to do.
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
      kept.set(kind, { key, canvas, written, draw: () => drawStill(canvas, width, height, (ctx, ratio) => draw(ctx, ratio, written)) });
      finishLater();
      return written;
    },
    /** @param {AttentionKind} kind the visible one */
    show(kind) {
      for (const [other, lettering] of kept) {
        if (other === kind) finish(lettering);
        lettering.canvas.classList.toggle('away', other !== kind);
      }
    },
    clear() {
      for (const lettering of kept.values()) {
        clearStill(lettering.canvas);
        Object.assign(lettering, { key: [], draw: null });
      }
    },
  };
}

/** @param {() => void} act when the page has nothing else to do */
const whenIdle = (act) => ('requestIdleCallback' in window ? requestIdleCallback(act, { timeout: 1000 }) : setTimeout(act, 200));
