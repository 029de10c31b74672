/** A | B: a second run that differs in one setting, trained beside the first by a worker of its own. */

/** @import { Change } from './choices.js' */
/** @import { Answered, Settings, Shown, TaskChoice } from './protocol' */
/** @import { StoredSecond } from './runs.js' */
import { oneAtATime } from '../../app/requests.js';
import { el, setText } from '../../ui/dom.js';
import { grouped } from '../../ui/numbers.js';
import { CHOICES, differences, valueOf } from './choices.js';
import { COLUMN, addMeasured, emptyHistory, until } from './history.js';
import { createTrainer } from './trainer.js';

/**
 * @param {{ onchange: () => void, onchoose: (change: Change | null) => void }} listeners
 *   `onchange`: B has come further; `onchoose`: the reader wants a B that differs in this, or none
 */
export function secondRun({ onchange, onchoose }) {
  /** @type {ReturnType<typeof createTrainer> | null} */
  let trainer = null;
  /** @type {Settings | null} */
  let settings = null;
  /** What A had when both began. @type {Settings | null} */
  let base = null;
  /** What A has next. @type {Settings | null} */
  let first = null;
  let history = emptyHistory();
  let step = 0;
  /** @type {Answered[]} */
  let answers = [];

  /** @param {Shown} shown */
  function arrived(shown) {
    step = shown.step;
    addMeasured(history, shown.measured);
    answers = shown.answers;
    onchange();
  }

  /**
   * Does this with B's trainer, if there is one, and reports what fails. Of a B that was removed meanwhile nothing counts.
   * @param {(own: NonNullable<typeof trainer>) => Promise<void>} work
   */
  async function withTrainer(work) {
    const own = trainer;
    if (!own) return;
    try {
      await work(own);
    } catch (error) {
      if (own === trainer) failed(error instanceof Error ? error.message : String(error));
    }
  }

  function end() {
    failed('');
    // First: what is rejected with it is not reported.
    const ended = trainer;
    trainer = null;
    ended?.end();
    settings = null;
    history = emptyHistory();
    answers = [];
  }

  const goTo = oneAtATime(
    (/** @type {number} */ to) => withTrainer(async (own) => arrived(await own.call('goTo', { step: to }))),
    () => {},
    () => {},
  );

  // ── What the reader chooses ────────────────────────────────────────────

  const key = el('select', { id: 'learning-b-key', onchange: () => offer() }, ...CHOICES.map(({ key, name }) => el('option', { value: key, text: name })));
  const value = el('select', { id: 'learning-b-value' });
  const remove = el('button', { type: 'button', id: 'learning-b-remove', text: 'Remove B', onclick: () => onchoose(null) });
  const node = el(
    'div',
    { class: 'settings', id: 'learning-b', role: 'group', 'aria-label': 'Run B', hidden: true },
    el('label', { for: key.id, class: 'setting-name', text: 'B differs in' }),
    key,
    el('label', { for: value.id, class: 'setting-name', text: 'which is' }),
    value,
    el('button', {
      type: 'button',
      id: 'learning-b-start',
      text: 'Begin both anew',
      onclick: () => {
        const name = /** @type {keyof Settings} */ (key.value);
        onchoose({ key: name, value: valueOf(name, value.value) });
      },
    }),
    remove,
  );
  key.value = 'nHeads';
  const status = el('p', { class: 'readout', id: 'learning-b-status', hidden: true });
  const fault = el('p', { class: 'intervened', role: 'alert', id: 'learning-b-fault', hidden: true });
  /** @param {string} message empty: B is well */
  function failed(message) {
    fault.hidden = message === '';
    setText(fault, message && `Run B stopped: ${message}.`);
  }

  /**
   * A trainer in the place of the one before.
   * @param {Settings} of
   * @param {Settings} changed
   */
  function takeOver(of, changed) {
    end();
    base = of;
    settings = changed;
    // What B has stands in its form.
    const differing = CHOICES.find((choice) => of[choice.key] !== changed[choice.key]);
    if (differing) {
      key.value = differing.key;
      first = of;
      offer();
      value.value = String(changed[differing.key] ?? 0);
    }
    const own = createTrainer({
      onProgress({ rows, measured, answers: now }) {
        history.rows.push(...rows);
        if (rows.length > 0) step = rows[rows.length - 1][COLUMN.step];
        if (measured) addMeasured(history, measured);
        answers = now.map((answer, i) => answer ?? answers[i] ?? null);
        onchange();
      },
      onDiverged(message, rows) {
        history.rows.push(...rows);
        failed(message);
      },
      onCrash(message) {
        end();
        failed(message);
        onchange();
      },
    });
    trainer = own;
    return own;
  }

  /** Offers the values that A does not have. */
  function offer() {
    const choice = CHOICES.find((each) => each.key === key.value);
    if (!first || !choice) return;
    const taken = String(/** @type {any} */ (first)[choice.key] ?? 0);
    const [before, values] = [value.value, choice.values.filter(([each]) => each !== taken)];
    value.replaceChildren(...values.map(([each, text]) => el('option', { value: each, text })));
    if (values.some(([each]) => each === before)) value.value = before;
  }

  return {
    node,
    status: [status, fault],
    isOn: () => trainer !== null,
    history: () => history,
    settings: () => settings,
    /** Answers to the probes; null: there is no B. */
    answers: () => (trainer ? answers : null),
    /** Says how far B is. */
    draw() {
      status.hidden = remove.hidden = trainer === null;
      if (!base || !settings) return;
      const found = history.held.findLast((measured) => measured.step <= step);
      setText(status, `B, dashed: ${differences(settings, base)} · step ${grouped(step)}${found ? ` · ${(100 * found.exact).toFixed(1)} % exact` : ''}`);
    },
    /** What A has: B's choices are others. @param {Settings} settings */
    compareWith(settings) {
      first = settings;
      offer();
    },
    end,
    /**
     * @param {TaskChoice} task
     * @param {Settings} of
     * @param {Settings} changed
     * @param {string[]} probes
     */
    begin(task, of, changed, probes) {
      const own = takeOver(of, changed);
      return withTrainer(async () => {
        await own.call('probe', { texts: probes });
        const shown = await own.call('start', { task, settings: changed });
        if (own === trainer) arrived(shown);
      });
    },
    /** B as it can be stored; null: there is none. @returns {Promise<StoredSecond | null>} */
    async save() {
      const [own, of] = [trainer, settings];
      const saved = await own?.call('save', undefined).catch(() => null);
      if (!own || own !== trainer || !of || !saved) return null;
      return { settings: of, bytes: saved.bytes, history: until(history, saved.step) };
    },
    /**
     * @param {StoredSecond} stored
     * @param {Settings} of
     * @param {string[]} probes
     */
    restore(stored, of, probes) {
      const own = takeOver(of, stored.settings);
      return withTrainer(async () => {
        await own.call('probe', { texts: probes });
        const shown = await own.call('restore', { bytes: stored.bytes });
        if (own !== trainer) return;
        history = until(stored.history, shown.step);
        arrived(shown);
      });
    },
    play: () =>
      withTrainer(async (own) => {
        failed('');
        history = until(history, step);
        await own.call('fork', undefined);
        await own.call('play', undefined);
      }),
    pause: () => withTrainer(async (own) => arrived(await own.call('pause', undefined))),
    step: () =>
      withTrainer(async (own) => {
        history = until(history, step);
        await own.call('fork', undefined);
        const { row, ...shown } = await own.call('step', undefined);
        history.rows.push(row);
        arrived(shown);
      }),
    goTo,
    /** @param {string[]} texts */
    probe: (texts) =>
      withTrainer(async (own) => {
        answers = await own.call('probe', { texts });
        onchange();
      }),
  };
}
