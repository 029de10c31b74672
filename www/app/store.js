/** The store: one state, and watchers that are called once a frame after a change. */

/** @import { State } from './state.js' */

/**
 * @typedef {object} Store
 * @property {() => State} get
 * @property {(patch: Partial<State>, later?: boolean) => void} set `later`: its watchers leave the next frame to what is drawn already
 * @property {(keys: (keyof State)[], view: (state: State) => void) => void} watch
 */

/**
 * Creates a store that calls its watchers at most once a frame. A watcher that throws is reported; the others run.
 * @param {State} initial
 * @param {object} [environment]
 * @param {(flush: () => void) => void} [environment.schedule]
 * @param {(error: unknown) => void} [environment.report]
 * @returns {Store}
 */
export function createStore(initial, { schedule = requestAnimationFrame, report = reportError } = {}) {
  let state = initial;
  /** @type {{keys: (keyof State)[], view: (state: State) => void}[]} */
  const watchers = [];
  /** @type {Set<keyof State>} */
  let changed = new Set();

  /** @param {(state: State) => void} view */
  function call(view) {
    try {
      view(state);
    } catch (error) {
      report(error);
    }
  }

  function flush() {
    const keysNow = changed;
    changed = new Set();
    for (const { keys, view } of watchers) if (keys.some((key) => keysNow.has(key))) call(view);
  }

  return {
    get: () => state,
    set(patch, later = false) {
      const fresh = /** @type {(keyof State)[]} */ (Object.keys(patch)).filter((key) => !Object.is(patch[key], state[key]));
      if (fresh.length === 0) return;
      state = { ...state, ...patch };
      if (changed.size === 0) schedule(later ? () => schedule(flush) : flush);
      for (const key of fresh) changed.add(key);
    },
    watch(keys, view) {
      watchers.push({ keys, view });
      call(view);
    },
  };
}
