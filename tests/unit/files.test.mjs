// Files of text: the encoding that they are read in, and what of them stays as it is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '../../www/page/files/encoding.js';
import { openFile, openSrt, openText } from '../../www/page/files/formats.js';
import { openMarkdown } from '../../www/page/files/markdown.js';
import { untag } from '../../www/page/files/tags.js';

const plain = ({ texts }) => texts.map((text) => untag(text).text);
/** The file with each text in capitals. */
const built = async ({ texts, build }) => (await build(texts.map((text) => text.toUpperCase()))).text();

test('a text is read in the encoding of its byte order mark, as UTF-8, in the charset that HTML declares, or as windows-1252', () => {
  const read = (/** @type {number[] | string} */ content, isHtml = false) => decode(Uint8Array.from(typeof content === 'string' ? Buffer.from(content, 'latin1') : content).buffer, isHtml);
  assert.deepEqual(read([0xef, 0xbb, 0xbf, 0xc3, 0xa9]), { text: 'é', encoding: 'utf-8' });
  assert.deepEqual(read([0xff, 0xfe, 0xe9, 0, 0x41, 0]), { text: 'éA', encoding: 'utf-16le' });
  assert.deepEqual(read([0xfe, 0xff, 0, 0xe9, 0, 0x41]), { text: 'éA', encoding: 'utf-16be' });
  assert.deepEqual(read([0xc3, 0xa9]), { text: 'é', encoding: 'utf-8' });
  assert.deepEqual(read([]), { text: '', encoding: 'utf-8' });
  // Node reads it as ISO 8859-1: letters that both have.
  assert.deepEqual(read('caf\xe9'), { text: 'café', encoding: 'windows-1252' });
  const page = (/** @type {string} */ meta) => read(`<head>${meta}</head>\xe9`, true);
  for (const meta of ['<meta charset=koi8-r>', '<META http-equiv="Content-Type" content="text/html; charset=KOI8-R">']) {
    assert.deepEqual(page(meta), { text: `<head>${meta}</head>И`, encoding: 'koi8-r' });
  }
  for (const meta of ['', '<meta charset="unheard-of">', '<meta charset="utf-16">']) {
    assert.deepEqual(page(meta), { text: `<head>${meta}</head>é`, encoding: 'windows-1252' });
  }
  assert.equal(read('<meta charset=koi8-r>\xe9').encoding, 'windows-1252', 'a text declares nothing');
});

test('a file is opened by its type, and one of another type is refused with the types that can be read', async () => {
  const { texts, encoding } = await openFile(new File([Uint8Array.of(0x63, 0xe9)], 'a.TXT'));
  assert.deepEqual([texts, encoding], [['cé'], 'windows-1252']);
  await assert.rejects(openFile(new File(['%PDF-1.7 stream'], 'a.b.pdf')), { message: 'files of type .pdf cannot be read, only .txt, .md, .srt, .html, .htm, .docx' });
  await assert.rejects(openFile(new File(['The dog'], 'README')), { message: /^files without a type cannot be read, only \.txt/ });
});

test('line breaks stay as they are, the last one too', async () => {
  for (const text of ['A dog.\r\n\r\nA cat.\r\n', 'A dog.\nA cat.', '\r\nA dog.\rA cat.\r\n\n']) {
    for (const open of [openText, openMarkdown]) {
      assert.deepEqual(plain(open(text)), ['A dog.', 'A cat.']);
      assert.equal(await built(open(text)), text.toUpperCase());
    }
  }
  for (const end of ['', '\r\n', '\r\n\r\n']) {
    const text = `1\r\n00:00:01,000 --> 00:00:02,500\r\n- A DOG.\r\n- A CAT.\r\n\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nTHE SMALL DOG SLEEPS IN THE\r\nOLD GARDEN OF THE HOUSE.${end}`;
    assert.equal(await built(openSrt(text)), text);
    assert.equal(await built(openSrt(text.replaceAll('\r', ''))), text.replaceAll('\r', ''));
  }
});

/** Lines of Markdown that stay as they are. */
async function stays(/** @type {string} */ text) {
  assert.deepEqual(plain(openMarkdown(text)), [], text);
  assert.equal(await built(openMarkdown(text)), text);
}

test('Markdown: front matter, comments, code and reference definitions stay as they are', async () => {
  await stays('---\ntitle: The dog\ntags: [a, b]\n---\n');
  await stays('+++\r\ntitle = "The dog"\r\n+++\r\n');
  await stays('<!-- a comment -->\n\n<!-- one\n\nof three lines -->\n');
  await stays(`<!-- ${'long '.repeat(100)}-->\n`);
  await stays('    indented code\n\n    more of it\n\tand more\n');
  await stays('```\n<!-- code\n```\n');
  await stays('[ref]: https://a.example/b "The title"\n[Other]: <a b.md> \'The title\'\n  [third]: c.md\n');
  assert.deepEqual(plain(openMarkdown('---\n\nA dog.\n\n---\n')), ['A dog.'], 'a rule');
  assert.deepEqual(plain(openMarkdown('```\n<!-- code\n```\nA dog.\n')), ['A dog.']);
  assert.deepEqual(plain(openMarkdown('    <!-- code\n\nA dog.\n<!-- a comment --> A cat.\n')), ['A dog.', ' A cat.']);
  assert.deepEqual(plain(openMarkdown('[Note]: this is a dog.\n[^1]: A cat.\n')), ['[Note]: this is a dog.', 'A cat.']);
});

test('Markdown: what is indented inside of a list or a paragraph is text, and code is indented further', () => {
  assert.deepEqual(plain(openMarkdown('- A dog.\n\n    Its tail.\n\n        its code\n\nA cat\n    sleeps.\n\n    code\n')), ['A dog.', 'Its tail.', 'A cat', 'sleeps.']);
  assert.deepEqual(plain(openMarkdown('1. A dog.\n    - A cat.\n\n        Its tail.\n\n   A bird.\n\n           code\n')), ['A dog.', 'A cat.', 'Its tail.', 'A bird.']);
});

test('Markdown: a table is translated cell by cell, and its rows stay rows', async () => {
  const text = '| Name | Age |\n|:-----|----:|\n| The dog \\| cat | 3 |\n| `x` **bold** |\n\nA | B\n--|--\nc | d\n\nA dog | a cat\n';
  const table = openMarkdown(text);
  assert.deepEqual(plain(table), ['Name', 'Age', 'The dog  cat', 'x bold', 'A', 'B', 'c', 'd', 'A dog | a cat']);
  // Not in capitals: what stays inside of a sentence, here code, is given back by its tag.
  assert.equal(await (await table.build(table.texts)).text(), text);
});

test('Markdown: tags, comments, footnotes and the names of references inside of a line stay', async () => {
  const text = 'See [the link][ref], a<br>b <!-- c --> and d[^1].\n\n![a picture][pic]\n';
  const opened = openMarkdown(text);
  assert.deepEqual(plain(opened), ['See the link, ab  and d.']);
  assert.equal(await built(opened), 'SEE [THE LINK][ref], A<br>B <!-- c --> AND D[^1].\n\n![a picture][pic]\n');
  assert.equal(await built(openMarkdown('See [ref][].')), 'SEE [REF][ref].');
});
