// What both onnxruntime-web sides share: the runtime, sessions, and a search written for it (greedy, or beam search
// with real log-probabilities, top-k and reordered caches).

const DIST = '/cache/node_modules/onnxruntime-web/dist/';
const OPTIONS = { executionProviders: ['wasm'], graphOptimizationLevel: 'all' };

const get = async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer());

/**
 * Starts the runtime, one thread, and a session for each graph.
 * @param {string[]} urls
 */
export async function startSessions(urls) {
  const start = performance.now();
  const fetched = urls.map(get);
  const ort = await import(`${DIST}ort.wasm.min.mjs`);
  Object.assign(ort.env.wasm, { wasmPaths: DIST, numThreads: 1 });
  const sessions = [];
  for (const graph of fetched) sessions.push(await ort.InferenceSession.create(await graph, OPTIONS));
  return { ort, sessions, load: { readyMs: performance.now() - start } };
}

/** @param {any} ort @param {number[]} values @param {number[]} shape */
export const ints = (ort, values, shape) => new ort.Tensor('int64', BigInt64Array.from(values, BigInt), shape);

/** @param {number} source @param {number} vocabulary @param {number} eos */
export const sourceIds = (source, vocabulary, eos) =>
  Array.from({ length: source }, (_, i) => (i === source - 1 ? eos : 1 + ((i * 7919) % (vocabulary - 2))));

/** A search with `beam` rows over logits, which never ends by itself. */
export class Search {
  /** @param {{ beam: number, vocabulary: number, banned: number[] }} settings */
  constructor({ beam, vocabulary, banned }) {
    this.beam = beam;
    this.vocabulary = vocabulary;
    this.banned = new Set(banned);
    this.scores = new Float32Array(beam).fill(-1e9);
    this.scores[0] = 0;
  }

  /**
   * The next token of each row, and which row each continues (null: its own).
   * @param {Float32Array} logits
   * @returns {{ next: number[], from: number[] | null }}
   */
  step(logits) {
    if (this.beam === 1) return { next: [this.#best(logits, 0, 1)[0][1]], from: null };
    const candidates = [];
    for (let row = 0; row < this.beam; row++) {
      const start = row * this.vocabulary;
      let max = -Infinity;
      for (let i = 0; i < this.vocabulary; i++) if (logits[start + i] > max) max = logits[start + i];
      let sum = 0;
      for (let i = 0; i < this.vocabulary; i++) sum += Math.exp(logits[start + i] - max);
      const logZ = max + Math.log(sum);
      for (const [logit, token] of this.#best(logits, start, this.beam)) {
        candidates.push([this.scores[row] + logit - logZ, row, token]);
      }
    }
    candidates.sort((a, b) => b[0] - a[0]);
    candidates.length = this.beam;
    this.scores = Float32Array.from(candidates, ([score]) => score);
    return { next: candidates.map(([, , token]) => token), from: candidates.map(([, row]) => row) };
  }

  /** The `count` best of a row's logits with their tokens. */
  #best(logits, start, count) {
    let threshold = -Infinity;
    const best = [];
    for (let token = 0; token < this.vocabulary; token++) {
      const logit = logits[start + token];
      if (logit <= threshold || this.banned.has(token)) continue;
      best.push([logit, token]);
      if (best.length > count) {
        best.sort((a, b) => b[0] - a[0]);
        best.length = count;
      }
      if (best.length === count) threshold = best.reduce((least, [value]) => Math.min(least, value), Infinity);
    }
    return best.sort((a, b) => b[0] - a[0]);
  }
}

/**
 * The rows of a cache in the order that a step of a beam search chose.
 * @param {any} ort @param {any} tensor @param {number[]} from
 */
export function reordered(ort, tensor, from) {
  const stride = tensor.data.length / from.length;
  const data = new Float32Array(tensor.data.length);
  from.forEach((row, i) => data.set(tensor.data.subarray(row * stride, (row + 1) * stride), i * stride));
  return new ort.Tensor('float32', data, tensor.dims);
}

/** Shapes of the models, as ../../peers/shapes.py has them. */
export const SHAPES = {
  S: { layers: 3, heads: 8, dK: 32, vocabulary: 8000 },
  M: { layers: 6, heads: 8, dK: 64, vocabulary: 16000 },
};
