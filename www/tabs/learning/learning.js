/** The Learning tab: a Transformer is trained in the page (§5), and what it learns is seen while it does. */

/** @import { TabContext } from '../list.js' */
/** @import { TaskChoice } from './protocol' */
import { setLearning } from '../../app/settings.js';
import { el, segmented, setAttribute, setText } from '../../ui/dom.js';
import { grouped } from '../../ui/numbers.js';
import { TASKS, differences } from './choices.js';
import { curvesView } from './curves.js';
import { experimentsView } from './experiments.js';
import { handOver } from './hand-over.js';
import { nextRun } from './next.js';
import { ownPairs } from './own-pairs.js';
import { probesView } from './probes.js';
import { firstRun } from './run.js';
import { secondRun } from './second.js';
import { settingsForm } from './settings-form.js';
import { transportView } from './transport.js';
import { updateView } from './update-view.js';

/** Milliseconds between two drawings of the charts. */
const DRAW_EVERY = 90;

/**
 * @param {HTMLElement} panel
 * @param {TabContext} context
 */
export function mount(panel, { store, session }) {
  let drawn = 0;
  let drawing = 0;

  // ── Both runs, and the next one ────────────────────────────────────────

  const probes = probesView((texts) => {
    run.probe(texts);
    second.probe(texts);
  });
  const second = secondRun({
    onchange: soon,
    onchoose(change) {
      next.changeSecond(change);
      if (!change) return;
      restart();
      transport.focus();
    },
  });
  const run = firstRun(
    { probes, second, change: () => next.change() },
    {
      onprogress() {
        soon();
        given.progressed(run.step());
      },
      onarrived() {
        given.arrived(run.step());
        oneUpdate.refresh().catch(failed);
        draw();
      },
      onchange: draw,
      speak: (text) => setText(spoken, text),
      trouble,
      failed,
    },
  );
  const next = nextRun(
    { run, second, probes: probes.texts },
    {
      onplan({ task, settings }) {
        form.show(settings);
        tasks.show(typeof task === 'string' ? task : 'pairs');
        own.show(task);
        draw();
      },
      ondescribed({ rule: text, examples: trained, heldOut }) {
        const pair = (/** @type {[string, string]} */ [source, target]) => `${source} → ${target}`;
        const pairs = (/** @type {[string, string][]} */ list) => list.slice(0, 3).map(pair).join(', ');
        const shortest = trained.reduce((best, each) => (each[0].length < best[0].length ? each : best));
        setText(rule, `${text} For example: ${pair(shortest)}.`);
        setText(examples, `Trained on pairs such as ${pairs(trained)}. Held out, never trained on: ${pairs(heldOut)}.`);
        draw();
      },
      onmemory(memory, fault) {
        form.showMemory(memory);
        form.showFault(fault);
      },
      onlink: (link) => setLearning(store, link),
      onbegun({ settings }) {
        oneUpdate.forget();
        setText(says, `A Transformer with ${grouped(run.weights())} random weights learns a small task here: every step shows it ${settings.batchSize} pairs and moves each weight a little (§5.3). The loss falls at once; whole answers are exact only much later.`);
      },
      onfault: (fault) => form.showFault(fault),
      failed,
    },
  );

  async function restart() {
    await next.begin();
    restarted();
  }

  function restarted() {
    if (run.plan()) setText(spoken, 'Restarted from random weights.');
  }

  async function start() {
    await next.settled();
    // The reader may have left the tab meanwhile.
    if (store.get().tab === 'learning') await run.play();
  }

  // ── What is on the page ────────────────────────────────────────────────

  const says = el('p', { class: 'says', text: 'A Transformer with random weights learns a small task here: every step shows it a batch of pairs and moves each weight a little (§5.3). The loss falls at once; whole answers are exact only much later.' });
  const tasks = segmented('Task', TASKS, chooseTask);
  const rule = el('p', { class: 'learning-rule', id: 'learning-rule' });
  const examples = el('p', { class: 'readout', id: 'learning-examples' });
  const own = ownPairs((task) => next.changeTask(task).then(restarted), (text) => setText(actionSays, text));

  const transport = transportView({
    onplay: () => (run.isPlaying() ? run.pause() : start()),
    onreset: restart,
    onstep: run.oneStep,
    onjump: run.jump,
    onscrub: run.goTo,
  });
  const changed = el('p', { class: 'intervened-bar', id: 'learning-changed', hidden: true }, el('span', { class: 'intervened' }), el('button', { type: 'button', text: 'Restart with them', onclick: restart }));
  const wrong = el('div', { class: 'intervened-bar', id: 'learning-trouble', role: 'alert', hidden: true }, el('p', { class: 'intervened' }));
  const spoken = el('p', { class: 'unseen', 'aria-live': 'polite' });

  const curves = curvesView();

  const form = settingsForm((changes) => next.changeSettings(changes));
  const oneUpdate = updateView(
    // It may be opened before the first run is there, which refreshes it.
    async () => (run.plan() ? run.trainer.call('tensors', undefined) : []),
    async (weight) => (run.plan() ? run.trainer.call('update', { weight }) : null),
  );
  const compare = el('button', {
    type: 'button',
    id: 'learning-ab',
    text: 'Compare A | B',
    title: 'a second run that differs in one setting, trained at the same time',
    'aria-expanded': 'false',
    'aria-controls': second.node.id,
    onclick: () => openCompare(second.node.hidden),
  });
  const explore = el('button', { type: 'button', id: 'learning-open', text: 'Show it in Figure 1', 'aria-pressed': 'false', onclick: () => given.toggle(probes.texts()[0], run.step()) });
  const save = el('button', { type: 'button', id: 'learning-save', text: 'Save model', onclick: () => run.pause().then(given.save) });
  const actionSays = el('p', { class: 'readout', id: 'learning-says', role: 'status' });
  const given = handOver({
    store,
    session,
    trainer: run.trainer,
    name() {
      const task = run.plan()?.task;
      return `learned-${typeof task === 'string' ? task : 'pairs'}`;
    },
    says: (text) => setText(actionSays, text),
    changed: draw,
    failed,
  });

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
    experimentsView((task, both, change) => {
      next.setUp(task, both, change).then(restarted);
      transport.focus();
    }),
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
    const { plan, step, history } = { plan: run.plan(), step: run.step(), history: run.history() };
    curves.show({ history, settings: plan?.settings ?? null, step, second: second.isOn() ? { history: second.history(), settings: second.settings() } : null });
    second.draw();
    probes.showSecond(second.answers());
    transport.show({ ...run.pace(), fits: next.fits() });
    for (const button of [explore, save, compare]) button.disabled = !plan;
    setAttribute(explore, 'aria-pressed', String(given.isFollowing()));
    const wanted = next.plan();
    const differs = plan !== null && wanted !== null && JSON.stringify(plan) !== JSON.stringify(wanted);
    changed.hidden = !differs;
    if (!differs) return;
    const words = differences(wanted.settings, plan.settings);
    setText(/** @type {Element} */ (changed.firstElementChild), `The run on this page has other settings${words ? `: next, ${words}` : ''}.`);
  }

  /** @param {string} what @param {string} remedy */
  function trouble(what, remedy) {
    wrong.hidden = what === '';
    setText(/** @type {Element} */ (wrong.firstElementChild), `${what} ${remedy}`.trim());
  }

  /** @param {unknown} error */
  function failed(error) {
    trouble(error instanceof Error ? error.message : String(error), '');
  }

  /** @param {string} value */
  function chooseTask(value) {
    if (!next.plan()) return;
    if (value === 'pairs') {
      tasks.show(value);
      own.open();
    } else next.changeTask(/** @type {TaskChoice} */ (value)).then(restarted);
  }

  /** @param {boolean} open */
  function openCompare(open) {
    second.node.hidden = !open;
    setAttribute(compare, 'aria-expanded', String(open));
  }

  // ── Beginning and end ──────────────────────────────────────────────────

  store.watch(['tab'], ({ tab }) => {
    if (tab !== 'learning') run.pause();
  });
  store.watch(['redraw'], () => probes.draw());
  addEventListener('pagehide', () => {
    if (run.isPlaying()) run.keep();
  });

  (async () => {
    try {
      await next.open(store.get().learning, async (found) => {
        try {
          await run.restore(found);
          if (found.second) await second.restore(found.second, found.settings, probes.texts());
          setText(actionSays, `Your last run is back, at step ${grouped(run.step())}.`);
        } catch (error) {
          // It stays on this device until a new run takes its place: it may open the next time.
          console.warn('stored run:', error);
        }
      });
      next.check();
    } catch (error) {
      failed(error);
    }
  })();
  draw();
}
