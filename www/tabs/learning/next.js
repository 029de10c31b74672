/** The next run: what the form says, checked as it is changed, and set up where it has room; run B differs from it in one setting. */

/** @import { Change } from './choices.js' */
/** @import { Described, Plan, Settings, TaskChoice } from './protocol' */
/** @import { firstRun } from './run.js' */
/** @import { StoredRun } from './runs.js' */
/** @import { secondRun } from './second.js' */
import { oneAtATime } from '../../app/requests.js';
import { megabytes } from '../../ui/numbers.js';
import { linkOf, readLink } from './choices.js';
import { storedRun } from './runs.js';

/** The most memory that is used, by both runs together. */
const MOST_BYTES = 200 * 2 ** 20;

/** @param {Settings} settings @param {Change} change @returns {Settings} */
const changedBy = (settings, { key, value }) => ({ ...settings, [key]: value });

/**
 * @typedef {object} Listeners
 * @property {(plan: Plan) => void} onplan it is another
 * @property {(described: Described) => void} ondescribed
 * @property {(memory: string, fault: string) => void} onmemory what both runs need, and why that is too much
 * @property {(link: string) => void} onlink
 * @property {(plan: Plan) => void} onbegun both runs stand at step 0
 * @property {(fault: string) => void} onfault the settings contradict each other
 * @property {(error: unknown) => void} failed
 */

/**
 * @param {{ run: ReturnType<typeof firstRun>, second: ReturnType<typeof secondRun>, probes: () => string[] }} parts
 * @param {Listeners} listeners
 */
export function nextRun({ run, second, probes }, { onplan, ondescribed, onmemory, onlink, onbegun, onfault, failed }) {
  /** @type {Plan | null} */
  let next = null;
  /** What run B differs in; null: there is none. @type {Change | null} */
  let change = null;
  /** @type {Settings | null} */
  let defaults = null;
  /** Whether it has room. */
  let fits = true;
  /** The run that is being set up. @type {Promise<void> | null} */
  let beginning = null;
  /** The stored run on its way: no other takes its place before it is there. @type {Promise<void> | null} */
  let opening = null;

  /** A task and settings, with the memory of both runs. @param {Plan} plan @returns {Promise<Described>} */
  async function describeBoth({ task, settings }) {
    const described = await run.trainer.call('describe', { task, settings });
    const other = change ? await run.trainer.call('describe', { task, settings: changedBy(settings, change) }) : null;
    return { ...described, memory: described.memory + (other?.memory ?? 0) };
  }

  /** @type {(plan: Plan) => void} */
  const describe = oneAtATime(
    describeBoth,
    (/** @type {Described} */ described, plan) => {
      fits = described.memory <= MOST_BYTES;
      onmemory(
        `${change ? 'Both runs need' : 'A run with these settings needs'} about ${megabytes(described.memory)} of memory.`,
        fits ? '' : `That is more than the ${megabytes(MOST_BYTES)} that this page allows: choose a smaller batch, d_model, d_ff or N.`,
      );
      ondescribed(described);
      if (defaults) onlink(linkOf(plan.task, plan.settings, defaults, change));
      const differs = JSON.stringify(run.plan()) !== JSON.stringify(plan);
      if (fits && !opening && !beginning && !run.isPlaying() && run.step() === 0 && differs) begin();
    },
    (error) => onfault(error instanceof Error ? error.message : String(error)),
  );

  function check() {
    if (!next) return;
    second.compareWith(next.settings);
    onplan(next);
    describe(next);
  }

  /** A new run with the settings of the form, standing at step 0. */
  function begin() {
    const begun = next;
    const own = setUpBoth().finally(() => {
      // Restarted meanwhile: that one is the run.
      if (beginning !== own) return;
      beginning = null;
      // Settings that changed meanwhile.
      if (next !== begun && run.step() === 0 && !run.isPlaying()) check();
    });
    beginning = own;
    return own;
  }

  /** Waits until the stored run is there, or could not be opened, which `open` reports. */
  const opened = () => opening?.catch(() => {});

  async function setUpBoth() {
    await opened();
    if (!next) return;
    const begun = next;
    try {
      // A setting of A may have become that of B.
      if (change && begun.settings[change.key] === change.value) change = null;
      const other = change && changedBy(begun.settings, change);
      const { memory } = await describeBoth(begun);
      if (memory > MOST_BYTES) return;
      await run.begin(begun);
      if (other) await second.begin(begun.task, begun.settings, other, probes());
      else second.end();
      onbegun(begun);
    } catch (error) {
      failed(error);
    }
  }

  /** Takes over what a link says. @param {string} link @returns {Promise<StoredRun | undefined>} the stored run, if the link leads to it */
  async function find(link) {
    defaults = await run.trainer.call('defaults', undefined);
    const last = await storedRun();
    // A link of the same task and settings is what a reload finds.
    const found = last && (link === '' || link === linkOf(last.task, last.settings, defaults, last.change ?? null)) ? last : undefined;
    const { task, settings, change: differing } = found ?? readLink(link, defaults);
    next = { task, settings };
    change = found && !found.second ? null : differing;
    return found;
  }

  return {
    plan: () => next,
    change: () => change,
    fits: () => fits,
    check,
    begin,
    /** Waits until a run is there, or could not be set up. */
    async settled() {
      await opened();
      if (!run.plan()) begin();
      while (beginning) await beginning;
    },
    /** @param {Partial<Settings>} changed */
    changeSettings(changed) {
      if (next) next = { ...next, settings: { ...next.settings, ...changed } };
      check();
    },
    /** @param {TaskChoice} task */
    changeTask(task) {
      if (next) next = { ...next, task };
      check();
      // A task is what one looks at: the old run would only confuse.
      return begin();
    },
    /** What B differs in; null: it ends. @param {Change | null} chosen */
    changeSecond(chosen) {
      change = chosen;
      if (!change) second.end();
      check();
    },
    /**
     * Two runs that differ in one setting.
     * @param {TaskChoice} task
     * @param {Partial<Settings>} both what they have instead of the defaults
     * @param {Change} chosen
     */
    setUp(task, both, chosen) {
      if (!next || !defaults) return Promise.resolve();
      change = chosen;
      next = { task, settings: { ...defaults, ...both } };
      check();
      return begin();
    },
    /**
     * Begins with the settings of a link, or with those of the stored run where the link leads to it.
     * @param {string} link
     * @param {(found: StoredRun) => Promise<void>} restore brings that run back
     */
    async open(link, restore) {
      opening = find(link).then((found) => found && restore(found));
      try {
        await opening;
      } finally {
        opening = null;
      }
    },
  };
}
