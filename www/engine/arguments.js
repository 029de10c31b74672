// Whether the arguments of a request are of their types: what is not would stop the engine instead of being refused by it.

import { EngineError } from './error.js';

/** @typedef {Exclude<keyof import('./protocol').Methods, 'load'>} QueuedMethod */

/** What an argument may be; with a question mark it may be left out. @type {Record<string, { is: (value: unknown) => boolean, means: string }>} */
const TYPES = {
  text: { is: (value) => typeof value === 'string', means: 'a string' },
  count: { is: (value) => Number.isInteger(value) && Number(value) >= 0, means: 'a whole number from 0 on' },
  integer: { is: Number.isInteger, means: 'a whole number' },
  number: { is: Number.isFinite, means: 'a number' },
  counts: { is: (value) => isList(value) && [...value].every(TYPES.count.is), means: 'a list of whole numbers from 0 on' },
  list: { is: Array.isArray, means: 'a list' },
  object: { is: (value) => typeof value === 'object' && value !== null, means: 'an object' },
  side: { is: (value) => value === 'source' || value === 'target', means: '"source" or "target"' },
  any: { is: () => true, means: 'anything' },
  textOrCounts: { is: (value) => TYPES.text.is(value) || TYPES.counts.is(value), means: 'a string or a list of pieces' },
};

/** @param {unknown} value @returns {value is Iterable<unknown>} */
const isList = (value) => Array.isArray(value) || ArrayBuffer.isView(value);

/** @type {{ [M in QueuedMethod]: { [A in keyof import('./protocol').Methods[M]['args']]-?: string } }} */
const ARGUMENTS = {
  translate: { text: 'text', search: 'object?', observe: 'object?', terms: 'list?' },
  translateSentence: { source: 'text', search: 'object?', request: 'object?', alternatives: 'count?', terms: 'list?', tree: 'any?', compare: 'counts?' },
  score: { source: 'text', target: 'textOrCounts', request: 'object?', alternatives: 'count?', intervention: 'object?' },
  viewTrace: { trace: 'object', source: 'list', target: 'list', options: 'object' },
  arithmetic: { source: 'text', target: 'counts', cell: 'object', intervention: 'object?' },
  detectLanguage: { text: 'text' },
  randomProducts: { dK: 'counts', samples: 'count?', seed: 'number?' },
  positions: { length: 'count' },
  positionsLab: { length: 'count', position: 'count', offset: 'integer' },
  embedding: { side: 'side', piece: 'count', position: 'count' },
  complexity: { n: 'count', d: 'count', r: 'count', k: 'count', curves: 'object?', paths: 'object?' },
  measure: { lengths: 'counts' },
};

/**
 * Checks the types of a request's arguments; their values are the engine's to check.
 * @param {QueuedMethod} method
 * @param {object} args
 * @throws {EngineError} `RequestInvalid`, which names the first that is wrong and says what it must be
 */
export function checkArguments(method, args) {
  for (const [name, type] of Object.entries(ARGUMENTS[method])) {
    const value = /** @type {Record<string, unknown>} */ (args)[name];
    const { is, means } = TYPES[type.replace('?', '')];
    if (is(value) || (type.endsWith('?') && (value === undefined || value === null))) continue;
    const given = value === undefined ? 'missing' : described(value);
    throw new EngineError('RequestInvalid', `${method}: ${name} is ${given}, it must be ${means}`);
  }
}

/**
 * A wrong argument in words.
 * @param {unknown} value
 */
function described(value) {
  if (value === null) return 'null';
  if (isList(value)) return 'a list of other values';
  return typeof value === 'object' ? 'an object' : `the ${typeof value} ${String(value).slice(0, 40)}`;
}
