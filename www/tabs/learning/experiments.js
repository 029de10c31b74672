/** Experiments ready made: a question, what five seeds gave, and a button that sets both runs up. */

/** @import { Change } from './choices.js' */
/** @import { Settings, TaskChoice } from './protocol' */
import { el } from '../../ui/dom.js';
import { prose } from '../../ui/math.js';
import { FEW_PAIRS } from './few-pairs.js';

/**
 * Measured by `benches/learning/experiments.py`: five seeds, the settings that the tab begins with but for `both`, at most 700 steps, 200 held-out
 * inputs. Run A has those settings; B has one `change`.
 * @type {{ title: string, question: string, measured: string, task: TaskChoice, both?: Partial<Settings>, change: Change }[]}
 */
const EXPERIMENTS = [
  {
    title: 'Reverse without positions',
    question: 'Without positions the encoder has no order of its pieces. Can the model still write them backwards?',
    measured: 'No seed gets beyond 2 %: 0.5 % after 700 steps. With the defaults all five seeds reach 99 % exact match, after 575 steps (475 to 675).',
    task: 'reverse',
    change: { key: 'positions', value: 'none' },
  },
  {
    title: 'Sort without positions',
    question: 'The answer is the same in whichever order the letters come. Does the model miss its positions?',
    measured: '81 % after 700 steps (79 to 88 %), with positions 88 % (84 to 96 %): a small loss, where reverse without positions reaches 2 % at most: what to write does not depend on where a letter stood, so attention by content gets far.',
    task: 'sort',
    change: { key: 'positions', value: 'none' },
  },
  {
    title: 'One head instead of four',
    question: 'The same width in one head (Table 3, row A). Is one enough to find the place to read?',
    measured: '94 % after 700 steps (88 to 99.5 %); one seed of five reaches 99 %. With the defaults all five seeds reach 99 % exact match, after 575 steps (475 to 675).',
    task: 'reverse',
    change: { key: 'nHeads', value: 1 },
  },
  {
    title: 'Without the scale 1 / √d_k',
    question: 'Footnote 4: for large d_k the products grow large and push the softmax to where its gradients vanish. Does it matter in one head, d_k = 64?',
    measured: 'Less than the footnote lets one expect: 91.5 % after 700 steps (75.5 to 98 %), with the scale 94 % (88 to 99.5 %). With four heads, d_k = 16, the loss is no smaller: 96 % (72 to 99 %), where with the scale all five seeds reach 99 %.',
    task: 'reverse',
    both: { nHeads: 1 },
    change: { key: 'compatibility', value: 'dot_product' },
  },
  {
    title: 'Without warm-up',
    question: 'Eq. 3 without its linear growth: the first steps are the largest. Does training survive them?',
    measured: 'No seed learns anything in 700 steps: the loss stays at 3.2 nats, about ln 26, a guess among the letters. With the defaults all five seeds reach 99 % exact match, after 575 steps (475 to 675).',
    task: 'reverse',
    change: { key: 'warmupSteps', value: 0 },
  },
  {
    title: 'Without label smoothing',
    question: 'The paper: smoothing “hurts perplexity, […] but improves accuracy” (§5.4). Here too?',
    measured: 'As the paper says: the held-out loss is better, 0.017 nats instead of 0.115, and exact match is worse, 97 % after 700 steps (90 to 100 %) where with smoothing all five seeds reach 99 %.',
    task: 'reverse',
    change: { key: 'labelSmoothing', value: 0 },
  },
  {
    title: 'Dropout on few pairs',
    question: 'Some hundred strings, seen again and again, can be learnt by heart. Does dropout (§5.4) help with strings that were never seen?',
    measured: 'With P_drop 0.2 43 % after 700 steps (31 to 54.5 %), without 33 % (25 to 52 %); the held-out loss is 0.60 nats instead of 0.72. Better, but the spreads overlap.',
    task: { pairs: FEW_PAIRS, words: false },
    change: { key: 'dropout', value: 0.2 },
  },
];

/** @param {(task: TaskChoice, both: Partial<Settings>, change: Change) => void} set sets two runs up: what both have, and what B differs in */
export function experimentsView(set) {
  const items = EXPERIMENTS.map(({ title, question, measured, task, both = {}, change }) =>
    el(
      'li',
      {},
      el('b', {}, ...prose(title)),
      el('p', {}, ...prose(question)),
      el('p', { class: 'step-says' }, ...prose(measured)),
      el('button', { type: 'button', text: 'Set up A and B', 'aria-label': `Set up A and B: ${title}`, onclick: () => set(task, both, change) }),
    ),
  );
  return el('details', { class: 'table', id: 'learning-experiments' }, el('summary', { text: 'Experiments' }), el('p', { class: 'step-says', text: 'Each begins two runs that differ in one setting: A as most would set it, B with the change. Numbers are medians of five seeds with the least and the most, 200 held-out inputs, after 700 steps where nothing else is said.' }), el('ul', { class: 'learning-experiments' }, ...items));
}
