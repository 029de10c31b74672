// Every pass of the page over a text takes time in proportion to its length, whatever the text is.

import assert from 'node:assert/strict';
import test from 'node:test';
import { parseLesson } from '../../www/app/scene-file.js';
import { initialState } from '../../www/app/state.js';
import { readFragment, writeFragment } from '../../www/app/fragment.js';
import { openSrt, openText } from '../../www/page/files/formats.js';
import { openMarkdown } from '../../www/page/files/markdown.js';
import { wordsOf } from '../../www/page/files/segments.js';
import { LONGEST_MARKED, blocksOf, describe } from '../../www/page/texts/backdrop.js';
import { groupsOf } from '../../www/page/texts/sentences.js';
import { parseMarkdown } from '../../www/ui/markdown.js';

/** Characters of the shorter text; the longer one has eight times as many. */
const SHORT = 20_000;
/** A quadratic pass takes sixty-four times as long. */
const MOST = 30;
/** Shorter times say nothing, in seconds. */
const LEAST = 0.01;

const UNITS = ['[a](', '[', '`a', '**a', '*a **', '[a](b ', '```\n', '[a]', '**a*b', '|`', '- [x](\n', '# [\n', ' ', '\n', 'a', 'a ', '. ', '- ', '> ', '1', '1. ', '-->\n', '\n \n', '\u2028', '- \u2028', 'a  \u2028', '| ', 'der ', 'é\u0301', '\ud83d'];

/** Seconds of processor time, so that a busy machine does not count. */
function seconds(/** @type {() => unknown} */ pass) {
  const before = process.cpuUsage();
  pass();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/**
 * Fails where the longer text takes too long at each of three trials.
 * @param {string} what
 * @param {() => unknown} short
 * @param {() => unknown} long
 */
function compare(what, short, long) {
  for (let trial = 1; ; trial++) {
    const [one, eight] = [seconds(short), seconds(long)];
    if (eight < MOST * Math.max(one, LEAST)) return;
    assert.ok(trial < 3, `${what}: ${one} s, then ${eight} s`);
  }
}

/** @type {[name: string, pass: (text: string) => unknown][]} */
const PASSES = [
  ['the card of a model', parseMarkdown],
  ['a file of text', openText],
  ['a file of Markdown', openMarkdown],
  ['a file of subtitles', openSrt],
  ['a text of a page', wordsOf],
  ['the blocks of the source', blocksOf],
  ['a scene', (text) => parseLesson(JSON.stringify({ format: 1, scenes: Array.from({ length: Math.ceil(text.length / 15_000) }, (_, i) => ({ text: `A ${text.slice(15_000 * i, 15_000 * (i + 1))}`, caption: text.slice(0, 4_000) })) }))],
  ['a link', (text) => readFragment(`#${writeFragment(initialState(), text)}`)],
];

for (const [name, pass] of PASSES) {
  test(`${name} is read in time proportional to its length`, () => {
    for (const unit of UNITS) {
      // A letter at both ends: white space at an end is easily told.
      const text = (/** @type {number} */ length) => `a${unit.repeat(length / unit.length)}a`;
      const [short, long] = [text(SHORT), text(8 * SHORT)];
      compare(JSON.stringify(unit), () => pass(short), () => pass(long));
    }
  });
}

/** A document of so many sentences, two words each, with the pieces of every third line observed or cut. */
function documentOf(/** @type {number} */ count) {
  const text = 'A dog.\n'.repeat(count);
  const sentences = Array.from({ length: count }, (_, i) => ({
    range: /** @type {[number, number]} */ ([7 * i, 7 * i + 6]),
    cutAt: i % 3 ? null : 7 * i + 6,
    after: '\n',
    source: [{ id: 1, text: '▁A', range: /** @type {[number, number]} */ ([7 * i, 7 * i + 1]) }],
  }));
  return { text, doc: { text, sentences }, observation: { source: sentences[1].source } };
}

test('a document is laid out in time proportional to its length', () => {
  const [short, long] = [documentOf(5_000), documentOf(40_000)];
  for (const pass of [describe, ({ doc }) => groupsOf(doc.sentences)]) {
    compare(pass.name, () => pass(/** @type {any} */ (short)), () => pass(/** @type {any} */ (long)));
  }
});

test('blocks are whole lines, give the text again, and only a block whose marks changed is another', () => {
  const { text, doc, observation } = documentOf(2_000);
  const blocks = blocksOf(text);
  assert.equal(blocks.map(([start, end]) => text.slice(start, end)).join(''), text);
  assert.ok(blocks.length > 4 && blocks.every(([, end]) => text[end - 1] === '\n'));
  assert.deepEqual(blocksOf(''), [[0, 0]]);
  assert.deepEqual(blocksOf('\n'), [[0, 1]]);
  const state = /** @type {any} */ ({ text, doc: { text, sentences: doc.sentences.map((sentence) => ({ ...sentence, cutAt: null })) }, observation });
  const marks = describe(state).map((block) => block.marks);
  assert.deepEqual(marks.map((mark, i) => (mark ? i : -1)).filter((i) => i >= 0), [0]);
  const moved = describe({ ...state, observation: { source: doc.sentences[1_000].source } });
  assert.deepEqual(moved.filter((block) => block.marks).map(({ start }) => start), [blocks.findLast(([start]) => start <= 7_000)?.[0]]);
  // A line that is laid out whole with every mark bears none.
  const line = 'a'.repeat(LONGEST_MARKED + 1);
  assert.equal(describe(/** @type {any} */ ({ text: line, doc: { text: line, sentences: [{ ...doc.sentences[0], cutAt: 9 }] }, observation: null }))[0].marks, '');
});
