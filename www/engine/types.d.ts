// Written by `node tests/types.mjs` from the Rust types. Part of the engine's own `translucent.d.ts`.
// All lengths are in pieces unless said otherwise; all text offsets are in UTF-16 units of the text as typed,
// half open `[start, end)`.

/** One subword piece of a text. */
export interface Piece {
  /** Its id. */
  id: number;
  /** As printed: "▁" marks a word start, `</s>` the end. */
  text: string;
  /** Half-open range in the source text, or in the translation of its sentence; `None` for the end mark. */
  range: [number, number] | null;
  /** Index of the word that it belongs to, counted per sentence; `None` for the end mark. */
  word: number | null;
  /** ln P, of target pieces only. */
  logprob?: number;
}

/** A sentence of the source text. */
export interface SentenceInfo {
  /** Range in the source text. */
  range: [number, number];
  /** White space and line breaks up to the next sentence or the end. */
  after: string;
  /** Its pieces, the end mark last. */
  source: Piece[];
  /** Where the sentence was longer than the model takes and continues as the next one: the offset of the cut. */
  cutAt: number | null;
}

/** When a beam search of `transformers` stops (`early_stopping` in `generation_config.json`). */
export type EarlyStopping =
  /** `true`: as soon as `beam` hypotheses are finished. */
  | 'yes'
  /** `false`: when the best open hypothesis, at its present length, cannot beat the worst finished one. */
  | 'no'
  /** `"never"`: when no open hypothesis can win at any length. */
  | 'never';

/** How hypotheses of different length are compared. */
export type Scoring =
  /** log P / lp, lp = ((5 + length) / 6)^α (Wu et al., 2016, eq. 14; the paper's §6.1 with α = 0.6). */
  | {
      kind: 'wu';
      /** α; 0 compares plain log-probabilities. */
      alpha: number;
    }
  /** log P / length^length_penalty, as `transformers` scores. */
  | {
      kind: 'hf';
      /** Exponent of the length. */
      lengthPenalty: number;
      /** When to stop. */
      earlyStopping: EarlyStopping;
    };

/**
 * How pieces are drawn. `Default` draws from the model's own distribution.
 *
 * ```
 * use translucent::search::{Sampling, SearchOptions};
 *
 * let mut sampling = Sampling::default();
 * sampling.temperature = 0.8;
 * sampling.top_k = 40;
 * let search = SearchOptions::default().with_sampling(sampling);
 * assert!(search.validate().is_ok());
 * ```
 */
export interface Sampling {
  /** What logits are divided by before the softmax: below 1 likely pieces become likelier, above 1 less likely. */
  temperature?: number;
  /** Only the k likeliest pieces are drawn; 0: all. */
  topK?: number;
  /** Of these, only the likeliest whose probabilities add up to at least this; 1: all. */
  topP?: number;
  /** With the same seed a sentence is drawn alike, on every machine and in every batch. */
  seed?: number;
}

/**
 * Options of one search. `Default` is the paper's: beam 4, α = 0.6, at most input length + 50 (§6.1).
 *
 * ```
 * use translucent::search::{Scoring, SearchOptions};
 *
 * let mut search = SearchOptions::default().with_beam(6).with_n_best(3);
 * search.scoring = Scoring::Wu { alpha: 1.0 };
 * assert!(search.validate().is_ok());
 * ```
 */
export interface SearchOptions {
  /** Beam size: number of live hypotheses; 1 is greedy. */
  beam?: number;
  /** Comparison of hypotheses. */
  scoring?: Scoring;
  /** Longest output is the input's length in pieces (with end mark) plus this. */
  maxExtra?: number;
  /** Number of hypotheses that `Done` returns, at most `beam`. */
  nBest?: number;
  /**
   * The target begins with these pieces, forced, and the search continues from there. A prefix that ends
   * with the end mark is a whole translation: it is scored and observed, nothing is searched.
   */
  prefix?: number[];
  /** No n-gram of this length may occur twice; 0: no guard. */
  noRepeatNgram?: number;
  /**
   * Whether the pieces that may come next share all of the probability, as `renormalize_logits` of
   * `generation_config.json` sets it: banned pieces are then left out of the softmax' sum.
   */
  renormalize?: boolean;
  /** Draws pieces at random instead of searching; `beam` is 1. */
  sampling?: Sampling;
  /** Changes to the model. */
  intervention?: Intervention;
}

/** Words of a source, and the words of its translation that stand for them. */
export interface Term {
  /** As in the source; upper and lower case are the same. */
  source: string;
  /** As in the translation. */
  target: string;
}

/** The three applications of attention in the model (§3.2.3). */
export type AttentionKind =
  /** Encoder self-attention. */
  | 'encoderSelf'
  /** Masked decoder self-attention. */
  | 'decoderSelf'
  /** Encoder–decoder attention. */
  | 'cross';

/** A change of a head. */
export type Change =
  /** It adds nothing to what W^O sums up; its weights are reported as 0. */
  | 'off'
  /** The same weight for every key that it may see. */
  | 'uniform'
  /** The other heads of the same attention are off. Needs `head`. */
  | 'only'
  /** Its scores are not divided by √d_k (§3.2.1). */
  | 'unscaled';

/** A change inside some heads; of `kind`, `layer` and `head`, `None` means all. */
export interface HeadChange {
  /** Which of the three attentions. */
  kind?: AttentionKind;
  /** The layer, counted from 0. */
  layer?: number;
  /** The head, counted from 0. */
  head?: number;
  /** The change. */
  change: Change;
}

/** A change of the positions (§3.5). */
export type PositionChange =
  /** None is added. */
  | 'zeroed'
  /** The first len_src positions of both stacks are permuted among themselves. */
  | 'shuffled';

/** Changes to the model for one request; none by default. */
export interface Intervention {
  /** Changes inside heads. Where several name one head, `Off` wins (from `Only` too), then `Uniform`. */
  heads?: HeadChange[];
  /** Self-attention of both stacks sees only positions with |i − j| ≤ r / 2 (§4). */
  neighbourhood?: number;
  /** A change of the positions (§3.5). */
  positions?: PositionChange;
  /** Of `PositionChange::Shuffled`. */
  seed?: number;
}

/**
 * Which attentions to record. Layers and heads are counted from 0; `None` means all.
 *
 * ```
 * use translucent::trace::{AttentionKind, TraceRequest};
 *
 * let request = TraceRequest::of(&[AttentionKind::Cross]).with_layers([2]).with_heads([0, 3]);
 * assert_eq!(request.heads, Some(vec![0, 3]));
 * ```
 */
export interface TraceRequest {
  /** Record encoder self-attention. */
  encoderSelf?: boolean;
  /** Record masked decoder self-attention. */
  decoderSelf?: boolean;
  /** Record encoder–decoder attention. */
  cross?: boolean;
  /** Only these layers. */
  layers?: number[];
  /** Only these heads. */
  heads?: number[];
  /** Record the encoder's and the decoder's embedding + position sums and final outputs. */
  hidden?: boolean;
  /** Record the value-weighted norms of every recorded attention. */
  norms?: boolean;
  /**
   * Record encoder–decoder attention as a mean over all layers and heads, whatever `layers` and `heads` say: what a search
   * needs to know of it where a translation must hold phrases.
   */
  alignment?: boolean;
}

/** What to observe while a document is translated. */
export interface Observe {
  /** Index of the sentence. */
  sentence: number;
  /** What of it. */
  request: TraceRequest;
  /** Number of alternatives given for each of its pieces. */
  alternatives?: number;
  /** Whether to emit its search tree as it grows; the sentence is then decoded even if it is cached. */
  tree?: boolean;
}

/**
 * Observations of one sentence and one hypothesis, each a contiguous f32 block.
 * Blocks that were not requested are `None`. Masked cells hold exactly 0.
 */
export interface Trace {
  /** Attention weights (layers, heads, len_src, len_src). */
  encoderSelf?: Tensor;
  /** Attention weights (layers, heads, len_tgt, len_tgt), zero above the diagonal. */
  decoderSelf?: Tensor;
  /** Attention weights (layers, heads, len_tgt, len_src). */
  cross?: Tensor;
  /**
   * ‖α·v·W^O‖ of every weight of `encoder_self`: what its key adds through its head; the bias, which no key adds,
   * is left out.
   */
  encoderSelfNorms?: Tensor;
  /** The same of `decoder_self`. */
  decoderSelfNorms?: Tensor;
  /** The same of `cross`. */
  crossNorms?: Tensor;
  /** Source embedding × √d_model (len_src, d_model), before the positions are added. */
  sourceEmbedding?: Tensor;
  /** Target embedding × √d_model (len_tgt, d_model), before the positions are added. */
  targetEmbedding?: Tensor;
  /** Encoder output, the memory (len_src, d_model). */
  memory?: Tensor;
  /** Decoder output before the projection (len_tgt, d_model). */
  decoderOutput?: Tensor;
  /** Mean over layers and heads of encoder–decoder attention (len_tgt, len_src). */
  alignment?: Tensor;
}

/** A piece that could have come at one step. */
export interface Alternative {
  /** Its id. */
  id: number;
  /** As printed. */
  text: string;
  /** Its probability. */
  probability: number;
}

/** Why a piece could not be drawn. */
export type Cut =
  /** It may not follow at all: a special piece, or one that would repeat an n-gram. */
  | 'banned'
  /** It is none of the k likeliest. */
  | 'top_k'
  /** The likelier ones add up to p without it. */
  | 'top_p';

/** A piece's probability before and after the cuts. */
export interface Odds {
  /** At the temperature, among all pieces that may follow. */
  tempered: number;
  /** Of being drawn; 0 where it is cut off. */
  share: number;
  /** What cut it off. */
  cut: Cut | null;
}

/** How one piece was drawn. */
export interface Draw {
  /** The random number, in [0, 1). The shares, likeliest piece first, were added up until they exceeded it. */
  uniform: number;
  /** Number of pieces that could be drawn. */
  kept: number;
  /** Place of the drawn piece among them, 1 the likeliest. */
  rank: number;
  /** Probability with which it was drawn. */
  share: number;
  /** The odds of each alternative of the step. */
  odds: Odds[];
}

/** Next-piece probabilities at one decoding step. */
export interface StepAlternatives {
  /** The likeliest pieces, best first. */
  pieces: Alternative[];
  /** How the step's piece was drawn; absent where it was not sampled. */
  draw?: Draw;
}

/** What was observed of one sentence. */
export interface Observation {
  /** Index of the sentence. */
  sentence: number;
  /** Pieces of the hypothesis that was observed: one for each row of a decoder block. */
  target: Piece[];
  /** The text of these pieces. */
  text: string;
  /** One entry per target piece; empty unless alternatives were requested. */
  steps: StepAlternatives[];
  /** The requested blocks. */
  trace: Trace;
  final: boolean;
}

/** Score of one piece of a given target. */
export interface PieceScore {
  /** P(piece | the pieces before it, source). */
  probability: number;
  /** ln P. */
  logprob: number;
  /** −log₂ P, bits. */
  surprisal: number;
  /** 1 for the likeliest piece. */
  rank: number;
  /** Cross-entropy against the smoothed target (§5.4), nats: (1 − ε_ls)·(−ln P) + ε_ls·mean over all pieces of −ln p. */
  loss: number;
  /** Of the distribution from which the piece was scored, bits. */
  entropy: number;
}

/** A word of a target under forced decoding, or a special piece: the sums over its pieces. */
export interface WordScore {
  /** The word without the marks of its pieces; a special piece as printed. */
  text: string;
  /** Its pieces, `[first, end)`. */
  pieces: [number, number];
  /** ln P. */
  logprob: number;
  /** Loss. */
  loss: number;
}

/** A finished hypothesis of the search, as text and pieces. */
export interface Hypothesis {
  /** Its text. */
  text: string;
  /** Its pieces with their ln P; ranges count from the text's beginning. */
  target: Piece[];
  /** Its score under the search's scoring. */
  score: number;
  /** The sum of its pieces' ln P. */
  logprob: number;
  /** Its last node in the search tree; `None` if it came from the cache. */
  node: number | null;
}

/**
 * A node of the search tree: one decoded piece after one prefix. Ids count up from 0 over a batch
 * and never change; a hypothesis is read by walking parents.
 * State of a node.
 */
export type NodeState =
  /** In the beam: the next step expands it. */
  | 'open'
  /** Ends with the end mark: a whole translation. */
  | 'finished'
  /** A candidate that fell out of the beam. */
  | 'pruned';

/** A node of the search tree as a reader sees it. */
export interface BeamNode {
  /** Its id. */
  id: number;
  /** The node it continues (`None`: the start symbol). */
  parent: number | null;
  /** The piece chosen. */
  token: number;
  /** ln P(token | prefix, source). */
  logprob: number;
  /**
   * Sum of `logprob` from the root, under the search's `super::Scoring`. (As `transformers` scores, a
   * forced prefix and an end mark forced at the maximum length count as certain.)
   */
  score: number;
  /** Its state. */
  state: NodeState;
  /** Its piece as printed. */
  text: string;
  /** Decoding step at which it was chosen, counted from 0. */
  step: number;
}

/** What happened in one `super::Job::step`. */
export type JobEvent =
  /** The text was split; comes once, first. */
  | {
      kind: 'sentences';
      /** All sentences. */
      sentences: SentenceInfo[];
    }
  /** In place of `JobEvent::Sentences` where the job follows another one (`super::Job::follow`). */
  | {
      kind: 'changed';
      /** Number of sentences at the beginning that are as they were. */
      before: number;
      /** The sentences between. */
      sentences: SentenceInfo[];
      /** Number of sentences at the end that are as they were, but for their offsets. */
      after: number;
      /** What is to be added to the offsets of those at the end. */
      shift: number;
      /** Those of the unchanged sentences whose translation is known from the text before: no event follows for them. */
      translated: number[];
    }
  /** The best hypothesis of a sentence changed or grew, or more of it is final. */
  | {
      kind: 'partial';
      /** Index of the sentence. */
      sentence: number;
      /** Its text so far. */
      text: string;
      /** Length of the part of `text` that no later event changes. */
      stableLength: number;
    }
  /** A sentence is translated. */
  | {
      kind: 'sentence';
      /** Index of the sentence. */
      sentence: number;
      /** Its translation. */
      text: string;
      /** The translation's pieces; ranges count from its beginning. */
      target: Piece[];
      /** Its score under the search's scoring. */
      score: number;
      /** The n best, best first; entry 0 is this translation. */
      nBest: Hypothesis[];
    }
  /** What a step added to the search tree of the observed sentence, best first; only if the tree is observed. */
  | {
      kind: 'nodes';
      /** Index of the sentence. */
      sentence: number;
      /** The nodes; their states are final. */
      nodes: BeamNode[];
    }
  /** The document is translated; comes once, last. */
  | {
      kind: 'translated';
      /** The whole translation, line breaks kept. */
      text: string;
      /** Output pieces of the sentences decoded by this job (cached ones left out). */
      tokens: number;
    };

/** Whether rows and columns are pieces or words. */
export type Unit =
  /** As the model reads. */
  | 'pieces'
  /** A word's row is the mean over its pieces' rows, its column the sum over its pieces' columns. */
  | 'words';

/** Whether special pieces have rows and columns. */
export type Special =
  /** They do. */
  | 'shown'
  /** They do not, and the weights of each row are divided by what is left of it. */
  | 'hidden';

/** Each one, or their mean. */
export type Fold =
  /** Each by itself. */
  | 'each'
  /** One: their mean. */
  | 'mean';

/** How blocks are summed up; the default leaves them as they are. */
export interface ViewOptions {
  /** Pieces or words. */
  unit?: Unit;
  /** Special pieces. */
  specialTokens?: Special;
  /** Heads; their mean is taken before rows are renormalised. */
  heads?: Fold;
  /** Layers; their mean is taken before rows are renormalised. */
  layers?: Fold;
}

/** A piece that is no text. */
export type SpecialPiece =
  /** The start symbol that the decoder reads first. */
  | 'start'
  /** The end mark. */
  | 'end'
  /** Any other. */
  | 'other';

/** A row or a column of a view: a piece or a word. */
export interface AxisItem {
  /** A piece as printed, or a word without the marks of its pieces. */
  text: string;
  /** Half-open range in its text; `None` for special pieces. */
  range: [number, number] | null;
  /** Rows or columns of the block that it sums up, `[first, end)`. */
  pieces: [number, number];
  /** Set for special pieces. */
  special: SpecialPiece | null;
  /** Rows of the decoder: what is read at its first step. */
  reads?: string;
}

/** One attention, summed up. */
export interface AttentionView {
  /** (layers or 1, heads or 1, rows, columns) */
  values: Tensor;
  /** One for each row. */
  rows: AxisItem[];
  /** One for each column. */
  cols: AxisItem[];
  /** (layers or 1, heads or 1, rows): what was left of each row's weight before it was renormalised. */
  shown?: Tensor;
}

/** One weight of the model. All numbers count from 0. */
export interface Cell {
  /** Which of the three attentions. */
  kind: AttentionKind;
  /** The layer. */
  layer: number;
  /** The head. */
  head: number;
  /** The query's position: source piece, or decoding step. */
  query: number;
  /** The key's position: source piece, or target position that was read; it may be masked. */
  key: number;
}

/** Mean and variance of q·k over all pairs of a query and a key that it may see, in one head and one sentence. */
export interface ProductStatistics {
  /** Number of pairs. */
  pairs: number;
  /** Mean of q·k. */
  mean: number;
  /** Variance of q·k. */
  variance: number;
  /** Variance of q·k / √d_k. */
  scaledVariance: number;
}

/** The activation between the two linear maps of the feed-forward network (§3.3, eq. 2). */
export type Activation =
  /** max(0, x): the paper's. */
  | 'relu'
  /** x · sigmoid(x): opus-mt's (`swish` or `silu`). */
  | 'swish';

/** The compatibility function between a query and a key (§3.2.1). */
export type Compatibility =
  /** q·k / √d_k (eq. 1). */
  | 'scaled_dot_product'
  /** q·k, without the scaling that §3.2.1 argues for. */
  | 'dot_product'
  /**
   * w · tanh(q + k) per head: a feed-forward network with a single hidden layer of width d_k,
   * whose input weights are W^Q and W^K (Bahdanau et al., 2014).
   */
  | 'additive';

/** How positions enter the model (§3.5). */
export type PositionScheme =
  /** Sines in the even, cosines in the odd dimensions, as §3.5 prints them. */
  | 'sinusoidal_interleaved'
  /**
   * The same values with all sines first, then all cosines: Marian's order, a fixed permutation
   * of d_model. The order of every model folder that `transformers` opens.
   */
  | 'sinusoidal_halves'
  /** A learned table of `max_positions` rows for each stack (Table 3, row E). */
  | 'learned'
  /** Nothing is added: without it attention knows no order. */
  | 'none';

/** Layer normalisation of one position (§3.1), each (d_model). */
export interface NormSteps {
  /** What is normalised. */
  input: Tensor;
  /** Its mean. */
  mean: number;
  /** Its variance. */
  variance: number;
  /** (input − mean) / √(variance + ε) */
  normalised: Tensor;
  /** Learned factors. */
  gain: Tensor;
  /** Learned summands. */
  bias: Tensor;
  /** gain · normalised + bias */
  output: Tensor;
}

/** The feed-forward network of one position (§3.3). */
export interface FeedForwardSteps {
  /** (d_model) */
  input: Tensor;
  /** x·W₁ + b₁ (d_ff) */
  inner: Tensor;
  /** After the activation (d_ff). */
  hidden: Tensor;
  /** The activation. */
  activation: Activation;
  /** (d_model) */
  output: Tensor;
  active: number;
}

/**
 * Every step from a position's vector to one weight, to the sub-layer's output, and through the rest of its layer.
 * Keys are all positions of the key side, masked ones included.
 */
export interface Arithmetic {
  /** Which weight. */
  cell: Cell;
  /** What W^Q reads at the query's position (d_model). */
  xQuery: Tensor;
  /** What W^K and W^V read at the key's position (d_model). */
  xKey: Tensor;
  /** This head's query (d_k). */
  query: Tensor;
  /** This head's key (d_k). */
  key: Tensor;
  /** This head's value (d_v). */
  value: Tensor;
  /** The bias of this head's query (d_k). */
  queryBias: Tensor;
  /** The bias of its key (d_k). */
  keyBias: Tensor;
  /** The bias of its value (d_v). */
  valueBias: Tensor;
  /** tanh(q_i + k_i) of an additive model (d_k). */
  additiveHidden?: Tensor;
  /** The terms whose sum is the score: q_i·k_i, or w_i·tanh(q_i + k_i) (d_k). */
  products: Tensor;
  /** Their sum. */
  sum: number;
  /** What it is divided by. */
  divisor: number;
  /** 1 where the query may attend, 0 where it is masked (keys). */
  mask: Tensor;
  /** Scores of all keys, divided, not masked (keys). */
  scores: Tensor;
  /** The largest score that is not masked. */
  maximum: number;
  /** e^(score − maximum), 0 where masked (keys). */
  exponentials: Tensor;
  /** Their sum. */
  exponentialSum: number;
  /** What the head uses (keys). */
  weights: Tensor;
  /** Softmax of the scores divided by √d_k (keys). */
  weightsScaled: Tensor;
  /** Softmax of the scores as they are (keys). */
  weightsUnscaled: Tensor;
  /** Entropy of `weights_scaled`, bits. */
  entropyScaled: number;
  /** Entropy of `weights_unscaled`, bits. */
  entropyUnscaled: number;
  /** This head's values (keys, d_v). */
  values: Tensor;
  /** What each key adds: its weight times its value (keys, d_v). */
  contributions: Tensor;
  /** ‖α·v·W^O‖ (keys) */
  norms: Tensor;
  /** The sum of the contributions (d_v). */
  head: Tensor;
  /** All heads, concatenated (h · d_v). */
  concatenation: Tensor;
  /** What this head alone adds through W^O, without the bias (d_model). */
  headOutput: Tensor;
  /** The bias of W^O (d_model). */
  outputBias: Tensor;
  /** concatenation · W^O + b (d_model) */
  output: Tensor;
  /** What goes around the sub-layer (d_model). */
  residual: Tensor;
  /** residual + output (d_model) */
  residualSum: Tensor;
  /** The sub-layer's norm. */
  norm: NormSteps;
  /** The layer's feed-forward network. */
  feedForward: FeedForwardSteps;
  /** What goes around it (d_model). */
  feedForwardResidual: Tensor;
  /** The sum of both (d_model). */
  feedForwardSum: Tensor;
  /** Its norm. */
  feedForwardNorm: NormSteps;
  /** What leaves the layer (d_model). */
  layerOutput: Tensor;
  /** q·k in this head over the sentence; `None` for an additive model. */
  statistics: ProductStatistics | null;
  normPlace: 'before' | 'after';
  compatibility: Compatibility;
  score: number;
}

/**
 * q·k of vectors whose components are independent, of mean 0 and variance 1: "their dot product has mean 0 and
 * variance d_k" (§3.2.1, footnote 4).
 */
export interface RandomProducts {
  /** Components. */
  dK: number;
  /** Pairs drawn. */
  samples: number;
  /** Mean of q·k. */
  mean: number;
  /** Variance of q·k. */
  variance: number;
  /** Variance of q·k / √d_k. */
  scaledVariance: number;
  /** Largest weight of a softmax over `RandomProducts::KEYS` products / √d_k, on average. */
  largestScaled: number;
  /** The same without the division. */
  largestUnscaled: number;
}

/** How a folder stores the matrices of its model. */
export type Precision =
  /** As floating-point numbers. */
  | 'f32'
  /** As integers with a scale for each output row. */
  | 'int8';

/** The fields of `Config` in a summary, under their names. */
export interface ModelConfig {
  vocabSize: number;
  dModel: number;
  nHeads: number;
  dK: number;
  dV: number;
  dFf: number;
  /** Heads and widths of the decoder; those above are the encoder's. */
  decoder: Widths;
  encoderLayers: number;
  decoderLayers: number;
  positions: PositionScheme;
  maxPositions: number;
  compatibility: Compatibility;
  neighbourhood: number | null;
}

/** Heads and widths of the sub-layers of one stack. */
export interface Widths {
  /** Heads h of every attention. */
  nHeads: number;
  /** Width of a head's queries and keys. */
  dK: number;
  /** Width of a head's values. */
  dV: number;
  /** Inner width of the feed-forward network. */
  dFf: number;
}

/** `ModelSummary` of `www/engine/types.d.ts`. */
export interface ModelSummary {
  /** Number of learned numbers, biases included. */
  parameters: number;
  /** Shape and conventions. */
  config: ModelConfig;
  /** How the folder stores the matrices. */
  precision: Precision;
}

/** One position and one offset k; dimensions in the paper's interleaved order. */
export interface PositionsLab {
  /** PE_position · PE_j of every position j (length). */
  products: Tensor;
  /** ω_i · k in (−π, π]: by how much M_k turns each pair of dimensions (d_model / 2). */
  angles: Float32Array;
  /** The 2 × 2 blocks of M_k: PE_{pos+k} = M_k · PE_pos for every pos (d_model / 2, 2, 2). */
  rotations: Tensor;
  /** PE_position (d_model). */
  encoding: Tensor;
  /** M_k · PE_position (d_model). */
  rotated: Tensor;
  /** PE_{position+k} by its own formula (d_model). */
  shifted: Tensor;
  /** Largest |M_k · PE_pos − PE_{pos+k}| over all dimensions and positions below `checked`. */
  error: number;
  /** Positions that were checked. */
  checked: number;
  position: number;
  offset: number;
  learnedProducts?: Tensor;
}

/** How a piece enters a stack (§3.4, §3.5), each (d_model). */
export interface EmbeddingSteps {
  /** Where the piece stands. */
  position: number;
  /** √d_model, or 1 where the model does not scale. */
  scale: number;
  /** The table's row. */
  embedding: Tensor;
  /** embedding · scale. */
  scaled: Tensor;
  /** The positional encoding that is added. */
  encoding: Tensor;
  /** scaled + encoding. */
  sum: Tensor;
  text: string;
}

/** A layer type of Table 1, or one more of §4. */
export type LayerType =
  /** Self-attention over the whole sequence. */
  | 'self_attention'
  /** A recurrent layer. */
  | 'recurrent'
  /** A stack of dilated convolutions with kernel width k. */
  | 'convolutional'
  /** Self-attention restricted to a neighbourhood of size r. */
  | 'restricted_self_attention'
  /** A stack of convolutions with contiguous kernels of width k. */
  | 'contiguous_convolutional'
  /** A stack of dilated separable convolutions with kernel width k. */
  | 'separable_convolutional';

/** One row of Table 1, its O(·) taken with factor 1. */
export interface ComplexityRow {
  /** The layer type. */
  layer: LayerType;
  /** Multiply-adds per layer, as Table 1 counts. */
  operations: number;
  /**
   * Multiply-adds of the linear maps that Table 1 leaves out: the four projections of self-attention, 4·n·d², and
   * the map of a recurrent layer's inputs, n·d². Convolutions have none.
   */
  projections: number;
  /** operations + projections. */
  total: number;
  /** Operations that must follow one another. */
  sequential: number;
  /** Longest path between any two positions, in layers passed. */
  path: number;
}

/** The variable of a curve. */
export type Variable =
  /** Sequence length. */
  | 'n'
  /** Representation dimension. */
  | 'd'
  /** Kernel size. */
  | 'k'
  /** Neighbourhood size. */
  | 'r';

/** Where curves begin and end. */
export interface Sweep {
  /** What varies. */
  over: Variable;
  /** Its first value, at least 1. */
  from: number;
  /** Its last value. */
  to: number;
  /** Values at most. */
  points: number;
}

/** Table 1 as functions of one variable. Tensors are (layer types, points), rows in the order of `complexity`. */
export interface ComplexityCurves {
  /** The variable's values. */
  at: Float32Array;
  /** The rows. */
  layers: LayerType[];
  /** See `Complexity::operations`. */
  operations: Tensor;
  /** See `Complexity::total`. */
  total: Tensor;
  /** See `Complexity::sequential`. */
  sequential: Tensor;
  /** See `Complexity::path`. */
  path: Tensor;
  over: Variable;
}

/** Which graphs are wanted. */
export interface Ends {
  /** Positions, 2 to 64. */
  n: number;
  /** Where the signal begins; the earlier of the two, as a recurrent layer reads forward. */
  from: number;
  /** Where it is wanted. */
  to: number;
}

/** Layers as a graph of positions, with a shortest path through it. Level 0 are the inputs. */
export interface PathGraph {
  /** The layer type. */
  layer: LayerType;
  /** Positions. */
  n: number;
  /** Layers that are needed. */
  levels: number;
  /**
   * `[level, from, to]`: position `from` of the level is read by `to` of the next. Of the recurrent layer also
   * `[1, from, to]` within its one layer.
   */
  edges: [number, number, number][];
  /** A shortest way, as `[level, position]`. */
  path: [number, number][];
  /** Connections passed. */
  length: number;
}

/** The protocol's `Measurement`. */
export interface Measurement {
  n: number;
  repeats: number;
  projectionsMs: number;
  attentionMs: number;
  recurrentMs: number;
}

/** A contiguous row-major block of f32 with its shape. */
export interface Tensor {
  data: Float32Array;
  shape: number[];
}

/** What happened to a document on its way. */
export type TranslateEvent = Exclude<JobEvent, { kind: 'translated' | 'changed' }>;

/** A whole target under forced decoding. */
export interface Scored {
  /** ln P(target | source): the sum over its pieces. */
  logprob: number;
  /** One entry per target piece. */
  scores: PieceScore[];
  /** One entry per word and special piece. */
  words: WordScore[];
  /** Mean of the pieces' losses. */
  loss: number;
  /** e to the mean of the pieces' −ln P. */
  perplexity: number;
}

/** How a target fares with and without an intervention; all ln P. */
export interface Comparison {
  target: Piece[];
  /** In the model as it is, and of each piece (len_tgt). */
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

/** The views of the blocks that were given, under their names. */
export interface TraceView {
  encoderSelf?: AttentionView;
  decoderSelf?: AttentionView;
  cross?: AttentionView;
  encoderSelfNorms?: AttentionView;
  decoderSelfNorms?: AttentionView;
  crossNorms?: AttentionView;
}

/** Positional encodings (§3.5). */
export interface Positions {
  /** Sinusoidal positions in the paper's interleaved order (length, d_model). */
  sinusoidal: Tensor;
  /** Wavelength in positions of each dimension (d_model), 2π … 10000·2π. */
  wavelengths: Float32Array;
  /** The model's own table (length, d_model), where it has learned one. */
  learned?: Tensor;
}
