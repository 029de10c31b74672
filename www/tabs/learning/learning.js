/** The Learning tab: a Transformer is trained in the page (§5), and what it learns is seen while it does. */

/** @import { TabContext } from '../list.js' */
/** @import { Answered, Described, Settings, Shown, TaskChoice } from './protocol' */
import { setLearning } from '../../app/settings.js';
import { oneAtATime } from '../../app/requests.js';
import { el, icon, segmented, setAttribute, setText } from '../../ui/dom.js';
import { grouped, megabytes } from '../../ui/numbers.js';
import { PROBES, TASKS, differences, linkOf, readLink } from './choices.js';
import { curvesView } from './curves.js';
import { experimentsView } from './experiments.js';
import { readText } from '../../app/read-text.js';
import { handOver } from './hand-over.js';
import { headsView } from './heads.js';
import { COLUMN, addMeasured, emptyHistory, truncate } from './history.js';
import { storeRun, storedRun } from './runs.js';
import { settingsForm } from './settings-form.js';
import { createTrainer } from './trainer.js';
import { updateView } from './update-view.js';

/** The largest run that is started. */
const MOST_BYTES = 200 * 2 ** 20;
/** The largest file of pairs that is read. */
const MOST_PAIRS = 5_000_000;
/** Milliseconds between two writes of a run that is training. */
const STORE_EVERY = 5000;
/** The loss is said to rise where the mean of so many steps is above the first step's by this factor. */
const RISING = { steps: 20, factor: 1.5 };
const REMEDY = 'Go back to an earlier step with the slider, or restart with a smaller factor of eq. 3, a longer warm-up or scaled attention.';
/** Milliseconds between two drawings of the charts. */
const DRAW_EVERY = 90;
const ICONS = {
  reset: 'M8 3a5 5 0 1 1-4.6 3H2l2.6-3.6L7.4 6H5.1A3.4 3.4 0 1 0 8 4.6z',
  play: 'M4 2.5v11l9-5.5z',
  pause: 'M4 3h3v10H4zM9 3h3v10H9z',
  next: 'M4 3v10l6-5zM11 3h2v10h-2z',
  earlier: 'M11 3v10L4 8z',
  later: 'M5 3v10l7-5z',
};

/**
 * @param {HTMLElement} panel
 * @param {TabContext} context
 */
export function mount(panel, { store, session }) {
  /** The run: what it is trained on and with, and its curves. @type {{ task: TaskChoice, settings: Settings } | null} */
  let run = null;
  let history = emptyHistory();
  /** A finished or paused run, for comparison. @type {{ settings: Settings, task: TaskChoice, history: typeof history } | null} */
  let pinned = null;
  /** What the form says, for the next run. @type {{ task: TaskChoice, settings: Settings } | null} */
  let next = null;
  /** @type {Settings | null} */
  let defaults = null;
  let playing = false;
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
    onProgress({ rows, measured, answer, snapshots: known, trainedMs: took }) {
      history.rows.push(...rows);
      if (rows.length > 0) step = rows[rows.length - 1][COLUMN.step];
      if (measured) addMeasured(history, measured);
      snapshots = known;
      trainedMs = took;
      pace = [...pace, { at: performance.now(), step }].slice(-30);
      if (answer) heads.show(answer);
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

  const says = el('p', { class: 'says', text: 'A Transformer with random weights learns a small task here, on this device. Every step shows it a batch of pairs and moves each weight a little (§5.3). Watch its heads form here, or in Figure 1.' });
  const tasks = segmented('Task', TASKS, (value) => chooseTask(value));
  const rule = el('p', { class: 'learning-rule', id: 'learning-rule' });
  const examples = el('p', { class: 'readout', id: 'learning-examples' });
  const ownText = el('textarea', { id: 'learning-pairs', class: 'line-field', rows: '6', spellcheck: 'false', placeholder: 'source TAB target, a pair a line' });
  const ownWords = el('input', { type: 'checkbox', id: 'learning-words' });
  const ownFile = el('input', { type: 'file', id: 'learning-file', accept: '.tsv,.txt,text/*' });
  const own = el(
    'div',
    { class: 'learning-own', hidden: true },
    el('label', { for: ownText.id, text: 'Your pairs: ten to ten thousand lines, source and target separated by a tab. One in eight is held out. They stay on this device.' }),
    ownText,
    el('div', { class: 'settings' }, el('label', {}, ownWords, ' pieces are words'), el('label', { for: ownFile.id, class: 'setting-name', text: 'or a file' }), ownFile, el('button', { type: 'button', text: 'Use these pairs', id: 'learning-use-pairs', onclick: () => useOwn() })),
  );

  const square = (/** @type {keyof typeof ICONS} */ which, /** @type {string} */ label, /** @type {() => void} */ onclick) =>
    el('button', { type: 'button', class: 'square', id: `learning-${which}`, 'aria-label': label, title: label, onclick }, icon(ICONS[which]));
  const playIcon = icon(ICONS.play);
  const playWord = el('span', { text: 'Train' });
  const play = el('button', { type: 'button', class: 'play', id: 'learning-play', onclick: () => (playing ? pause() : start()) }, playIcon, playWord);
  const reset = square('reset', 'Restart from random weights', () => restart());
  const one = square('next', 'One step', () => oneStep());
  const earlier = square('earlier', 'Earlier snapshot', () => jump(-1));
  const later = square('later', 'Later snapshot', () => jump(1));
  const status = el('output', { id: 'learning-status' });
  const slider = el('input', { type: 'range', id: 'learning-scrub', min: '0', value: '0', max: '0', 'aria-label': 'Snapshot of the run' });
  const changed = el('p', { class: 'intervened-bar', id: 'learning-changed', hidden: true }, el('span', { class: 'intervened' }), el('button', { type: 'button', text: 'Restart with them', onclick: () => restart() }));
  const wrong = el('div', { class: 'intervened-bar', id: 'learning-trouble', role: 'alert', hidden: true }, el('p', { class: 'intervened' }));
  const spoken = el('p', { class: 'unseen', 'aria-live': 'polite' });

  const curves = curvesView();

  const input = el('input', { type: 'text', class: 'line-field', id: 'learning-input', autocomplete: 'off', spellcheck: 'false', maxlength: '60', oninput: () => probe() });
  const heads = headsView();
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
  const pin = el('button', { type: 'button', id: 'learning-pin', onclick: () => togglePin() });
  const explore = el('button', { type: 'button', id: 'learning-open', text: 'Show it in Figure 1', 'aria-pressed': 'false', onclick: () => given.toggle(input.value.trim(), step) });
  const save = el('button', { type: 'button', id: 'learning-save', text: 'Save model', onclick: () => pause().then(given.save) });
  const actionSays = el('p', { class: 'readout', id: 'learning-says', role: 'status' });
  const given = handOver({ store, session, trainer, name: () => `learned-${run && typeof run.task === 'string' ? run.task : 'pairs'}`, says: (text) => setText(actionSays, text), changed: () => draw(), failed: (error) => failed(error) });

  panel.append(
    el('h2', { text: 'Learning: train a model in this page' }),
    says,
    el('div', { class: 'settings learning-tasks' }, tasks.node),
    rule,
    examples,
    own,
    el('div', { class: 'transport', role: 'group', 'aria-label': 'Training' }, reset, earlier, play, one, later),
    el('div', { class: 'scrub' }, slider, status),
    wrong,
    changed,
    spoken,
    curves.measured,
    el('div', { class: 'learning-try' }, el('label', { for: input.id, text: 'Your own input' }), input),
    heads.node,
    el('div', { class: 'settings' }, explore, save, pin),
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
    curves.show({ history, other: pinned?.history ?? null, settings: run?.settings ?? null, step });
    slider.max = String(Math.max(end, 1));
    slider.value = String(step);
    slider.disabled = snapshots.length < 2;
    const speed = pace.length > 1 ? ((pace[pace.length - 1].step - pace[0].step) / (pace[pace.length - 1].at - pace[0].at)) * 1000 : 0;
    const found = held.findLast((measured) => measured.step <= step);
    setText(status, `step ${grouped(step)}${playing && speed > 0 ? ` · ${speed.toFixed(speed < 10 ? 1 : 0)} steps/s` : ''} · ${(trainedMs / 1000).toFixed(0)} s${found ? ` · ${(100 * found.exact).toFixed(1)} % exact` : ''}`);
    setText(playWord, playing ? 'Pause' : step > 0 ? 'Train on' : 'Train');
    playIcon.firstElementChild?.setAttribute('d', playing ? ICONS.pause : ICONS.play);
    for (const button of [reset, one, earlier, later, explore, save, pin]) button.disabled = !run;
    setAttribute(explore, 'aria-pressed', String(given.isFollowing()));
    setText(pin, pinned ? 'Remove run A' : 'Keep as run A');
    pin.hidden = !pinned && held.length < 2;
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
    heads.show(shown.answer);
    given.arrived(step);
    oneUpdate.refresh().catch(failed);
    pace = [];
    draw();
  }

  // ── Task and settings of the next run ──────────────────────────────────

  /** @type {(request: { task: TaskChoice, settings: Settings }) => void} */
  const describe = oneAtATime(
    (/** @type {{ task: TaskChoice, settings: Settings }} */ request) => trainer.call('describe', request),
    (/** @type {Described} */ described, { task, settings }) => {
      setText(rule, described.rule);
      const pairs = (/** @type {[string, string][]} */ list) => list.slice(0, 3).map(([source, target]) => `${source} → ${target}`).join(', ');
      setText(examples, `Trained on pairs such as ${pairs(described.examples)}. Held out, never trained on: ${pairs(described.heldOut)}.`);
      const fits = described.memory <= MOST_BYTES;
      form.showMemory(`A run with these settings needs about ${megabytes(described.memory)} of memory.`);
      form.showFault(fits ? '' : `That is more than the ${megabytes(MOST_BYTES)} that this page allows: choose a smaller batch, d_model, d_ff or N.`);
      reset.disabled = !fits;
      if (defaults) setLearning(store, linkOf(task, settings, defaults));
      const differs = JSON.stringify(run) !== JSON.stringify({ task, settings });
      if (fits && !beginning && !playing && step === 0 && differs) begin();
    },
    (error) => form.showFault(error instanceof Error ? error.message : String(error)),
  );

  function check() {
    if (!next) return;
    form.show(next.settings);
    tasks.show(typeof next.task === 'string' ? next.task : 'pairs');
    own.hidden = typeof next.task === 'string';
    describe(next);
    draw();
  }

  /** @param {string} value */
  function chooseTask(value) {
    if (!next) return;
    if (value === 'pairs') {
      tasks.show(value);
      own.hidden = false;
      ownText.focus();
      return;
    }
    next = { ...next, task: /** @type {TaskChoice} */ (value) };
    check();
    // A task is what one looks at: the old run would only confuse.
    restart();
  }

  /**
   * A run that differs from the defaults in one setting; the present one stays for comparison.
   * @param {TaskChoice} task
   * @param {Partial<Settings>} change
   */
  function setUp(task, change) {
    if (!next || !defaults) return;
    if (run && run.task === task && history.held.length > 1) pinned = { ...run, history };
    else if (pinned && pinned.task !== task) pinned = null;
    next = { task, settings: { ...defaults, ...change } };
    check();
    restart();
    play.scrollIntoView({ block: 'nearest' });
    play.focus({ preventScroll: true });
  }

  function useOwn() {
    if (!next) return;
    next = { ...next, task: { pairs: ownText.value, words: ownWords.checked } };
    check();
    restart();
  }

  ownFile.addEventListener('change', async () => {
    const file = ownFile.files?.[0];
    if (file) ownText.value = await readText(file, MOST_PAIRS).catch((error) => (setText(actionSays, `${file.name} was not read: ${error.message}.`), ownText.value));
  });

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
      const { memory } = await trainer.call('describe', begun);
      if (memory > MOST_BYTES) return;
      const changedTask = !run || JSON.stringify(run.task) !== JSON.stringify(begun.task);
      if (changedTask) {
        input.value = typeof begun.task === 'string' ? PROBES[begun.task] : (begun.task.pairs.split('\t')[0] ?? '').trim();
        await trainer.call('probe', { text: input.value });
      }
      const shown = await trainer.call('start', begun);
      playing = false;
      history = emptyHistory();
      run = begun;
      trouble('', '');
      oneUpdate.forget();
      arrived(shown);
      setText(says, `A Transformer with ${grouped(weights)} random weights learns a small task here, on this device. Every step shows it ${begun.settings.batchSize} pairs and moves each weight a little (§5.3). Watch its heads form here, or in Figure 1.`);
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
      await trainer.call('play', undefined);
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
      const shown = await trainer.call('pause', undefined);
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
      const { row, ...shown } = await trainer.call('step', undefined);
      history.rows.push(row);
      arrived(shown);
    } catch (error) {
      failed(error);
    }
  }

  const goTo = oneAtATime(
    (/** @type {number} */ to) => trainer.call('goTo', { step: to }),
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
  slider.addEventListener('input', () => goTo(Number(slider.value)));

  const probe = (() => {
    const ask = oneAtATime(
      (/** @type {string} */ text) => trainer.call('probe', { text }),
      (/** @type {Answered} */ answer) => heads.show(answer),
      failed,
    );
    return () => ask(input.value.trim());
  })();

  function togglePin() {
    pinned = pinned || !run ? null : { ...run, history: { rows: [...history.rows], held: [...history.held] } };
    setText(actionSays, pinned ? 'Run A stays on the charts, dashed. Change a setting and restart: the new run is B.' : '');
    draw();
  }

  /** Stores the run on this device. */
  async function keep() {
    if (!run) return;
    stored = performance.now();
    const { task, settings } = run;
    const bytes = await trainer.call('save', undefined).catch(() => null);
    // The curves up to these weights: storing takes a while, in which they grow.
    const { rows, held } = history;
    if (bytes) await storeRun({ task, settings, bytes, history: { rows: [...rows], held: [...held] }, probe: input.value });
  }

  // ── Beginning and end ──────────────────────────────────────────────────

  store.watch(['tab'], ({ tab }) => {
    if (tab !== 'learning') pause();
  });
  store.watch(['redraw'], () => heads.draw());
  addEventListener('pagehide', () => {
    if (playing) keep();
  });

  (async () => {
    try {
      defaults = await trainer.call('defaults', undefined);
      const link = store.get().learning;
      const found = link ? undefined : await storedRun();
      if (found) {
        const { task, settings, bytes, history: before, probe: typed } = found;
        next = { task, settings };
        input.value = typed;
        await trainer.call('probe', { text: typed });
        try {
          const shown = await trainer.call('restore', { bytes });
          run = next;
          history = before;
          truncate(history, shown.step);
          arrived(shown);
          setText(actionSays, `Your last run is back, at step ${grouped(shown.step)}.`);
        } catch (error) {
          // It stays on this device until a new run takes its place: it may open the next time.
          console.warn('stored run:', error);
        }
      } else next = readLink(link, defaults);
      if (next && typeof next.task !== 'string') {
        ownText.value = next.task.pairs;
        ownWords.checked = next.task.words;
      }
      check();
    } catch (error) {
      failed(error);
    }
  })();
  draw();
}
