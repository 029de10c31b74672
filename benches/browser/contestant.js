// One side of a comparison in a page of its own: `run.mjs` opens one for each side and lets them work in turns.
// A side is a module that gives `start(settings)`: it loads, and returns { load, once }, where `once()` translates
// one sentence and resolves to its milliseconds.

/**
 * @typedef {object} Settings
 * @property {string} side Name of the module.
 * @property {string} model
 * @property {number} source Pieces of the source, end mark included.
 * @property {number} target Pieces of the translation.
 * @property {number} beam
 */

/** @type {{ load: object, once: () => Promise<number>, memory?: () => number } | null} */
let side = null;

const api = {
  /** @param {Settings} settings */
  async start(settings) {
    const module = await import(`./sides/${settings.side}.js`);
    side = await module.start(settings);
    return side.load;
  },
  /** One translation. */
  once: () => side.once(),
  /**
   * Translations until so many milliseconds have passed, at least `least`; their times.
   * @param {number} ms
   * @param {number} least
   */
  async turn(ms, least = 1) {
    const times = [];
    const start = performance.now();
    while (times.length < least || performance.now() - start < ms) times.push(await side.once());
    return times;
  },
  /** MiB of the WebAssembly memory, where it can be seen from the page. */
  memory: () => side.memory?.() ?? null,
};
Object.assign(window, { contestant: api });
