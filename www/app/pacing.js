/** Limits how often a growing value is shown: a frame that takes long, as with a text of a megabyte, is followed by a pause of its length. */

/** Milliseconds; longer frames are followed by a pause. */
const LONG = 100;

/**
 * @template T
 * @param {(value: T) => void} show
 */
export function createPacer(show) {
  /** @type {T | null} the newest value, not shown yet */
  let waiting = null;
  /** The pause that follows a long frame; 0: none. */
  let pause = 0;

  function now() {
    clearTimeout(pause);
    pause = 0;
    if (waiting === null) return;
    const value = waiting;
    waiting = null;
    show(value);
    const start = performance.now();
    // A task after the frame: what it took to work out, lay out and paint is over.
    requestAnimationFrame(() => setTimeout(() => {
      const took = performance.now() - start;
      if (took > LONG && pause === 0) pause = window.setTimeout(now, took);
    }));
  }

  return {
    /** The newest value, unless it was shown already. */
    newest: () => waiting,
    /** @param {T} value to show now or after the pause, instead of older ones */
    give(value) {
      waiting = value;
      if (pause === 0) now();
    },
    /** Shows what waits. */
    now,
    /** Forgets what waits. */
    drop() {
      waiting = null;
    },
  };
}
