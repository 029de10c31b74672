// The error of the engine, the worker and the page's side of it: a sentence to act on, and a stable code.

/** @typedef {import('./protocol').ErrorCode} ErrorCode */

/** An error with one of the protocol's codes. */
export class EngineError extends Error {
  /**
   * @param {ErrorCode} code
   * @param {string} message What was wrong and what to do.
   */
  constructor(code, message) {
    super(message);
    this.name = 'EngineError';
    /** @readonly */
    this.code = code;
  }

  /**
   * Any thrown value as an EngineError: the core's errors carry their code already, and whatever else comes out
   * of WebAssembly (a trap, memory exhausted) leaves the instance unusable.
   * @param {unknown} thrown
   * @returns {EngineError}
   */
  static from(thrown) {
    if (thrown instanceof EngineError) return thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    if (thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string') {
      return new EngineError(/** @type {ErrorCode} */ (thrown.code), message);
    }
    return new EngineError('EngineCrashed', `The engine stopped: ${message}. It starts afresh with the next request.`);
  }
}

/**
 * A download that failed, with its reason and what to do.
 * @param {URL} url
 * @param {string} why
 */
export function downloadFailed(url, why) {
  const offline = self.navigator?.onLine === false;
  const advice = offline
    ? 'This device is offline: connect and try again; what has arrived is kept.'
    : 'Try again; what has arrived is kept.';
  return new EngineError('DownloadFailed', `${url.href} could not be fetched: ${why}. ${advice}`);
}
