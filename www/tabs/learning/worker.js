// The worker that trains: one run at a time, in slices, so that a pause or a typed input is heard at once.

import { probe as probeBuild } from '../../engine/build.js';

/** @typedef {typeof import('../../pkg/learn/translucent_learn.js')} Package */
/** @typedef {import('../../pkg/learn/translucent_learn.js').Learner} Learner */

/**
 * @typedef {import('./protocol').Methods} Methods
 * @typedef {import('./protocol').Call} Call
 * @typedef {import('./protocol').Reply} Reply
 */

/** Training continues for so long before messages are let in. */
const SLICE_MS = 30;
/** Shortest time between two reports to the page. */
const REPORT_MS = 60;
/** Measuring on held-out pairs takes at most this part of the time. */
const MEASURE_SHARE = 0.12;
/** Held-out pairs of a measurement. */
const HELD_OUT = 200;
/** Snapshots take at most so many bytes, and are at most so many. */
const SNAPSHOT_BYTES = 64 * 2 ** 20;
const SNAPSHOTS = 40;

const scope = /** @type {DedicatedWorkerGlobalScope} */ (/** @type {unknown} */ (self));
/** The build that this browser runs fastest; filled before the first call is answered. @type {Package} */
let core;
const ready = (async () => {
  // Written out, so that a missing build is noticed where the site is made.
  const [module, wasm] =
    probeBuild() === 'relaxed-simd'
      ? [import('../../pkg/relaxed/learn/translucent_learn.js'), new URL('../../pkg/relaxed/learn/translucent_learn_bg.wasm', import.meta.url)]
      : [import('../../pkg/learn/translucent_learn.js'), new URL('../../pkg/learn/translucent_learn_bg.wasm', import.meta.url)];
  // @ts-ignore Both builds export the same.
  const loaded = /** @type {Package} */ (await module);
  await loaded.default({ module_or_path: wasm });
  core = loaded;
})();
// Its failure is the answer to the first call.
ready.catch(() => {});

/** @type {Learner | null} */
let learner = null;
let playing = false;
/** Inputs that are answered during training. @type {string[]} */
let probes = [];
/** Which of the probes after the first is answered at the next report. */
let turnOf = 0;
/** Whole states of the run, the oldest first. @type {{ step: number, bytes: Uint8Array }[]} */
let snapshots = [];
/** Steps between snapshots; doubled when there are too many. */
let every = 5;
/** When measuring ended last, and how long it took. */
let measured = { at: 0, took: 0 };
let trainedMs = 0;
/** Steps that the page has not heard of. @type {import('./protocol').Row[]} */
let rows = [];
/** Number of the newest training loop: an older one ends at its next turn. */
let loop = 0;

const channel = new MessageChannel();
/** Lets messages in, without the delay of a timer. */
const turn = () =>
  new Promise((done) => {
    channel.port1.onmessage = done;
    channel.port2.postMessage(null);
  });

/** @param {Reply} reply @param {Transferable[]} [transfer] */
const post = (reply, transfer = []) => scope.postMessage(reply, transfer);

/** @param {Learner | null} run */
function running(run) {
  if (!run) throw Object.assign(new Error('There is no run yet.'), { code: 'NoRun' });
  return run;
}

/** @param {Learner} run */
function adopt(run) {
  learner?.free();
  learner = run;
  rows = [];
  snapshots = [];
  every = 5;
  trainedMs = 0;
  measured = { at: 0, took: 0 };
  snapshot(run);
}

/** @param {Learner} run */
function snapshot(run) {
  const step = run.steps;
  if (snapshots.at(-1)?.step === step) return;
  snapshots.push({ step, bytes: run.save() });
  const most = Math.max(4, Math.min(SNAPSHOTS, Math.floor(SNAPSHOT_BYTES / snapshots[0].bytes.length)));
  if (snapshots.length <= most) return;
  every *= 2;
  snapshots = snapshots.filter(({ step: at }, i) => i === 0 || at % every === 0);
}

/** @param {Learner} run @param {string} probe */
function answer(run, probe) {
  if (!probe) return null;
  try {
    return run.answer(probe);
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

/** The answers to all probes. @param {Learner} run */
const answers = (run) => probes.map((probe) => answer(run, probe));

/** The answer to the first probe, and in turns one to the others: more of them do not make a report slower. @param {Learner} run */
function answersInTurns(run) {
  turnOf = probes.length > 1 ? (turnOf % (probes.length - 1)) + 1 : 0;
  return probes.map((probe, i) => (i === 0 || i === turnOf ? answer(run, probe) : null));
}

/** What the page shows of a run that stands still. @param {Learner} run */
function shown(run) {
  const [loss, exact] = run.measure(HELD_OUT);
  return {
    step: run.steps,
    weights: run.weights,
    measured: { step: run.steps, loss, exact: exact / HELD_OUT },
    answers: answers(run),
    snapshots: snapshots.map(({ step }) => step),
    trainedMs,
  };
}

/** @param {Learner} run @param {import('./protocol').Measured | null} held */
function report(run, held) {
  post({ event: 'progress', rows, measured: held, answers: answersInTurns(run), snapshots: snapshots.map(({ step }) => step), trainedMs });
  rows = [];
}

/** Halts, and reports the last steps before anything else is answered. */
function halt() {
  playing = false;
  if (learner && rows.length > 0) report(learner, null);
}

async function train() {
  let reported = performance.now();
  const own = ++loop;
  while (playing && learner && own === loop) {
    const run = learner;
    const start = performance.now();
    try {
      do {
        rows.push(Array.from(run.step()));
        if (run.steps % every === 0) snapshot(run);
      } while (performance.now() - start < SLICE_MS);
    } catch (error) {
      playing = false;
      post({ event: 'diverged', message: error instanceof Error ? error.message : String(error), rows });
      rows = [];
      return;
    }
    const now = performance.now();
    trainedMs += now - start;
    if (now - reported >= REPORT_MS) {
      /** @type {import('./protocol').Measured | null} */
      let held = null;
      if (now - measured.at > measured.took / MEASURE_SHARE) {
        const [loss, exact] = run.measure(HELD_OUT);
        measured = { at: performance.now(), took: performance.now() - now };
        held = { step: run.steps, loss, exact: exact / HELD_OUT };
      }
      report(run, held);
      reported = performance.now();
    }
    await turn();
  }
}

/** @type {{ [M in keyof Methods]: (args: Methods[M]['args']) => Methods[M]['result'] }} */
const METHODS = {
  defaults: () => core.defaultSettings(),
  describe: ({ task, settings }) => core.describe(task, settings),
  start({ task, settings }) {
    playing = false;
    adopt(new core.Learner(task, settings));
    return shown(running(learner));
  },
  restore({ bytes }) {
    playing = false;
    adopt(core.Learner.restore(bytes));
    return shown(running(learner));
  },
  play() {
    running(learner);
    if (!playing) {
      playing = true;
      train();
    }
  },
  pause() {
    halt();
    const run = running(learner);
    snapshot(run);
    return shown(run);
  },
  step() {
    const run = running(learner);
    const row = Array.from(run.step());
    snapshot(run);
    return { row, ...shown(run) };
  },
  goTo({ step }) {
    halt();
    const at = snapshots.findLastIndex((each) => each.step <= step);
    const { bytes } = snapshots[Math.max(0, at)];
    learner?.free();
    learner = core.Learner.restore(bytes);
    return shown(learner);
  },
  fork() {
    const { steps } = running(learner);
    snapshots = snapshots.filter(({ step }) => step <= steps);
  },
  probe({ texts }) {
    probes = texts;
    return learner ? answers(learner) : [];
  },
  save() {
    const run = running(learner);
    return { step: run.steps, bytes: run.save() };
  },
  folder: () => running(learner).folder(),
  tensors: () => running(learner).tensors(),
  update: ({ weight }) => running(learner).lastUpdate(weight) ?? null,
};

scope.onmessage = async (/** @type {MessageEvent<Call>} */ { data: { id, method, args } }) => {
  try {
    await ready;
    post({ id, result: /** @type {any} */ (METHODS[method])(args) });
  } catch (error) {
    const { message, code } = /** @type {any} */ (error);
    post({ id, error: { code: code ?? 'EngineCrashed', message: String(message ?? error) } });
  }
};
