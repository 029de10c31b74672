/** Experiments ready made: a question, what five seeds gave, and a button that sets the run up. */

/** @import { Settings, TaskChoice } from './protocol' */
import { el } from '../../ui/dom.js';
import { prose } from '../../ui/math.js';

/**
 * Measured by `benches/learning/experiments.py`: five seeds, the settings that the tab begins with, at most 700 steps.
 * @type {{ title: string, question: string, measured: string, task: TaskChoice, change: Partial<Settings> }[]}
 */
const EXPERIMENTS = [
  {
    title: 'Reverse without positions',
    question: 'Without positions the encoder has no order of its pieces. Can the model still write them backwards?',
    measured: 'No seed gets beyond 2 %: 0.5 % after 700 steps. With the defaults all five seeds reach 99 % exact match, after 575 steps (475 to 675).',
    task: 'reverse',
    change: { positions: 'none' },
  },
  {
    title: 'Sort without positions',
    question: 'The answer is the same in whichever order the letters come. Does the model miss its positions?',
    measured: '81 % after 700 steps (79 to 88 %), with positions 88 % (84 to 96 %): a small loss, where reverse without positions reaches 2 % at most: what to write does not depend on where a letter stood, so attention by content gets far.',
    task: 'sort',
    change: { positions: 'none' },
  },
  {
    title: 'One head instead of four',
    question: 'The same width in one head (Table 3, row A). Is one enough to find the place to read?',
    measured: '94 % after 700 steps (88 to 99.5 %); one seed of five reaches 99 %. With the defaults all five seeds reach 99 % exact match, after 575 steps (475 to 675).',
    task: 'reverse',
    change: { nHeads: 1 },
  },
  {
    title: 'Without the scale 1 / √d_k',
    question: 'Footnote 4: large products push the softmax to where its gradients vanish. Does it matter at d_k = 16?',
    measured: '96 % after 700 steps (72 to 99 %); two seeds of five reach 99 %. A small loss here; the paper expects more at larger d_k. With the defaults all five seeds reach 99 % exact match, after 575 steps (475 to 675).',
    task: 'reverse',
    change: { compatibility: 'dot_product' },
  },
  {
    title: 'Without warm-up',
    question: 'Eq. 3 without its linear growth: the first steps are the largest. Does training survive them?',
    measured: 'No seed learns anything in 700 steps: the loss stays at 3.2 nats, about ln 26, a guess among the letters. With the defaults all five seeds reach 99 % exact match, after 575 steps (475 to 675).',
    task: 'reverse',
    change: { warmupSteps: 0 },
  },
  {
    title: 'Without label smoothing',
    question: 'The paper: smoothing “hurts perplexity, […] but improves accuracy” (§5.4). Here too?',
    measured: 'As the paper says: the held-out loss is better, 0.017 nats instead of 0.115, and exact match is worse, 97 % after 700 steps (90 to 100 %) where with smoothing all five seeds reach 99 %.',
    task: 'reverse',
    change: { labelSmoothing: 0 },
  },
];

/** @param {(task: TaskChoice, change: Partial<Settings>) => void} set sets a run up beside the present one */
export function experimentsView(set) {
  const items = EXPERIMENTS.map(({ title, question, measured, task, change }) =>
    el(
      'li',
      {},
      el('b', {}, ...prose(title)),
      el('p', {}, ...prose(question)),
      el('p', { class: 'step-says' }, ...prose(measured)),
      el('button', { type: 'button', text: 'Set it up', 'aria-label': `Set up: ${title}`, onclick: () => set(task, change) }),
    ),
  );
  return el('details', { class: 'table', id: 'learning-experiments' }, el('summary', { text: 'Six experiments' }), el('p', { class: 'step-says', text: 'Each changes one setting. The run on this page becomes run A where its task is the same. Numbers are medians of five seeds, with the least and the most.' }), el('ul', { class: 'learning-experiments' }, ...items));
}
