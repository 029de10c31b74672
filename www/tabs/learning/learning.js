/** The Learning tab: a Transformer is trained in the page (§5), and what it learns is seen while it does. */

/** @import { TabContext } from '../list.js' */
/** @import { Change } from './choices.js' */
/** @import { Described, Settings, Shown, TaskChoice } from './protocol' */
import { setLearning } from '../../app/settings.js';
import { oneAtATime } from '../../app/requests.js';
import { el, segmented, setAttribute, setText } from '../../ui/dom.js';
import { grouped, megabytes } from '../../ui/numbers.js';
import { TASKS, differences, linkOf, probesOf, readLink } from './choices.js';
import { curvesView } from './curves.js';
import { experimentsView } from './experiments.js';
import { handOver } from './hand-over.js';
import { COLUMN, addMeasured, emptyHistory, truncate } from './history.js';
import { ownPairs } from './own-pairs.js';
import { probesView } from './probes.js';
import { storeRun, storedRun } from './runs.js';
import { secondRun } from './second.js';
import { settingsForm } from './settings-form.js';
import { createTrainer } from './trainer.js';
import { transportView } from './transport.js';
import { updateView } from './update-view.js';

/** The most memory that is used, by both runs together. */
const MOST_BYTES = 200 * 2 ** 20;
/** Milliseconds between two writes of a run that is training. */
const STORE_EVERY = 5000;
/** The loss is said to rise where the mean of so many steps is above the first step's by this factor. */
const RISING = { steps: 20, factor: 1.5 };
const REMEDY = 'Go back to an earlier step with the slider, or restart with a smaller factor of eq. 3, a longer warm-up or scaled attention.';
/** Milliseconds between two drawings of the charts. */
const DRAW_EVERY = 90;
/** @param {Settings} settings @param {Change} change @returns {Settings} */
const changedBy = (settings, { key, value }) => ({ ...settings, [key]: value });

/**
 * @param {HTMLElement} panel
 * @param {TabContext} context
 */
export function mount(panel, { store, session }) {
  /** The run: what it is trained on and with, and its curves. @type {{ task: TaskChoice, settings: Settings } | null} */
  let run = null;
  let history = emptyHistory();
  /** What run B differs in; null: there is none. @type {Change | null} */
  let change = null;
  /** What the form says, for the next run. @type {{ task: TaskChoice, settings: Settings } | null} */
  let next = null;
  /** @type {Settings | null} */
  let defaults = null;
  let playing = false;
  /** Whether the next run has room. */
  let fits = true;
  /** The run that is being set up. @type {Promise<void> | null} */
  let beginning = null;
  /** The step that is shown; the last one, unless the reader went back. */
  let step = 0;
  /** @type {number[]} */
  let snapshots = [];
  let weights = 0;
  let trainedMs = 0;
  /** Milliseconds and steps of the last reports, for the speed. @type {{ at: number, step: number }[]} */
  let pace = [];
  let stored = 0;
  let drawn = 0;
  let drawing = 0;

  const trainer = createTrainer({
    onProgress({ rows, measured, answers, snapshots: known, trainedMs: took }) {
      history.rows.push(...rows);
      if (rows.length > 0) step = rows[rows.length - 1][COLUMN.step];
      if (measured) addMeasured(history, measured);
      snapshots = known;
      trainedMs = took;
      pace = [...pace, { at: performance.now(), step }].slice(-30);
      probes.show(answers);
      soon();
      given.progressed(step);
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
      draw();
    },
    onCrash(message) {
      playing = false;
      run = null;
      trouble(`The training worker stopped: ${message}`, 'Press Restart to begin again.');
      draw();
    },
  });

  // ── What is on the page ────────────────────────────────────────────────

  const says = el('p', { class: 'says', text: 'A Transformer with random weights learns a small task here: every step shows it a batch of pairs and moves each weight a little (§5.3).' });
  const tasks = segmented('Task', TASKS, (value) => chooseTask(value));
  const rule = el('p', { class: 'learning-rule', id: 'learning-rule' });
  const examples = el('p', { class: 'readout', id: 'learning-examples' });
  const own = ownPairs(useOwn, (text) => setText(actionSays, text));

  const transport = transportView({
    onplay: () => (playing ? pause() : start()),
    onreset: () => restart(),
    onstep: () => oneStep(),
    onjump: (by) => jump(by),
    onscrub: (to) => goTo(to),
  });
  const changed = el('p', { class: 'intervened-bar', id: 'learning-changed', hidden: true }, el('span', { class: 'intervened' }), el('button', { type: 'button', text: 'Restart with them', onclick: () => restart() }));
  const wrong = el('div', { class: 'intervened-bar', id: 'learning-trouble', role: 'alert', hidden: true }, el('p', { class: 'intervened' }));
  const spoken = el('p', { class: 'unseen', 'aria-live': 'polite' });

  const curves = curvesView();

  const probes = probesView((texts) => {
    askProbes(texts);
    second.probe(texts);
  });
  const second = secondRun({
    onchange: soon,
    onchoose(chosen) {
      change = chosen;
      if (!change) second.end();
      check();
      if (change) restart();
    },
  });
  const form = settingsForm((change) => {
    if (!next) return;
    next = { ...next, settings: { ...next.settings, ...change } };
    check();
  });
  const oneUpdate = updateView(
    // It may be opened before the first run is there, which refreshes it.
    async () => (run ? trainer.call('tensors', undefined) : []),
    async (weight) => (run ? trainer.call('update', { weight }) : null),
  );
  const compare = el('button', {
    type: 'button',
    id: 'learning-ab',
    text: 'A | B',
    title: 'a second run that differs in one setting, trained at the same time',
    'aria-expanded': 'false',
    'aria-controls': second.node.id,
    onclick: () => openCompare(second.node.hidden),
  });
  const explore = el('button', { type: 'button', id: 'learning-open', text: 'Show it in Figure 1', 'aria-pressed': 'false', onclick: () => given.toggle(probes.texts()[0], step) });
  const save = el('button', { type: 'button', id: 'learning-save', text: 'Save model', onclick: () => pause().then(given.save) });
  const actionSays = el('p', { class: 'readout', id: 'learning-says', role: 'status' });
  const given = handOver({ store, session, trainer, name: () => `learned-${run && typeof run.task === 'string' ? run.task : 'pairs'}`, says: (text) => setText(actionSays, text), changed: () => draw(), failed: (error) => failed(error) });

  panel.append(
    el('h2', { text: 'Learning: train a model in this page' }),
    says,
    el('div', { class: 'settings learning-tasks' }, tasks.node),
    rule,
    own.node,
    ...transport.nodes,
    wrong,
    changed,
    spoken,
    ...second.status,
    curves.measured,
    examples,
    probes.node,
    el('div', { class: 'settings' }, explore, save, compare),
    second.node,
    actionSays,
    form.node,
    curves.steps,
    oneUpdate.node,
    experimentsView(setUp),
  );

  // ── Drawing ────────────────────────────────────────────────────────────

  function soon() {
    if (drawing) return;
    drawing = requestAnimationFrame(() => {
      drawing = 0;
      if (performance.now() - drawn >= DRAW_EVERY) draw();
      else soon();
    });
  }

  function draw() {
    drawn = performance.now();
    const { rows, held } = history;
    const end = rows.at(-1)?.[COLUMN.step] ?? 0;
    curves.show({ history, settings: run?.settings ?? null, step, second: second.isOn() ? { history: second.history(), settings: second.settings() } : null });
    second.draw();
    probes.showSecond(second.answers());
    const speed = pace.length > 1 ? ((pace[pace.length - 1].step - pace[0].step) / (pace[pace.length - 1].at - pace[0].at)) * 1000 : 0;
    const exact = held.findLast((measured) => measured.step <= step)?.exact;
    transport.show({ step, end, snapshots: snapshots.length, playing, speed, seconds: trainedMs / 1000, exact, isReady: run !== null, fits });
    for (const button of [explore, save, compare]) button.disabled = !run;
    setAttribute(explore, 'aria-pressed', String(given.isFollowing()));
    const differs = run !== null && next !== null && JSON.stringify(run) !== JSON.stringify(next);
    changed.hidden = !differs;
    if (differs && run && next) setText(/** @type {Element} */ (changed.firstElementChild), `The run on this page has other settings${differences(next.settings, run.settings) ? `: next, ${differences(next.settings, run.settings)}` : ''}.`);
  }

  /** @param {string} what @param {string} remedy */
  function trouble(what, remedy) {
    wrong.hidden = what === '';
    setText(/** @type {Element} */ (wrong.firstElementChild), `${what} ${remedy}`.trim());
  }

  /** @param {unknown} error */
  const failed = (error) => trouble(error instanceof Error ? error.message : String(error), '');

  /** @param {Shown} shown */
  function arrived(shown) {
    ({ step, snapshots, weights, trainedMs } = shown);
    addMeasured(history, shown.measured);
    history.held.sort((a, b) => a.step - b.step);
    probes.show(shown.answers);
    given.arrived(step);
    oneUpdate.refresh().catch(failed);
    pace = [];
    draw();
  }

  // ── Task and settings of the next run ──────────────────────────────────

  /** A task and settings, with the memory of both runs. @param {{ task: TaskChoice, settings: Settings }} request @returns {Promise<Described>} */
  async function describeBoth({ task, settings }) {
    const described = await trainer.call('describe', { task, settings });
    const other = change ? await trainer.call('describe', { task, settings: changedBy(settings, change) }) : null;
    return { ...described, memory: described.memory + (other?.memory ?? 0) };
  }

  /** @type {(request: { task: TaskChoice, settings: Settings }) => void} */
  const describe = oneAtATime(
    describeBoth,
    (/** @type {Described} */ described, { task, settings }) => {
      const pair = (/** @type {[string, string]} */ [source, target]) => `${source} → ${target}`;
      const pairs = (/** @type {[string, string][]} */ list) => list.slice(0, 3).map(pair).join(', ');
      const shortest = described.examples.reduce((best, each) => (each[0].length < best[0].length ? each : best));
      setText(rule, `${described.rule} For example: ${pair(shortest)}.`);
      setText(examples, `Trained on pairs such as ${pairs(described.examples)}. Held out, never trained on: ${pairs(described.heldOut)}.`);
      fits = described.memory <= MOST_BYTES;
      form.showMemory(`${change ? 'Both runs need' : 'A run with these settings needs'} about ${megabytes(described.memory)} of memory.`);
      form.showFault(fits ? '' : `That is more than the ${megabytes(MOST_BYTES)} that this page allows: choose a smaller batch, d_model, d_ff or N.`);
      draw();
      if (defaults) setLearning(store, linkOf(task, settings, defaults, change));
      const differs = JSON.stringify(run) !== JSON.stringify({ task, settings });
      if (fits && !beginning && !playing && step === 0 && differs) begin();
    },
    (error) => form.showFault(error instanceof Error ? error.message : String(error)),
  );

  function check() {
    if (!next) return;
    form.show(next.settings);
    second.compareWith(next.settings);
    tasks.show(typeof next.task === 'string' ? next.task : 'pairs');
    own.show(next.task);
    describe(next);
    draw();
  }

  /** @param {string} value */
  function chooseTask(value) {
    if (!next) return;
    if (value === 'pairs') {
      tasks.show(value);
      own.open();
      return;
    }
    next = { ...next, task: /** @type {TaskChoice} */ (value) };
    check();
    // A task is what one looks at: the old run would only confuse.
    restart();
  }

  /**
   * Two runs from the start, which differ in one setting.
   * @param {TaskChoice} task
   * @param {Partial<Settings>} both what they have instead of the defaults
   * @param {Change} chosen
   */
  function setUp(task, both, chosen) {
    if (!next || !defaults) return;
    change = chosen;
    next = { task, settings: { ...defaults, ...both } };
    check();
    restart();
    transport.focus();
  }

  /** @param {TaskChoice} task */
  function useOwn(task) {
    if (!next) return;
    next = { ...next, task };
    check();
    restart();
  }

  /** @param {boolean} open */
  function openCompare(open) {
    second.node.hidden = !open;
    setAttribute(compare, 'aria-expanded', String(open));
  }

  // ── The run ────────────────────────────────────────────────────────────

  /** A new run with the settings of the form, standing at step 0. */
  function begin() {
    const begun = next;
    const own = setUpRun().finally(() => {
      // Restarted meanwhile: that one is the run.
      if (beginning !== own) return;
      beginning = null;
      // Settings that changed meanwhile.
      if (next !== begun && step === 0 && !playing) check();
    });
    beginning = own;
    return own;
  }

  async function setUpRun() {
    if (!next) return;
    const begun = next;
    try {
      // A setting of A may have become that of B.
      if (change && begun.settings[change.key] === change.value) change = null;
      const other = change && changedBy(begun.settings, change);
      const { memory } = await describeBoth(begun);
      if (memory > MOST_BYTES) return;
      const changedTask = !run || JSON.stringify(run.task) !== JSON.stringify(begun.task);
      if (changedTask) {
        probes.write(probesOf(begun.task));
        await trainer.call('probe', { texts: probes.texts() });
      }
      const shown = await trainer.call('start', begun);
      playing = false;
      history = emptyHistory();
      run = begun;
      trouble('', '');
      oneUpdate.forget();
      arrived(shown);
      if (other) await second.begin(begun.task, begun.settings, other, probes.texts());
      else second.end();
      setText(says, `A Transformer with ${grouped(weights)} random weights learns a small task here: every step shows it ${begun.settings.batchSize} pairs and moves each weight a little (§5.3).`);
    } catch (error) {
      failed(error);
    }
  }

  async function restart() {
    await begin();
    if (run) setText(spoken, 'Restarted from random weights.');
  }

  async function start() {
    // Whatever run is there once all is set up.
    if (!run) begin();
    while (beginning) await beginning;
    if (!run) return;
    try {
      // What came after the shown step belongs to another future.
      truncate(history, step);
      await trainer.call('fork', undefined);
      trouble('', '');
      playing = true;
      pace = [];
      await Promise.all([trainer.call('play', undefined), second.play()]);
      setText(spoken, 'Training.');
      draw();
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
      setText(spoken, `Paused at step ${step}${found ? `: ${(100 * found.exact).toFixed(0)} percent exact` : ''}.`);
      keep();
    } catch (error) {
      failed(error);
    }
  }

  async function oneStep() {
    try {
      if (playing) await pause();
      truncate(history, step);
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

  /** @param {1 | -1} by */
  function jump(by) {
    const to = by < 0 ? snapshots.findLast((at) => at < step) : snapshots.find((at) => at > step);
    if (to !== undefined) goTo(to);
  }

  const askProbes = oneAtATime(
    (/** @type {string[]} */ texts) => trainer.call('probe', { texts }),
    (answers) => probes.show(answers),
    failed,
  );

  /** Stores the run on this device. */
  async function keep() {
    if (!run) return;
    stored = performance.now();
    const { task, settings } = run;
    const [bytes, other] = await Promise.all([trainer.call('save', undefined).catch(() => null), second.save()]);
    // The curves up to these weights: storing takes a while, in which they grow.
    const { rows, held } = history;
    if (bytes) await storeRun({ task, settings, bytes, history: { rows: [...rows], held: [...held] }, probes: probes.texts(), change, second: other });
  }

  // ── Beginning and end ──────────────────────────────────────────────────

  store.watch(['tab'], ({ tab }) => {
    if (tab !== 'learning') pause();
  });
  store.watch(['redraw'], () => probes.draw());
  addEventListener('pagehide', () => {
    if (playing) keep();
  });

  (async () => {
    try {
      defaults = await trainer.call('defaults', undefined);
      const link = store.get().learning;
      const last = await storedRun();
      // A link of the same task and settings is what a reload finds.
      const found = last && (link === '' || link === linkOf(last.task, last.settings, defaults, last.change ?? null)) ? last : undefined;
      if (found) {
        const { task, settings, bytes, history: before, probes: typed, second: other } = found;
        next = { task, settings };
        // A run of an older version has none.
        probes.write(typed ?? probesOf(task));
        await trainer.call('probe', { texts: probes.texts() });
        try {
          const shown = await trainer.call('restore', { bytes });
          run = next;
          history = before;
          truncate(history, shown.step);
          arrived(shown);
          if (other) {
            change = found.change;
            await second.restore(other, settings, probes.texts());
          }
          setText(actionSays, `Your last run is back, at step ${grouped(shown.step)}.`);
        } catch (error) {
          // It stays on this device until a new run takes its place: it may open the next time.
          console.warn('stored run:', error);
        }
      } else {
        const { task, settings, change: linked } = readLink(link, defaults);
        next = { task, settings };
        change = linked;
      }
      check();
    } catch (error) {
      failed(error);
    }
  })();
  draw();
}
