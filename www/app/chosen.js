/** Translations that the reader chose instead of the model's own, and how long they stay. Pure functions. */

/** @import { Doc, Output, State } from './state.js' */
/** @import * as P from '../engine/protocol' */
import { sentenceText } from './select.js';

/** What a translation depends on beside its text. @typedef {Pick<State, 'model'|'beam'|'alpha'|'terms'>} Conditions */

/** The model's own translation. @param {Output} output @returns {Output} */
export const ownOutput = (output) => output.variant?.original ?? output;

/**
 * A sentence's translation as the model's own comes in: a chosen one stays, and the whole own one is kept behind it.
 * @param {Output} output
 * @param {Output} own
 * @returns {Output}
 */
export function withOwn(output, own) {
  if (!output.variant) return own;
  return own.target ? { ...output, variant: { ...output.variant, original: own } } : output;
}

/**
 * A growing document that is shown after a pause: what the reader chose or took back meanwhile counts.
 * @param {Doc} doc
 * @param {Doc} shown
 * @returns {Doc}
 */
export function withShown(doc, shown) {
  if (doc.sentences !== shown.sentences) return doc;
  const outputs = doc.outputs.map((output, i) => {
    const now = shown.outputs[i];
    return now.target && ownOutput(now).target === ownOutput(output).target && !now.stale ? now : output;
  });
  return { ...doc, outputs };
}

/**
 * The words that were added, removed or changed, in small letters.
 * @param {P.Term[]} before
 * @param {P.Term[]} now
 */
function changedWords(before, now) {
  const missing = (/** @type {P.Term[]} */ terms, /** @type {P.Term[]} */ others) =>
    terms.filter(({ source, target }) => !others.some((other) => other.source === source && other.target === target));
  return [...missing(before, now), ...missing(now, before)].map(({ source }) => source.toLowerCase());
}

/**
 * The document without the choices that changed conditions make out of date: another model or search changes every
 * sentence, the reader's own words change those that hold them.
 * @param {Doc} doc
 * @param {Conditions} before
 * @param {Conditions} now
 * @returns {Doc}
 */
export function withoutOutdated(doc, before, now) {
  if (!doc.outputs.some(({ variant }) => variant)) return doc;
  const all = before.model !== now.model || before.beam !== now.beam || before.alpha !== now.alpha;
  const words = changedWords(before.terms, now.terms);
  const outdated = (/** @type {number} */ i) => {
    const text = sentenceText(doc, i).toLowerCase();
    return all || words.some((word) => text.includes(word));
  };
  return { ...doc, outputs: doc.outputs.map((output, i) => (output.variant && outdated(i) ? ownOutput(output) : output)) };
}

/**
 * The translations that an edited text has already; undefined for its new sentences. A choice stays with its own
 * sentence: one of the same words elsewhere has the model's own.
 * @param {Doc} doc before the edit
 * @param {string} text
 * @param {P.SentenceInfo[]} sentences
 * @returns {(Output|undefined)[]}
 */
export function knownOutputs(doc, text, sentences) {
  const wordsOf = (/** @type {string} */ whole, /** @type {P.SentenceInfo[]} */ list) => list.map(({ range }) => whole.slice(range[0], range[1]));
  const before = wordsOf(doc.text, doc.sentences);
  const after = wordsOf(text, sentences);
  const least = Math.min(before.length, after.length);
  let head = 0;
  while (head < least && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < least - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const shift = before.length - after.length;
  const known = new Map(before.map((words, i) => [words, ownOutput(doc.outputs[i])]));
  for (let i = head; i < before.length - tail; i++) known.set(before[i], doc.outputs[i]);
  return after.map((words, i) => (i < head ? doc.outputs[i] : i >= after.length - tail ? doc.outputs[i + shift] : known.get(words)));
}
