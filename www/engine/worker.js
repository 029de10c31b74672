// The module worker that owns the engine: it answers the requests of `protocol.d.ts`, one computation at a time,
// in slices short enough that a newer request is heard at once.

import { EngineError } from './error.js';
import { probe, startBuild } from './build.js';
import { ModelFolder } from './models/folder.js';
import { isLocal, keepFolder, localUrl, tooLarge } from './models/store.js';

/**
 * @typedef {import('./protocol').Request} Request
 * @typedef {import('./protocol').Answer} Answer
 * @typedef {import('./protocol').DoneResult} DoneResult
 * @typedef {import('./build.js').Engine} Engine
 * @typedef {import('../pkg/translucent.js').Translator} Core
 * @typedef {import('../pkg/translucent.js').Job} Job
 * @typedef {import('../pkg/translucent.js').JobEvent} JobEvent
 */
/**
 * @template {Request['type']} T
 * @typedef {import('./protocol').RequestOf<T>} RequestOf
 */

/** Computation goes on for so long before it lets messages in: half of the 16 ms within which one must count. */
const SLICE_MS = 8;
/** Growing traces are sent no more often than this, and take no more than this part of the time. */
const TRACE_EVERY_MS = 50;
const TRACE_SHARE = 0.05;
/** What the engine translates once after loading, so that its hot code is compiled when the reader types. */
const WARM_UP = 'The quick brown fox jumps over the lazy dog.';

/** @type {Promise<Engine> | null} */
let engine = null;
/** @type {Core | null} */
let translator = null;
/**
 * The model on its way; `settled` never rejects.
 * @type {{ id: number, abort: AbortController, settled: Promise<void> } | null}
 */
let loading = null;
/** Id of the translation that may go on; every other one that still runs ends as cancelled. */
let current = 0;
/** Id of the `steer` that may go on. */
let steering = 0;
/** Id of the `measure` that may go on. */
let measuring = 0;
/** Translations that run: whatever is done beside the document waits for them. */
let translating = 0;
/** Ids of running requests that were cancelled. @type {Set<number>} */
const cancelled = new Set();

self.onmessage = (/** @type {MessageEvent<Request>} */ { data }) => {
  // A rejected promise never reaches the page's `onerror`: every failure is posted.
  answer(data).catch((thrown) => {
    const { code, message } = EngineError.from(thrown);
    post({ type: 'error', id: data.id, code, message });
  });
};

/** @param {Request} request */
async function answer(request) {
  switch (request.type) {
    case 'load':
      return load(request);
    case 'translate':
      return translate(request);
    case 'score':
      return score(request);
    case 'steer':
      return steer(request);
    case 'arithmetic':
      return arithmetic(request);
    case 'randomProducts':
      return randomProducts(request);
    case 'view':
      return view(request);
    case 'positions':
      return positions(request);
    case 'positionsLab':
      return positionsLab(request);
    case 'embedding':
      return embedding(request);
    case 'measure':
      return measure(request);
    case 'complexity':
      return complexity(request);
    case 'cancel':
      return cancel(request);
    default:
      throw new EngineError('RequestInvalid', `type: there is no request ${JSON.stringify(request)}`);
  }
}

/** @param {RequestOf<'load'>} request */
async function load({ id, model: address, files: given, quantize }) {
  const start = performance.now();
  loading?.abort.abort();
  const abort = new AbortController();
  /** @type {() => void} */
  let settle = () => {};
  const ours = { id, abort, settled: new Promise((/** @type {(value: void) => void} */ resolve) => (settle = resolve)) };
  loading = ours;
  try {
    const stage = progress(id);
    stage('engine', 0, 1);
    let folder = new ModelFolder(address);
    const loadingEngine = startEngine();
    // The weights need no engine to arrive; its failure is told when it is waited for.
    loadingEngine.catch(() => {});
    const onProgress = (/** @type {number} */ loaded, /** @type {number} */ total) => stage('weights', loaded, total);
    let files = await (given ? read(given, abort.signal, onProgress) : folder.fetch({ signal: abort.signal, onProgress }));
    const api = await loadingEngine;
    abort.signal.throwIfAborted();
    stage('prepare', 0, 1);
    await nextTask();
    abort.signal.throwIfAborted();
    /** @type {Core} */
    let loaded;
    try {
      if (quantize) files = quantized(api, files);
      loaded = api.Translator.load(files);
    } catch (error) {
      // Whatever the core refuses must not come back from the cache at the next attempt.
      if (!given) await folder.evict();
      throw error;
    }
    translator?.free();
    translator = loaded;
    if (given || quantize) {
      const fetched = folder;
      const suffix = quantize && !folder.names.name.endsWith(' int8') ? ' int8' : '';
      folder = new ModelFolder(localUrl(folder.names.name + suffix));
      // Of what was fetched only to be quantised, no second copy is kept.
      if ((await keepFolder(folder.url.href, files)) && !given && !isLocal(fetched.url)) await fetched.evict();
      folder.downloaded = fetched.downloaded;
    }
    stage('ready', 1, 1);
    const totalMs = performance.now() - start;
    /** @type {import('./protocol').ModelInfo} */
    const model = { ...folder.names, ...translator.info(), flavour: api.simdLevel(), ...described(files) };
    done(id, { kind: 'loaded', model, address: folder.url.href, totalMs, downloaded: folder.downloaded });
  } catch (error) {
    if (!abort.signal.aborted) throw error;
    done(id, { kind: 'cancelled' });
    return;
  } finally {
    settle();
    if (loading === ours) loading = null;
  }
  await warmUp();
}

/**
 * The content of files from this device, by name.
 * @param {File[]} given
 * @param {AbortSignal} signal
 * @param {(loaded: number, total: number) => void} report
 */
async function read(given, signal, report) {
  const total = given.reduce((sum, file) => sum + file.size, 0);
  /** @type {Map<string, Uint8Array>} */
  const files = new Map();
  let loaded = 0;
  for (const file of given) {
    const refused = tooLarge(file.name, file.size);
    if (refused) throw new EngineError('ModelFormat', refused);
    try {
      files.set(file.name, new Uint8Array(await file.arrayBuffer()));
    } catch (error) {
      throw new EngineError('Io', `${file.name} could not be read: ${error instanceof Error ? error.message : error}`);
    }
    signal.throwIfAborted();
    report((loaded += file.size), total);
  }
  return files;
}

/**
 * A folder's files with 8-bit matrices.
 * @param {Engine} api
 * @param {Map<string, Uint8Array>} files
 */
function quantized(api, files) {
  const weights = /\.(safetensors|bin|index\.json)$/;
  const kept = [...files].filter(([name]) => !weights.test(name) || name === 'probes.bin');
  return new Map([...kept, ...api.quantizeFolder(files)]);
}

/** Imports and starts the engine once; a failure is forgotten, so that the next `load` tries again. */
function startEngine() {
  engine ??= (async () => {
    const flavour = probe();
    if (!flavour) {
      throw new EngineError(
        'SimdMissing',
        'This browser has no WebAssembly SIMD, which the engine needs: use a current Chrome, Firefox, Safari or Edge.',
      );
    }
    try {
      return await startBuild(flavour);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new EngineError('EngineUnavailable', `The engine could not be started: ${why}. Try again.`);
    }
  })().catch((error) => {
    engine = null;
    throw error;
  });
  return engine;
}

/**
 * What a folder's files say beside the model itself.
 * @param {Map<string, Uint8Array>} files
 */
function described(files) {
  const json = (/** @type {string} */ name) => {
    const bytes = files.get(name);
    try {
      return bytes && { [name.replace('.json', '')]: JSON.parse(new TextDecoder().decode(bytes)) };
    } catch {
      // A damaged description must not keep a good model from working: the page then shows none.
      return {};
    }
  };
  const bytes = [...files.values()].reduce((sum, file) => sum + file.length, 0);
  const card = files.get('README.md');
  const probes = files.get('probes.bin');
  return {
    bytes,
    ...json('heads.json'),
    ...json('training.json'),
    ...(probes && { probes }),
    ...(card && { card: new TextDecoder().decode(card) }),
  };
}

/** A first translation that nobody sees; it gives way to any real one. */
async function warmUp() {
  if (!translator || current !== 0) return;
  const job = translator.begin(WARM_UP, { beam: 1, maxExtra: 8 });
  try {
    while (current === 0 && !job.isDone()) {
      job.step();
      await nextTask();
    }
  } finally {
    job.free();
  }
}

/** @param {RequestOf<'translate'>} request */
async function translate({ id, text, options, observe }) {
  const start = performance.now();
  current = id;
  const core = await ready();
  if (stopped(id)) return done(id, { kind: 'cancelled' });
  const job = core.begin(text, options, observe);
  translating++;
  try {
    let firstTokenMs = 0;
    // Most sentences are done before a growing trace would be due.
    let nextTrace = start + TRACE_EVERY_MS;
    for (;;) {
      const events = slice(job);
      const now = performance.now();
      if (!firstTokenMs && events.some(({ kind }) => kind !== 'sentences')) firstTokenMs = now - start;
      const last = events.at(-1);
      const end = last?.kind === 'translated' ? last : null;
      for (const event of events) {
        if (event.kind !== 'translated') post({ type: 'event', id, event });
      }
      if (end) return done(id, { ...end, firstTokenMs, totalMs: now - start }, observe && job.trace());
      if (observe && now >= nextTrace) {
        sendTrace(id, job);
        nextTrace = now + Math.max(TRACE_EVERY_MS, (performance.now() - now) / TRACE_SHARE);
      }
      await nextTask();
      if (stopped(id)) return done(id, { kind: 'cancelled' });
    }
  } finally {
    translating--;
    job.free();
  }
}

/** @param {RequestOf<'steer'>} request */
async function steer({ id, source, options, request, alternatives, tree, compare }) {
  const start = performance.now();
  steering = id;
  const core = await ready();
  const observe = request || tree ? { sentence: 0, request: request ?? {}, alternatives, tree } : undefined;
  /** @type {Job | undefined} */
  let job;
  try {
    for (;;) {
      await turn();
      if (steering !== id || cancelled.delete(id)) return done(id, { kind: 'cancelled' });
      job ??= core.beginSentence(source, options, observe);
      for (const event of slice(job)) {
        if (event.kind !== 'sentence') {
          if (event.kind !== 'translated') post({ type: 'event', id, event });
          continue;
        }
        // The job's last step only ends it: what it observed is known with the sentence.
        const { nBest } = event;
        const comparison = compare && { comparison: core.compare(source, Uint32Array.from(compare), options?.intervention) };
        const result = /** @type {const} */ ({ kind: 'steered', ...nBest[0], nBest, ...comparison, totalMs: performance.now() - start });
        return done(id, result, request && job.trace());
      }
    }
  } finally {
    job?.free();
  }
}

/**
 * Steps a job until another step would pass the slice's end. Of the partial states of one sentence only the last
 * is worth sending.
 * @param {Job} job
 * @returns {JobEvent[]}
 */
function slice(job) {
  const start = performance.now();
  let before = start;
  let now = start;
  /** @type {JobEvent[]} */
  const events = [];
  do {
    before = now;
    for (const event of job.step()) {
      const last = events.at(-1);
      if (event.kind === 'partial' && last?.kind === 'partial' && last.sentence === event.sentence) events.pop();
      events.push(event);
    }
    now = performance.now();
    // The next step will take about as long as this one did.
  } while (!job.isDone() && now + (now - before) < start + SLICE_MS);
  return events;
}

/**
 * @param {number} id
 * @param {Job} job
 */
function sendTrace(id, job) {
  const observed = job.trace();
  if (observed) postWithBuffers({ type: 'trace', id, ...observed }, observed.trace);
}

/** @param {RequestOf<'score'>} request */
async function score({ id, source, target, request, alternatives, intervention }) {
  const core = await ready();
  const { observed, ...scored } = core.score(source, target, request, alternatives ?? 0, intervention);
  done(id, { kind: 'scored', ...scored }, observed);
}

/** @param {RequestOf<'arithmetic'>} request */
async function arithmetic({ id, source, target, cell, intervention }) {
  const core = await ready();
  const steps = core.arithmetic(source, Uint32Array.from(target), cell, intervention);
  postWithBuffers({ type: 'done', id, result: { kind: 'arithmetic', arithmetic: steps } });
}

/** @param {RequestOf<'randomProducts'>} request */
async function randomProducts({ id, dK, samples, seed }) {
  const api = await startEngine();
  const rows = [];
  for (const width of dK) {
    await turn();
    rows.push(api.randomProducts(width, samples ?? 2000, seed ?? 0));
  }
  done(id, { kind: 'randomProducts', rows });
}

/** @param {RequestOf<'view'>} request */
async function view({ id, trace, source, target, options }) {
  const api = await startEngine();
  const result = { kind: /** @type {const} */ ('view'), view: api.viewTrace(trace, source, target, options) };
  postWithBuffers({ type: 'done', id, result });
}

/** @param {RequestOf<'positions'>} request */
async function positions({ id, length }) {
  const core = await ready();
  const result = { kind: /** @type {const} */ ('positions'), ...core.positions(length) };
  postWithBuffers({ type: 'done', id, result });
}

/** @param {RequestOf<'positionsLab'>} request */
async function positionsLab({ id, length, position, offset }) {
  const core = await ready();
  const result = { kind: /** @type {const} */ ('positionsLab'), ...core.positionsLab(length, position, offset) };
  postWithBuffers({ type: 'done', id, result });
}

/** @param {RequestOf<'embedding'>} request */
async function embedding({ id, side, piece, position }) {
  const core = await ready();
  const result = { kind: /** @type {const} */ ('embedding'), ...core.embedding(side === 'source', piece, position) };
  postWithBuffers({ type: 'done', id, result });
}

/** @param {RequestOf<'complexity'>} request */
async function complexity({ id, n, d, r, k, curves, paths }) {
  const api = await startEngine();
  done(id, {
    kind: 'complexity',
    rows: api.complexity(n, d, r, k),
    ...(curves && { curves: api.complexityCurves(n, d, r, k, curves) }),
    ...(paths && { paths: api.pathGraphs(r, k, paths) }),
  });
}

/** @param {RequestOf<'measure'>} request */
async function measure({ id, lengths }) {
  measuring = id;
  const core = await ready();
  const measurements = [];
  for (const n of lengths) {
    const measurement = core.measure(n);
    try {
      let found;
      while (!found) {
        await turn();
        if (measuring !== id || cancelled.delete(id)) return done(id, { kind: 'cancelled' });
        found = measurement.step();
      }
      measurements.push(found);
      post({ type: 'measured', id, measurement: found });
    } finally {
      measurement.free();
    }
  }
  done(id, { kind: 'measured', measurements });
}

/** @param {RequestOf<'cancel'>} request */
function cancel({ id }) {
  if (loading?.id === id) loading.abort.abort();
  else if ([current, steering, measuring].includes(id)) cancelled.add(id);
}

/**
 * Whether a translation may not go on: a newer one came, or it was cancelled.
 * @param {number} id
 */
function stopped(id) {
  return current !== id || cancelled.delete(id);
}

/** The loaded model, waited for while it is on its way. */
async function ready() {
  while (!translator && loading) await loading.settled;
  if (!translator) throw new EngineError('ModelMissing', 'No model is loaded: load one first.');
  return translator;
}

/** @param {number} id */
function progress(id) {
  /**
   * @param {import('./protocol').AnswerOf<'progress'>['stage']} stage
   * @param {number} loaded
   * @param {number} total
   */
  return (stage, loaded, total) => post({ type: 'progress', id, stage, loaded, total });
}

/**
 * @param {number} id
 * @param {DoneResult} result
 * @param {import('./protocol').Observation} [observed] the last word on the sentence that was to be observed
 */
function done(id, result, observed) {
  if (observed) postWithBuffers({ type: 'done', id, result, observed }, observed.trace);
  else post({ type: 'done', id, result });
}

/** @param {Answer} message */
function post(message) {
  self.postMessage(message);
}

/**
 * Posts a message and gives its tensors' memory away with it instead of copying it.
 * @param {Answer} message
 * @param {unknown} tensors the part of the message that they are in
 */
function postWithBuffers(message, tensors = message) {
  /** @type {Set<ArrayBuffer>} */
  const buffers = new Set();
  const collect = (/** @type {unknown} */ value) => {
    if (value instanceof Float32Array) buffers.add(/** @type {ArrayBuffer} */ (value.buffer));
    else if (value && typeof value === 'object') Object.values(value).forEach(collect);
  };
  collect(tensors);
  self.postMessage(message, { transfer: [...buffers] });
}

// A zero timeout would wait 4 ms; a message to ourselves comes back after whatever else waits in the queue.
const { port1, port2 } = new MessageChannel();
/** @type {(() => void)[]} */
const waiting = [];
port2.onmessage = () => waiting.shift()?.();

/** A task of its own in which no translation runs. */
async function turn() {
  do await nextTask();
  while (translating > 0);
}

/** Lets the messages in that have arrived. */
function nextTask() {
  return new Promise((/** @type {(value: void) => void} */ resolve) => {
    waiting.push(resolve);
    port1.postMessage(null);
  });
}
