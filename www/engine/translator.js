// The page's side of the engine: promises and callbacks over the worker's messages.

import { EngineError } from './error.js';

/**
 * @typedef {import('./protocol').Request} Request
 * @typedef {import('./protocol').Answer} Answer
 * @typedef {import('./protocol').DoneResult} DoneResult
 * @typedef {import('./protocol').ModelInfo} ModelInfo
 * @typedef {import('./protocol').SearchOptions} SearchOptions
 * @typedef {import('./protocol').TraceRequest} TraceRequest
 * @typedef {import('./protocol').TranslateEvent} TranslateEvent
 * @typedef {import('./protocol').AnswerOf<'progress'>} Progress
 * @typedef {import('./protocol').Observation} Observation
 * @typedef {import('./protocol').Measurement} Measurement
 */
/**
 * @template {Request['type']} T
 * @typedef {import('./protocol').RequestOf<T>} RequestOf
 */
/**
 * A request as a caller writes it.
 * @template {Request['type']} T
 * @typedef {Omit<RequestOf<T>, 'type' | 'id'>} Settings
 */
/**
 * @template {DoneResult['kind']} K
 * @typedef {import('./protocol').ResultOf<K>} ResultOf
 */

/**
 * @typedef {object} Pending A request that the worker has not answered yet.
 * @property {Request['type']} type
 * @property {boolean} superseded Nobody listens any more; only its end is waited for.
 * @property {(result: any) => void} resolve
 * @property {(error: EngineError) => void} reject
 * @property {((progress: Progress) => void) | undefined} [onProgress]
 * @property {((event: TranslateEvent) => void) | undefined} [onEvent]
 * @property {((trace: Observation) => void) | undefined} [onTrace]
 * @property {((measurement: Measurement) => void) | undefined} [onMeasured]
 */

/**
 * @typedef {object} TranslateSettings
 * @property {SearchOptions} [options]
 * @property {import('./protocol').Observe} [observe]
 * @property {(event: TranslateEvent) => void} [onEvent]
 * @property {(trace: Observation) => void} [onTrace]
 */

/**
 * An engine in a worker. Every method returns a promise that always settles; rejections are `EngineError`s with a
 * `code`. If the engine crashes, everything pending is rejected, and the next request starts a new worker and loads
 * the last model again, from the cache.
 */
export class Translator {
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Map<number, Pending>} */
  #pending = new Map();
  #lastId = 0;
  /** The model that a new worker must load first; null before the first `load` succeeded. */
  /** @type {string | null} */
  #model = null;

  /**
   * Fetches a model folder and makes it the current model. A newer `load` supersedes an older one.
   * @param {string | URL} model Address of the folder, relative to the page.
   * @param {(progress: Progress) => void} [onProgress]
   * @param {{ files?: File[], quantize?: boolean }} [options] `files`: the folder's, from this device, kept under that
   *   address; `quantize`: store its matrices as 8-bit integers.
   * @returns {Promise<ResultOf<'loaded'> | ResultOf<'cancelled'>>}
   */
  async load(model, onProgress, { files, quantize } = {}) {
    const url = new URL(model, document.baseURI).href;
    /** @type {ResultOf<'loaded'> | ResultOf<'cancelled'>} */
    const result = await this.#ask({ type: 'load', id: this.#nextId(), model: url, files, quantize }, { onProgress });
    if (result.kind === 'loaded') this.#model = result.address;
    return result;
  }

  /**
   * Translates a document. A newer call supersedes this one: its callbacks fall silent at once and it resolves
   * as cancelled.
   * @param {string} text
   * @param {TranslateSettings} [settings]
   * @returns {Promise<ResultOf<'translated'> | ResultOf<'cancelled'>>}
   */
  translate(text, { options, observe, onEvent, onTrace } = {}) {
    this.#supersede('translate');
    const id = this.#nextId();
    return this.#ask({ type: 'translate', id, text, options, observe }, { onEvent, onTrace });
  }

  /**
   * Observes one sentence under a given target, all steps at once, as in training.
   * @param {string} source
   * @param {number[] | string} target
   * @param {TraceRequest} request
   * @param {number} [alternatives] How many for every step.
   * @param {import('./protocol').Intervention} [intervention]
   * @returns {Promise<import('./protocol').Scored & { observed: Observation }>}
   */
  async score(source, target, request, alternatives = 0, intervention) {
    /** @type {Observation | undefined} */
    let observed;
    /** @type {ResultOf<'scored'>} */
    const { kind: _, ...scored } = await this.#ask(
      { type: 'score', id: this.#nextId(), source, target, request, alternatives, intervention },
      { onTrace: (trace) => (observed = trace) },
    );
    if (!observed) throw new EngineError('EngineCrashed', 'The engine scored a sentence without its trace.');
    return { ...scored, observed };
  }

  /**
   * Translates one sentence beside the document: from another beginning, under an intervention, or to watch its
   * search. A newer call supersedes this one, a `translate` does not.
   * @param {Settings<'steer'>} settings
   * @param {Pick<TranslateSettings, 'onEvent' | 'onTrace'>} [listeners]
   * @returns {Promise<ResultOf<'steered'> | ResultOf<'cancelled'>>}
   */
  steer(settings, { onEvent, onTrace } = {}) {
    this.#supersede('steer');
    return this.#ask({ type: 'steer', id: this.#nextId(), ...settings }, { onEvent, onTrace });
  }

  /**
   * Sums up observed blocks: words, means, special pieces hidden.
   * @param {Settings<'view'>} settings
   * @returns {Promise<import('./protocol').TraceView>}
   */
  async view(settings) {
    /** @type {ResultOf<'view'>} */
    const { view } = await this.#ask({ type: 'view', id: this.#nextId(), ...settings });
    return view;
  }

  /**
   * Every step of the arithmetic behind one attention weight.
   * @param {Settings<'arithmetic'>} settings
   * @returns {Promise<import('./protocol').Arithmetic>}
   */
  async arithmetic(settings) {
    /** @type {ResultOf<'arithmetic'>} */
    const { arithmetic } = await this.#ask({ type: 'arithmetic', id: this.#nextId(), ...settings });
    return arithmetic;
  }

  /**
   * The paper's footnote 4 on random vectors.
   * @param {Settings<'randomProducts'>} settings
   * @returns {Promise<import('./protocol').RandomProducts[]>}
   */
  async randomProducts(settings) {
    /** @type {ResultOf<'randomProducts'>} */
    const { rows } = await this.#ask({ type: 'randomProducts', id: this.#nextId(), ...settings });
    return rows;
  }

  /**
   * Positional encodings of the first `length` positions, at the current model's width.
   * @param {number} length
   * @returns {Promise<ResultOf<'positions'>>}
   */
  positions(length) {
    return this.#ask({ type: 'positions', id: this.#nextId(), length });
  }

  /**
   * What the positional-encoding lab shows of one position and one offset.
   * @param {Settings<'positionsLab'>} settings
   * @returns {Promise<ResultOf<'positionsLab'>>}
   */
  positionsLab(settings) {
    return this.#ask({ type: 'positionsLab', id: this.#nextId(), ...settings });
  }

  /**
   * The embedding and the position of a piece, and their sum.
   * @param {Settings<'embedding'>} settings
   * @returns {Promise<ResultOf<'embedding'>>}
   */
  embedding(settings) {
    return this.#ask({ type: 'embedding', id: this.#nextId(), ...settings });
  }

  /**
   * Table 1 for sequence length n, width d, neighbourhood r and kernel k.
   * @param {Settings<'complexity'>} settings
   * @returns {Promise<ResultOf<'complexity'>>}
   */
  complexity(settings) {
    return this.#ask({ type: 'complexity', id: this.#nextId(), ...settings });
  }

  /**
   * Measures self-attention at these lengths, one after the other. A newer call supersedes this one.
   * @param {number[]} lengths
   * @param {(measurement: Measurement) => void} [onMeasured]
   * @returns {Promise<ResultOf<'measured'> | ResultOf<'cancelled'>>}
   */
  measure(lengths, onMeasured) {
    this.#supersede('measure');
    return this.#ask({ type: 'measure', id: this.#nextId(), lengths }, { onMeasured });
  }

  /**
   * Ends whatever is being loaded or translated, or the requests of one type; those promises resolve as cancelled.
   * @param {'load' | 'translate' | 'steer' | 'measure'} [only]
   */
  cancel(only) {
    for (const [id, { type }] of this.#pending) {
      if (only ? type !== only : type !== 'load' && type !== 'translate') continue;
      this.#supersede(type);
      this.#worker?.postMessage({ type: 'cancel', id });
    }
  }

  /**
   * Nobody listens to the requests of this type any more.
   * @param {Request['type']} type
   */
  #supersede(type) {
    for (const pending of this.#pending.values()) if (pending.type === type) pending.superseded = true;
  }

  #nextId() {
    return ++this.#lastId;
  }

  /**
   * @param {Request} request
   * @param {Pick<Pending, 'onProgress' | 'onEvent' | 'onTrace' | 'onMeasured'>} [listeners]
   * @returns {Promise<any>}
   */
  #ask(request, listeners = {}) {
    return new Promise((resolve, reject) => {
      const worker = this.#worker ?? this.#start(request.type !== 'load');
      this.#pending.set(request.id, { type: request.type, superseded: false, resolve, reject, ...listeners });
      worker.postMessage(request);
    });
  }

  /**
   * @param {boolean} restoreModel Whether the request at hand needs the model that a crashed worker had.
   * @returns {Worker}
   */
  #start(restoreModel) {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'translucent' });
    this.#worker = worker;
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onmessageerror = () => {
      this.#drop(new EngineError('EngineCrashed', 'A message of the engine could not be read.'));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      // Without a message it is the script itself that could not be fetched.
      this.#drop(
        event.message
          ? new EngineError('EngineCrashed', `The engine stopped: ${event.message}. It starts afresh with the next request.`)
          : new EngineError('EngineUnavailable', 'worker.js or a module of it could not be fetched. Try again.'),
      );
    };
    if (restoreModel && this.#model) {
      const id = this.#nextId();
      const ignore = () => {};
      this.#pending.set(id, { type: 'load', superseded: true, resolve: ignore, reject: ignore });
      worker.postMessage({ type: 'load', id, model: this.#model });
    }
    return worker;
  }

  /** @param {Answer} answer */
  #receive(answer) {
    const pending = this.#pending.get(answer.id);
    if (!pending) return;
    switch (answer.type) {
      case 'progress':
        if (!pending.superseded) pending.onProgress?.(answer);
        break;
      case 'event':
        if (!pending.superseded) pending.onEvent?.(answer.event);
        break;
      case 'trace':
        if (!pending.superseded) pending.onTrace?.(answer);
        break;
      case 'measured':
        if (!pending.superseded) pending.onMeasured?.(answer.measurement);
        break;
      case 'done':
        this.#pending.delete(answer.id);
        if (answer.observed && !pending.superseded) pending.onTrace?.(answer.observed);
        // Done before it heard that it was superseded; a model that was loaded all the same is loaded.
        pending.resolve(pending.superseded && pending.type !== 'load' ? { kind: 'cancelled' } : answer.result);
        break;
      case 'error': {
        const error = new EngineError(answer.code, answer.message);
        this.#pending.delete(answer.id);
        pending.reject(error);
        // After a trap the instance's memory cannot be trusted.
        if (answer.code === 'EngineCrashed') this.#drop(error);
        break;
      }
    }
  }

  /**
   * Ends the worker and rejects what it still owed.
   * @param {EngineError} error
   */
  #drop(error) {
    this.#worker?.terminate();
    this.#worker = null;
    const owed = [...this.#pending.values()];
    this.#pending.clear();
    for (const pending of owed) pending.reject(error);
  }
}
