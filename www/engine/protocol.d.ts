/**
 * What the page and its worker say to each other. What crosses from the core is typed in `engine-types.d.ts` and
 * passed on here; nothing is computed twice.
 */

import type {
  Arithmetic, Cell, Comparison, ComplexityCurves, ComplexityRow, EmbeddingSteps, Hypothesis, Intervention, JobEvent,
  Measurement, ModelSummary, Observation, Observe, PathGraph, Piece, Positions, PositionsLab, RandomProducts, Scored,
  SearchOptions, Tensor, Trace, TraceRequest, TraceView, TranslateEvent, ViewOptions,
} from './types';

export type * from './types';

/**
 * Stable names of what can go wrong. The first seven come from the core (`Error::code`), the others
 * from the worker and the page's side of it.
 */
export type ErrorCode =
  | 'ConfigInvalid'
  | 'ModelFormat'
  | 'ShapeMismatch'
  | 'TokenizerFormat'
  | 'TextTooLong'
  | 'RequestInvalid'
  | 'Io'
  /** The browser has no WebAssembly SIMD. */
  | 'SimdMissing'
  /** The engine's own files could not be fetched or started. */
  | 'EngineUnavailable'
  /** A file of the model could not be fetched; loading again resumes with the files still missing. */
  | 'DownloadFailed'
  /** A translation was asked for before any model was loaded. */
  | 'ModelMissing'
  /** The engine stopped inside a computation; it is started afresh with the next request. */
  | 'EngineCrashed';

/** `models/index.json`: which models ship, and every file of each, so that a download can be checked. */
export interface ModelIndex {
  models: ModelEntry[];
}

/** One model folder of `models/index.json`. */
export interface ModelEntry {
  /** The folder's name below `models/`, e.g. "en-de". */
  name: string;
  /** ISO 639 codes. */
  source: string;
  target: string;
  /** Sum over `files`. */
  bytes: number;
  files: { name: string; bytes: number; /** lower-case hex */ sha256: string }[];
}

/** What is known of a loaded model. */
export interface ModelInfo extends ModelSummary {
  /** The folder's name, e.g. "en-de". */
  name: string;
  /** ISO 639 codes, from the index or from a name that ends like "en-de"; otherwise empty. */
  sourceLanguage: string;
  targetLanguage: string;
  /** Of all files of the folder. */
  bytes: number;
  /** SHA-256 of the weights, from the index; empty where the folder stands in none. */
  hash?: string;
  /** `simd128` or `relaxed-simd` */
  flavour: string;
  /** How the folder wants to be searched; absent in the recorded example. */
  search?: SearchOptions;
  /** Measured head roles (`heads.json`), absent if the folder has none. */
  heads?: unknown;
  /** Training curve (`training.json`), absent if the folder has none. */
  training?: unknown;
  /** Attention of some sentences during the training (`probes.bin`), absent if the folder has none. */
  probes?: Uint8Array;
  /** Model card (`README.md`, Markdown), absent if the folder has none. */
  card?: string;
}

// ── page → worker ──────────────────────────────────────────────────────────

export type Request =
  | {
      /**
       * Fetches a model folder (URL of the folder, absolute or relative to the worker's) and makes it the
       * current model. The previous model serves until then, and goes on serving if this one fails. A newer
       * `load` supersedes an older one. A `translate` or `score` that arrives while no model is there but one
       * is on its way waits for it.
       */
      type: 'load';
      id: number;
      model: string;
      /** The folder's files, where they come from this device: nothing is fetched, `model` only names the folder. */
      files?: File[];
      /** Whether the matrices are to be stored as 8-bit integers. */
      quantize?: boolean;
    }
  | {
      /** Translates a document. A newer `translate` supersedes an older one, whose answer is `cancelled`. */
      type: 'translate';
      id: number;
      text: string;
      options?: SearchOptions;
      observe?: Observe;
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
      intervention?: Intervention;
    }
  | {
      /**
       * Translates one sentence beside the document: with another beginning (`options.prefix`), under an
       * intervention (`options.intervention`), or to watch its search (`tree`). It stops no `translate`, and waits
       * while one runs; a newer `steer` supersedes an older one. Answers: `event`s `sentences`, `partial` and
       * `nodes`, then `steered`, with what was `observed` if a request is given.
       */
      type: 'steer';
      id: number;
      /** Taken as one sentence. */
      source: string;
      options?: SearchOptions;
      request?: TraceRequest;
      /** How many alternatives to give for every step of the observation. */
      alternatives?: number;
      tree?: boolean;
      /** A target to be scored with and without the intervention, e.g. the old translation's pieces. */
      compare?: number[];
    }
  | {
      /**
       * Sums up observed blocks: words, means, special pieces hidden. Nothing is decoded; no model is needed. Give
       * only the blocks to be seen; those of a restricted `TraceRequest` are welcome too.
       */
      type: 'view';
      id: number;
      trace: Trace;
      source: Piece[];
      target: Piece[];
      options: ViewOptions;
    }
  | {
      /** The arithmetic of one weight. `target`: the pieces of the hypothesis, without start symbol. */
      type: 'arithmetic';
      id: number;
      /** Taken as one sentence. */
      source: string;
      target: number[];
      cell: Cell;
      intervention?: Intervention;
    }
  /** Footnote 4 on random vectors, for each d_k (1 to 4096); `samples` at most 20000, 2000 if left out. */
  | { type: 'randomProducts'; id: number; dK: number[]; samples?: number; seed?: number }
  | { type: 'positions'; id: number; length: number }
  /** `offset` may be negative; `position` < `length`. Both are checked against the formula, not against a table's end. */
  | { type: 'positionsLab'; id: number; length: number; position: number; offset: number }
  | { type: 'embedding'; id: number; side: 'source' | 'target'; piece: number; position: number }
  | {
      /** Table 1. No model is needed. */
      type: 'complexity';
      id: number;
      n: number;
      d: number;
      r: number;
      k: number;
      /** Also as curves over one variable from `from` to `to`. */
      curves?: { over: 'n' | 'd' | 'k' | 'r'; from: number; to: number; points: number };
      /** Also as graphs of `n` positions (2 to 64; `k` and `r` of the request) with the way between two of them. */
      paths?: { n: number; from: number; to: number };
    }
  | {
      /**
       * Measures the first encoder layer's self-attention at these lengths (each at most 2048), one after the other, in slices that
       * any other request may interrupt. A newer `measure` supersedes an older one.
       */
      type: 'measure';
      id: number;
      lengths: number[];
    }
  /** Ends the request with this id, if it still runs, with `cancelled`. */
  | { type: 'cancel'; id: number };

/** A request by its type. */
export type RequestOf<T extends Request['type']> = Extract<Request, { type: T }>;

// ── worker → page ──────────────────────────────────────────────────────────

export type Answer =
  | {
      /**
       * Load progress. Stages in order: engine, weights, prepare, ready. `loaded` and `total` are bytes of the
       * model's files in `weights` (`total` is 0 while unknown), 0 or 1 of 1 in the others. Model files that lie in
       * the browser's cache count as loaded at once.
       */
      type: 'progress';
      id: number;
      stage: 'engine' | 'weights' | 'prepare' | 'ready';
      loaded: number;
      total: number;
    }
  | { type: 'event'; id: number; event: TranslateEvent }
  /** Observation of one sentence while it grows (`final: false`); in a recorded file the whole one. */
  | ({ type: 'trace'; id: number } & Observation)
  /** One length of a `measure`, as soon as it is known. */
  | { type: 'measured'; id: number; measurement: Measurement }
  /** `observed`: of `translate`, `score` and `steer` the sentence that was to be observed, at its end. */
  | { type: 'done'; id: number; result: DoneResult; observed?: Observation }
  /** `id` 0: no request's fault. Every request is answered by exactly one `done` or `error`. */
  | { type: 'error'; id: number; code: ErrorCode; message: string };

/** An answer by its type. */
export type AnswerOf<T extends Answer['type']> = Extract<Answer, { type: T }>;

export type DoneResult =
  | {
      kind: 'loaded';
      model: ModelInfo;
      /** Where the folder is found again: the one asked for, or one on this device. */
      address: string;
      /** Milliseconds from request to readiness. */
      totalMs: number;
      /** Bytes that came over the network; 0 on a second visit. */
      downloaded: number;
    }
  | (Extract<JobEvent, { kind: 'translated' }> & {
      /** Milliseconds from request to first piece, and in all. */
      firstTokenMs: number;
      totalMs: number;
    })
  | ({ kind: 'scored' } & Scored)
  | ({
      kind: 'steered';
      /** The n best, best first; entry 0 is the translation found. */
      nBest: Hypothesis[];
      /** Only if a target was to be compared. */
      comparison?: Comparison;
      totalMs: number;
    } & Hypothesis)
  | { kind: 'view'; view: TraceView }
  | { kind: 'arithmetic'; arithmetic: Arithmetic }
  | { kind: 'randomProducts'; rows: RandomProducts[] }
  | ({ kind: 'positions' } & Positions)
  | ({ kind: 'positionsLab' } & PositionsLab)
  | ({ kind: 'embedding' } & EmbeddingSteps)
  | { kind: 'complexity'; rows: ComplexityRow[]; curves?: ComplexityCurves; paths?: PathGraph[] }
  | { kind: 'measured'; measurements: Measurement[] }
  | { kind: 'cancelled' };

/** A result by its kind. */
export type ResultOf<K extends DoneResult['kind']> = Extract<DoneResult, { kind: K }>;

// ── recorded example ───────────────────────────────────────────────────────

/**
 * `recorded/example.json`, written by `translucent record` from a model folder: the answers that the worker
 * would give for one sentence, so that the page can show them before the model has arrived. Each tensor stands
 * as a `PackedTensor`; `recorded.js` unpacks them.
 */
export interface RecordedFile {
  format: 1;
  /** The source text. */
  text: string;
  model: ModelInfo;
  /** `event`s, one final `trace`, `done`, in the worker's order, all with `id` 0. */
  answers: Packed<Answer>[];
  /** The sinusoidal table of the first positions, without the wavelengths. */
  positions: Packed<Tensor>;
}

/** The same with every tensor packed. */
export type Packed<T> = T extends Tensor ? PackedTensor : T extends object ? { [K in keyof T]: Packed<T[K]> } : T;

/** A tensor in few bytes: value = scale · q, q little-endian, base64. */
export interface PackedTensor {
  /** `u16` for weights (scale 1/65535: exact to 8e-6), `i8` for vectors, `f32` as it is (scale 1). */
  packed: 'u16' | 'i8' | 'f32';
  shape: number[];
  scale: number;
  data: string;
}

/** What `recorded.js` gives. */
export interface Recorded {
  text: string;
  model: ModelInfo;
  answers: Answer[];
  /** The sinusoidal table (positions, d_model) in the paper's interleaved order, for the thumbnails. */
  positions: Tensor;
}
