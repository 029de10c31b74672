/** The messages between the page and its worker. The types of the core's values are written from the Rust sources (`types.d.ts`). */

import type {
  Arithmetic, Cell, Comparison, ComplexityCurves, ComplexityRow, EmbeddingSteps, Ends, Hypothesis, Intervention, JobEvent,
  Measurement, ModelSummary, Observation, Observe, PathGraph, Piece, Positions, PositionsLab, RandomProducts, Scored,
  SearchOptions, SentenceInfo, Sweep, Tensor, Term, TraceRequest, TraceView, TranslateEvent, ViewOptions,
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
  | 'VersionChanged'
  /** A file of the model could not be fetched; loading again resumes with the files still missing. */
  | 'DownloadFailed'
  /** A translation was requested before any model was loaded. */
  | 'ModelMissing'
  /** The engine stopped inside a computation; it is started afresh with the next request. */
  | 'EngineCrashed'
  /** A request was made of a translator that was terminated. */
  | 'Terminated';

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
  /** The folder's search options; absent in the recorded example. */
  search?: SearchOptions;
  /** Measured head roles (`heads.json`), absent if the folder has none. */
  heads?: unknown;
  /** Training curve (`training.json`), absent if the folder has none. */
  training?: unknown;
  /** Measured quality (`metrics.json`), absent if the folder has none. */
  metrics?: unknown;
  /** Attention of some sentences during the training (`probes.bin`), absent if the folder has none. */
  probes?: Uint8Array;
  /** Model card (`README.md`, Markdown), absent if the folder has none. */
  card?: string;
}

// ── page → worker ──────────────────────────────────────────────────────────

/** Options of a search, and what its request may observe beside the result. */
interface SentenceObservation {
  request?: TraceRequest;
  /** How many alternatives to give for every step of the observation. */
  alternatives?: number;
}

/** Every method of the worker: its arguments and its result. */
export interface Methods {
  /**
   * Fetches a model folder and makes it the current model. The one before serves until then, and stays if
   * this one fails; a newer `load` supersedes an older one. Requests that need a model wait for it while none is there.
   */
  load: {
    args: {
      /** URL of the folder, absolute or relative to the worker's. */
      model: string;
      /** The folder's files, where they come from this device: nothing is fetched, `model` only names the folder. */
      files?: File[];
      /** Whether the matrices are to be stored as 8-bit integers. */
      quantize?: boolean;
      /** Of `files`: whether they are stored on this device too; true if left out. */
      store?: boolean;
    };
    result: Loaded;
  };
  /** Translates a document. */
  translate: { args: { text: string; search?: SearchOptions; observe?: Observe; /** How words are to be translated. */ terms?: Term[] }; result: Translated };
  /**
   * Translates one sentence beside the document: with another beginning (`search.prefix`), under an intervention, or to
   * watch its search (`tree`). It waits while a `translate` runs. Events: `sentences`, `partial` and `nodes`.
   */
  translateSentence: {
    args: SentenceObservation & {
      source: string;
      search?: SearchOptions;
      terms?: Term[];
      tree?: boolean;
      /** A target to be scored with and without the intervention, e.g. the old translation's pieces. */
      compare?: number[];
    };
    result: TranslatedSentence;
  };
  /** Scores one sentence's target by forced decoding, and observes it. */
  score: {
    args: SentenceObservation & {
      source: string;
      /** The target pieces, without start symbol; or a text to be tokenised. */
      target: number[] | string;
      intervention?: Intervention;
    };
    result: Scored;
  };
  /** Sums up observed blocks: words, means, special pieces hidden. No model is needed. */
  viewTrace: {
    args: {
      /** The blocks to view; one that the worker sent lately is given by its number. */
      trace: Partial<Record<keyof TraceView, Tensor | number>>;
      source: Piece[];
      target: Piece[];
      options: ViewOptions;
    };
    /** null: a numbered block is no longer there. */
    result: TraceView | null;
  };
  /** The arithmetic of one weight. `target`: the pieces of the hypothesis, without start symbol. */
  arithmetic: { args: { source: string; target: number[]; cell: Cell; intervention?: Intervention }; result: Arithmetic };
  /** The language of a text (`en`, `de`, `fr`, `es`), null where it is not plain. No model is needed. */
  detectLanguage: { args: { text: string }; result: { language: string | null } };
  /** Footnote 4 on random vectors, for each d_k (1 to 4096); `samples` at most 20000, 2000 if left out. */
  randomProducts: { args: { dK: number[]; samples?: number; seed?: number }; result: RandomProducts[] };
  /** Positional encodings of the first `length` positions, at the model's width. */
  positions: { args: { length: number }; result: Positions };
  /** `offset` may be negative; `position` < `length`. Both are checked against the formula, not against a table's end. */
  positionsLab: { args: { length: number; position: number; offset: number }; result: PositionsLab };
  /** How a piece enters a stack. */
  embedding: { args: { side: 'source' | 'target'; piece: number; position: number }; result: EmbeddingSteps };
  /** Table 1. No model is needed. */
  complexity: {
    args: {
      n: number;
      d: number;
      r: number;
      k: number;
      /** Also as curves over one variable from `from` to `to`. */
      curves?: Sweep;
      /** Also as graphs of `n` positions (2 to 64; `k` and `r` of the request) with the way between two of them. */
      paths?: Ends;
    };
    result: ComplexityTable;
  };
  /**
   * Measures the first encoder layer's self-attention at these lengths (each at most 2048), one after the other, in
   * slices that any other request may interrupt. Each measurement is an event.
   */
  measure: { args: { lengths: number[] }; result: Measured };
}

/** A request. Each is answered by exactly one `done` or `error`, unless it is cancelled. */
export type Call = {
  [M in keyof Methods]: {
    id: number;
    method: M;
    args: Methods[M]['args'];
    /** Id of the `load` whose model it is for; 0 if none has succeeded yet. */
    model?: number;
  };
}[keyof Methods];

/** What needs no answer. */
export type Notice =
  /** Ends the request with this id, if it still runs; it is not answered. */
  | { method: 'cancel'; id: number }
  /** No further request is for the model of the `load` with this id. */
  | { method: 'release'; id: number }
  /** Asks which of the requests up to the id `last` the worker has; it answers `listed`. */
  | { method: 'list'; last: number };

// ── worker → page ──────────────────────────────────────────────────────────

/** Where a load is. */
export interface Progress {
  /** In this order. */
  stage: 'engine' | 'weights' | 'prepare' | 'ready';
  /**
   * Bytes of the model's files in `weights` (`total` is 0 while unknown), 0 or 1 of 1 in the other stages. Files that lie in
   * the browser's cache count as loaded at once.
   */
  loaded: number;
  total: number;
}

/** What the worker reports of a document; `ReceivedDocument` makes `TranslateEvent`s of it. */
export type DocumentEvent = TranslateEvent | Extract<JobEvent, { kind: 'changed' }>;

/** Numbers of the attention blocks that the worker keeps, by name. */
export type BlockNumbers = Record<string, number>;

export type Answer =
  | ({ type: 'progress'; id: number } & Progress)
  /** Sentences of a long text: they stand before those of the `sentences` or `changed` event that follows. */
  | { type: 'sentences'; id: number; sentences: SentenceInfo[] }
  /** Of `translate`. What was reported of the last document, whichever request it was of, is not reported again. */
  | { type: 'document'; id: number; events: DocumentEvent[] }
  /** Of `translateSentence` and `measure`. */
  | { type: 'event'; id: number; event: TranslateEvent | Measurement }
  /** Observation of one sentence while it grows (`final: false`); in a recorded file the whole one. */
  | ({ type: 'trace'; id: number; blocks?: BlockNumbers } & Observation)
  /**
   * `events`: of `translate` the last few, which come before the result. `observed`: of `translate`, `translateSentence` and `score`
   * the sentence that was to be observed, at its end.
   */
  | { type: 'done'; id: number; result: Methods[keyof Methods]['result']; events?: DocumentEvent[]; observed?: Observation; blocks?: BlockNumbers }
  | { type: 'error'; id: number; code: ErrorCode; message: string }
  /** `ids` of the requests that wait or run: what is pending and not among them was lost. */
  | { type: 'listed'; last: number; ids: number[] };

/** An answer as it is sent: `n` counts the messages of its worker from 1, so that one that is lost is noticed. */
export type NumberedAnswer = Answer & { n: number };

/** An answer by its type. */
export type AnswerOf<T extends Answer['type']> = Extract<Answer, { type: T }>;

/** The result of a request that was superseded or cancelled. */
export interface Cancelled {
  kind: 'cancelled';
}

export interface Loaded {
  kind: 'loaded';
  model: ModelInfo;
  /** Address of the folder: the requested one, or one on this device. */
  address: string;
  /** Whether the browser keeps the folder for the next visit; false where it has no room, or no store. */
  stored: boolean;
  /** Milliseconds from request to readiness. */
  totalMs: number;
  /** Bytes that came over the network; 0 on a second visit. */
  downloaded: number;
}

export type Translated = Extract<JobEvent, { kind: 'translated' }> & {
  /** Milliseconds from request to first piece, and in all. */
  firstTokenMs: number;
  totalMs: number;
};

export type TranslatedSentence = Hypothesis & {
  kind: 'translated';
  /** The n best, best first; entry 0 is the translation found. */
  nBest: Hypothesis[];
  /** Only if a target was to be compared. */
  comparison?: Comparison;
  totalMs: number;
};

export interface ComplexityTable {
  rows: ComplexityRow[];
  curves?: ComplexityCurves;
  paths?: PathGraph[];
}

export interface Measured {
  kind: 'measured';
  measurements: Measurement[];
}

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
  answers: Packed<RecordedAnswer>[];
  /** The sinusoidal table of the first positions, without the wavelengths. */
  positions: Packed<Tensor>;
}

/** An answer as the recorded example has it. */
export type RecordedAnswer =
  | { type: 'event'; id: 0; event: TranslateEvent }
  | ({ type: 'trace'; id: 0 } & Observation)
  | { type: 'done'; id: 0; result: Translated };

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
  answers: RecordedAnswer[];
  /** The sinusoidal table (positions, d_model) in the paper's interleaved order, for the thumbnails. */
  positions: Tensor;
}
