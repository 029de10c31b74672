/** `training.json`: the curves of a training run, read into columns. */

/**
 * @typedef {object} TrainingLog
 * @property {number|null} steps
 * @property {number|null} targetTokens
 * @property {number|null} seconds
 * @property {{step: number[], loss: number[], rate: number[]}} training one entry for each logged step
 * @property {{name: string, step: number[], loss: number[], bleu: number[]}[]} validation one for each development set; NaN: not measured
 */

/**
 * Reads what it can; odd shapes are left out.
 * @param {unknown} raw the file, parsed; null where the folder has none
 * @returns {TrainingLog|null} null without curves
 */
export function readTrainingLog(raw) {
  const { training, validation, steps, target_tokens: targetTokens, seconds } = objectOf(raw);
  const points = rowsOf(training);
  if (points.length === 0) return null;
  return {
    steps: numberOf(steps),
    targetTokens: numberOf(targetTokens),
    seconds: numberOf(seconds),
    training: { step: column(points, 'step'), loss: column(points, 'loss'), rate: column(points, 'learning_rate') },
    validation: Object.entries(objectOf(validation))
      .map(([name, list]) => ({ name, rows: rowsOf(list) }))
      .filter(({ rows }) => rows.length > 0)
      .map(({ name, rows }) => ({ name, step: column(rows, 'step'), loss: column(rows, 'loss'), bleu: column(rows, 'bleu') })),
  };
}

/**
 * Whether the learning rate ends far below the 1/√step that it followed: eq. 3 alone never does.
 * @param {TrainingLog['training']} log
 */
export function descendsAtTheEnd({ step, rate }) {
  const mid = Math.floor(step.length * 0.7);
  const last = step.length - 1;
  return rate[last] < 0.5 * rate[mid] * Math.sqrt(step[mid] / step[last]);
}

/** @param {unknown} value @returns {Record<string, any>} */
const objectOf = (value) => (typeof value === 'object' && value !== null ? value : {});

/** @param {unknown} value */
const numberOf = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : null);

/** Entries of a curve: those that have a step. @param {unknown} list */
const rowsOf = (list) => (Array.isArray(list) ? list.map(objectOf).filter((row) => numberOf(row.step) !== null) : []);

/** @param {Record<string, any>[]} rows @param {string} key */
const column = (rows, key) => rows.map((row) => numberOf(row[key]) ?? NaN);
