/**
 * Tags inside of a text: bold, links, pictures. In a text with tags each stands as two characters of plane 16, one where it opens and
 * one where it closes; the model reads the text without them, and they are put back by what the words of the translation read.
 */

/** The first of those characters: tag i closes with 4i, opens with 4i + 1, or with 4i + 2 where its content stays as it is. */
const FIRST = 0x100000;
/** All of them: a text that is opened loses its own. */
export const TAGS = /[\u{100000}-\u{10fffd}]/gu;

/** Most tags of a text: with more, what stands in them is translated by itself. */
export const MOST_TAGS = 200;

/** The characters of tag i; those past the most are alike, and their text is not read back. @param {number} i */
const first = (i) => FIRST + 4 * Math.min(i, MOST_TAGS);
/** @param {number} i @param {boolean} [whole] its content stays as it is */
export const opens = (i, whole = false) => String.fromCodePoint(first(i) + (whole ? 2 : 1));
/** @param {number} i */
export const closes = (i) => String.fromCodePoint(first(i));

/**
 * A tag with its place in the text; `start` is `end` where nothing stands in it.
 * @typedef {{ id: number, whole: boolean, start: number, end: number, children: Tag[] }} Tag
 */

/**
 * A word of a translation, and how much it reads of which ranges of the source.
 * @typedef {{ from: number, to: number, reads: [start: number, end: number, weight: number][] }} Word
 */

/**
 * Takes the tags out of a text.
 * @param {string} tagged
 * @returns {{ text: string, root: Tag }} `root` is the whole text
 */
export function untag(tagged) {
  let text = '';
  /** @type {Tag[]} */
  const open = [{ id: -1, whole: false, start: 0, end: 0, children: [] }];
  for (const character of tagged) {
    const code = (character.codePointAt(0) ?? 0) - FIRST;
    if (code < 0) text += character;
    else if (code % 4 !== 0) {
      const tag = { id: code >> 2, whole: code % 4 === 2, start: text.length, end: text.length, children: [] };
      open[open.length - 1].children.push(tag);
      open.push(tag);
    } else if (open.length > 1) /** @type {Tag} */ (open.pop()).end = text.length;
  }
  open[0].end = text.length;
  return { text, root: open[0] };
}

/**
 * A text with tags as what it is made of, in order.
 * @typedef {string | { id: number, parts: Part[] }} Part
 */

/** @param {string} tagged @returns {Part[]} */
export function partsOf(tagged) {
  /** @type {{ id: number, parts: Part[] }[]} */
  const open = [{ id: -1, parts: [] }];
  for (const text of tagged.split(/([\u{100000}-\u{10fffd}])/u)) {
    const code = (text.codePointAt(0) ?? 0) - FIRST;
    const parts = open[open.length - 1].parts;
    if (code < 0) {
      if (text !== '') parts.push(text);
    } else if (code % 4 !== 0) {
      const tag = { id: code >> 2, parts: [] };
      parts.push(tag);
      open.push(tag);
    } else if (open.length > 1) open.pop();
  }
  return open[0].parts;
}

/**
 * A text with tags in which each white space is one blank, and none is at its ends. Around a tag with nothing in it both blanks stay.
 * @param {string} tagged
 */
export function collapsed(tagged) {
  let text = '';
  let isBlank = true;
  let isOpened = false;
  for (const character of tagged) {
    const code = (character.codePointAt(0) ?? 0) - FIRST;
    const blank = /\s/.test(character);
    if (!blank || !isBlank) text += blank ? ' ' : character;
    if (code < 0 || (isOpened && code % 4 === 0)) isBlank = blank;
    isOpened = code >= 0 && code % 4 !== 0;
  }
  const last = isBlank ? text.lastIndexOf(' ') : -1;
  return last < 0 ? text : text.slice(0, last) + text.slice(last + 1);
}

/** Weight against what is in a tag only because it stands between two words that are. */
const SLIGHT = 0.01;

/** Whether a tag begins or ends inside of a range of the text. @param {Tag} tag @param {number} start @param {number} end @returns {boolean} */
export function cuts(tag, start, end) {
  const inside = (/** @type {number} */ at) => at > start && at < end;
  return tag.children.some((child) => inside(child.start) || inside(child.end) || cuts(child, start, end));
}

/** Words and single marks of punctuation. @param {string} text */
export const wordRanges = (text) => [...text.matchAll(/[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}'’-]*|[^\s]/gu)].map((match) => ({ from: match.index, to: match.index + match[0].length }));

/**
 * Puts the tags of a source into its translation: each once, and inside of the tag that it was in.
 * @param {string} source without tags
 * @param {Tag} root of the source
 * @param {string} translation
 * @param {Word[]} words of the translation
 */
export function retag(source, root, translation, words) {
  const write = (/** @type {Tag} */ tag, /** @type {number} */ first, /** @type {number} */ end, /** @type {number} */ from, /** @type {number} */ to) => {
    let text = '';
    let at = from;
    for (const place of places(source, tag, translation, words, first, end)) {
      const start = Math.max(at, Math.min(to, place.from));
      const stop = Math.max(start, Math.min(to, place.to));
      text += translation.slice(at, start) + place.before + opens(place.tag.id, place.tag.whole) + write(place.tag, place.first, place.end, start, stop) + closes(place.tag.id) + place.after;
      at = stop;
    }
    return text + translation.slice(at, to);
  };
  /** @type {(tag: Tag, first: number, end: number, from: number, to: number) => string} */
  return write(root, 0, words.length, 0, translation.length);
}

/** Where a tag goes: a range of words, and of letters, and blanks around it. @typedef {{ tag: Tag, first: number, end: number, from: number, to: number, before: string, after: string }} Place */

/**
 * The places of a tag's children, in their order.
 * @param {string} source
 * @param {Tag} parent
 * @param {string} translation
 * @param {Word[]} words
 * @param {number} first of the words that the parent has
 * @param {number} end
 * @returns {Place[]}
 */
function places(source, parent, translation, words, first, end) {
  const taken = words.map((_, i) => i < first || i >= end);
  const of = (/** @type {Tag} */ tag, /** @type {number} */ from, /** @type {number} */ to) => ({ tag, first: from, end: to, from: words[from].from, to: words[to - 1].to, before: '', after: '' });
  /** @type {Place[]} */
  const found = [];
  const ranged = parent.children.filter(({ start, end }) => source.slice(start, end).trim() !== '');
  const wanted = ranged.map((tag) => {
    const content = source.slice(tag.start, tag.end);
    const weights = words.map((word) => {
      const letters = translation.slice(word.from, word.to);
      const weight = leaning(word, tag);
      // A mark of punctuation is the translation of one.
      return /[\p{L}\p{N}]/u.test(letters) || content.includes(letters) ? weight : Math.min(weight, 0) - SLIGHT;
    });
    return { tag, weights, literal: literally(source, tag, translation, words), best: bestRange(weights, taken) };
  });
  // What is sure goes first: where two tags want one word, the other takes what is left.
  wanted.sort((a, b) => Number(b.literal !== null) - Number(a.literal !== null) || (b.best?.sum ?? -1) - (a.best?.sum ?? -1));
  /** @type {Tag[]} */
  const empty = parent.children.filter((tag) => !ranged.includes(tag));
  for (const { tag, weights, literal } of wanted) {
    const isFree = literal !== null && !taken.slice(literal[0], literal[1]).includes(true);
    const isAll = first < end && source.slice(parent.start, tag.start).trim() === '' && source.slice(tag.end, parent.end).trim() === '';
    const best = isAll ? { from: first, to: end, sum: 1 } : isFree ? { from: literal[0], to: literal[1], sum: 1 } : bestRange(weights, taken);
    // What stays as it is takes the place of no word that reads others.
    if (!best || (tag.whole && best.sum <= 0)) empty.push(tag);
    else {
      taken.fill(true, best.from, best.to);
      found.push(of(tag, best.from, best.to));
    }
  }
  for (const tag of empty) found.push(pointOf(tag, source, parent, translation, words, first, end, found));
  return found.sort((a, b) => a.from - b.from || a.to - b.to || a.tag.start - b.tag.start);
}

/** How much more a word reads of a tag than of what is beside it. @param {Word} word @param {Tag} tag */
function leaning({ reads }, { start, end }) {
  let sum = 0;
  for (const [from, to, weight] of reads) {
    const inside = Math.max(0, Math.min(to, end) - Math.max(from, start)) / Math.max(1, to - from);
    sum += weight * (2 * inside - 1);
  }
  return sum;
}

/**
 * The free range of words with the largest sum: at least the one with the largest weight.
 * @param {number[]} weights
 * @param {boolean[]} taken
 */
function bestRange(weights, taken) {
  /** @type {{ from: number, to: number, sum: number }|null} */
  let best = null;
  let from = 0;
  let sum = 0;
  for (let i = 0; i < weights.length; i++) {
    if (taken[i]) {
      sum = 0;
      from = i + 1;
      continue;
    }
    if (sum <= 0) {
      sum = 0;
      from = i;
    }
    sum += weights[i];
    if (best === null || sum > best.sum) best = { from, to: i + 1, sum };
  }
  return best;
}

/**
 * The words of a translation that say just what stands in a tag, where that is there once: a name, a line of code.
 * @param {string} source
 * @param {Tag} tag
 * @param {string} translation
 * @param {Word[]} words
 * @returns {[number, number]|null}
 */
function literally(source, tag, translation, words) {
  const text = source.slice(tag.start, tag.end).trim();
  const once = (/** @type {string} */ where) => where.indexOf(text) >= 0 && where.indexOf(text) === where.lastIndexOf(text);
  if (text.length < 2 || !once(source) || !once(translation)) return null;
  const from = words.findIndex((word) => word.from === translation.indexOf(text));
  const to = words.findIndex((word) => word.to === translation.indexOf(text) + text.length);
  return from >= 0 && to >= from ? [from, to + 1] : null;
}

/**
 * The place of a tag with nothing in it: at the word that reads what stands before it, outside of the tags beside it.
 * @param {Tag} tag
 * @param {string} source
 * @param {Tag} parent
 * @param {string} translation
 * @param {Word[]} words
 * @param {number} first
 * @param {number} end
 * @param {Place[]} others
 * @returns {Place}
 */
function pointOf(tag, source, parent, translation, words, first, end, others) {
  const before = source.slice(parent.start, tag.start);
  const behind = source.slice(tag.end, parent.end);
  const at = (/** @type {number} */ place) => {
    const around = others.find(({ from, to }) => from < place && place < to);
    const from = around ? around.to : place;
    const lacksBlank = (/** @type {number} */ at) => /[^\s]/.test(translation.charAt(at));
    return { tag, first: end, end, from, to: from, before: /\s$/.test(before) && lacksBlank(from - 1) ? ' ' : '', after: /^\s/.test(behind) && lacksBlank(from) ? ' ' : '' };
  };
  if (first >= end || before.trim() === '') return at(words[first]?.from ?? 0);
  if (behind.trim() === '') return at(words[end - 1].to);
  const wordStart = tag.start - (/\S+\s*$/.exec(before)?.[0].length ?? 0);
  const weights = words.map((word) => leaning(word, { ...tag, start: wordStart, end: tag.start }));
  let best = first;
  for (let i = first; i < end; i++) if (weights[i] >= weights[best]) best = i;
  // Behind the punctuation, where it was behind it.
  const isLetter = (/** @type {string} */ text) => /[\p{L}\p{N}]\s*$/u.test(text);
  if (!isLetter(before)) while (best + 1 < end && words[best + 1].from === words[best].to && !isLetter(translation.slice(0, words[best + 1].to))) best += 1;
  return at(words[best].to);
}
