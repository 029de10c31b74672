// The page's side of the engine: promises and callbacks over the worker's messages.

import { EngineError } from './error.js';
import { ATTENTION_BLOCKS } from './observed.js';
import { startWorker } from './start-worker.js';
import { ToldDocument } from './told.js';

/**
 * @typedef {import('./protocol').Methods} Methods
 * @typedef {import('./protocol').Call} Call
 * @typedef {import('./protocol').Notice} Notice
 * @typedef {import('./protocol').NumberedAnswer} NumberedAnswer
 * @typedef {import('./protocol').Cancelled} Cancelled
 * @typedef {import('./protocol').Loaded} Loaded
 * @typedef {import('./protocol').Translated} Translated
 * @typedef {import('./protocol').TranslatedSentence} TranslatedSentence
 * @typedef {import('./protocol').Measured} Measured
 * @typedef {import('./protocol').Scored} Scored
 * @typedef {import('./protocol').ModelInfo} ModelInfo
 * @typedef {import('./protocol').SearchOptions} SearchOptions
 * @typedef {import('./protocol').Term} Term
 * @typedef {import('./protocol').Observe} Observe
 * @typedef {import('./protocol').Trace} Trace
 * @typedef {import('./protocol').TraceView} TraceView
 * @typedef {import('./protocol').TranslateEvent} TranslateEvent
 * @typedef {import('./protocol').Progress} Progress
 * @typedef {import('./protocol').Observation} Observation
 * @typedef {import('./protocol').Measurement} Measurement
 * @typedef {import('./start-worker.js').WorkerSource} WorkerSource
 */
/**
 * @typedef {object} Abortable
 * @property {AbortSignal} [signal] When it is aborted, the request ends and its promise rejects with the signal's reason.
 */
/**
 * @typedef {Abortable & { supersede?: boolean }} Superseding `supersede`: pending requests of the same method are
 *   cancelled. Without it requests are worked off in their order.
 */
/** @typedef {Abortable & { files?: File[], quantize?: boolean, store?: boolean, onProgress?: (progress: Progress) => void }} LoadOptions */
/**
 * @typedef {object} Listeners
 * @property {(event: TranslateEvent) => void} [onEvent]
 * @property {(observation: Observation) => void} [onTrace] Called with each observation of a growing sentence, and with
 *   the final one before the promise resolves.
 */
/** @typedef {SearchOptions & Superseding & Listeners & { observe?: Observe, terms?: Term[] }} TranslateOptions */
/**
 * @typedef {SearchOptions & Superseding & Listeners & Omit<Methods['translateSentence']['args'], 'source' | 'search'>} SentenceOptions
 */
/** @typedef {Abortable & Omit<Methods['score']['args'], 'source'>} ScoreOptions */
/** @typedef {Abortable & import('./protocol').ViewOptions & { trace: Trace, source: import('./protocol').Piece[], target: import('./protocol').Piece[] }} ViewTraceOptions */
/** @typedef {Superseding & Methods['measure']['args'] & { onEvent?: (measurement: Measurement) => void }} MeasureOptions */

/**
 * @typedef {object} Pending A request that the worker has not answered yet.
 * @property {keyof Methods} method
 * @property {(result: any) => void} resolve
 * @property {(error: unknown) => void} reject
 * @property {() => void} forget Stops listening to its signal.
 * @property {RequestListeners} listeners
 */
/**
 * @typedef {object} RequestListeners
 * @property {((progress: Progress) => void) | undefined} [onProgress]
 * @property {((event: any) => void) | undefined} [onEvent]
 * @property {((observation: Observation) => void) | undefined} [onTrace]
 */

/** Version of the engine, which `cargo xtask` writes here and into `worker.js`; empty in the source tree. */
const VERSION = '';

/** Milliseconds between two looks whether the worker still has what is pending. */
const LOOK_MS = 5_000;
/** Looks in a row without a message after which a worker counts as gone: one step of its work may take long, and so may the fetch of its script. */
const MOST_SILENT = { working: 12, starting: 36 };

/** @type {Cancelled} */
const CANCELLED = Object.freeze({ kind: 'cancelled' });

/**
 * An engine in a worker. Every method returns a promise that always settles; failures are `EngineError`s with a `code`.
 * If the engine crashes, gives no answer for a minute, or a message of it is lost, everything pending is rejected, and the
 * next request starts a new worker and loads the last model again, from the cache.
 */
export class Translator {
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Map<number, Pending>} */
  #pending = new Map();
  #lastId = 0;
  /** Id of the current model's `load` in this worker; 0: none yet. */
  #model = 0;
  /** How the current model is loaded again after a crash. @type {Methods['load']['args'] | null} */
  #again = null;
  #terminated = false;
  /** @type {WorkerSource | undefined} */
  #source;
  /** The worker's numbers of the blocks that it sent. @type {WeakMap<object, number>} */
  #blocks = new WeakMap();
  /** Of this worker, whether or not its request was cancelled. */
  #document = new ToldDocument();
  /** Messages of this worker that have arrived. */
  #received = 0;
  /** Looks since its last message. */
  #silent = 0;
  /** Timer of the looks, while anything is pending. @type {ReturnType<typeof setInterval> | undefined} */
  #looks;

  /** @param {{ worker?: WorkerSource }} [options] `worker`: address of `worker.js` where it does not lie beside this module. */
  constructor({ worker } = {}) {
    this.#source = worker;
  }

  /**
   * Fetches a model folder and makes it the current model. A newer `load` supersedes an older one.
   * @param {string | URL} model Address of the folder, relative to the page.
   * @param {LoadOptions} [options] `files`: the folder's, from this device, stored under that address; `quantize`: store
   *   its matrices as 8-bit integers; `store: false`: keep the files given nowhere, e.g. while they change with every step
   *   of a training.
   * @returns {Promise<Loaded | Cancelled>}
   */
  async load(model, { files, quantize, store, signal, onProgress } = {}) {
    const args = { model: new URL(model, globalThis.document?.baseURI).href, files, quantize, store };
    /** @type {Loaded | Cancelled} */
    const result = await this.#call('load', args, { signal, supersede: true }, { onProgress });
    // What could not be stored comes from where it came before.
    if (result.kind === 'loaded') this.#again = result.stored ? { model: result.address } : args;
    return result;
  }

  /**
   * Translates a document.
   * @param {string} text
   * @param {TranslateOptions} [options] Options of the search that are left out are those of the model's folder.
   * @returns {Promise<Translated | Cancelled>}
   */
  translate(text, { observe, terms, signal, supersede, onEvent, onTrace, ...search } = {}) {
    return this.#call('translate', { text, search, observe, terms }, { signal, supersede }, { onEvent, onTrace });
  }

  /**
   * Translates one sentence beside the document: from another beginning, under an intervention, or to watch its search.
   * @param {string} source
   * @param {SentenceOptions} [options]
   * @returns {Promise<TranslatedSentence | Cancelled>}
   */
  translateSentence(source, { request, alternatives, terms, tree, compare, signal, supersede, onEvent, onTrace, ...search } = {}) {
    const args = { source, search, request, alternatives, terms, tree, compare };
    return this.#call('translateSentence', args, { signal, supersede }, { onEvent, onTrace });
  }

  /**
   * Scores a given target by forced decoding, all steps at once as in training, and observes it.
   * @param {string} source
   * @param {ScoreOptions} options
   * @returns {Promise<Scored & { observed: Observation }>}
   */
  async score(source, { target, request, alternatives, intervention, signal }) {
    /** @type {Observation | undefined} */
    let observed;
    /** @type {Scored} */
    const scored = await this.#call('score', { source, target, request, alternatives, intervention }, { signal }, {
      onTrace: (observation) => (observed = observation),
    });
    if (!observed) throw new EngineError('EngineCrashed', 'The engine scored a sentence without its trace.');
    return { ...scored, observed };
  }

  /**
   * Sums up observed blocks: words, means, special pieces hidden. Blocks that came from this translator lately are not
   * sent back: the worker has them.
   * @param {ViewTraceOptions} options
   * @returns {Promise<TraceView>}
   */
  async viewTrace({ trace, source, target, signal, ...options }) {
    const view = (/** @type {boolean} */ byNumber) => {
      /** @type {Methods['viewTrace']['args']['trace']} */
      const blocks = {};
      for (const name of ATTENTION_BLOCKS) {
        const block = trace[name];
        if (block) blocks[name] = (byNumber && this.#blocks.get(block)) || block;
      }
      return this.#call('viewTrace', { trace: blocks, source, target, options }, { signal });
    };
    return (await view(true)) ?? view(false);
  }

  /**
   * Every step of the arithmetic behind one attention weight.
   * @param {Abortable & Methods['arithmetic']['args']} options
   * @returns {Promise<import('./protocol').Arithmetic>}
   */
  arithmetic({ signal, ...args }) {
    return this.#call('arithmetic', args, { signal });
  }

  /**
   * The language that a text is in, where that is plain.
   * @param {Abortable & Methods['detectLanguage']['args']} options
   * @returns {Promise<{ language: string | null }>}
   */
  detectLanguage({ signal, ...args }) {
    return this.#call('detectLanguage', args, { signal });
  }

  /**
   * The paper's footnote 4 on random vectors.
   * @param {Abortable & Methods['randomProducts']['args']} options
   * @returns {Promise<import('./protocol').RandomProducts[]>}
   */
  randomProducts({ signal, ...args }) {
    return this.#call('randomProducts', args, { signal });
  }

  /**
   * Positional encodings of the first `length` positions, at the current model's width.
   * @param {Abortable & Methods['positions']['args']} options
   * @returns {Promise<import('./protocol').Positions>}
   */
  positions({ signal, ...args }) {
    return this.#call('positions', args, { signal });
  }

  /**
   * What the positional-encoding lab shows of one position and one offset.
   * @param {Abortable & Methods['positionsLab']['args']} options
   * @returns {Promise<import('./protocol').PositionsLab>}
   */
  positionsLab({ signal, ...args }) {
    return this.#call('positionsLab', args, { signal });
  }

  /**
   * The embedding and the position of a piece, and their sum.
   * @param {Abortable & Methods['embedding']['args']} options
   * @returns {Promise<import('./protocol').EmbeddingSteps>}
   */
  embedding({ signal, ...args }) {
    return this.#call('embedding', args, { signal });
  }

  /**
   * Table 1 for sequence length n, width d, neighbourhood r and kernel k.
   * @param {Abortable & Methods['complexity']['args']} options
   * @returns {Promise<import('./protocol').ComplexityTable>}
   */
  complexity({ signal, ...args }) {
    return this.#call('complexity', args, { signal });
  }

  /**
   * Measures self-attention at these lengths, one after the other.
   * @param {MeasureOptions} options
   * @returns {Promise<Measured | Cancelled>}
   */
  measure({ lengths, signal, supersede, onEvent }) {
    return this.#call('measure', { lengths }, { signal, supersede }, { onEvent });
  }

  /**
   * Ends the requests of one method, or all loads and translations of documents; their promises resolve as cancelled.
   * @param {'load' | 'translate' | 'translateSentence' | 'measure'} [method]
   */
  cancel(method) {
    for (const [id, pending] of this.#pending) {
      if (method ? pending.method !== method : pending.method !== 'load' && pending.method !== 'translate') continue;
      this.#settle(id)?.resolve(CANCELLED);
      this.#notify({ method: 'cancel', id });
    }
  }

  /** Ends the worker and frees its memory; whatever is pending is rejected, and so is every later request. */
  terminate() {
    this.#terminated = true;
    this.#drop(terminated());
  }

  /** As `terminate`, for `using`. Browsers without `Symbol.dispose` get a method of another name, which does no harm. */
  [Symbol.dispose]() {
    this.terminate();
  }

  /**
   * @template {keyof Methods} M
   * @param {M} method
   * @param {Methods[M]['args']} args
   * @param {Superseding} control
   * @param {RequestListeners} [listeners]
   * @returns {Promise<any>}
   */
  #call(method, args, { signal, supersede = false }, listeners = {}) {
    if (this.#terminated) return Promise.reject(terminated());
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (supersede) this.cancel(/** @type {any} */ (method));
    return new Promise((resolve, reject) => {
      const worker = this.#worker ?? this.#start();
      if (method !== 'load') this.#restore();
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
        worker.postMessage(/** @type {Call} */ ({ id, method, args, model: this.#model }));
      } catch (error) {
        // A value that cannot be copied, such as a function.
        const why = error instanceof Error ? error.message : String(error);
        this.#settle(id)?.reject(new EngineError('RequestInvalid', `${method}: ${why}`));
      }
    });
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
    }
    return pending;
  }

  /** @param {Notice} notice */
  #notify(notice) {
    try {
      this.#worker?.postMessage(notice);
    } catch {
      this.#drop(lost());
    }
  }

  /** Asks the worker which requests it has; one that has not answered for long is gone. */
  #look() {
    this.#silent += 1;
    if (this.#received === 0 && this.#silent > MOST_SILENT.starting) {
      this.#drop(new EngineError('EngineUnavailable', 'worker.js has not started for three minutes. Try again.'));
    } else if (this.#received > 0 && this.#silent > MOST_SILENT.working) {
      this.#drop(new EngineError('EngineCrashed', 'The engine has not answered for a minute. It starts afresh with the next request.'));
    } else this.#notify({ method: 'list', last: this.#lastId });
  }

  /** Loads the model again that a worker had which is gone, unless another one is on its way. */
  #restore() {
    if (this.#model || !this.#again || [...this.#pending.values()].some(({ method }) => method === 'load')) return;
    // The request at hand says what is wrong if this fails.
    this.#call('load', this.#again, {}).catch(() => {});
  }

  /** @returns {Worker} */
  #start() {
    const worker = startWorker(VERSION, this.#source);
    this.#worker = worker;
    this.#received = 0;
    this.#silent = 0;
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onmessageerror = () => this.#drop(lost());
    worker.onerror = (event) => {
      event.preventDefault();
      // Without a message it is the script itself that could not be fetched.
      this.#drop(
        event.message
          ? new EngineError('EngineCrashed', `The engine stopped: ${event.message}. It starts afresh with the next request.`)
          : new EngineError('EngineUnavailable', 'worker.js or a module of it could not be fetched. Try again.'),
      );
    };
    return worker;
  }

  /** @param {NumberedAnswer} answer */
  #receive(answer) {
    this.#received += 1;
    this.#silent = 0;
    if (answer.n !== this.#received) {
      this.#drop(lost());
      return;
    }
    if (answer.type === 'listed') {
      const { last, ids } = answer;
      if ([...this.#pending.keys()].some((id) => id <= last && !ids.includes(id))) this.#drop(lost());
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
        for (const event of this.#document.receive(answer.event)) listeners?.onEvent?.(event);
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
        if (answer.observed) this.#observe(answer.observed, answer.blocks, listeners);
        const pending = this.#settle(id);
        if ('kind' in (answer.result ?? {}) && /** @type {Loaded} */ (answer.result).kind === 'loaded') {
          this.#adopt(id, pending !== undefined);
        }
        pending?.resolve(answer.result);
        break;
      }
      case 'error': {
        const error = new EngineError(answer.code, answer.message);
        this.#settle(id)?.reject(error);
        // After a trap the instance's memory cannot be trusted.
        if (answer.code === 'EngineCrashed') this.#drop(error);
        break;
      }
    }
  }

  /**
   * @param {Observation} observation
   * @param {import('./protocol').BlockNumbers | undefined} numbers
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

  /**
   * Ends the worker and rejects all pending requests.
   * @param {EngineError} error
   */
  #drop(error) {
    this.#worker?.terminate();
    this.#worker = null;
    this.#model = 0;
    this.#blocks = new WeakMap();
    this.#document = new ToldDocument();
    for (const id of [...this.#pending.keys()]) this.#settle(id)?.reject(error);
  }
}

const lost = () => new EngineError('EngineCrashed', 'A message to or from the engine was lost. It starts afresh with the next request.');
const terminated = () => new EngineError('Terminated', 'This translator was terminated: make a new one.');
