// Lists that the reader keeps: words of their own, and the history of translations.

import assert from 'node:assert/strict';
import test from 'node:test';
import { withEntry } from '../../www/app/past.js';
import { withWord } from '../../www/app/words.js';

test('a word has one translation, the newest; what says nothing is not added', () => {
  const terms = withWord(withWord([], { source: ' dog ', target: 'Hund' }), { source: 'cat', target: 'Katze' });
  assert.deepEqual(terms, [{ source: 'cat', target: 'Katze' }, { source: 'dog', target: 'Hund' }]);
  assert.deepEqual(withWord(terms, { source: 'Dog', target: 'alter\n Köter' })[0], { source: 'Dog', target: 'alter Köter' });
  assert.equal(withWord(terms, { source: 'Dog', target: 'Köter' }).length, 2);
  assert.equal(withWord(terms, { source: '  ', target: 'x' }), terms);
});

test('a history holds a text once, and not what it was typed on from', () => {
  const entry = (source, languages = 'en → de') => ({ source, target: '', languages, at: 0 });
  const past = withEntry(withEntry([], entry('A dog'), null), entry('A dog sleeps.'), 'A dog');
  assert.deepEqual(past.map(({ source }) => source), ['A dog sleeps.']);
  assert.deepEqual(withEntry(past, entry('A cat.'), null).map(({ source }) => source), ['A cat.', 'A dog sleeps.']);
  assert.equal(withEntry(past, entry('A dog sleeps.', 'en → fr'), null).length, 2);
  let many = past;
  for (let i = 0; i < 200; i++) many = withEntry(many, entry(String(i)), null);
  assert.equal(many.length, 100);
});
