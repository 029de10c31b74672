// One worker as the page sees it: its pending requests, and whether it still answers.

import { EngineError } from './error.js';
import { ATTENTION_BLOCKS } from './observed.js';
import { startWorker } from './start-worker.js';
import { ReceivedDocument } from './received.js';

/** @import { BlockNumbers, Call, Cancelled, DocumentEvent, Loaded, Methods, Notice, NumberedAnswer, Observation, Progress } from './protocol' */
/** @import { WorkerSource } from './start-worker.js' */
/**
 * @typedef {object} RequestListeners
 * @property {((progress: Progress) => void) | undefined} [onProgress]
 * @property {((event: any) => void) | undefined} [onEvent]
 * @property {((observation: Observation) => void) | undefined} [onTrace]
 */
/**
 * @typedef {object} Pending A request that the worker has not answered yet.
 * @property {keyof Methods} method
 * @property {(result: any) => void} resolve
 * @property {(error: unknown) => void} reject
 * @property {() => void} forget Stops listening to its signal.
 * @property {RequestListeners} listeners
 */

/** Milliseconds between two looks whether the worker still has what is pending. */
const LOOK_MS = 5_000;
/** Looks in a row without a message after which a worker counts as gone: one step of its work may take long, and so may the fetch of its script. */
const MOST_SILENT = { working: 12, starting: 36 };

/** @type {Cancelled} */
const CANCELLED = Object.freeze({ kind: 'cancelled' });

/** A worker and the requests to it. Every request settles: if the worker is gone or a message of it is lost, it is rejected. */
export class Connection {
  /** Null when it is closed. @type {Worker | null} */
  #worker;
  /** @type {() => void} */
  #onClose;
  /** @type {Map<number, Pending>} */
  #pending = new Map();
  #lastId = 0;
  /** Id of the current model's `load`; 0: none yet. */
  #model = 0;
  /** The worker's numbers of the blocks that it sent. @type {WeakMap<object, number>} */
  #blocks = new WeakMap();
  /** Of requests that were cancelled, too. */
  #document = new ReceivedDocument();
  /** Messages that have arrived. */
  #received = 0;
  /** Looks since the last message. */
  #silent = 0;
  /** Timer of the looks, while anything is pending. @type {ReturnType<typeof setInterval> | undefined} */
  #looks;
  #isRetired = false;

  /**
   * Starts a worker.
   * @param {string} version of the engine
   * @param {WorkerSource | undefined} source
   * @param {() => void} onClose Called when the worker is gone, before its requests are rejected.
   */
  constructor(version, source, onClose) {
    this.#onClose = onClose;
    const worker = startWorker(version, source);
    this.#worker = worker;
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onmessageerror = () => this.close(lost());
    worker.onerror = (event) => {
      event.preventDefault();
      // Without a message it is the script itself that could not be fetched.
      this.close(
        event.message
          ? new EngineError('EngineCrashed', `The engine stopped: ${event.message}. It starts afresh with the next request.`)
          : new EngineError('EngineUnavailable', 'worker.js or a module of it could not be fetched. Try again.'),
      );
    };
  }

  /** Whether a model was loaded. */
  get hasModel() {
    return this.#model !== 0;
  }

  /** Whether a model is being loaded. */
  get isLoading() {
    return [...this.#pending.values()].some(({ method }) => method === 'load');
  }

  /**
   * @template {keyof Methods} M
   * @param {M} method
   * @param {Methods[M]['args']} args
   * @param {AbortSignal} [signal]
   * @param {RequestListeners} [listeners]
   * @returns {Promise<any>}
   */
  call(method, args, signal, listeners = {}) {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      const abort = () => {
        this.#settle(id)?.reject(signal?.reason);
        this.#notify({ method: 'cancel', id });
      };
      signal?.addEventListener('abort', abort);
      const forget = () => signal?.removeEventListener('abort', abort);
      this.#pending.set(id, { method, resolve, reject, forget, listeners });
      this.#looks ??= setInterval(() => this.#look(), LOOK_MS);
      try {
        this.#worker?.postMessage(/** @type {Call} */ ({ id, method, args, model: this.#model }));
      } catch (error) {
        // A value that cannot be copied, such as a function.
        const why = error instanceof Error ? error.message : String(error);
        this.#settle(id)?.reject(new EngineError('RequestInvalid', `${method}: ${why}`));
      }
    });
  }

  /**
   * Ends requests; their promises resolve as cancelled.
   * @param {(method: keyof Methods) => boolean} which
   */
  cancel(which) {
    for (const [id, { method }] of this.#pending) {
      if (!which(method)) continue;
      this.#settle(id)?.resolve(CANCELLED);
      this.#notify({ method: 'cancel', id });
    }
  }

  /**
   * The worker's number of a block that it sent lately.
   * @param {object} block
   */
  numberOf(block) {
    return this.#blocks.get(block);
  }

  /** Ends the worker when its requests are answered; there are to be no new ones. */
  retire() {
    this.#isRetired = true;
    if (this.#pending.size === 0) this.#end();
  }

  /**
   * Ends the worker and rejects all pending requests.
   * @param {EngineError} error
   */
  close(error) {
    this.#end();
    for (const id of [...this.#pending.keys()]) this.#settle(id)?.reject(error);
  }

  #end() {
    if (!this.#worker) return;
    this.#worker.terminate();
    this.#worker = null;
    this.#onClose();
  }

  /**
   * Takes a request from the pending ones.
   * @param {number} id
   */
  #settle(id) {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.forget();
    if (this.#pending.size === 0) {
      clearInterval(this.#looks);
      this.#looks = undefined;
      if (this.#isRetired) this.#end();
    }
    return pending;
  }

  /** @param {Notice} notice */
  #notify(notice) {
    try {
      this.#worker?.postMessage(notice);
    } catch {
      this.close(lost());
    }
  }

  /** Asks the worker which requests it has; one that has not answered for long is gone. */
  #look() {
    this.#silent += 1;
    if (this.#received === 0 && this.#silent > MOST_SILENT.starting) {
      this.close(new EngineError('EngineUnavailable', 'worker.js has not started for three minutes. Try again.'));
    } else if (this.#received > 0 && this.#silent > MOST_SILENT.working) {
      this.close(new EngineError('EngineCrashed', 'The engine has not answered for a minute. It starts afresh with the next request.'));
    } else this.#notify({ method: 'list', last: this.#lastId });
  }

  /** @param {NumberedAnswer} answer */
  #receive(answer) {
    this.#received += 1;
    this.#silent = 0;
    if (answer.n !== this.#received) {
      this.close(lost());
      return;
    }
    if (answer.type === 'listed') {
      const { last, ids } = answer;
      if ([...this.#pending.keys()].some((id) => id <= last && !ids.includes(id))) this.close(lost());
      return;
    }
    const { id } = answer;
    const listeners = this.#pending.get(id)?.listeners;
    switch (answer.type) {
      case 'progress':
        listeners?.onProgress?.(answer);
        break;
      case 'sentences':
        this.#document.addPart(answer.sentences);
        break;
      case 'document':
        this.#report(id, answer.events);
        break;
      case 'event':
        listeners?.onEvent?.(answer.event);
        break;
      case 'trace': {
        const { type: _, id: __, n: ___, blocks, ...observation } = answer;
        this.#observe(observation, blocks, listeners);
        break;
      }
      case 'done': {
        try {
          if (answer.events) this.#report(id, answer.events);
          if (answer.observed) this.#observe(answer.observed, answer.blocks, this.#pending.get(id)?.listeners);
        } finally {
          // Also when a listener throws.
          const pending = this.#settle(id);
          if ('kind' in (answer.result ?? {}) && /** @type {Loaded} */ (answer.result).kind === 'loaded') {
            this.#adopt(id, pending !== undefined);
          }
          pending?.resolve(answer.result);
        }
        break;
      }
      case 'error': {
        const error = new EngineError(answer.code, answer.message);
        this.#settle(id)?.reject(error);
        // After a trap the instance's memory cannot be trusted.
        if (answer.code === 'EngineCrashed') this.close(error);
        break;
      }
    }
  }

  /** @param {number} id @param {DocumentEvent[]} events */
  #report(id, events) {
    // All are known, even if a listener throws or ends the request.
    const received = events.flatMap((event) => this.#document.receive(event));
    for (const event of received) this.#pending.get(id)?.listeners.onEvent?.(event);
  }

  /**
   * @param {Observation} observation
   * @param {BlockNumbers | undefined} numbers
   * @param {RequestListeners | undefined} listeners
   */
  #observe(observation, numbers, listeners) {
    if (!listeners?.onTrace) return;
    for (const name of ATTENTION_BLOCKS) {
      const block = observation.trace[name];
      if (block && numbers?.[name]) this.#blocks.set(block, numbers[name]);
    }
    listeners.onTrace(observation);
  }

  /**
   * Makes a loaded model the one that requests are for; one that was cancelled meanwhile is freed.
   * @param {number} id
   * @param {boolean} wanted
   */
  #adopt(id, wanted) {
    const unused = wanted ? this.#model : id;
    if (wanted) this.#model = id;
    if (unused) this.#notify({ method: 'release', id: unused });
  }
}

const lost = () => new EngineError('EngineCrashed', 'A message to or from the engine was lost. It starts afresh with the next request.');
