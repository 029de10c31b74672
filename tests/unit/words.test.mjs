// Lists that the reader keeps: words of their own, and the history of translations.

import assert from 'node:assert/strict';
import test from 'node:test';
import { withEntry } from '../../www/app/history.js';
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
  const kept = withEntry(withEntry([], entry('A dog'), null), entry('A dog sleeps.'), 'A dog');
  assert.deepEqual(kept.map(({ source }) => source), ['A dog sleeps.']);
  assert.deepEqual(withEntry(kept, entry('A cat.'), null).map(({ source }) => source), ['A cat.', 'A dog sleeps.']);
  assert.equal(withEntry(kept, entry('A dog sleeps.', 'en → fr'), null).length, 2);
  let many = kept;
  for (let i = 0; i < 200; i++) many = withEntry(many, entry(String(i)), null);
  assert.equal(many.length, 100);
});
