import type { Answer, Described, Settings, TaskChoice, TensorEntry, WeightUpdate } from '../../pkg/learn/translucent_learn.js';

export type { Answer, Described, Settings, TaskChoice, TensorEntry, WeightUpdate };

/** What a run is trained on and with. */
export interface Plan {
  task: TaskChoice;
  settings: Settings;
}

/** Quality on held-out pairs; `exact` is a share. */
export interface Measured {
  step: number;
  loss: number;
  exact: number;
}

export type Answered = Answer | { refused: string } | null;

/** A run that stands still. */
export interface Shown {
  step: number;
  weights: number;
  measured: Measured;
  /** to each probe */
  answers: Answered[];
  /** steps that can be returned to */
  snapshots: number[];
  trainedMs: number;
}

/** A step: number, learning rate, smoothed loss, loss, gradient norm, tokens. */
export type Row = number[];

export interface Methods {
  defaults: { args: undefined; result: Settings };
  describe: { args: Plan; result: Described };
  start: { args: Plan; result: Shown };
  restore: { args: { bytes: Uint8Array }; result: Shown };
  play: { args: undefined; result: void };
  pause: { args: undefined; result: Shown };
  step: { args: undefined; result: Shown & { row: Row } };
  goTo: { args: { step: number }; result: Shown };
  /** Forgets snapshots after the present step. */
  fork: { args: undefined; result: void };
  /** The inputs that are answered while training goes on. */
  probe: { args: { texts: string[] }; result: Answered[] };
  /** The whole run, and the step at which it stands. */
  save: { args: undefined; result: { step: number; bytes: Uint8Array } };
  folder: { args: undefined; result: Map<string, Uint8Array<ArrayBuffer>> };
  tensors: { args: undefined; result: TensorEntry[] };
  update: { args: { weight: number }; result: WeightUpdate | null };
}

export interface Call {
  id: number;
  method: keyof Methods;
  args: any;
}

export interface Progress {
  rows: Row[];
  measured: Measured | null;
  /** to each probe; null: not this time */
  answers: Answered[];
  snapshots: number[];
  trainedMs: number;
}

export type Reply =
  | { id: number; result: any }
  | { id: number; error: { code: string; message: string } }
  | ({ event: 'progress' } & Progress)
  | { event: 'diverged'; message: string; rows: Row[] };
