// The module worker that owns the engine: it answers the calls of `protocol.d.ts`, one computation at a time, in slices
// short enough that a newer call is heard at once.

import * as core from '../pkg/translucent.js';
import { checkArguments } from './arguments.js';
import { EngineError } from './error.js';
import { fetchBuild, probe } from './build.js';
import { loadModel } from './load.js';
import { frontOf, openForWriting, write } from './models/image.js';
import { ObservedBlocks } from './observed.js';
import { post, postDocumentEvents, postWithBuffers, turn } from './post.js';
import { TaskQueue } from './queue.js';

/**
 * @typedef {import('./protocol').Methods} Methods
 * @typedef {import('./protocol').Call} Call
 * @typedef {import('./protocol').Notice} Notice
 * @typedef {import('./protocol').Observation} Observation
 * @typedef {import('./build.js').Engine} Engine
 * @typedef {import('../pkg/translucent.js').Translator} Core
 * @typedef {import('../pkg/translucent.js').Job} Job
 * @typedef {import('../pkg/translucent.js').JobEvent} JobEvent
 */
/** @typedef {import('./arguments.js').QueuedMethod} QueuedMethod */

/** Version of the engine, which `cargo xtask` writes here and into `translator.js`; empty in the source tree. */
const VERSION = '';
/** The version of the page that started this worker; another one is not served. */
const WANTED = self.name.split(' ')[1] ?? '';

/** Milliseconds of computation between two turns of the message queue: half of the 16 ms within which a message must take effect. */
const SLICE_MS = 8;
/** Growing traces are sent no more often than this, and take no more than this part of the time. */
const TRACE_EVERY_MS = 50;
const TRACE_SHARE = 0.05;
/** What the engine translates once after loading, so that its hot code is compiled when the reader types. */
const WARM_UP = 'The quick brown fox jumps over the lazy dog.';
/** Order of work: single computations, documents, what runs beside them, warming up, what is for the next visit. */
const LANES = { single: 0, document: 1, beside: 2, warmUp: 3, store: 4 };

/** @type {Promise<Engine> | null} */
let starting = null;
/** The engine, once it has started. @type {Engine | null} */
let engine = null;
/** Whether the engine has done anything: its memory may then hold the reader's text, which is not stored. */
let isFresh = true;
/** Whether its memory is about to be replaced by that of an earlier visit. */
let isRestoring = false;
/** Loaded models by the id of their `load`; the last one is the current one. @type {Map<number, Core>} */
const models = new Map();
/** Ids of models that no further request is for; each is freed when its last task has ended. @type {Set<number>} */
const released = new Set();
/** The model on its way. @type {{ id: number, abort: AbortController } | null} */
let loading = null;
const blocks = new ObservedBlocks();
/** What was reported of the last document, and the model that it was translated by. @type {{ core: Core, what: import('../pkg/translucent.js').Reported } | null} */
let reported = null;
const queue = new TaskQueue(turn, freeReleased);

/**
 * How a call is answered.
 * @template {QueuedMethod} M
 * @typedef {object} Handler
 * @property {keyof typeof LANES} lane
 * @property {boolean} [withoutModel] It needs the engine alone.
 * @property {(context: Context<M>) => Generator<void, Outcome<M>, void>} run
 */
/**
 * @template {QueuedMethod} M
 * @typedef {object} Context
 * @property {number} id
 * @property {Methods[M]['args']} args
 * @property {number} start Time of the call's arrival.
 * @property {() => Core} core The model that it is for.
 * @property {() => Engine} api
 */
/**
 * @template {QueuedMethod} M
 * @typedef {{ result: Methods[M]['result'], events?: import('./protocol').DocumentEvent[], observed?: Observation | undefined }} Outcome
 */
/**
 * A handler of one computation without slices.
 * @template {QueuedMethod} M
 * @param {(core: Core, args: Methods[M]['args']) => Outcome<M>} compute
 * @returns {Handler<M>}
 */
const single = (compute) => ({
  lane: 'single',
  *run({ args, core }) {
    return compute(core(), args);
  },
});

/** @type {{ [M in QueuedMethod]: Handler<M> }} */
const HANDLERS = {
  translate: { lane: 'document', run: translate },
  translateSentence: { lane: 'beside', run: translateSentence },
  score: single((core, { source, target, request, alternatives, intervention }) => {
    const { observed, ...result } = core.score(source, target, request ?? {}, alternatives ?? 0, intervention);
    return { result, observed };
  }),
  viewTrace: { lane: 'single', withoutModel: true, run: viewTrace },
  arithmetic: single((core, { source, target, cell, intervention }) => ({
    result: core.arithmetic(source, Uint32Array.from(target), cell, intervention),
  })),
  detectLanguage: {
    lane: 'single',
    withoutModel: true,
    *run({ args: { text }, api }) {
      return { result: { language: api().detectLanguage(text) ?? null } };
    },
  },
  randomProducts: { lane: 'beside', withoutModel: true, run: randomProducts },
  positions: single((core, { length }) => ({ result: core.positions(length) })),
  positionsLab: single((core, { length, position, offset }) => ({ result: core.positionsLab(length, position, offset) })),
  embedding: single((core, { side, piece, position }) => ({ result: core.embedding(side === 'source', piece, position) })),
  complexity: { lane: 'single', withoutModel: true, run: complexity },
  measure: { lane: 'beside', run: measure },
};

self.onmessage = (/** @type {MessageEvent<Call | Notice>} */ { data }) => {
  if (data.method === 'list') post({ type: 'listed', last: data.last, ids: [...queue.ids, ...(loading ? [loading.id] : [])] });
  else if (data.method === 'cancel') cancel(data.id);
  else if (data.method === 'release') release(data.id);
  else if (data.method === 'load') load(data).catch((thrown) => fail(data.id, thrown));
  else if (Object.hasOwn(HANDLERS, data.method)) enqueue(data);
  else fail(/** @type {any} */ (data).id, new EngineError('RequestInvalid', `method: there is no ${JSON.stringify(/** @type {any} */ (data).method)}`));
};

// For tools that look into the worker: the engine's module, of which there is one instance.
Object.assign(self, { translucent: core });

// Which request it was is lost with it: an error of the worker ends all.
self.onmessageerror = () => {
  throw new Error('a request could not be read');
};

/** @param {Extract<Call, { method: QueuedMethod }>} call */
function enqueue({ id, method, args, model = 0 }) {
  const { lane, withoutModel, run } = /** @type {Handler<any>} */ (HANDLERS[method]);
  const context = { id, args, start: performance.now(), core: () => modelOf(model), api: () => /** @type {Engine} */ (engine) };
  queue.add({
    id,
    method,
    lane: LANES[lane],
    model,
    isReady: () => (withoutModel ? engine !== null && !isRestoring : models.size > 0 || !loading),
    *run() {
      checkArguments(method, args);
      isFresh = false;
      const { result, events, observed } = yield* run(context);
      const numbers = observed && { observed, blocks: blocks.keep(observed.trace) };
      postWithBuffers({ type: 'done', id, result, ...(events && { events }), ...numbers }, [result, observed?.trace]);
    },
    fail: (thrown) => fail(id, thrown),
  });
  if (!withoutModel || engine) return;
  startEngine().catch((error) => {
    queue.remove((task) => task.id === id);
    fail(id, error);
  });
}

/**
 * @param {number} id
 * @param {unknown} thrown
 */
function fail(id, thrown) {
  const { code, message } = EngineError.from(thrown);
  try {
    post({ type: 'error', id, code, message });
  } catch (error) {
    // Where no answer can be sent, an error of the worker ends what is pending.
    self.reportError(error);
  }
}

/**
 * The model that a call is for; a call made before any was there takes the current one.
 * @param {number} id
 * @returns {Core}
 */
function modelOf(id) {
  const core = models.get(id) ?? [...models.values()].at(-1);
  if (!core) throw new EngineError('ModelMissing', 'No model is loaded: load one first.');
  return core;
}

/** @param {number} id */
function cancel(id) {
  if (loading?.id === id) loading.abort.abort();
  queue.remove((task) => task.id === id);
}

/** @param {number} id */
function release(id) {
  released.add(id);
  freeReleased();
}

function freeReleased() {
  for (const id of released) {
    if (queue.some((task) => task.model === id)) continue;
    const core = models.get(id);
    if (reported?.core === core) forgetReported();
    core?.free();
    models.delete(id);
    released.delete(id);
  }
}

/** @param {Extract<Call, { method: 'load' }>} call */
async function load({ id, args }) {
  const start = performance.now();
  loading?.abort.abort();
  const abort = new AbortController();
  const own = (loading = { id, abort });
  try {
    const { core, loaded, image } = await loadModel(args, {
      signal: abort.signal,
      startEngine,
      onStage: (stage, loaded, total) => post({ type: 'progress', id, stage, loaded, total }),
      build: VERSION && `${VERSION} ${probe()}`,
      isFresh: () => isFresh && own === loading,
      onRestore(restores) {
        isRestoring = restores;
        queue.wake();
      },
    });
    isFresh = false;
    models.set(id, core);
    post({ type: 'done', id, result: { kind: 'loaded', ...loaded, totalMs: performance.now() - start } });
    queue.add({ id, method: 'warmUp', lane: LANES.warmUp, model: id, isReady: () => true, run: () => warmUp(core), fail: (thrown) => fail(id, thrown) });
    if (image) storeImage(image);
  } catch (error) {
    // A load that was cancelled is not answered.
    if (!abort.signal.aborted) throw error;
  } finally {
    if (loading === own) loading = null;
    queue.wake();
  }
}

/**
 * Stores the image of a model for the next visit, while there is no other request.
 * @param {NonNullable<import('./load.js').LoadedModel['image']>} image
 */
async function storeImage({ about, model, captured }) {
  const wasm = await fetchBuild(/** @type {import('./build.js').Flavour} */ (probe()), VERSION)
    .then((response) => (response.ok ? response.arrayBuffer() : null))
    .catch(() => null);
  if (!wasm) return;
  const front = await frontOf(about, model, new Uint8Array(wasm), captured);
  const file = await openForWriting(about);
  if (!file) return;
  queue.add({ id: 0, method: 'storeImage', lane: LANES.store, model: 0, isReady: () => true, run: () => write(file, front, captured), fail: () => {} });
}

/**
 * Starts the engine once; after a failure the next call tries again.
 * @param {WebAssembly.Module | null} [compiled] Its WebAssembly, where that is at hand: it is fetched otherwise.
 */
function startEngine(compiled) {
  starting ??= (async () => {
    if (WANTED !== VERSION) {
      throw new EngineError('VersionChanged', 'This page is of another version than the engine on its server. Reload the page.');
    }
    const flavour = probe();
    if (!flavour) {
      throw new EngineError(
        'SimdMissing',
        'This browser has no WebAssembly SIMD, which the engine needs: use a current Chrome, Firefox, Safari or Edge.',
      );
    }
    try {
      if (compiled) core.initSync({ module: compiled });
      // The module around the WebAssembly is the same for both builds: bundlers and caches see one plain import.
      else await core.default({ module_or_path: fetchBuild(flavour, VERSION) });
      engine = core;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new EngineError('EngineUnavailable', `The engine could not be started: ${why}. Try again.`);
    }
    queue.wake();
    return engine;
  })().catch((error) => {
    starting = null;
    throw error;
  });
  return starting;
}

/**
 * A first translation without an answer; it ends when a call arrives.
 * @param {Core} core
 */
function* warmUp(core) {
  const job = core.begin(WARM_UP, { beam: 1, maxExtra: 8 });
  try {
    while (!queue.some(({ lane }) => lane < LANES.warmUp) && !job.isDone()) {
      job.step();
      yield;
    }
  } finally {
    job.free();
  }
}

/**
 * @param {Context<'translate'>} context
 * @returns {Generator<void, Outcome<'translate'>, void>}
 */
function* translate({ id, args: { text, search, observe, terms }, start, core }) {
  const model = core();
  const job = model.begin(text, search, observe, terms);
  if (reported?.core === model) job.follow(reported.what);
  let failed = false;
  try {
    let firstTokenMs = 0;
    // Most sentences are done before a growing trace would be due.
    let nextTrace = performance.now() + TRACE_EVERY_MS;
    for (;;) {
      const events = job.step(SLICE_MS);
      const now = performance.now();
      if (!firstTokenMs && events.some(({ kind }) => kind !== 'sentences')) firstTokenMs = now - start;
      const end = events.at(-1);
      const last = postDocumentEvents(
        id,
        events.filter((event) => event.kind !== 'translated'),
        end?.kind === 'translated',
      );
      if (end?.kind === 'translated') {
        return { result: { ...end, firstTokenMs, totalMs: now - start }, events: last, observed: observe && job.trace() };
      }
      if (observe && now >= nextTrace) {
        postTrace(id, job);
        nextTrace = now + Math.max(TRACE_EVERY_MS, (performance.now() - now) / TRACE_SHARE);
      }
      yield;
    }
  } catch (error) {
    failed = true;
    throw error;
  } finally {
    // Events of a step that failed were not sent: what the page knows is not certain then.
    if (failed) forgetReported();
    else rememberReported(model, job);
    job.free();
  }
}

/**
 * Keeps what a job has reported, for the job that follows it.
 * @param {Core} core
 * @param {Job} job
 */
function rememberReported(core, job) {
  const what = job.reported();
  if (!what) return;
  forgetReported();
  reported = { core, what };
}

function forgetReported() {
  reported?.what.free();
  reported = null;
}

/**
 * @param {Context<'translateSentence'>} context
 * @returns {Generator<void, Outcome<'translateSentence'>, void>}
 */
function* translateSentence({ id, args: { source, search, request, alternatives, terms, tree, compare }, start, core }) {
  const observe = request || tree ? { sentence: 0, request: request ?? {}, alternatives, tree } : undefined;
  const job = core().beginSentence(source, search, observe, terms);
  try {
    for (;;) {
      for (const event of job.step(SLICE_MS)) {
        if (event.kind !== 'sentence') {
          if (event.kind !== 'translated' && event.kind !== 'changed') post({ type: 'event', id, event });
          continue;
        }
        // The job's last step only ends it: what it observed is known with the sentence.
        const { nBest } = event;
        const comparison = compare && { comparison: core().compare(source, Uint32Array.from(compare), search?.intervention) };
        const totalMs = performance.now() - start;
        return { result: { ...nBest[0], kind: 'translated', nBest, ...comparison, totalMs }, observed: request && job.trace() };
      }
      yield;
    }
  } finally {
    job.free();
  }
}

/**
 * @param {number} id
 * @param {Job} job
 */
function postTrace(id, job) {
  const observed = job.trace();
  if (observed) postWithBuffers({ type: 'trace', id, ...observed, blocks: blocks.keep(observed.trace) }, observed.trace);
}

/**
 * @param {Context<'viewTrace'>} context
 * @returns {Generator<void, Outcome<'viewTrace'>, void>}
 */
function* viewTrace({ args: { trace, source, target, options }, api }) {
  const tensors = Object.entries(trace).map(([name, block]) => [name, typeof block === 'number' ? blocks.get(block) : block]);
  const lost = tensors.some(([name, block]) => block === undefined && typeof trace[/** @type {keyof typeof trace} */ (name)] === 'number');
  return { result: lost ? null : api().viewTrace(Object.fromEntries(tensors), source, target, options) };
}

/**
 * @param {Context<'randomProducts'>} context
 * @returns {Generator<void, Outcome<'randomProducts'>, void>}
 */
function* randomProducts({ args: { dK, samples, seed }, api }) {
  const rows = [];
  for (const width of dK) {
    rows.push(api().randomProducts(width, samples ?? 2000, seed ?? 0));
    yield;
  }
  return { result: rows };
}

/**
 * @param {Context<'complexity'>} context
 * @returns {Generator<void, Outcome<'complexity'>, void>}
 */
function* complexity({ args: { n, d, r, k, curves, paths }, api }) {
  return {
    result: {
      rows: api().complexity(n, d, r, k),
      ...(curves && { curves: api().complexityCurves(n, d, r, k, curves) }),
      ...(paths && { paths: api().pathGraphs(r, k, paths) }),
    },
  };
}

/**
 * @param {Context<'measure'>} context
 * @returns {Generator<void, Outcome<'measure'>, void>}
 */
function* measure({ id, args: { lengths }, core }) {
  const measurements = [];
  for (const n of lengths) {
    const measurement = core().measure(n);
    try {
      let measured;
      while (!(measured = measurement.step())) yield;
      measurements.push(measured);
      post({ type: 'event', id, event: measured });
    } finally {
      measurement.free();
    }
  }
  return { result: { kind: 'measured', measurements } };
}
