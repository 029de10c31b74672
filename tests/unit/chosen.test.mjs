// Translations that the reader chose: which sentence keeps its choice when the text or the settings change.

import assert from 'node:assert/strict';
import test from 'node:test';
import { knownOutputs, ownOutput, withOwn, withShown, withoutOutdated } from '../../www/app/chosen.js';

const own = (text) => ({ text, stableLength: text.length, target: [{ id: 1, text }], stale: false });
const chosen = (text, original) => ({ ...own(text), variant: { what: `“${text}” chosen`, original } });

/** A text with a sentence a line. */
function docOf(text, outputs) {
  const sentences = [...text.matchAll(/.+/g)].map(({ index, 0: line }) => ({ range: [index, index + line.length], after: '\n', cutAt: null, source: [] }));
  return { text, sentences, outputs, running: false, recorded: false, speed: null };
}

/** The translations that an edited text has already, as texts. */
const after = (doc, text) => knownOutputs(doc, text, docOf(text, []).sentences).map((output) => output?.text);

test('a choice moves with its sentence, and a new sentence of the same words has the model’s own', () => {
  const yes = own('Ja.');
  const doc = docOf('Yes.\nA dog.\nYes.', [chosen('Jawohl.', yes), own('Ein Hund.'), yes]);
  assert.deepEqual(after(doc, doc.text), ['Jawohl.', 'Ein Hund.', 'Ja.']);
  assert.deepEqual(after(doc, 'Yes.\nA cat.\nYes.'), ['Jawohl.', undefined, 'Ja.']);
  assert.deepEqual(after(doc, 'No.\nYes.\nA dog.\nYes.'), [undefined, 'Jawohl.', 'Ein Hund.', 'Ja.']);
  assert.deepEqual(after(doc, 'A dog.\nYes.'), ['Ein Hund.', 'Ja.']);
  assert.deepEqual(after(doc, `${doc.text}\nYes.`), ['Jawohl.', 'Ein Hund.', 'Ja.', 'Ja.']);
  const other = docOf('Yes.\nA dog.\nNo.', [yes, chosen('Ein Köter.', own('Ein Hund.')), own('Nein.')]);
  assert.deepEqual(after(other, 'No.\nA dog.\nYes.'), ['Nein.', 'Ein Köter.', 'Ja.']);
});

test('the model’s own translation comes in behind the choice', () => {
  const output = chosen('Jawohl.', own('Ja.'));
  assert.equal(withOwn(output, { ...own('D'), target: null }), output);
  const again = own('Doch.');
  assert.deepEqual(withOwn(output, again), { ...output, variant: { ...output.variant, original: again } });
  assert.equal(ownOutput(withOwn(output, again)), again);
  assert.equal(withOwn(own('Ja.'), again), again);
});

test('what is chosen while the document grows is not undone by what waited to be shown', () => {
  const [yes, no] = [own('Ja.'), own('Nein.')];
  const waiting = docOf('Yes.\nNo.', [yes, no]);
  const shownWith = (outputs) => withShown(waiting, { ...waiting, outputs }).outputs.map(({ text }) => text);
  assert.deepEqual(shownWith([chosen('Jawohl.', yes), { ...own('N'), target: null }]), ['Jawohl.', 'Nein.']);
  assert.deepEqual(shownWith([{ ...own('Doch.'), stale: true }, { ...no, stale: true }]), ['Ja.', 'Nein.']);
  const before = { ...waiting, outputs: [chosen('Jawohl.', yes), no] };
  assert.deepEqual(withShown(before, waiting).outputs, [yes, no], 'taken back');
  assert.equal(withShown(waiting, docOf('No.', [chosen('Nicht.', no)])), waiting);
});

test('another search has no choices, another word of the reader’s none where the source holds it', () => {
  const [cat, dog] = [own('Eine Katze.'), own('Ein Hund.')];
  const doc = docOf('A cat.\nA dog.', [chosen('Ein Kater.', cat), chosen('Ein Köter.', dog)]);
  const before = { model: null, beam: 4, alpha: 0.6, terms: [] };
  const left = (now) => withoutOutdated(doc, before, { ...before, ...now }).outputs.map(({ text }) => text);
  assert.deepEqual(left({}), ['Ein Kater.', 'Ein Köter.']);
  assert.deepEqual(left({ terms: [{ source: 'Dog', target: 'Wauwau' }] }), ['Ein Kater.', 'Ein Hund.']);
  assert.deepEqual(left({ beam: 3 }), ['Eine Katze.', 'Ein Hund.']);
  assert.deepEqual(left({ alpha: 1 }), ['Eine Katze.', 'Ein Hund.']);
  assert.deepEqual(left({ model: {} }), ['Eine Katze.', 'Ein Hund.']);
});
