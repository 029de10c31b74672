// The worker that asks what a prediction depends on: the backward pass of the learning package, on the model's own weights.

import { probe } from '../../engine/build.js';
import { inMemory } from '../../engine/models/content.js';
import { ModelFolder } from '../../engine/models/folder.js';

/** @typedef {typeof import('../../pkg/learn/translucent_learn.js')} Package */
/** @typedef {import('./depends-protocol').Question} Question */
/** @typedef {import('./depends-protocol').Reply} Reply */

/** The same order as in the table. @type {import('./depends-protocol').Measure[]} */
const MEASURES = ['gradientInput', 'integrated', 'leftOut', 'mean', 'rollout'];

const scope = /** @type {DedicatedWorkerGlobalScope} */ (/** @type {unknown} */ (self));

/** @type {Promise<Package> | null} */
let starting = null;
async function start() {
  // Written out, so that a missing build is noticed where the site is made.
  const [module, wasm] =
    probe() === 'relaxed-simd'
      ? [import('../../pkg/relaxed/learn/translucent_learn.js'), new URL('../../pkg/relaxed/learn/translucent_learn_bg.wasm', import.meta.url)]
      : [import('../../pkg/learn/translucent_learn.js'), new URL('../../pkg/learn/translucent_learn_bg.wasm', import.meta.url)];
  // @ts-ignore Both builds export the same.
  const loaded = /** @type {Package} */ (await module);
  await loaded.default({ module_or_path: wasm });
  return loaded;
}

/** @type {{ address: string, model: import('../../pkg/learn/translucent_learn.js').Attributor } | null} */
let current = null;
/** Number of the newest question. */
let newest = 0;

const channel = new MessageChannel();
/** Lets messages in, without the delay of a timer. @type {() => Promise<void>} */
const turn = () =>
  new Promise((done) => {
    channel.port1.addEventListener('message', () => done(), { once: true });
    channel.port2.postMessage(null);
  });
channel.port1.start();

/** @param {Reply} reply */
const post = (reply) => scope.postMessage(reply);

/** @param {Package} core @param {string} address */
async function modelOf(core, address) {
  if (current?.address === address) return current.model;
  const folder = new ModelFolder(address);
  try {
    const files = await folder.fetch({ signal: new AbortController().signal, onProgress() {} });
    const model = core.Attributor.load(await inMemory(files));
    current?.model.free();
    current = { address, model };
    return model;
  } finally {
    // The engine stores models.
    folder.suspend();
  }
}

/** @param {number} id @param {Question} question */
async function ask(id, { address, source, target, step }) {
  post({ id, kind: 'loading' });
  const core = await (starting ??= start());
  const model = await modelOf(core, address);
  if (id !== newest) return;
  const begun = performance.now();
  const ms = () => performance.now() - begun;
  const first = model.ask(Uint32Array.from(source), Uint32Array.from(target), step);
  post({ id, kind: 'first', found: first, ms: ms() });
  let integral;
  do {
    await turn();
    if (id !== newest) return;
    integral = model.integrate();
    post({ id, kind: 'integral', found: integral, ms: ms() });
  } while (!integral.done);
  /** @type {number[]} */
  const values = [];
  for (;;) {
    await turn();
    if (id !== newest) return;
    const next = model.leaveOut(values.length);
    if (next.length === 0) break;
    values.push(...next);
  }
  post({ id, kind: 'leftOut', values, ms: ms() });

  const size = (/** @type {ArrayLike<number>} */ list) => Float32Array.from(list, Math.abs);
  const lists = { gradientInput: size(first.gradientInput.source), integrated: size(integral.shares.source), leftOut: size(values), mean: first.mean.source, rollout: first.rollout.source };
  const of = (/** @type {Float32Array} */ list) => MEASURES.map((name) => (list.length === lists[name].length ? (core.rankCorrelation(list, lists[name]) ?? null) : null));
  const heads = Array.from({ length: first.cross.length / source.length }, (_, i) => first.cross.subarray(i * source.length, (i + 1) * source.length));
  post({ id, kind: 'done', correlations: { measures: MEASURES.map((name) => of(lists[name])), heads: heads.map(of) } });
}

scope.onmessage = async (/** @type {MessageEvent<{ id: number, question: Question }>} */ { data: { id, question } }) => {
  newest = id;
  try {
    await ask(id, question);
  } catch (error) {
    // A build or a model that could not be had is asked for again.
    if (!current) starting = null;
    if (id === newest) post({ id, kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
};
