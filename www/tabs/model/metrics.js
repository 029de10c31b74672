/** `metrics.json`: what a model was measured to do, and what its training cost (its form: the command `score`). */

/**
 * A test set that was translated and compared with its references.
 * @typedef {{name: string, sentences: number|null, bleu: number, chrf2: number|null}} Score
 */

/**
 * @typedef {object} Metrics
 * @property {Score[]} scores
 * @property {{counted: number|null, estimated: number|null}} flops of the training: counted operation by operation, and
 *   estimated as the paper does (§6.1)
 */

/**
 * Reads what it can; odd shapes are left out.
 * @param {unknown} raw the file, parsed; null where the folder has none
 * @returns {Metrics}
 */
export function readMetrics(raw) {
  const { test_sets: sets, training_flops: flops } = objectOf(raw);
  return {
    scores: (Array.isArray(sets) ? sets.map(objectOf) : [])
      .filter(({ name, bleu }) => typeof name === 'string' && numberOf(bleu) !== null)
      .map(({ name, sentences, bleu, chrf2 }) => ({ name, sentences: numberOf(sentences), bleu, chrf2: numberOf(chrf2) })),
    flops: { counted: numberOf(objectOf(flops).counted), estimated: numberOf(objectOf(flops).estimated) },
  };
}

/** @param {unknown} value @returns {Record<string, any>} */
const objectOf = (value) => (typeof value === 'object' && value !== null ? value : {});

/** @param {unknown} value */
const numberOf = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : null);
