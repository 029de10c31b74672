/** Run A: its trainer, its steps and curves, the way back through its snapshots, and how it is stored. */

/** @import { Change } from './choices.js' */
/** @import { probesView } from './probes.js' */
/** @import { Plan, Shown } from './protocol' */
/** @import { StoredRun } from './runs.js' */
/** @import { secondRun } from './second.js' */
import { oneAtATime } from '../../app/requests.js';
import { probesOf } from './choices.js';
import { COLUMN, addMeasured, emptyHistory, until } from './history.js';
import { storeRun } from './runs.js';
import { createTrainer } from './trainer.js';

/** Milliseconds between two writes of a run that is training. */
const STORE_EVERY = 5000;
/** The loss is said to rise where the mean of so many steps is above the first step's by this factor. */
const RISING = { steps: 20, factor: 1.5 };
const REMEDY = 'Go back to an earlier step with the slider, or restart with a smaller factor of eq. 3, a longer warm-up or scaled attention.';

/**
 * @typedef {object} Listeners
 * @property {() => void} onprogress training has come further
 * @property {() => void} onarrived the run stands still, maybe at another step
 * @property {() => void} onchange it began or ceased to train
 * @property {(text: string) => void} speak says it to a screen reader
 * @property {(what: string, remedy: string) => void} trouble both empty: all is well
 * @property {(error: unknown) => void} failed
 */

/**
 * @param {{ probes: ReturnType<typeof probesView>, second: ReturnType<typeof secondRun>, change: () => Change | null }} parts
 *   `change`: what run B differs in
 * @param {Listeners} listeners
 */
export function firstRun({ probes, second, change }, { onprogress, onarrived, onchange, speak, trouble, failed }) {
  /** What it is trained on and with; null: there is none yet. @type {Plan | null} */
  let plan = null;
  let history = emptyHistory();
  let playing = false;
  /** The step that is shown; the last one, unless the reader went back. */
  let step = 0;
  /** @type {number[]} */
  let snapshots = [];
  let weights = 0;
  let trainedMs = 0;
  /** Milliseconds and steps of the last reports, for the speed. @type {{ at: number, step: number }[]} */
  let pace = [];
  let stored = 0;

  const trainer = createTrainer({
    onProgress({ rows, measured, answers, snapshots: known, trainedMs: took }) {
      history.rows.push(...rows);
      if (rows.length > 0) step = rows[rows.length - 1][COLUMN.step];
      if (measured) addMeasured(history, measured);
      snapshots = known;
      trainedMs = took;
      pace = [...pace, { at: performance.now(), step }].slice(-30);
      probes.show(answers);
      onprogress();
      const last = history.rows.slice(-RISING.steps);
      const mean = last.reduce((sum, row) => sum + row[COLUMN.loss], 0) / last.length;
      const rising = last.length === RISING.steps && mean > RISING.factor * history.rows[0][COLUMN.loss];
      trouble(rising ? `The loss rises: it is ${mean.toFixed(1)} where random weights had ${history.rows[0][COLUMN.loss].toFixed(1)}. The learning rate is too large for these weights.` : '', rising ? REMEDY : '');
      if (performance.now() - stored > STORE_EVERY) keep();
    },
    onDiverged(message, rows) {
      history.rows.push(...rows);
      playing = false;
      trouble(`Training stopped: ${message}.`, REMEDY);
      onchange();
    },
    onCrash(message) {
      playing = false;
      plan = null;
      trouble(`The training worker stopped: ${message}`, 'Press Restart to begin again.');
      onchange();
    },
  });

  /** @param {Shown} shown */
  function arrived(shown) {
    ({ step, snapshots, weights, trainedMs } = shown);
    addMeasured(history, shown.measured);
    probes.show(shown.answers);
    pace = [];
    onarrived();
  }

  /** A new run, standing at step 0. @param {Plan} begun */
  async function begin(begun) {
    const changedTask = !plan || JSON.stringify(plan.task) !== JSON.stringify(begun.task);
    if (changedTask) {
      probes.write(probesOf(begun.task));
      await trainer.call('probe', { texts: probes.texts() });
    }
    const shown = await trainer.call('start', begun);
    playing = false;
    history = emptyHistory();
    plan = begun;
    trouble('', '');
    arrived(shown);
  }

  async function play() {
    if (!plan) return;
    try {
      // What came after the shown step belongs to another future.
      history = until(history, step);
      await trainer.call('fork', undefined);
      trouble('', '');
      playing = true;
      pace = [];
      await Promise.all([trainer.call('play', undefined), second.play()]);
      speak('Training.');
      onchange();
    } catch (error) {
      playing = false;
      failed(error);
    }
  }

  async function pause() {
    if (!playing) return;
    try {
      const [shown] = await Promise.all([trainer.call('pause', undefined), second.pause()]);
      // Only now: reports that were on their way are in.
      playing = false;
      arrived(shown);
      const found = history.held.at(-1);
      speak(`Paused at step ${step}${found ? `: ${(100 * found.exact).toFixed(0)} percent exact` : ''}.`);
      keep();
    } catch (error) {
      failed(error);
    }
  }

  async function oneStep() {
    try {
      if (playing) await pause();
      history = until(history, step);
      await trainer.call('fork', undefined);
      const [{ row, ...shown }] = await Promise.all([trainer.call('step', undefined), second.step()]);
      history.rows.push(row);
      arrived(shown);
    } catch (error) {
      failed(error);
    }
  }

  const goTo = oneAtATime(
    (/** @type {number} */ to) => {
      second.goTo(to);
      return trainer.call('goTo', { step: to });
    },
    (shown) => {
      playing = false;
      trouble('', '');
      arrived(shown);
    },
    failed,
  );

  const probe = oneAtATime(
    (/** @type {string[]} */ texts) => trainer.call('probe', { texts }),
    (answers) => probes.show(answers),
    failed,
  );

  /** Stores both runs on this device. */
  async function keep() {
    if (!plan) return;
    stored = performance.now();
    const { task, settings } = plan;
    const [saved, other] = await Promise.all([trainer.call('save', undefined).catch(() => null), second.save()]);
    if (!saved) return;
    // The curves up to these weights: B may answer late, and they grow meanwhile.
    await storeRun({ task, settings, bytes: saved.bytes, history: until(history, saved.step), probes: probes.texts(), change: change(), second: other });
  }

  return {
    trainer,
    plan: () => plan,
    history: () => history,
    step: () => step,
    weights: () => weights,
    isPlaying: () => playing,
    /** What the transport shows of it. */
    pace() {
      const [first, last] = [pace[0], pace[pace.length - 1]];
      const speed = pace.length > 1 ? ((last.step - first.step) / (last.at - first.at)) * 1000 : 0;
      const end = history.rows.at(-1)?.[COLUMN.step] ?? 0;
      const exact = history.held.findLast((measured) => measured.step <= step)?.exact;
      return { step, end, snapshots: snapshots.length, playing, speed, seconds: trainedMs / 1000, exact, isReady: plan !== null };
    },
    begin,
    play,
    pause,
    oneStep,
    goTo,
    /** To the snapshot before or after the present step. @param {1 | -1} by */
    jump(by) {
      const to = by < 0 ? snapshots.findLast((at) => at < step) : snapshots.find((at) => at > step);
      if (to !== undefined) goTo(to);
    },
    probe,
    keep,
    /** The run as it was stored. @param {StoredRun} found */
    async restore({ task, settings, bytes, history: before, probes: typed }) {
      // A run of an older version has none.
      probes.write(typed ?? probesOf(task));
      await trainer.call('probe', { texts: probes.texts() });
      const shown = await trainer.call('restore', { bytes });
      plan = { task, settings };
      history = until(before, shown.step);
      arrived(shown);
    },
  };
}
