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
  prefix?: number[];
  noRepeatNgram?: number;
}

export interface TraceRequest {
  encoderSelf?: boolean;
  decoderSelf?: boolean;
  cross?: boolean;
  layers?: number[];
  heads?: number[];
  hidden?: boolean;
}

/** Which sentence of a document to observe, what of it, and how many alternatives to tell for each of its steps. */
export interface Observe {
  sentence: number;
  request: TraceRequest;
  alternatives?: number;
}

/** Blocks as in the core's `Trace`; absent if not asked for. */
export interface Trace {
  /** (layers, heads, len_src, len_src) */
  encoderSelf?: Tensor;
  /** (layers, heads, len_tgt, len_tgt): row t reads target pieces 0..=t−1 shifted right (column 0 is the start symbol), predicts piece t. */
  decoderSelf?: Tensor;
  /** (layers, heads, len_tgt, len_src) */
  cross?: Tensor;
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
  trace: Trace;
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
      nBest: { text: string; score: number }[];
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

/** A row of Table 1. */
export interface ComplexityRow {
  layer: 'self_attention' | 'recurrent' | 'convolutional' | 'restricted_self_attention';
  /** Multiply-adds per layer. */
  operations: number;
  /** Operations that must follow one another. */
  sequential: number;
  /** Longest path between any two positions, in layers passed. */
  path: number;
}
