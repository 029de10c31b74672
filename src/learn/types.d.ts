/** A task by its name, or the lines of own pairs: source TAB target. */
export type TaskChoice = 'copy' | 'reverse' | 'sort' | 'dates' | 'addition' | { pairs: string; words: boolean };

/** Settings of a run, under the paper's names. */
export interface Settings {
  /** N of encoder and decoder */
  layers: number;
  dModel: number;
  /** h */
  nHeads: number;
  dFf: number;
  positions: 'sinusoidal_interleaved' | 'sinusoidal_halves' | 'learned' | 'none';
  compatibility: 'scaled_dot_product' | 'dot_product' | 'additive';
  /** r of §4; null: unrestricted */
  neighbourhood: number | null;
  /** P_drop */
  dropout: number;
  /** ε_ls */
  labelSmoothing: number;
  warmupSteps: number;
  /** factor on eq. 3 */
  factor: number;
  batchSize: number;
  seed: number;
}

export interface Described {
  rule: string;
  /** bytes that a run needs */
  memory: number;
  /** pieces of the vocabulary, without marks */
  pieces: number;
  examples: [string, string][];
  heldOut: [string, string][];
}

/** Attention weights (N, h, queries, keys). */
export interface Maps {
  data: Float32Array;
  shape: [number, number, number, number];
}

/** A greedy answer; pieces as labels, ⟨s⟩ and ⟨/s⟩ for start and end mark. */
export interface Answer {
  text: string;
  source: string[];
  input: string[];
  predicted: string[];
  probabilities: number[];
  encoderSelf: Maps;
  decoderSelf: Maps;
  cross: Maps;
}

export interface TensorEntry {
  name: string;
  shape: number[];
  start: number;
}

/** One weight's last update (§5.3). */
export interface WeightUpdate {
  before: number;
  after: number;
  learningRate: number;
  step: number;
  gradient: number;
  first: number;
  second: number;
  firstCorrected: number;
  secondCorrected: number;
  change: number;
  /** each pair's share of the gradient; empty under dropout */
  shares: { source: string; target: string; gradient: number }[];
}

/** A value for each piece: of the source with its end mark, and of what the decoder reads (start symbol, earlier pieces). */
export interface PieceValues {
  source: Float32Array;
  input: Float32Array;
}

/** What a prediction depends on, and what attention reads where it is made. */
export interface Dependence {
  logprob: number;
  gradientInput: PieceValues;
  /** cross-attention's row of every head (N, h, source) */
  cross: Float32Array;
  /** mean of all heads of cross-attention, and of masked self-attention */
  mean: PieceValues;
  rollout: PieceValues;
}

/** Integrated gradients, as far as they have come. */
export interface Integral {
  /** gradients computed */
  steps: number;
  done: boolean;
  /** of all shares */
  sum: number;
  /** log p less log p of the baseline: what the sum is but for its error */
  difference: number;
  shares: PieceValues;
}
