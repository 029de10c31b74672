/** Which requests to the engine still count: in one slot only the newest does. */

/**
 * @typedef {object} Slot
 * @property {() => AbortSignal} next aborts the older request and gives the newer one its signal
 * @property {() => void} cancel aborts the request, and has none instead
 */

/** @returns {Slot} */
export function createSlot() {
  let newest = new AbortController();
  return {
    next() {
      newest.abort();
      newest = new AbortController();
      return newest.signal;
    },
    cancel: () => newest.abort(),
  };
}

/**
 * Sends one request at a time, and after it only the newest: each answer is shown while the next one is under way, so that
 * what follows a slider never stops moving.
 * @template Q, A
 * @param {(request: Q) => Promise<A>} send
 * @param {(answer: A, request: Q) => void} receive
 * @param {(error: unknown) => void} fail
 * @returns {(request: Q) => void}
 */
export function oneAtATime(send, receive, fail) {
  let busy = false;
  /** @type {{request: Q}|null} */
  let next = null;
  const run = async () => {
    busy = true;
    while (next) {
      const { request } = next;
      next = null;
      try {
        receive(await send(request), request);
      } catch (error) {
        fail(error);
      }
    }
    busy = false;
  };
  return (request) => {
    next = { request };
    if (!busy) run();
  };
}
