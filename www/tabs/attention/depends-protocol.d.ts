import type { Dependence, Integral } from '../../pkg/learn/translucent_learn.js';

export type { Dependence, Integral };

/** A prediction: piece `step` of a target, given a source and the pieces before. */
export interface Question {
  /** of the model's folder */
  address: string;
  /** ids, with the end mark */
  source: number[];
  /** ids, without the start symbol */
  target: number[];
  step: number;
}

/** Measures over the source's pieces; of signed ones the size counts. */
export type Measure = 'gradientInput' | 'integrated' | 'leftOut' | 'mean' | 'rollout';

/** Rank correlations: between all measures, and of each cross-attention head (N·h) with each measure. */
export interface Correlations {
  measures: (number | null)[][];
  heads: (number | null)[][];
}

/** Answers in their order; a newer question ends them. `ms`: since the question was begun, without loading the model. */
export type Reply =
  | { id: number; kind: 'loading' }
  | { id: number; kind: 'first'; found: Dependence; ms: number }
  | { id: number; kind: 'integral'; found: Integral; ms: number }
  | { id: number; kind: 'leftOut'; values: number[]; ms: number }
  | { id: number; kind: 'done'; correlations: Correlations }
  | { id: number; kind: 'failed'; message: string };
