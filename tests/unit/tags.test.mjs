// Tags inside of a text: taken out before it is translated, put back where the words of the translation read what stood in them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST_TAGS, TAGS, closes, collapsed, cuts, opens, partsOf, retag, untag, wordRanges } from '../../www/page/files/tags.js';

/** `<1>…</1>` as tag 1, `<=1>…</1>` as one that stays as it is. */
const tagged = (text) => text.replace(/<(=?)(\d)>/g, (_, whole, i) => opens(Number(i), whole !== '')).replace(/<\/(\d)>/g, (_, i) => closes(Number(i)));
const written = (text) => [...text].map((c) => ((c.codePointAt(0) ?? 0) < 0x100000 ? c : `<${['/', '', '='][c.codePointAt(0) % 4]}${(c.codePointAt(0) - 0x100000) >> 2}>`)).join('');

/**
 * The words of a translation, each reading one word of the source.
 * @param {string} source
 * @param {string} translation
 * @param {string} pairs `target=source` for each word that is not the same
 */
function words(source, translation, pairs) {
  const read = new Map(pairs.split(' ').map((pair) => pair.split('=')));
  const seen = new Map();
  return wordRanges(translation).map(({ from, to }) => {
    const word = read.get(translation.slice(from, to)) ?? translation.slice(from, to);
    const places = wordRanges(source).filter((place) => source.slice(place.from, place.to) === word);
    const nth = seen.get(word) ?? 0;
    seen.set(word, nth + 1);
    const place = places[Math.min(nth, places.length - 1)];
    return { from, to, reads: place ? [[place.from, place.to, 0.9]] : [] };
  });
}

function put(text, translation, pairs) {
  const { text: source, root } = untag(tagged(text));
  return written(retag(source, root, translation, words(source, translation, pairs)));
}

test('a tag goes with its words, wherever they stand in the translation', () => {
  assert.equal(put('He <1>wants</1> to <2>buy</2> a car.', 'Er will ein Auto kaufen.', 'Er=He will=wants ein=a Auto=car kaufen=buy'), 'Er <1>will</1> ein Auto <2>kaufen</2>.');
});

test('a tag inside of a tag stays inside of it', () => {
  assert.equal(put('See <1>the <2>old</2> tree</1>.', 'Siehe den alten Baum.', 'Siehe=See den=the alten=old Baum=tree'), 'Siehe <1>den <2>alten</2> Baum</1>.');
});

test('a tag around all stays around all, with its punctuation', () => {
  assert.equal(put('<1>Two dogs.</1>', 'Zwei Hunde.', 'Zwei=dogs Hunde=dogs'), '<1>Zwei Hunde.</1>');
});

test('every tag comes out once, also where no word is left for it, and the letters stay the same', () => {
  const text = '<1>Do</1> <2>not</2> <3>do</3> <4>that</4>.';
  const out = put(text, 'Nein.', 'Nein=not');
  for (const i of [1, 2, 3, 4]) assert.deepEqual([...out.matchAll(new RegExp(`<${i}>[^<]*</${i}>`, 'g'))].length, 1, out);
  assert.equal(out.replace(/<[^>]*>/g, '').replace(/\s/g, ''), 'Nein.');
  assert.match(out, /<2>Nein<\/2>/);
});

test('what stays as it is takes the place of itself, or stands beside what it stood beside', () => {
  assert.equal(put('Open <=1>a.json</1> now.', 'Nun a.json auf.', 'Nun=now auf=Open'), 'Nun <=1>a.json</1> auf.');
  assert.equal(put('Press <=1>Enter</1>.', 'Druck.', 'Druck=Press .=.'), 'Druck <=1></1>.');
});

test('a tag with nothing in it keeps its blanks: a picture in a sentence, a note behind the full stop', () => {
  const picture = collapsed(tagged('the picture  <=1></1>\n on the left'));
  const { text, root } = untag(picture);
  assert.equal(written(retag(text, root, 'das Bild links', words(text, 'das Bild links', 'das=the Bild=picture links=left'))), 'das Bild <=1></1> links');
  assert.equal(put('A dog.<=1></1> A cat.', 'Ein Hund. Eine Katze.', 'Ein=A Hund=dog Eine=A Katze=cat'), 'Ein Hund.<=1></1> Eine Katze.');
});

test('white space is one blank, and none at the ends; tags stay', () => {
  assert.equal(written(collapsed(tagged('\n  <1> A\t dog </1> barks \n'))), '<1>A dog </1>barks');
});

test('a text with tags is taken apart as it was put together, and says where a tag cuts a sentence', () => {
  assert.deepEqual(partsOf(tagged('a<1>b<2></2></1>c')), ['a', { id: 1, parts: ['b', { id: 2, parts: [] }] }, 'c']);
  const { root } = untag(tagged('One <1>dog. A</1> cat.'));
  assert.equal(cuts(root, 0, 8), true);
  assert.equal(cuts(untag(tagged('<1>One dog.</1> A cat.')).root, 0, 8), false);
});

test('the last tag that a text may have is read back; those of a text with more have characters too', () => {
  const last = MOST_TAGS - 1;
  const [tag] = untag(`${opens(last, true)}a${closes(last)}`).root.children;
  assert.deepEqual([tag.id, tag.whole, tag.end], [last, true, 1]);
  assert.equal(`${opens(1e6)}a${closes(1e6)}`.replace(TAGS, ''), 'a');
});
