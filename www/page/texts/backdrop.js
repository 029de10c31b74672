/** The text once more under its field, cut into the pieces of the observed sentence: in blocks, so that of a long text only what changed is laid out. */

/** @import { State } from '../../app/state.js' */
import { el } from '../../ui/dom.js';

/** A block ends with the line in which it has so many characters. */
const BLOCK = 2000;

/** Characters that are laid out in one frame: some ten milliseconds of the browser's time. */
const SLICE = 48_000;

/** A longer line bears no marks: a line is laid out whole whenever one of its pieces changes. */
export const LONGEST_MARKED = 200_000;

/**
 * A run of whole lines, and what is marked in it.
 * @typedef {object} Block
 * @property {number} start of its text in the whole
 * @property {string} text
 * @property {boolean} last
 * @property {string} marks tells blocks of the same text apart; empty: nothing is marked
 * @property {HTMLElement|null} node
 */

/**
 * Cuts a text into runs of whole lines.
 * @param {string} text
 * @returns {[start: number, end: number][]}
 */
export function blocksOf(text) {
  /** @type {[number, number][]} */
  const blocks = [];
  let start = 0;
  do {
    const newline = text.indexOf('\n', start + BLOCK);
    const end = newline < 0 ? text.length : newline + 1;
    blocks.push([start, end]);
    start = end;
  } while (start < text.length);
  return blocks;
}

/**
 * What a text's blocks are, and what is marked in each.
 * @param {Pick<State, 'text' | 'doc' | 'observation'>} state
 * @returns {Block[]}
 */
export function describe({ text, doc, observation }) {
  const blocks = blocksOf(text);
  // While the reader types, ranges of the older text would mark the wrong letters.
  const sentences = doc.text === text ? doc.sentences : [];
  let i = 0;
  return blocks.map(([start, end], at) => {
    const marks = [];
    for (; i < sentences.length && sentences[i].range[0] < end; i++) {
      const { cutAt, source, range } = sentences[i];
      if (observation?.source === source) marks.push(`${range[0] - start} ${sentences.length > 1} ${source.map((piece) => piece.range?.map((to) => to - start) ?? '')}`);
      if (cutAt !== null) marks.push(String(cutAt - start));
    }
    const marked = end - start <= LONGEST_MARKED;
    return { start, text: text.slice(start, end), last: at === blocks.length - 1, marks: marked ? marks.join(';') : '', node: null };
  });
}

/** @param {Block} a @param {Block} b */
const same = (a, b) => a.last === b.last && a.marks === b.marks && a.text === b.text;

/**
 * @param {HTMLElement} box
 * @param {(later: boolean) => void} changed called after nodes changed; `later`: in a frame of its own
 */
export function createBackdrop(box, changed) {
  /** @type {Block[]} in the order of their nodes */
  let drawn = [];
  let frame = 0;

  /** @param {State} state */
  function render(state) {
    cancelAnimationFrame(frame);
    const wanted = describe(state);
    let from = 0;
    while (from < wanted.length && from < drawn.length && same(wanted[from], drawn[from])) wanted[from].node = drawn[from++].node;
    let rest = 0;
    while (rest < wanted.length - from && rest < drawn.length - from && same(wanted[wanted.length - 1 - rest], drawn[drawn.length - 1 - rest])) {
      wanted[wanted.length - 1 - rest].node = drawn[drawn.length - 1 - rest].node;
      rest++;
    }
    for (const { node } of drawn.slice(from, drawn.length - rest)) node?.remove();
    const after = wanted.slice(wanted.length - rest);
    drawn = [...wanted.slice(0, from), ...after];
    const end = wanted.length - rest;
    const go = (/** @type {boolean} */ later) => {
      /** @type {Block[]} */
      const added = [];
      for (let room = SLICE; from < end && room > 0; from++) {
        const block = wanted[from];
        block.node = el('div', {}, ...contentOf(block, state));
        added.push(block);
        room -= block.text.length;
      }
      const before = after[0]?.node ?? null;
      for (const { node } of added) box.insertBefore(/** @type {HTMLElement} */ (node), before);
      drawn.splice(drawn.length - after.length, 0, ...added);
      changed(later);
      if (from < end) frame = requestAnimationFrame(() => go(true));
    };
    // The frame in which the field shows a long text is full: the first part has the next one.
    const long = end > from && wanted[end - 1].start + wanted[end - 1].text.length - wanted[from].start > SLICE;
    if (long) {
      changed(false);
      frame = requestAnimationFrame(() => go(true));
    } else go(false);
  }

  return { render };
}

/**
 * @param {Block} block
 * @param {State} state
 * @returns {(Node|string)[]}
 */
function contentOf({ start, text, last, marks }, { doc, observation }) {
  /** @type {(Node|string)[]} */
  const nodes = [];
  const end = start + text.length;
  let at = start;
  const upTo = (/** @type {number} */ to) => {
    const from = at;
    at = Math.max(at, Math.min(to, end));
    return text.slice(from - start, at - start);
  };
  for (const sentence of marks === '' ? [] : doc.sentences) {
    if (sentence.range[1] < start) continue;
    if (sentence.range[0] >= end) break;
    if (observation?.source === sentence.source) {
      nodes.push(upTo(sentence.range[0]));
      const span = el('span', { class: doc.sentences.length > 1 ? 'here' : '' });
      const over = sentence.cutAt ?? sentence.range[1];
      for (const [index, piece] of observation.source.entries()) {
        if (!piece.range) continue;
        const [from, to] = piece.range;
        if (from < at || to > Math.min(over, end)) continue;
        span.append(upTo(from), el('span', { class: 'piece', text: text.slice(from - start, to - start), data: { side: 'source', index } }));
        at = to;
      }
      span.append(upTo(over));
      nodes.push(span);
    }
    if (sentence.cutAt !== null) nodes.push(upTo(sentence.cutAt), el('span', { class: 'cut' }));
  }
  nodes.push(upTo(end));
  // A last line break makes no line by itself in a block; the field shows one.
  if (last) nodes.push('\u200b');
  return nodes;
}
