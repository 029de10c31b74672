// What the core tells and is told, as its JavaScript face gives it. The Rust types (`src/search`, `src/trace`,
// `src/translator`) are mirrored here under the same names in camelCase. This file is part of the engine's own
// `translucent.d.ts`, and `protocol.d.ts` passes it on.
// All lengths are in pieces unless said otherwise; all text offsets are in UTF-16 units of the text as typed,
// half open `[start, end)`.

/** A contiguous row-major block of f32 with its shape. */
export interface Tensor {
  data: Float32Array;
  shape: number[];
}

/** One subword piece of the text. */
export interface Piece {
  id: number;
  /** As printed: "▁" marks a word start, "</s>" the end. */
  text: string;
  /** Range in the text (of the source as typed, or of the translation of this sentence); null for special pieces. */
  range: [number, number] | null;
  /** Index of the word that this piece belongs to, counted per sentence; null for special pieces. */
  word: number | null;
  /** ln P, target pieces only. */
  logprob?: number;
}

/** A sentence of the source text. What lies between sentences (spaces, line breaks) is kept as `after`. */
export interface SentenceInfo {
  /** Range of the sentence in the source text. */
  range: [number, number];
  /** White space and line breaks between this sentence and the next. */
  after: string;
  source: Piece[];
  /** Set where the sentence was longer than the model takes: offset at which it was cut. */
  cutAt: number | null;
}

export type Scoring =
  | { kind: 'wu'; alpha: number }
  | { kind: 'hf'; length_penalty: number; early_stopping: 'yes' | 'no' | 'never' };

export interface SearchOptions {
  beam?: number;
  scoring?: Scoring;
  maxExtra?: number;
  nBest?: number;
  /**
   * Pieces with which the translation begins, forced; the search goes on from there. To choose piece `p` at step t:
   * the first t pieces of the translation at hand, then `p`.
   */
  prefix?: number[];
  noRepeatNgram?: number;
  /** Whether what may come next shares all of the probability, banned pieces left out of the softmax' sum. */
  renormalize?: boolean;
  /** What is changed in the model for this request alone; absent: nothing. */
  intervention?: Intervention;
}

/** The model's three attentions (§3.2.3). */
export type AttentionKind = 'encoderSelf' | 'decoderSelf' | 'cross';

/**
 * A change inside some heads. Of `kind`, `layer` and `head` (counted from 0) what is left out means all: without
 * `head` a whole layer's heads are changed, without anything every head of the model.
 */
export interface HeadChange {
  kind?: AttentionKind;
  layer?: number;
  head?: number;
  /**
   * `off`: the head adds nothing to what W^O sums up; its weights are told as 0.
   * `uniform`: the same weight for every key that it may see.
   * `only`: the other heads of the same attention (kind and layer) are off. Needs `head`.
   * `unscaled`: its scores are not divided by √d_k (§3.2.1).
   */
  change: 'off' | 'uniform' | 'only' | 'unscaled';
}

/**
 * What is changed in the model for one request: an intervention on a model that was trained otherwise. `{}` changes
 * nothing, bit for bit. Where several changes name one head: `off` wins (from `only` too), then `uniform`.
 */
export interface Intervention {
  heads?: HeadChange[];
  /** Self-attention of both stacks sees only positions with |i − j| ≤ r / 2 (§4). */
  neighbourhood?: number;
  /**
   * `zeroed`: no positional encoding is added (§3.5). `shuffled`: the first len_src positions of both stacks are
   * permuted among themselves, by `seed`.
   */
  positions?: 'zeroed' | 'shuffled';
  /** Of `shuffled`; 0 if left out. */
  seed?: number;
}

export interface TraceRequest {
  encoderSelf?: boolean;
  decoderSelf?: boolean;
  cross?: boolean;
  layers?: number[];
  heads?: number[];
  hidden?: boolean;
  /** With every attention that is asked for, its value-weighted norms too: the `…Norms` blocks of `Trace`. */
  norms?: boolean;
}

/** Which sentence of a document to observe, what of it, and how many alternatives to tell for each of its steps. */
export interface Observe {
  sentence: number;
  request: TraceRequest;
  alternatives?: number;
  /** Tell the search tree of this sentence as it grows, in `nodes` events; it is then decoded even if it is cached. */
  tree?: boolean;
}

/** Blocks as in the core's `Trace`; absent if not asked for. */
export interface Trace {
  /** (layers, heads, len_src, len_src) */
  encoderSelf?: Tensor;
  /** (layers, heads, len_tgt, len_tgt): row t reads target pieces 0..=t−1 shifted right (column 0 is the start symbol), predicts piece t. */
  decoderSelf?: Tensor;
  /** (layers, heads, len_tgt, len_src) */
  cross?: Tensor;
  /**
   * ‖α·v·W^O‖: the length of what a key adds, through one head, to what the query's position becomes (the bias of
   * W^O, which no key adds, left out). Shape of the weights. Only with `norms`.
   */
  encoderSelfNorms?: Tensor;
  decoderSelfNorms?: Tensor;
  crossNorms?: Tensor;
  /** (len_src, d_model) embedding × √d_model */
  sourceEmbedding?: Tensor;
  /** (len_tgt, d_model) */
  targetEmbedding?: Tensor;
  /** (len_src, d_model) encoder output */
  memory?: Tensor;
  /** (len_tgt, d_model) */
  decoderOutput?: Tensor;
}

/** Next-piece probabilities at one decoding step, best first. */
export interface StepAlternatives {
  pieces: { id: number; text: string; probability: number }[];
}

/** What was observed of one sentence. */
export interface Observation {
  /** Index of the sentence in the document. */
  sentence: number;
  /** Whether its translation is finished; else it still grows. */
  final: boolean;
  /** The hypothesis that was observed: a piece for each row of the decoder's blocks; and its text. */
  target: Piece[];
  text: string;
  /** One entry per target piece; empty unless alternatives were asked for. */
  steps: StepAlternatives[];
  /**
   * While the sentence grows (`final` false), the encoder's blocks and the source embeddings stand in the first
   * observation only: they do not change. A final observation has every block that was asked for.
   */
  trace: Trace;
}

// ── Training view: a target under forced decoding ──────────────────────────

/** How a given piece fares at its step, the true pieces before it being given: as in training. */
export interface PieceScore {
  /** P(piece | the pieces before it, source). */
  probability: number;
  /** ln P. */
  logprob: number;
  /** −log₂ P, bits. */
  surprisal: number;
  /** 1 for the likeliest piece. */
  rank: number;
  /** What training minimises: cross-entropy against the target smoothed by the model's ε_ls (§5.4), in nats. */
  loss: number;
  /** Of the distribution from which the piece was scored, bits. */
  entropy: number;
}

/** A word of a target under forced decoding, or a special piece: the sums over its pieces. */
export interface WordScore {
  /** The word without the marks of its pieces. */
  text: string;
  /** Its pieces, first and end. */
  pieces: [number, number];
  logprob: number;
  loss: number;
}

/** A whole target under forced decoding. */
export interface Scored {
  /** ln P(target | source): the sum over its pieces. */
  logprob: number;
  /** One entry per target piece. */
  scores: PieceScore[];
  /** One entry per word and special piece. */
  words: WordScore[];
  /** Mean of the pieces' `loss`. */
  loss: number;
  /** e to the mean of −ln P. */
  perplexity: number;
}

// ── Steering ───────────────────────────────────────────────────────────────

/** One translation of a search. */
export interface Hypothesis {
  text: string;
  target: Piece[];
  /** Under the search's scoring. */
  score: number;
  /** Sum of the pieces' ln P. */
  logprob: number;
  /** Its last node in the search tree; null if it came from the cache. */
  node: number | null;
}

/** How a target fares with and without an intervention; all ln P. */
export interface Comparison {
  target: Piece[];
  /** In the model as it is, and its pieces' parts (len_tgt). */
  before: number;
  beforePieces: Float32Array;
  /** Under the intervention. */
  after: number;
  afterPieces: Float32Array;
  /** after − before: negative where the intervention makes the target less likely. */
  change: number;
  /** (len_tgt) */
  changePieces: Float32Array;
}

// ── The search tree ────────────────────────────────────────────────────────

/** A node of the search tree: one piece after one prefix. A hypothesis is read by walking parents. */
export interface BeamNode {
  /** Counts up from 0 over the sentence's search and never changes. */
  id: number;
  /** null: it follows the start symbol. */
  parent: number | null;
  /** The piece's id and its text as printed. */
  token: number;
  text: string;
  /** ln P(piece | prefix, source). */
  logprob: number;
  /** Of the hypothesis that ends here, under the search's scoring. */
  score: number;
  /** `open`: in the beam, continued in the next step. `finished`: a whole translation. `pruned`: fell out. Final. */
  state: 'open' | 'finished' | 'pruned';
  /** Decoding step at which it was chosen, from 0. */
  step: number;
}

// ── Words or pieces, means, special pieces: views of an observation ────────

/** How blocks of weights or norms are to be summed up. What is left out is as observed. */
export interface ViewOptions {
  /**
   * `words`: a word's row is the mean over its pieces' rows, its column the sum over its pieces' columns. Special
   * pieces are items of their own.
   */
  by?: 'pieces' | 'words';
  /**
   * `hidden`: rows and columns of special pieces (start symbol, end mark) are left out, and the weights of each row
   * are divided by what is left of it (`shown`). Norms are left out but never divided.
   */
  special?: 'shown' | 'hidden';
  /** `mean`: one head, the mean of all that were observed. Taken before rows are renormalised. */
  heads?: 'each' | 'mean';
  /** `mean`: one layer, the mean of all that were observed. */
  layers?: 'each' | 'mean';
}

/** A row or a column of a view: a piece or a word. */
export interface AxisItem {
  /** A piece as printed, or a word without the marks of its pieces; `<s>` for the start symbol. */
  text: string;
  /** Range in the source text as typed, or in the sentence's translation; null for special pieces. */
  range: [number, number] | null;
  /** Rows or columns of the block that it sums up, `[first, end)`. */
  pieces: [number, number];
  special: 'start' | 'end' | 'other' | null;
  /** Rows of the decoder alone: text of what is read at its (first) step; the row predicts `text`. */
  reads?: string;
}

/** One attention, summed up. */
export interface AttentionView {
  /** (layers or 1, heads or 1, rows, cols) */
  values: Tensor;
  rows: AxisItem[];
  cols: AxisItem[];
  /**
   * (layers or 1, heads or 1, rows): what is left of each row's weight on the columns that are shown, before it was
   * renormalised. Only where special pieces are hidden, and not for norms.
   */
  shown?: Tensor;
}

/** The views of the blocks that were given, under their names. */
export interface TraceView {
  encoderSelf?: AttentionView;
  decoderSelf?: AttentionView;
  cross?: AttentionView;
  encoderSelfNorms?: AttentionView;
  decoderSelfNorms?: AttentionView;
  crossNorms?: AttentionView;
}

// ── The arithmetic of one weight ───────────────────────────────────────────

/** One weight of the model: which head, which query position, which key position. All counted from 0. */
export interface Cell {
  kind: AttentionKind;
  layer: number;
  head: number;
  /** Row: source piece (`encoderSelf`) or decoding step. */
  query: number;
  /** Column: source piece, or target position read (0 is the start symbol). May be a masked one. */
  key: number;
}

/** Mean and variance over all pairs of a query and a key that it may see, in one head and one sentence. */
export interface ProductStatistics {
  pairs: number;
  mean: number;
  variance: number;
  /** The variance after the division by √d_k. */
  scaledVariance: number;
}

/** Layer normalisation of one position (§3.1; Ba et al., 2016). All (d_model). */
export interface NormSteps {
  input: Tensor;
  mean: number;
  variance: number;
  /** (input − mean) / √(variance + ε), ε = 1e-5 */
  normalised: Tensor;
  gain: Tensor;
  bias: Tensor;
  output: Tensor;
}

/** Position-wise feed-forward network of one position (§3.3). */
export interface FeedForwardSteps {
  /** (d_model) */
  input: Tensor;
  /** (d_ff) x·W₁ + b₁, before the activation. */
  inner: Tensor;
  /** (d_ff) after the activation. */
  hidden: Tensor;
  /** How many of `hidden` are not 0. */
  active: number;
  activation: 'relu' | 'swish';
  /** (d_model) */
  output: Tensor;
}

/**
 * Every step from a position's vector to one attention weight, to the head's and the sub-layer's output, and on
 * through the rest of its layer, as the core computed them (under the request's intervention). "keys" are all
 * positions of the key side, masked ones included.
 */
export interface Arithmetic {
  cell: Cell;
  /** (d_model) What W^Q reads, at the query's position. */
  xQuery: Tensor;
  /** (d_model) What W^K and W^V read, at the key's position; of the memory in encoder–decoder attention. */
  xKey: Tensor;
  /** (d_k) x·W^Q + b, this head's part. */
  query: Tensor;
  /** (d_k) */
  key: Tensor;
  /** (d_v) */
  value: Tensor;
  /** How a query and a key make a score. */
  compatibility: 'scaled_dot_product' | 'dot_product' | 'additive';
  /**
   * (d_k) The terms that are summed: q_i · k_i; of an additive model w_i · tanh(q_i + k_i).
   */
  products: Tensor;
  /** Additive models only: (d_k) tanh(q_i + k_i). */
  additiveHidden?: Tensor;
  /** Sum of `products`. */
  sum: number;
  /** What `sum` is divided by: √d_k; 1 where the scaling is off or the model has none. */
  divisor: number;
  /** sum / divisor. */
  score: number;
  /** (keys) 1 where the query may look, 0 where it is masked. */
  mask: Tensor;
  /** (keys) Scores of all keys, divided but not yet masked. */
  scores: Tensor;
  /** The largest score that is not masked; it is subtracted before e^x, which changes no weight. */
  maximum: number;
  /** (keys) e^(score − maximum), 0 where masked. */
  exponentials: Tensor;
  exponentialSum: number;
  /** (keys) The softmax: exponentials / exponentialSum. Where a head is off or uniform, what it uses instead. */
  weights: Tensor;
  /** (keys) What the softmax gives with √d_k and without it, for comparison, and the entropy of each in bits. */
  weightsScaled: Tensor;
  weightsUnscaled: Tensor;
  entropyScaled: number;
  entropyUnscaled: number;
  /** (keys, d_v) */
  values: Tensor;
  /** (keys, d_v) α_j · v_j: row j is what key j adds. */
  contributions: Tensor;
  /** (keys) ‖α_j · v_j · W^O‖ */
  norms: Tensor;
  /** (d_v) The head's result: the sum of `contributions`. */
  head: Tensor;
  /** (h · d_v) All heads' results, concatenated. */
  concatenation: Tensor;
  /** (d_model) What this head alone adds through W^O, without the bias. */
  headOutput: Tensor;
  /** (d_model) concatenation · W^O + b */
  output: Tensor;
  /** Where the norm stands: `after` the sum as in the paper, or `before` the sub-layer. */
  normPlace: 'after' | 'before';
  /** (d_model) The vector that goes around the sub-layer, and the sum with its output. */
  residual: Tensor;
  residualSum: Tensor;
  /** The norm of this sub-layer: of `residualSum` where it stands `after`, of `residual` where it stands `before`. */
  norm: NormSteps;
  /** The layer's feed-forward sub-layer at the query's position. */
  feedForward: FeedForwardSteps;
  feedForwardResidual: Tensor;
  feedForwardSum: Tensor;
  feedForwardNorm: NormSteps;
  /** (d_model) What leaves the layer at the query's position. */
  layerOutput: Tensor;
  /** q·k in this head over the sentence; additive models have none. */
  statistics: ProductStatistics | null;
}

/**
 * Footnote 4 of the paper, on random vectors: components of q and k independent, mean 0, variance 1.
 * Then q·k has mean 0 and variance d_k.
 */
export interface RandomProducts {
  dK: number;
  samples: number;
  mean: number;
  variance: number;
  /** Of q·k / √d_k. */
  scaledVariance: number;
  /**
   * Largest weight of a softmax over 16 such products, mean over the samples: with √d_k and without it.
   */
  largestScaled: number;
  largestUnscaled: number;
}

/** The model's shape and conventions, from the core's `Config` (camelCase). */
export interface ModelConfig {
  vocabSize: number;
  dModel: number;
  nHeads: number;
  dK: number;
  dV: number;
  dFf: number;
  encoderLayers: number;
  decoderLayers: number;
  positions: 'sinusoidal_interleaved' | 'sinusoidal_halves' | 'learned';
  maxPositions: number;
  compatibility: 'scaled_dot_product' | 'dot_product' | 'additive';
  /** r of §4: self-attention reads positions with |i − j| ≤ r / 2; null: all. */
  neighbourhood: number | null;
}

/** What the core knows of a loaded model. */
export interface ModelSummary {
  parameters: number;
  config: ModelConfig;
  /** As stored on disk. */
  precision: 'f32' | 'int8';
}

/** What happened to a document on its way. */
export type TranslateEvent =
  | { kind: 'sentences'; sentences: SentenceInfo[] }
  | {
      /** The best open hypothesis of a sentence. Text up to `agreedLength` (UTF-16 units of `text`) is final. */
      kind: 'partial';
      sentence: number;
      text: string;
      agreedLength: number;
    }
  | {
      kind: 'sentence';
      sentence: number;
      text: string;
      target: Piece[];
      score: number;
      /** The n best, best first; entry 0 is this translation. */
      nBest: Hypothesis[];
    }
  | {
      /** What one step added to the search tree of the observed sentence, best first. Only with `observe.tree`. */
      kind: 'nodes';
      sentence: number;
      nodes: BeamNode[];
    };

/** What a `Job` tells: at its end, once, the whole translation. */
export type JobEvent =
  | TranslateEvent
  | {
      kind: 'translated';
      /** The whole translation, line breaks kept. */
      text: string;
      /** Output pieces of the sentences decoded by this job (cached ones left out). */
      tokens: number;
    };

/** Positional encodings (§3.5). */
export interface Positions {
  /** Sinusoidal positions in the paper's interleaved order (length, d_model). */
  sinusoidal: Tensor;
  /** Wavelength in positions of each dimension (d_model), 2π … 10000·2π. */
  wavelengths: Float32Array;
  /** The model's own table (length, d_model), where it has learned one. */
  learned?: Tensor;
}

/** What the positional-encoding lab shows; dimensions in the paper's interleaved order (§3.5). */
export interface PositionsLab {
  position: number;
  offset: number;
  /** (length) PE_position · PE_j for every position j; the same of a learned table, where the model has one. */
  products: Tensor;
  learnedProducts?: Tensor;
  /** (d_model / 2) ω_i · offset in radians, reduced to (−π, π]: by how much M_k turns each pair of dimensions. */
  angles: Float32Array;
  /** (d_model / 2, 2, 2) The blocks of M_k: PE_{pos+k} = M_k · PE_pos for every pos. */
  rotations: Tensor;
  /** (d_model) PE_position, M_k · PE_position, and PE_{position+k} from its own formula. */
  encoding: Tensor;
  rotated: Tensor;
  shifted: Tensor;
  /** Largest |M_k · PE_pos − PE_{pos+k}| over all dimensions and the `checked` positions from 0 on. */
  error: number;
  checked: number;
}

/** How a piece enters a stack (§3.4, §3.5); dimensions in the paper's order, unless the positions are learned. */
export interface EmbeddingSteps {
  /** The piece as printed. */
  text: string;
  position: number;
  /** √d_model, or 1 where the model does not scale. */
  scale: number;
  /** (d_model) The table's row. */
  embedding: Tensor;
  /** (d_model) embedding × scale */
  scaled: Tensor;
  /** (d_model) The positional encoding that is added. */
  encoding: Tensor;
  /** (d_model) scaled + encoding */
  sum: Tensor;
}

/**
 * A layer type of Table 1, in its order, and two that §4 discusses: convolutions with contiguous kernels (Table 1's
 * path is that of dilated ones) and separable ones.
 */
export type LayerType =
  | 'self_attention'
  | 'recurrent'
  | 'convolutional'
  | 'restricted_self_attention'
  | 'contiguous_convolutional'
  | 'separable_convolutional';

/** A row of Table 1, its O(·) taken with factor 1. */
export interface ComplexityRow {
  layer: LayerType;
  /** Multiply-adds per layer, as Table 1 counts. */
  operations: number;
  /**
   * Multiply-adds of the linear maps that Table 1 leaves out: W^Q, W^K, W^V and W^O, 4·n·d², of self-attention; the
   * map of the inputs, n·d², of a recurrent layer; none of convolutions.
   */
  projections: number;
  /** operations + projections */
  total: number;
  /** Operations that must follow one another. */
  sequential: number;
  /** Longest path between any two positions, in layers passed. */
  path: number;
}

/** One variable of Table 1 from `from` to `to`. */
export interface Sweep {
  over: 'n' | 'd' | 'k' | 'r';
  from: number;
  to: number;
  points: number;
}

/** Positions of a graph, and the two between which a way is wanted. */
export interface Ends {
  n: number;
  from: number;
  to: number;
}

/** Table 1 as functions of one of its variables, the others held. Every tensor (layer types, points). */
export interface ComplexityCurves {
  over: 'n' | 'd' | 'k' | 'r';
  /** (points) Values of the variable, whole numbers, evenly spaced in the logarithm as far as they can be. */
  at: Float32Array;
  /** The order of the tensors' rows. */
  layers: LayerType[];
  operations: Tensor;
  total: Tensor;
  sequential: Tensor;
  path: Tensor;
}

/** How a signal gets from one position to another through layers of one type: a graph to be drawn. */
export interface PathGraph {
  layer: LayerType;
  /** Positions, and layers that are needed. Level 0 are the inputs. */
  n: number;
  levels: number;
  /**
   * Every connection `[level, from, to]`: position `from` of `level` is read by position `to` of the next level; for
   * the recurrent layer, whose one layer has n steps, also `from` → `to` within level 1 as `[1, from, to]`.
   */
  edges: [number, number, number][];
  /** A shortest way, as `[level, position]`. */
  path: [number, number][];
  /** Connections passed. */
  length: number;
}

/** Measured time of this engine at the model's width. Milliseconds, the best of `repeats`. */
export interface Measurement {
  n: number;
  repeats: number;
  /** The four projections of one self-attention: 4·n·d². */
  projectionsMs: number;
  /** q·k, softmax and weighted sum of all heads: the part that grows with n². */
  attentionMs: number;
  /** A chain of n products with one d × d matrix, each needing the one before: the least that a recurrent layer needs. */
  recurrentMs: number;
}
