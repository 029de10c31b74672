// The page's side of the engine: promises and callbacks over the worker's messages.

import { Connection } from './connection.js';
import { EngineError } from './error.js';
import { ATTENTION_BLOCKS } from './observed.js';
import { optionsOf, refused } from './options.js';

/**
 * @typedef {import('./protocol').Methods} Methods
 * @typedef {import('./protocol').Cancelled} Cancelled
 * @typedef {import('./protocol').Loaded} Loaded
 * @typedef {import('./protocol').Translated} Translated
 * @typedef {import('./protocol').TranslatedSentence} TranslatedSentence
 * @typedef {import('./protocol').Measured} Measured
 * @typedef {import('./protocol').Scored} Scored
 * @typedef {import('./protocol').SearchOptions} SearchOptions
 * @typedef {import('./protocol').Observe} Observe
 * @typedef {import('./protocol').Trace} Trace
 * @typedef {import('./protocol').TraceView} TraceView
 * @typedef {import('./protocol').TranslateEvent} TranslateEvent
 * @typedef {import('./protocol').Progress} Progress
 * @typedef {import('./protocol').Observation} Observation
 * @typedef {import('./connection.js').RequestListeners} RequestListeners
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
/** @typedef {SearchOptions & Superseding & Listeners & { observe?: Observe, terms?: Methods['translate']['args']['terms'] }} TranslateOptions */
/**
 * @typedef {SearchOptions & Superseding & Listeners & Omit<Methods['translateSentence']['args'], 'source' | 'search'>} SentenceOptions
 */
/** @typedef {Abortable & Omit<Methods['score']['args'], 'source'>} ScoreOptions */
/** @typedef {Abortable & import('./protocol').ViewOptions & { trace: Trace, source: import('./protocol').Piece[], target: import('./protocol').Piece[] }} ViewTraceOptions */
/** @typedef {Superseding & Methods['measure']['args'] & { onEvent?: (measurement: import('./protocol').Measurement) => void }} MeasureOptions */

/** Version of the engine, which `cargo xtask` writes here and into `worker.js`; empty in the source tree. */
const VERSION = '';

/**
 * An engine in a worker. Every method returns a promise that always settles; failures are `EngineError`s with a `code`.
 * If the engine crashes, gives no answer for a minute, or a message of it is lost, everything pending is rejected, and the
 * next request starts a new worker and loads the last model again, from the cache.
 */
export class Translator {
  /** Where requests go. @type {Connection | null} */
  #current = null;
  /** Where another model is being loaded. @type {Connection | null} */
  #next = null;
  /** All of them, those too that only answer their last requests. @type {Set<Connection>} */
  #connections = new Set();
  /** The address that the current model was loaded from. */
  #address = '';
  /** How the current model is loaded again after a crash. @type {Methods['load']['args'] | null} */
  #again = null;
  #terminated = false;
  /** @type {WorkerSource | undefined} */
  #source;

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
  async load(model, options) {
    const { files, quantize, store, signal, onProgress } = optionsOf('load', options);
    const args = { model: addressOf(model), files, quantize, store };
    this.#check(signal);
    this.cancel('load');
    this.#next?.retire();
    this.#next = null;
    // Another model comes into a worker of its own: the memory of an instance only grows, and the present model stays if this
    // load fails.
    const apart = this.#again && !(this.#current?.hasModel && args.model === this.#address);
    const connection = apart ? (this.#next = this.#start()) : (this.#current ??= this.#start());
    /** @type {Loaded | Cancelled} */
    let result = { kind: 'cancelled' };
    try {
      result = await connection.call('load', args, signal, { onProgress });
    } finally {
      if (this.#next === connection) {
        this.#next = null;
        if (result.kind === 'loaded') {
          this.#current?.retire();
          this.#current = connection;
        } else connection.retire();
      }
    }
    // What could not be stored comes from where it came before.
    if (result.kind === 'loaded') {
      this.#again = result.stored ? { model: result.address } : args;
      this.#address = args.model;
    }
    return result;
  }

  /**
   * Translates a document.
   * @param {string} text
   * @param {TranslateOptions} [options] Options of the search that are left out are those of the model's folder.
   * @returns {Promise<Translated | Cancelled>}
   */
  translate(text, options) {
    return this.#call('translate', options, ({ observe, terms, ...search }) => ({ text, search, observe, terms }));
  }

  /**
   * Translates one sentence beside the document: from another beginning, under an intervention, or to watch its search.
   * @param {string} source
   * @param {SentenceOptions} [options]
   * @returns {Promise<TranslatedSentence | Cancelled>}
   */
  translateSentence(source, options) {
    return this.#call('translateSentence', options, ({ request, alternatives, terms, tree, compare, ...search }) => {
      return { source, search, request, alternatives, terms, tree, compare };
    });
  }

  /**
   * Scores a given target by forced decoding, all steps at once as in training, and observes it.
   * @param {string} source
   * @param {ScoreOptions} options
   * @returns {Promise<Scored & { observed: Observation }>}
   */
  async score(source, options) {
    /** @type {Observation | undefined} */
    let observed;
    const onTrace = (/** @type {Observation} */ observation) => (observed = observation);
    /** @type {Scored} */
    const scored = await this.#call('score', { ...optionsOf('score', options), onTrace }, ({ target, request, alternatives, intervention }) => {
      return { source, target, request, alternatives, intervention };
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
  async viewTrace(options) {
    const connection = this.#current;
    const view = (/** @type {boolean} */ byNumber) =>
      this.#call('viewTrace', options, ({ trace, source, target, ...options }) => {
        /** @type {Methods['viewTrace']['args']['trace']} */
        const blocks = {};
        for (const name of ATTENTION_BLOCKS) {
          const block = trace?.[name];
          if (block) blocks[name] = (byNumber && connection?.numberOf(block)) || block;
        }
        return { trace: Object(trace) === trace ? blocks : trace, source, target, options };
      });
    return (await view(true)) ?? view(false);
  }

  /**
   * Every step of the arithmetic behind one attention weight.
   * @param {Abortable & Methods['arithmetic']['args']} options
   * @returns {Promise<import('./protocol').Arithmetic>}
   */
  arithmetic(options) {
    return this.#call('arithmetic', options);
  }

  /**
   * The language that a text is in, where that is plain.
   * @param {Abortable & Methods['detectLanguage']['args']} options
   * @returns {Promise<{ language: string | null }>}
   */
  detectLanguage(options) {
    return this.#call('detectLanguage', options);
  }

  /**
   * The paper's footnote 4 on random vectors.
   * @param {Abortable & Methods['randomProducts']['args']} options
   * @returns {Promise<import('./protocol').RandomProducts[]>}
   */
  randomProducts(options) {
    return this.#call('randomProducts', options);
  }

  /**
   * Positional encodings of the first `length` positions, at the current model's width.
   * @param {Abortable & Methods['positions']['args']} options
   * @returns {Promise<import('./protocol').Positions>}
   */
  positions(options) {
    return this.#call('positions', options);
  }

  /**
   * What the positional-encoding lab shows of one position and one offset.
   * @param {Abortable & Methods['positionsLab']['args']} options
   * @returns {Promise<import('./protocol').PositionsLab>}
   */
  positionsLab(options) {
    return this.#call('positionsLab', options);
  }

  /**
   * The embedding and the position of a piece, and their sum.
   * @param {Abortable & Methods['embedding']['args']} options
   * @returns {Promise<import('./protocol').EmbeddingSteps>}
   */
  embedding(options) {
    return this.#call('embedding', options);
  }

  /**
   * Table 1 for sequence length n, width d, neighbourhood r and kernel k.
   * @param {Abortable & Methods['complexity']['args']} options
   * @returns {Promise<import('./protocol').ComplexityTable>}
   */
  complexity(options) {
    return this.#call('complexity', options);
  }

  /**
   * Measures self-attention at these lengths, one after the other.
   * @param {MeasureOptions} options
   * @returns {Promise<Measured | Cancelled>}
   */
  measure(options) {
    return this.#call('measure', options);
  }

  /**
   * Ends the requests of one method, or all loads and translations of documents; their promises resolve as cancelled.
   * @param {'load' | 'translate' | 'translateSentence' | 'measure'} [method]
   */
  cancel(method) {
    for (const connection of this.#connections) {
      const restores = this.#again && connection !== this.#next && !connection.hasModel;
      connection.cancel((other) => (other === 'load' ? !restores && (method ?? other) === other : other === (method ?? 'translate')));
    }
  }

  /** Ends the worker and frees its memory; whatever is pending is rejected, and so is every later request. */
  terminate() {
    this.#terminated = true;
    for (const connection of this.#connections) connection.close(terminated());
  }

  /** As `terminate`, for `using`. Browsers without `Symbol.dispose` get a method of another name, which does no harm. */
  [Symbol.dispose]() {
    this.terminate();
  }

  /**
   * @template {keyof Methods} M
   * @param {M} method
   * @param {any} given options of the request: what steers it, and what `argsOf` makes its arguments of
   * @param {(options: any) => Methods[M]['args']} [argsOf]
   * @returns {Promise<any>}
   */
  async #call(method, given, argsOf = (options) => options) {
    const { signal, supersede, onEvent, onTrace, ...options } = optionsOf(method, given);
    this.#check(signal);
    if (supersede) this.cancel(/** @type {any} */ (method));
    return (this.#current ?? this.#restore()).call(method, argsOf(options), signal, { onEvent, onTrace });
  }

  /** @param {AbortSignal} [signal] */
  #check(signal) {
    if (this.#terminated) throw terminated();
    signal?.throwIfAborted();
  }

  /**
   * A worker in the place of one that is gone: it loads the model again that that one had.
   * @returns {Connection}
   */
  #restore() {
    const connection = (this.#current = this.#start());
    // The request at hand says what is wrong if this fails; the next one tries again.
    if (this.#again) connection.call('load', this.#again).catch(() => connection.retire());
    return connection;
  }

  /** @returns {Connection} */
  #start() {
    const connection = new Connection(VERSION, this.#source, () => {
      this.#connections.delete(connection);
      if (this.#current === connection) this.#current = null;
      if (this.#next === connection) this.#next = null;
    });
    this.#connections.add(connection);
    return connection;
  }
}

const terminated = () => new EngineError('Terminated', 'This translator was terminated: make a new one.');

/** @param {string | URL} model @returns {string} its whole address */
function addressOf(model) {
  try {
    if (model !== undefined) return new URL(model, globalThis.document?.baseURI).href;
  } catch {
    // An address that is none.
  }
  throw refused('load', 'model', 'the address of a folder');
}
