/**
 * The sentences of a translation as nodes, in groups: a text of a megabyte is drawn a few milliseconds at a time, and the
 * browser lays out only the groups in sight.
 */

/** @import { Doc, Output } from '../../app/state.js' */
/** @import * as P from '../../engine/protocol' */
import { el } from '../../ui/dom.js';

/** Pieces less probable than this are underlined. */
const DOUBTFUL = Math.log(0.4);

/** A group ends with a paragraph after so many sentences, or in any case after twice as many. */
const GROUP = 24;

/** Milliseconds of drawing before the page gets its next frame. */
const SLICE = 8;

/**
 * What a sentence's nodes were drawn from. It is redrawn when it becomes the observed one or ceases to be: so it leaves
 * its marks behind.
 * @typedef {{output: Output, after: string, observed: boolean, here: boolean}} Drawn
 * @typedef {object} Group
 * @property {number} start first sentence
 * @property {number} end after the last
 * @property {HTMLElement} node
 * @property {Drawn[]} drawn by sentence; none while nothing of the group is translated
 */

/**
 * Cuts a document into groups of sentences.
 * @param {Pick<P.SentenceInfo, 'after'>[]} sentences
 * @returns {[start: number, end: number][]}
 */
export function groupsOf(sentences) {
  /** @type {[number, number][]} */
  const groups = [];
  let start = 0;
  for (let i = 0; i < sentences.length; i++) {
    const size = i + 1 - start;
    if (i + 1 < sentences.length && (size < GROUP || (size < 2 * GROUP && !sentences[i].after.includes('\n')))) continue;
    groups.push([start, i + 1]);
    start = i + 1;
  }
  return groups;
}

/** @param {HTMLElement} box */
export function createSentenceList(box) {
  /** @type {Group[]} */
  let groups = [];
  /** @type {P.SentenceInfo[]|null} that `groups` were cut from */
  let cut = null;
  /** The rest of a drawing that took longer than a slice. */
  let rest = 0;

  /** @param {Doc} doc */
  function regroup({ sentences }) {
    if (sentences === cut) return;
    cut = sentences;
    const before = groups;
    groups = groupsOf(sentences).map(([start, end], i) => {
      const old = before[i];
      if (old?.start === start && old.end === end) return old;
      const group = { start, end, node: el('div', { class: 'sentences' }), drawn: [] };
      if (old) old.node.replaceWith(group.node);
      else box.append(group.node);
      return group;
    });
    for (const { node } of before.slice(groups.length)) node.remove();
  }

  /**
   * @param {Group} group
   * @param {Doc} doc
   * @param {number} observed
   */
  function draw({ start, end, node, drawn }, doc, observed) {
    const blank = start > 0 && (observed < start || observed >= end) && doc.outputs.slice(start, end).every(({ text, target }) => text === '' && !target);
    if (blank) {
      if (drawn.length > 0 || !node.firstChild) node.replaceChildren(el('span', { class: 'waiting', text: '…' }));
      drawn.length = 0;
      return;
    }
    if (drawn.length === 0) node.replaceChildren();
    for (let i = start; i < end; i++) {
      const now = { output: doc.outputs[i], after: doc.sentences[i].after, observed: i === observed, here: i === observed && doc.sentences.length > 1 };
      const before = drawn[i - start];
      if (before && before.output === now.output && before.after === now.after && before.observed === now.observed && before.here === now.here) continue;
      const whole = sentenceNode(i, now);
      if (before) node.children[i - start].replaceWith(whole);
      else node.append(whole);
      drawn[i - start] = now;
    }
  }

  /**
   * Draws what changed: the group of the observed sentence at once, the others in slices.
   * @param {Doc} doc
   * @param {number} observed
   */
  function render(doc, observed) {
    cancelAnimationFrame(rest);
    regroup(doc);
    const first = groups.find(({ start, end }) => start <= observed && observed < end);
    if (first) draw(first, doc, observed);
    const end = performance.now() + SLICE;
    const go = (/** @type {number} */ from, /** @type {number} */ until) => {
      for (let i = from; i < groups.length; i++) {
        draw(groups[i], doc, observed);
        if (performance.now() < until) continue;
        rest = requestAnimationFrame(() => go(i + 1, performance.now() + SLICE));
        return;
      }
    };
    go(0, end);
  }

  return {
    render,
    /** @param {number} sentence @returns {HTMLElement[]} its pieces */
    piecesOf(sentence) {
      const group = groups.find(({ start, end }) => start <= sentence && sentence < end);
      return [.../** @type {NodeListOf<HTMLElement>} */ (group?.node.children[sentence - group.start]?.querySelectorAll('.piece') ?? [])];
    },
  };
}

/**
 * @param {number} sentence
 * @param {Drawn} drawn
 */
function sentenceNode(sentence, { output, after, here }) {
  const node = el('span', { class: here ? 'sentence here' : 'sentence', data: { sentence } });
  if (output.target && !output.stale) node.dataset.final = '';
  if (output.stale) node.classList.add('stale');
  node.append(...contentOf(output));
  return el('span', {}, node, after);
}

/**
 * @param {Output} output
 * @returns {(Node|string)[]}
 */
function contentOf({ text, stableLength, target }) {
  if (!target) {
    if (text === '') return [el('span', { class: 'waiting', text: '…' })];
    // The space before the tail is no part of it: no dots under nothing.
    const from = stableLength + (text.slice(stableLength).length - text.slice(stableLength).trimStart().length);
    return [text.slice(0, from), el('span', { class: 'tail', text: text.slice(from) })];
  }
  const nodes = [];
  let at = 0;
  for (const [index, piece] of target.entries()) {
    if (!piece.range) continue;
    let [from] = piece.range;
    const [, to] = piece.range;
    // Some ranges begin with the space before the word: that space is no part of the mark.
    while (from < to && text[from] === ' ') from++;
    if (from < at || from >= to) continue;
    if (from > at) nodes.push(text.slice(at, from));
    const doubtful = piece.logprob !== undefined && piece.logprob < DOUBTFUL;
    nodes.push(
      el('span', { class: doubtful ? 'piece doubtful' : 'piece', tabindex: '-1', text: text.slice(from, to), data: { side: 'target', index } }),
    );
    at = to;
  }
  nodes.push(text.slice(at));
  return nodes;
}
