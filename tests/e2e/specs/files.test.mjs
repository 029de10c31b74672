// A file is translated as a reader would: chosen or dropped, watched, saved; its structure comes back.

import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { dropPaths } from '../lib/drop.mjs';
import { drawn, open, savedFile, textOf, translation, type } from '../lib/page.mjs';
import { MODELS, SCRATCH, site, siteToSpoil } from '../lib/site.mjs';
import { zip } from '../../../www/ui/zip.js';

const here = site();
/** A model with random weights stands in where none ships: it aligns nothing. */
const IS_SHIPPED = resolve(MODELS) === resolve('models');

/** Chooses a file in the dialog. */
async function choose(page, path) {
  const [chooser] = await Promise.all([page.waitForFileChooser(), page.locator('#file-choose').click()]);
  await chooser.accept([path]);
}

/** Waits until the dialog says it. */
const says = (page, pattern) => page.waitForFunction((source) => new RegExp(source).test(document.querySelector('#file-says').textContent), { timeout: 120_000 }, pattern.source);

/** Opens a file in the dialog and waits until it is translated. What the dialog says of the one before stays while this one is read. */
async function translated(page, path) {
  await choose(page, path);
  await says(page, new RegExp(`^${basename(path)} (is translated|was not)`));
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
    'a.srt': [`1\n00:00:01,000 --> 00:00:02,500\n${dog}\n\n2\n00:00:03,000 --> 00:00:04,000\n${hour}\n`.replaceAll('\n', '\r\n')],
    'b.md': [`# ${dog}\n\n- ${hour}\n\n\`\`\`\nThe dog sleeps.\n\`\`\`\n`],
    'c.html': [`<title>${dog}</title><script>"The dog sleeps."</script>`, `<p class="x">${hour}</p>`, '<!doctype html>\n<html lang="de"><head><meta charset="utf-8">'],
    'd.docx': [`<w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>${dog}</w:t>`, '[Content_Types].xml'],
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

/** A run of a Word document. */
const run = (text, look = '') => `<w:r>${look && `<w:rPr>${look}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;
const FIELD = ['begin', 'separate', 'end'].map((mark) => `<w:r><w:fldChar w:fldCharType="${mark}"/></w:r>`).join('');
const NOTE = '<w:r><w:footnoteReference w:id="2"/></w:r>';
const RUNS = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="urn:r"><w:body><w:p><w:pPr><w:jc w:val="left"/></w:pPr>${run('The ')}${run('small', '<w:b/><w:lang w:val="en-US"/>')}<w:proofErr w:type="spellStart"/>${run(' dog', '<w:b/>')}${run(' sees a ')}<w:hyperlink r:id="r5">${run('child', '<w:u w:val="single"/>')}</w:hyperlink>${run('.')}${NOTE}${FIELD}</w:p></w:body></w:document>`;
const PAGE = `<!doctype html><html><body><p>The <b>small dog</b> sees a <a href="c.html">child with a <i>ball</i></a>.<sup>1</sup> Open <code>a.json</code> <!-- here --> now.<br>A <em>cat</em> <img src="data:," alt="cat"> sleeps.</p></body></html>`;
/** More tags than a sentence has: what stands in each is translated by itself. */
const MANY = `<p>${'The <b>dog</b> '.repeat(300)}</p>`;
const SUBTITLES = '1\n00:00:01,000 --> 00:00:02,500\n- Where is the <i>dog</i>?\n- It sleeps.\n';

test('bold, links, notes and pictures inside of a sentence stay in it, each once, and the words are those without them', async (t) => {
  const folder = await mkdtemp(join(SCRATCH, 'files-'));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'a.html'), PAGE);
  await writeFile(join(folder, 'b.docx'), Buffer.from(await (await zip(new Map([['word/document.xml', new Blob([RUNS])]]))).arrayBuffer()));
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  const dog = await alone(page, 'The small dog sees a child.');
  await page.locator('#open-file').click();
  await page.waitForSelector('#file[open] #file-choose');
  await translated(page, join(folder, 'a.html'));
  const html = await savedFile(page, () => page.locator('#file-save').click());
  const found = await page.evaluate((text) => {
    const { body } = new DOMParser().parseFromString(text, 'text/html');
    const count = Object.fromEntries('p b a i sup code br em img'.split(' ').map((name) => [name, body.querySelectorAll(name).length]));
    return { count, ball: body.querySelector('a i')?.textContent, link: body.querySelector('a').getAttribute('href'), code: body.querySelector('code').textContent, note: body.querySelector('sup').textContent, filled: [...body.querySelectorAll('b, a, i, em')].every((node) => /\p{L}/u.test(node.textContent)), tags: /[\u{100000}-\u{10fffd}]/u.test(text), comment: text.includes('<!-- here -->') };
  }, html.text);
  assert.deepEqual(found.count, { p: 1, b: 1, a: 1, i: 1, sup: 1, code: 1, br: 1, em: 1, img: 1 }, html.text);
  assert.deepEqual({ ...found, count: null, ball: null }, { count: null, ball: null, link: 'c.html', code: 'a.json', note: '1', filled: IS_SHIPPED || found.filled, tags: false, comment: true }, html.text);
  await translated(page, join(folder, 'b.docx'));
  const word = await savedFile(page, () => page.locator('#file-save').click());
  const xml = word.text.slice(word.text.indexOf('<w:body'), word.text.indexOf('</w:body>'));
  assert.equal([...xml.matchAll(/<w:t[ >][^<]*/g)].map(([text]) => text.replace(/^[^>]*>/, '')).join(''), dog);
  for (const part of ['<w:pPr><w:jc w:val="left"/></w:pPr>', '<w:b/>', '<w:hyperlink r:id="r5"><w:r><w:rPr><w:u w:val="single"/>', NOTE, FIELD]) assert.equal(xml.split(part).length, 2, `${part} in ${xml}`);
  assert.ok(!xml.includes('proofErr'), 'what Word remarked of the English');
  const bold = /<w:b\/><w:lang w:val="en-US"\/><\/w:rPr><w:t[^>]*>([^<]*)/.exec(xml)?.[1];
  // Of these weights the head that aligns takes the article along.
  if (IS_SHIPPED) assert.deepEqual({ bold, ball: found.ball }, { bold: 'kleine Hund', ball: 'einem Ball' });
  await writeFile(join(folder, 'c.html'), MANY);
  await translated(page, join(folder, 'c.html'));
  const many = await savedFile(page, () => page.locator('#file-save').click());
  assert.equal(many.text.split('<b>').length, 301);
  await writeFile(join(folder, 'd.srt'), SUBTITLES);
  await translated(page, join(folder, 'd.srt'));
  const film = await savedFile(page, () => page.locator('#file-save').click());
  assert.match(film.text, /^1\n00:00:01,000 --> 00:00:02,500\n- [^\n]*<i>[^\n]*<\/i>[^\n]*\n- [^\n]+\n$/);
  assert.deepEqual(faults, []);
});

test('files made to take long are opened in seconds', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  const found = await page.evaluate(async () => {
    const module = (/** @type {string} */ path) => import(new URL(path, document.baseURI).href);
    const [{ openDocx }, { openHtml }, { zip }] = await Promise.all(['page/files/docx.js', 'page/files/html.js', 'ui/zip.js'].map(module));
    const word = async (/** @type {string} */ inside) => openDocx(await zip(new Map([['word/document.xml', new Blob([`<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p>${inside}</w:p></w:body></w:document>`])]])));
    const text = '<w:r><w:t>a</w:t></w:r>';
    /** @type {Record<string, () => Promise<{ texts: string[] }>>} */
    const files = {
      'one run of many texts': () => word(`<w:r>${'<w:t>a </w:t><w:br/>'.repeat(8000)}</w:r>`),
      'fields without an end': () => word('<w:r><w:fldChar w:fldCharType="begin"/></w:r>'.repeat(16_000) + text),
      'many looks': () => word(Array.from({ length: 16_000 }, (_, i) => `<w:r><w:rPr><w:sz w:val="${i}"/></w:rPr><w:t>a </w:t></w:r>`).join('')),
      'more tags than there are characters for': () => word('<w:r><w:br/></w:r>'.repeat(17_000) + text),
      'inline tags inside of each other around a block': async () => openHtml(`${'<b>'.repeat(500)}${'<i>a</i>'.repeat(16_000)}<p>x`),
    };
    /** @type {Record<string, string>} */
    const answers = {};
    const start = performance.now();
    for (const [name, make] of Object.entries(files)) {
      answers[name] = await make().then(({ texts }) => `${texts.length} texts`, (error) => error.message);
    }
    return { answers, seconds: (performance.now() - start) / 1000 };
  });
  assert.deepEqual(found.answers, {
    'one run of many texts': '8000 texts',
    'fields without an end': '1 texts',
    'many looks': '16000 texts',
    'more tags than there are characters for': '1 texts',
    'inline tags inside of each other around a block': '16001 texts',
  });
  // A minute and more where time grows with the square.
  assert.ok(found.seconds < 20, `${found.seconds} s`);
  assert.deepEqual(faults, []);
});

test('a long file is paused, resumed and cancelled; what is no document is refused in words', async (t) => {
  const folder = await mkdtemp(join(SCRATCH, 'files-'));
  t.after(() => rm(folder, { recursive: true }));
  const lines = Array.from({ length: 400 }, (_, i) => `The dog number ${i} sleeps in the garden of the old house.`);
  await writeFile(join(folder, 'long.txt'), lines.join('\n'));
  await writeFile(join(folder, 'no.docx'), 'no archive');
  await writeFile(join(folder, 'no.pdf'), 'The dog sleeps.');
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  await dropPaths(page, [join(folder, 'no.pdf')]);
  await page.waitForSelector('#file[open] #file-choose');
  await page.waitForFunction(() => /no\.pdf was not opened/.test(document.querySelector('#file-says').textContent));
  await translated(page, join(folder, 'no.docx'));
  assert.match(await textOf(page, '#file-says'), /no\.docx was not opened: it is no zip archive/);
  await translated(page, join(folder, 'no.pdf'));
  assert.match(await textOf(page, '#file-says'), /no\.pdf was not opened: files of type \.pdf cannot be read, only \.txt,/);
  await choose(page, join(folder, 'long.txt'));
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
  await choose(page, join(folder, 'long.txt'));
  await page.waitForFunction(() => /: \d+ of 400/.test(document.querySelector('#file-says').textContent), { timeout: 60_000 });
  assert.ok((await done()) >= at, 'what was translated is not translated again');
  await page.locator('#file-cancel').click();
  await page.waitForFunction(() => /^Cancelled/.test(document.querySelector('#file-says').textContent));
  assert.equal(await page.$eval('#file-save', ({ hidden }) => hidden), true);
  assert.deepEqual(faults, []);
});

test('files in another encoding are read as they are meant, the dialog says so, and they come back as UTF-8', async (t) => {
  const folder = await mkdtemp(join(SCRATCH, 'files-'));
  t.after(() => rm(folder, { recursive: true }));
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  // What is not translated shows how it was read.
  const given = {
    'a.md': Buffer.from('`\xe9\x93`\n', 'latin1'),
    'b.txt': Buffer.from('\ufeffThe dog sleeps.\r\n\u2014\u00a7', 'utf16le'),
    'c.html': Buffer.from('<!doctype html><html lang="en"><head><meta http-equiv="content-type" content="text/html; charset=koi8-r"><meta charset="koi8-r"></head><body><p>The dog sleeps.</p><pre>\xe9</pre></body></html>', 'latin1'),
  };
  const wanted = {
    'a.md': { encoding: 'windows-1252', part: '`é“`\n' },
    'b.txt': { encoding: 'utf-16le', part: '\r\n—§' },
    'c.html': { encoding: 'koi8-r', part: '<pre>И</pre>' },
  };
  await page.locator('#open-file').click();
  await page.waitForSelector('#file[open] #file-choose');
  for (const [name, { encoding, part }] of Object.entries(wanted)) {
    await writeFile(join(folder, name), given[name]);
    await translated(page, join(folder, name));
    assert.ok((await textOf(page, '#file-says')).endsWith(`The file was read as ${encoding}; its translation is in UTF-8.`));
    const { text } = await savedFile(page, () => page.locator('#file-save').click());
    assert.ok(text.includes(part), text);
    if (name === 'c.html') assert.match(text, /<html lang="de"><head><meta charset="utf-8"><\/head>/);
  }
  await writeFile(join(folder, 'd.txt'), 'The dog sleeps.');
  await translated(page, join(folder, 'd.txt'));
  assert.match(await textOf(page, '#file-says'), /lines\.$/);
  assert.deepEqual(faults, []);
});

test('a file that is chosen while another is being read takes its place', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  await page.locator('#open-file').click();
  await page.waitForSelector('#file[open] #file-choose');
  await page.evaluate(() => {
    const read = File.prototype.arrayBuffer;
    const wait = new Promise((done) => (window.readOn = done));
    File.prototype.arrayBuffer = async function () {
      if (this.name === 'slow.txt') await wait;
      return read.call(this);
    };
    const input = document.querySelector('#file-input');
    for (const name of ['slow.txt', 'fast.txt']) {
      const data = new DataTransfer();
      data.items.add(new File(['The dog sleeps.'], name));
      input.files = data.files;
      input.dispatchEvent(new Event('change'));
    }
  });
  await says(page, /^fast\.txt is translated/);
  // Reading takes a few turns.
  await page.evaluate(() => {
    window.readOn();
    return new Promise((done) => setTimeout(done, 500));
  });
  assert.match(await textOf(page, '#file-says'), /^fast\.txt is translated/);
  assert.deepEqual(faults, []);
});

test('another file takes the place of a translation only when that is saved, or is not wanted', async (t) => {
  const folder = await mkdtemp(join(SCRATCH, 'files-'));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'short.txt'), 'The dog sleeps.');
  await writeFile(join(folder, 'other.txt'), 'We waited for an hour.');
  await writeFile(join(folder, 'long.txt'), Array.from({ length: 400 }, (_, i) => `The dog number ${i} sleeps in the garden of the old house.`).join('\n'));
  await writeFile(join(folder, 'no.docx'), 'no archive');
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  await page.locator('#open-file').click();
  await page.waitForSelector('#file[open] #file-choose');
  /** As a drop does, whatever buttons there are. */
  const give = async (name) => (await page.$('#file-input')).uploadFile(join(folder, name));
  const refused = (text) => page.waitForFunction((text) => document.querySelector('#file-refusal').textContent.startsWith(text), {}, text);

  await translated(page, join(folder, 'short.txt'));
  await give('no.docx');
  await refused('no.docx was not opened: the translation of short.txt is not saved yet.');
  await page.locator('#file-instead').click();
  await refused('no.docx was not opened: it is no zip archive');
  assert.match(await textOf(page, '#file-says'), /^short\.txt is translated/);
  const short = await savedFile(page, () => page.locator('#file-save').click());
  assert.notEqual(short.text, '');
  // What is saved is given up, and so is what the reader does not want.
  await translated(page, join(folder, 'other.txt'));
  await give('long.txt');
  await refused('long.txt was not opened: the translation of other.txt is not saved yet.');
  await page.locator('#file-instead').click();
  await says(page, /^long\.txt: [1-9]\d* of 400/);
  await give('short.txt');
  await refused('short.txt was not opened: long.txt is still being translated.');
  assert.match(await textOf(page, '#file-says'), /^long\.txt: \d+ of 400/);
  await page.locator('#file-cancel').click();
  await says(page, /^Cancelled/);
  assert.equal(await textOf(page, '#file-refusal'), '');
  assert.deepEqual(faults, []);
});

test('a file stays with its model: under another one it pauses, and is resumed under its own or started again', async (t) => {
  const { url, models } = await siteToSpoil(t);
  const index = join(models, 'index.json');
  const [first] = JSON.parse(await readFile(index, 'utf8')).models;
  await cp(join(models, first.name), join(models, 'en-nl'), { recursive: true });
  await writeFile(index, JSON.stringify({ models: [first, { ...first, name: 'en-nl', target: 'nl' }] }));
  // Long enough that it is not done before the model changes.
  await writeFile(join(models, 'long.txt'), Array.from({ length: 240 }, (_, i) => `The dog number ${i} sleeps in the garden of the old house.`).join('\n'));
  const { page, faults } = await visit(t, here.browser);
  await open(page, url);
  const dialog = async () => {
    await page.locator('#open-file').click();
    await page.waitForSelector('#file[open]');
  };
  const use = async (name, language) => {
    await page.locator('#file-close').click();
    const value = await page.$eval('#language', ({ options }, name) => [...options].find(({ value }) => value.includes(name)).value, `/${name}/`);
    await page.select('#language', value);
    await page.waitForFunction((language) => document.querySelector('#translation').lang === language, { timeout: 120_000 }, language);
    await dialog();
  };
  const buttons = () => page.$$eval('#file .settings button', (all) => all.filter(({ hidden }) => !hidden).map(({ textContent }) => textContent));
  await dialog();
  await choose(page, join(models, 'long.txt'));
  await says(page, /: [1-9]\d* of 240/);
  await use('en-nl', 'nl');
  await says(page, /of 240, paused/);
  const other = await textOf(page, '#file-says');
  assert.match(other, /^long\.txt: \d+ of 240, paused: the page now translates with another model\. To resume, choose English to German on the page\. “Start again” translates the file with the present model\.$/);
  assert.deepEqual(await buttons(), ['Start again', 'Cancel']);
  await use(first.name, 'de');
  assert.equal(await textOf(page, '#file-says'), other.replace(/paused.*/, 'paused'));
  assert.deepEqual(await buttons(), ['Resume', 'Cancel']);
  await page.locator('#file-pause').click();
  await says(page, /is translated/);
  const german = await savedFile(page, () => page.locator('#file-save').click());
  await use('en-nl', 'nl');
  assert.match(await textOf(page, '#file-says'), /^long\.txt is translated/, 'what is done stays');
  await choose(page, join(models, 'long.txt'));
  await says(page, /: [1-9]\d* of 240/);
  await use(first.name, 'de');
  await says(page, /choose English to Dutch on the page/);
  await page.locator('#file-again').click();
  await says(page, /is translated/);
  const again = await savedFile(page, () => page.locator('#file-save').click());
  assert.equal(again.text, german.text);
  assert.deepEqual(faults, []);
});
