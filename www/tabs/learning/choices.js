/** Tasks and settings as the tab offers them: names of the paper, ranges, and why a default is what it is. */

/**
 * @typedef {import('./protocol').Settings} Settings
 * @typedef {import('./protocol').TaskChoice} TaskChoice
 */

/** @type {{ value: string, text: string }[]} */
export const TASKS = [
  { value: 'copy', text: 'copy' },
  { value: 'reverse', text: 'reverse' },
  { value: 'sort', text: 'sort' },
  { value: 'dates', text: 'dates' },
  { value: 'addition', text: 'addition' },
  { value: 'pairs', text: 'your own pairs' },
];

/** Three inputs of each task, for the reader to change. @type {Record<string, [string, string, string]>} */
const PROBES = {
  copy: ['figure', 'banana', 'attention'],
  reverse: ['stressed', 'parts', 'keeper'],
  sort: ['heads', 'banana', 'zyxwv'],
  dates: ['March 5th, 2019', '5 Mar 2019', '31.12.1999'],
  addition: ['274+58', '999+1', '12+3456'],
};

/**
 * The inputs that are shown of a task to begin with; of own pairs the first three sources.
 * @param {TaskChoice} task
 * @returns {string[]}
 */
export function probesOf(task) {
  if (typeof task === 'string') return PROBES[task];
  const lines = task.pairs.split('\n').filter((line) => line.trim() !== '');
  return Array.from({ length: 3 }, (_, i) => (lines[i] ?? '').split('\t')[0].trim());
}

/**
 * A number among the settings.
 * @typedef {object} NumberChoice
 * @property {'layers'|'dModel'|'nHeads'|'dFf'|'dropout'|'labelSmoothing'|'warmupSteps'|'factor'|'batchSize'|'seed'|'neighbourhood'} key
 * @property {string} name
 * @property {number[]} values
 * @property {string} why
 */

/** @type {NumberChoice[]} */
export const NUMBERS = [
  { key: 'layers', name: 'N', values: [1, 2, 3, 4, 6], why: 'Layers of encoder and of decoder. The paper has 6; two are enough for strings.' },
  { key: 'dModel', name: 'd_model', values: [16, 32, 64, 96, 128, 192, 256], why: 'Width of the residual stream; 512 in the paper.' },
  { key: 'nHeads', name: 'h', values: [1, 2, 4, 8], why: 'Heads of each attention; each gets d_model / h dimensions.' },
  { key: 'dFf', name: 'd_ff', values: [32, 64, 128, 256, 512], why: 'Inner width of the feed-forward network; the paper has four times d_model.' },
  { key: 'dropout', name: 'P_drop', values: [0, 0.05, 0.1, 0.2, 0.3], why: '0.1 in the paper. New pairs come with every batch here, so there is nothing to memorise, and 0 learns faster. Own pairs need some.' },
  { key: 'labelSmoothing', name: 'ε_ls', values: [0, 0.1, 0.2], why: 'Label smoothing, as in the paper: the gold piece gets 1 − ε of the target distribution.' },
  { key: 'warmupSteps', name: 'warmup_steps', values: [0, 50, 100, 200, 400, 800, 1600], why: 'Steps of linear growth in eq. 3; 4000 in the paper, whose runs are a hundred times longer.' },
  { key: 'factor', name: 'factor', values: [0.1, 0.25, 0.5, 1, 2, 5, 20], why: 'Factor on eq. 3; 1 in the paper. Half of it keeps small models from diverging.' },
  { key: 'batchSize', name: 'batch size', values: [8, 16, 32, 64, 128], why: 'Pairs in a batch.' },
  { key: 'neighbourhood', name: 'r', values: [0, 2, 4, 8], why: 'Restricted self-attention (§4): only positions at most r / 2 away are attended to.' },
  { key: 'seed', name: 'seed', values: [1, 2, 3, 4, 5], why: 'Decides weights, data and dropout: the same seed gives the same run, to the last digit.' },
];

/** @type {{ key: 'positions'|'compatibility', name: string, values: [string, string][], why: string }[]} */
export const KINDS = [
  { key: 'positions', name: 'positions', values: [['sinusoidal_interleaved', 'sinusoidal'], ['learned', 'learned'], ['none', 'none']], why: 'Sines and cosines (§3.5), a learned table (Table 3, row E), or nothing: then attention knows no order.' },
  { key: 'compatibility', name: 'attention', values: [['scaled_dot_product', 'scaled'], ['dot_product', 'unscaled'], ['additive', 'additive']], why: 'Compatibility function (§3.2.1): q·k / √d_k, q·k, or w·tanh(q + k).' },
];

/** One setting in which a run B differs from A. @typedef {{ key: keyof Settings, value: any }} Change */

/** Every setting: its key, its name, and its choices as a select has them, with the words for each. */
export const CHOICES = [
  ...NUMBERS.map(({ key, name, values }) => ({ key, name, values: values.map((value) => /** @type {[string, string]} */ ([String(value), key === 'neighbourhood' && value === 0 ? 'unrestricted' : String(value)])) })),
  ...KINDS,
];

/**
 * The value of a setting that a text stands for; undefined where it is no choice.
 * @param {string} key
 * @param {string | null} text
 */
export function valueOf(key, text) {
  if (!CHOICES.some((choice) => choice.key === key && choice.values.some(([value]) => value === text))) return undefined;
  if (key === 'neighbourhood' && text === '0') return null;
  return KINDS.some((kind) => kind.key === key) ? text : Number(text);
}

/**
 * Task and settings as a link carries them: what differs from the defaults, and what run B differs in. Own pairs stay on this device.
 * @param {TaskChoice} task
 * @param {Settings} settings
 * @param {Settings} defaults
 * @param {Change | null} change
 */
export function linkOf(task, settings, defaults, change) {
  const params = new URLSearchParams({ task: typeof task === 'string' ? task : 'pairs' });
  for (const { key } of CHOICES) if (settings[key] !== defaults[key]) params.set(key, String(settings[key] ?? 0));
  if (change) params.set('b', `${change.key} ${change.value ?? 0}`);
  return params.toString();
}

/**
 * Reads such a link; what is no choice is ignored.
 * @param {string} link
 * @param {Settings} defaults
 * @returns {{ task: TaskChoice, settings: Settings, change: Change | null }}
 */
export function readLink(link, defaults) {
  const params = new URLSearchParams(link);
  const task = params.get('task') ?? '';
  /** @type {any} */
  const settings = { ...defaults };
  for (const { key } of CHOICES) {
    const value = valueOf(key, params.get(key));
    if (value !== undefined) settings[key] = value;
  }
  const [key, text] = (params.get('b') ?? '').split(' ');
  const value = valueOf(key, text ?? null);
  const known = TASKS.some(({ value }) => value === task && value !== 'pairs');
  return {
    task: known ? /** @type {TaskChoice} */ (task) : 'reverse',
    settings,
    change: value === undefined || settings[key] === value ? null : { key: /** @type {keyof Settings} */ (key), value },
  };
}

/**
 * What two settings differ in, in words: `h 1 instead of 4`.
 * @param {Settings} a
 * @param {Settings} b
 */
export function differences(a, b) {
  const word = (/** @type {typeof CHOICES[number]} */ { key, values }, /** @type {Settings} */ settings) => {
    const value = String(settings[key] ?? 0);
    return values.find(([each]) => each === value)?.[1] ?? value;
  };
  return CHOICES.filter(({ key }) => a[key] !== b[key]).map((choice) => `${choice.name} ${word(choice, a)} instead of ${word(choice, b)}`).join(', ');
}
