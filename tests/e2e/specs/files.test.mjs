// A file is translated as a reader would: chosen or dropped, watched, saved; its structure comes back.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { drawn, open, savedFile, textOf, translation, type } from '../lib/page.mjs';
import { SCRATCH, site } from '../lib/site.mjs';
import { zip } from '../../../www/ui/zip.js';

const here = site();

/** Opens a file in the dialog and waits until it is translated. */
async function translated(page, path) {
  const [chooser] = await Promise.all([page.waitForFileChooser(), page.locator('#file-choose').click()]);
  await chooser.accept([path]);
  await page.waitForFunction(() => /is translated|was not/.test(document.querySelector('#file-says').textContent), { timeout: 120_000 });
}

/** The translation of a line as the page itself makes it. */
async function alone(page, text) {
  await type(page, text);
  return translation(page, text);
}

const DOCX = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>The dog sleeps.</w:t></w:r></w:p><w:p><w:r><w:t xml:space="preserve">We waited </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>for an hour.</w:t></w:r></w:p><w:sectPr/></w:body></w:document>`;

test('subtitles, Markdown, HTML and Word: the words are translated, the structure stays', async (t) => {
  const folder = await mkdtemp(join(SCRATCH, 'files-'));
  t.after(() => rm(folder, { recursive: true }));
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  const dog = await alone(page, 'The dog sleeps.');
  const hour = await alone(page, 'We waited for an hour.');
  const word = new Map([['[Content_Types].xml', new Blob(['<Types/>'])], ['word/document.xml', new Blob([DOCX])]]);
  const given = {
    'a.srt': '1\r\n00:00:01,000 --> 00:00:02,500\r\nThe dog\r\nsleeps.\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nWe waited for an hour.\r\n',
    'b.md': '# The dog sleeps.\n\n- We waited for an hour.\n\n```\nThe dog sleeps.\n```\n',
    'c.html': '<!doctype html><html><head><title>The dog sleeps.</title><script>"The dog sleeps."</script></head><body><p class="x">We waited for an hour.</p></body></html>',
    'd.docx': Buffer.from(await (await zip(word)).arrayBuffer()),
  };
  const wanted = {
    'a.srt': [`1\n00:00:01,000 --> 00:00:02,500\n${dog}\n\n2\n00:00:03,000 --> 00:00:04,000\n${hour}`],
    'b.md': [`# ${dog}\n\n- ${hour}\n\n\`\`\`\nThe dog sleeps.\n\`\`\`\n`],
    'c.html': [`<title>${dog}</title><script>"The dog sleeps."</script>`, `<p class="x">${hour}</p>`, '<!doctype html>'],
    'd.docx': [`<w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>${dog}</w:t>`, `<w:t xml:space="preserve">${hour}</w:t>`, '<w:b/>', '[Content_Types].xml'],
  };
  for (const [name, content] of Object.entries(given)) await writeFile(join(folder, name), content);
  await page.locator('#open-file').click();
  await page.waitForSelector('#file[open] #file-choose');
  for (const name of Object.keys(given)) {
    await translated(page, join(folder, name));
    const file = await savedFile(page, () => page.locator('#file-save').click());
    for (const part of wanted[name]) assert.ok(file.text.includes(part), `${name}: ${part} is not in ${file.text}`);
  }
  await drawn(page);
  await page.goBack();
  await page.waitForSelector('#file:not([open])');
  assert.deepEqual(faults, []);
});

test('a long file is paused, resumed and cancelled; what is no document is refused in words', async (t) => {
  const folder = await mkdtemp(join(SCRATCH, 'files-'));
  t.after(() => rm(folder, { recursive: true }));
  const lines = Array.from({ length: 400 }, (_, i) => `The dog number ${i} sleeps in the garden of the old house.`);
  await writeFile(join(folder, 'long.txt'), lines.join('\n'));
  await writeFile(join(folder, 'no.docx'), 'no archive');
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  await page.locator('#open-file').click();
  await page.waitForSelector('#file[open] #file-choose');
  await translated(page, join(folder, 'no.docx'));
  assert.match(await textOf(page, '#file-says'), /no\.docx was not opened: it is no zip archive/);
  const [chooser] = await Promise.all([page.waitForFileChooser(), page.locator('#file-choose').click()]);
  await chooser.accept([join(folder, 'long.txt')]);
  const done = () => page.$eval('#file-says', ({ textContent }) => Number(/: (\d+) of 400/.exec(textContent)?.[1] ?? -1));
  await page.waitForFunction(() => /: [1-9]\d* of 400/.test(document.querySelector('#file-says').textContent), { timeout: 60_000 });
  await page.locator('#file-pause').click();
  await page.waitForFunction(() => /, paused/.test(document.querySelector('#file-says').textContent));
  const at = await done();
  assert.ok(at > 0 && at < 400);
  await page.locator('#file-pause').click();
  await page.waitForFunction((at) => Number(/: (\d+) of/.exec(document.querySelector('#file-says').textContent)?.[1]) > at, { timeout: 60_000 }, at);
  // A page that is closed halfway goes on where it stopped.
  await page.locator('#file-pause').click();
  await page.waitForFunction(() => /, paused/.test(document.querySelector('#file-says').textContent));
  await open(page, here.url);
  await page.locator('#open-file').click();
  await page.waitForSelector('#file[open] #file-choose');
  const [again] = await Promise.all([page.waitForFileChooser(), page.locator('#file-choose').click()]);
  await again.accept([join(folder, 'long.txt')]);
  await page.waitForFunction(() => /: \d+ of 400/.test(document.querySelector('#file-says').textContent), { timeout: 60_000 });
  assert.ok((await done()) >= at, 'what was translated is not translated again');
  await page.locator('#file-cancel').click();
  await page.waitForFunction(() => /^Cancelled/.test(document.querySelector('#file-says').textContent));
  assert.equal(await page.$eval('#file-save', ({ hidden }) => hidden), true);
  assert.deepEqual(faults, []);
});
