// Marks inside of a line: taken out before it is translated, written again around the translation of what stood in them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSrt } from '../../www/page/files/formats.js';
import { openMarkdown } from '../../www/page/files/markdown.js';
import { untag } from '../../www/page/files/tags.js';

const plain = ({ texts }) => texts.map((text) => untag(text).text);

test('Markdown: emphasis, links, code and pictures are marks, and come back as they were', async () => {
  const text = '# A **big** _dog_\n\n- See [the *old* tree](a.md "b") and `run()` ![x](y.png) now: 2 * 3 * 4, snake_case_name\n> ~~no~~ <https://a.example/b>\n';
  const opened = openMarkdown(text);
  assert.deepEqual(plain(opened), ['A big dog', 'See the old tree and run()  now: 2 * 3 * 4, snake_case_name', 'no ']);
  assert.equal(await (await opened.build(opened.texts)).text(), text);
});

test('subtitles: tags are marks, a dialogue stays line by line, and what is never closed stays where it is', async () => {
  const text = '1\n00:00:01,000 --> 00:00:02,000\n- <i>Who</i> is it?\n- It is <b>me</b>.\n\n2\n00:00:03,000 --> 00:00:04,000\n{\\an8}<font color="red">Come</font> <i>in';
  const opened = openSrt(text);
  assert.deepEqual(plain(opened), ['Who is it?', 'It is me.', 'Come in']);
  assert.equal(await (await opened.build(opened.texts)).text(), text);
});

test('a mark that is never closed is not looked for through the whole text', () => {
  for (const mark of ['**', '_', '`', '[', '![a](', '![a][', '[a][', '[^', '<https:', '<a', '<!--', '<i>', '{\\']) {
    const line = `${mark}a `.repeat(40_000);
    const start = performance.now();
    openMarkdown(line);
    openSrt(`1\n0 --> 1\n${line}`);
    assert.ok(performance.now() - start < 5000, mark);
  }
});
