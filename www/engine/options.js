// Whether options of a request are what they must be: what is not would fail in the middle of it.

import { EngineError } from './error.js';

/**
 * Options as they were given; an empty object where none were.
 * @template {object} T
 * @param {string} method
 * @param {T} [options]
 * @returns {T}
 * @throws {EngineError} `RequestInvalid`
 */
export function optionsOf(method, options = /** @type {T} */ ({})) {
  if (Object(options) !== options) throw refused(method, 'the options', 'an object');
  for (const [name, value] of Object.entries(options)) {
    if (/^on[A-Z]/.test(name) && value && typeof value !== 'function') throw refused(method, name, 'a function');
    if (name === 'signal' && value && !value.throwIfAborted) throw refused(method, name, 'an AbortSignal');
  }
  return options;
}

/**
 * @param {string} method
 * @param {string} what
 * @param {string} kind what it must be
 */
export const refused = (method, what, kind) => new EngineError('RequestInvalid', `${method}: ${what} must be ${kind}`);
