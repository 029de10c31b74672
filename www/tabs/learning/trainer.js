/** The page's side of the training worker: a promise for each call, and what training reports. */

/**
 * @typedef {import('./protocol').Methods} Methods
 * @typedef {import('./protocol').Reply} Reply
 * @typedef {import('./protocol').Progress} Progress
 * @typedef {import('./protocol').Row} Row
 */

/**
 * @typedef {object} Listeners
 * @property {(progress: Progress) => void} onProgress
 * @property {(message: string, rows: Row[]) => void} onDiverged
 * @property {(message: string) => void} onCrash the worker is gone; the next call starts another, without a run
 */

/** @param {Listeners} listeners */
export function createTrainer({ onProgress, onDiverged, onCrash }) {
  /** @type {Worker | null} */
  let worker = null;
  let last = 0;
  /** @type {Map<number, { resolve: (result: any) => void, reject: (error: Error) => void }>} */
  const pending = new Map();

  /** Ends the worker; what it has not answered is rejected. @param {string} message */
  function end(message) {
    worker?.terminate();
    worker = null;
    for (const { reject } of pending.values()) reject(Object.assign(new Error(message), { code: 'EngineCrashed' }));
    pending.clear();
  }

  const crash = (/** @type {string} */ message) => {
    end(message);
    onCrash(message);
  };

  function begin() {
    const started = new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'translucent learning' });
    started.onerror = (event) => {
      event.preventDefault();
      if (worker === started) crash(event.message || 'The learning package could not be fetched.');
    };
    started.onmessage = ({ data }) => {
      const reply = /** @type {Reply} */ (data);
      // On its way when the worker was ended.
      if (worker !== started) return;
      if ('event' in reply) {
        if (reply.event === 'progress') onProgress(reply);
        else onDiverged(reply.message, reply.rows);
        return;
      }
      const waiting = pending.get(reply.id);
      pending.delete(reply.id);
      if ('error' in reply) {
        waiting?.reject(Object.assign(new Error(reply.error.message), { code: reply.error.code }));
        // After a trap the instance's memory cannot be trusted.
        if (reply.error.code === 'EngineCrashed') crash(reply.error.message);
      } else waiting?.resolve(reply.result);
    };
    return started;
  }

  /**
   * @template {keyof Methods} M
   * @param {M} method
   * @param {Methods[M]['args']} args
   * @returns {Promise<Methods[M]['result']>}
   */
  function call(method, args) {
    worker ??= begin();
    const id = ++last;
    return new Promise((resolve, reject) => {
      pending.set(id, { resolve, reject });
      worker?.postMessage({ id, method, args });
    });
  }

  return {
    call,
    end: () => end('This run has ended.'),
  };
}
