/**
 * What the page and its worker say to each other. The core's types (`src/search`, `src/trace`,
 * `src/translator.rs`) are mirrored here under the same names in camelCase; nothing is computed twice.
 * All lengths are in pieces unless said otherwise; all text offsets are in UTF-16 units of the text
 * as typed, half open `[start, end)`.
 */

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
  alternatives?: number;
}

export interface TraceRequest {
  encoderSelf?: boolean;
  decoderSelf?: boolean;
  cross?: boolean;
  layers?: number[];
  heads?: number[];
  hidden?: boolean;
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

/** What is known of a loaded model. */
export interface ModelInfo {
  name: string;
  sourceLanguage: string;
  targetLanguage: string;
  bytes: number;
  parameters: number;
  config: ModelConfig;
  /** `simd128` or `relaxed-simd` */
  flavour: string;
  /** `f32` or `int8` as stored on disk */
  precision: string;
  /** Measured head roles (`heads.json`), absent if the folder has none. */
  heads?: unknown;
  /** Training curve (`training.json`), absent if the folder has none. */
  training?: unknown;
}

// ── page → worker ──────────────────────────────────────────────────────────

export type Request =
  | {
      /** Fetches a model folder (URL of the folder) and makes it the current model. */
      type: 'load';
      id: number;
      model: string;
    }
  | {
      /** Translates a document. A newer `translate` supersedes an older one. */
      type: 'translate';
      id: number;
      text: string;
      options?: SearchOptions;
      /** Which sentence to observe, and what of it. */
      observe?: { sentence: number; request: TraceRequest };
    }
  | {
      /** Observes one sentence with a given target (forced decoding of whole hypothesis). */
      type: 'score';
      id: number;
      source: string;
      /** The target pieces, without start symbol; or a text to be tokenised. */
      target: number[] | string;
      request: TraceRequest;
      /** How many alternatives to give for every step. */
      alternatives?: number;
    }
  | { type: 'positions'; id: number; length: number }
  | { type: 'complexity'; id: number; n: number; d: number; r: number; k: number }
  | { type: 'cancel'; id: number };

// ── worker → page ──────────────────────────────────────────────────────────

export type Answer =
  | {
      /** Load progress. `total` is 0 where unknown. Stages in order: engine, weights, prepare, ready. */
      type: 'progress';
      id: number;
      stage: 'engine' | 'weights' | 'prepare' | 'ready';
      loaded: number;
      total: number;
    }
  | { type: 'event'; id: number; event: TranslateEvent }
  | {
      /** Observation of one sentence; sent while it grows (`final: false`) and once at its end. */
      type: 'trace';
      id: number;
      sentence: number;
      final: boolean;
      target: Piece[];
      /** One entry per target piece; empty unless alternatives were asked for. */
      steps: StepAlternatives[];
      trace: Trace;
    }
  | { type: 'done'; id: number; result: DoneResult }
  | { type: 'error'; id: number; code: string; message: string };

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

export type DoneResult =
  | { kind: 'loaded'; model: ModelInfo }
  | {
      kind: 'translated';
      /** The whole translation, line breaks kept. */
      text: string;
      /** Output pieces of the sentences decoded by this request (cached ones left out). */
      tokens: number;
      /** Milliseconds from request to first piece, and in all. */
      firstTokenMs: number;
      totalMs: number;
    }
  | { kind: 'scored'; logprob: number }
  | {
      /** Sinusoidal positions in the paper's interleaved order (length, d_model), and the model's own table where learned. */
      kind: 'positions';
      sinusoidal: Tensor;
      /** Wavelength in positions of each dimension (d_model), 2π … 10000·2π. */
      wavelengths: Float32Array;
      learned?: Tensor;
    }
  | { kind: 'complexity'; rows: { layer: string; operations: number; sequential: number; path: number }[] }
  | { kind: 'cancelled' };
