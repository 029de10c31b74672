// What the worker leaves out because the page knows it already is put in again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReceivedDocument } from '../../www/engine/received.js';

/** A sentence of one piece, from and to these offsets. */
const info = (from, to, cutAt = null) => ({ range: [from, to], after: ' ', cutAt, source: [{ id: from, text: '▁a', range: [from, to], word: 0 }, { id: 0, text: '</s>', range: null, word: null }] });
const done = (sentence, text) => ({ kind: 'sentence', sentence, text, target: [{ id: 1, text }], score: -1, nBest: [] });

/** A document of three translated sentences. */
function received() {
  const document = new ReceivedDocument();
  const infos = [info(0, 2), info(3, 5), info(6, 8, 8)];
  document.receive({ kind: 'sentences', sentences: infos });
  const events = [0, 1, 2].map((i) => done(i, `t${i}`));
  for (const event of events) assert.deepEqual(document.receive(event), [event]);
  return { document, infos, events };
}

test('a longer sentence in the middle moves those behind it, and only its own translation is missing', () => {
  const { document, infos, events } = received();
  const heard = document.receive({ kind: 'changed', before: 1, sentences: [info(3, 9)], after: 1, shift: 4, translated: [0, 2] });
  assert.deepEqual(heard, [{ kind: 'sentences', sentences: [infos[0], info(3, 9), { ...info(10, 12, 12), source: [{ ...infos[2].source[0], range: [10, 12] }, infos[2].source[1]] }] }, events[0], events[2]]);
  // What is as it was is the same object, by which a page knows that it need not draw it again.
  assert.equal(heard[0].sentences[0], infos[0]);
  assert.equal(heard[2], events[2]);
});

test('sentences that come or go give those behind them other numbers', () => {
  const { document, events } = received();
  let heard = document.receive({ kind: 'changed', before: 0, sentences: [], after: 2, shift: -3, translated: [0, 1] });
  assert.deepEqual(heard.slice(1), [{ ...events[1], sentence: 0 }, { ...events[2], sentence: 1 }]);
  heard = document.receive({ kind: 'changed', before: 1, sentences: [info(3, 4), info(5, 6)], after: 1, shift: 4, translated: [0, 3] });
  assert.deepEqual(heard.slice(1), [{ ...events[1], sentence: 0 }, { ...events[2], sentence: 3 }]);
  assert.deepEqual(heard[0].sentences.map(({ range }) => range), [[0, 2], [3, 4], [5, 6], [7, 9]]);
  assert.deepEqual(document.receive(done(1, 'new')), [done(1, 'new')]);
  heard = document.receive({ kind: 'changed', before: 4, sentences: [], after: 0, shift: 0, translated: [0, 1, 3] });
  assert.deepEqual(heard.slice(1).map(({ text }) => text), ['t1', 'new', 't2']);
});

test('sentences that came in messages before stand before those of the event', () => {
  const document = new ReceivedDocument();
  document.addPart([info(0, 2)]);
  document.addPart([info(3, 5)]);
  assert.deepEqual(document.receive({ kind: 'sentences', sentences: [info(6, 8)] }), [{ kind: 'sentences', sentences: [info(0, 2), info(3, 5), info(6, 8)] }]);
  document.addPart([info(0, 1)]);
  const [{ sentences }] = document.receive({ kind: 'changed', before: 0, sentences: [info(2, 2)], after: 1, shift: 1, translated: [] });
  assert.deepEqual(sentences.map(({ range }) => range), [[0, 1], [2, 2], [7, 9]]);
});
