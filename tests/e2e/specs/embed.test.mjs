// The page in a frame of another origin: its size, what it says to whom, and from whom it takes a text.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { serveFolders } from '../lib/folders.mjs';
import { site } from '../lib/site.mjs';

const here = site();
const WAIT = { timeout: 40_000 };

/** A page around the frame, which gives it the height that it asks for, and remembers its messages. */
const around = (src) => `<!doctype html><title>around</title><iframe src="${src}" width="700" height="150"></iframe><script src="/around.js"></script>`;
const SCRIPT = `window.messages = [];
addEventListener('message', ({ data, origin, source }) => {
  if (source !== frames[0]) return;
  messages.push({ ...data, origin });
  if (data.type === 'size') document.querySelector('iframe').height = data.height;
});`;

/** Opens a page with the frame. */
async function framed(t, fragment, text = 'A dog runs.') {
  const { page } = await visit(t, here.browser);
  // The address of the page around is known only when it is served.
  const pages = { '/around.js': SCRIPT, '/index.html': '' };
  const url = await serveFolders(t, pages);
  pages['/index.html'] = around(`${here.url}#embed&tab=attention&text=${encodeURIComponent(text)}${fragment(new URL(url).origin)}`);
  await page.goto(`${url}index.html`);
  await page.waitForFunction(() => window.messages.some(({ type }) => type === 'size'), WAIT);
  return page;
}

const frameOf = (page) => page.frames().find((frame) => frame !== page.mainFrame());
const translated = (page, text) => page.waitForFunction((text) => window.messages.some((message) => message.type === 'text' && message.text === text), WAIT, text);

test('a frame says its size, its text and what is held to the origin that its address names, and takes a text from there', async (t) => {
  const page = await framed(t, (origin) => `&head=cross.3.2&sentence=2&origin=${encodeURIComponent(origin)}`, 'A cat. A dog runs.');
  await translated(page, 'A cat. A dog runs.');
  // A head is held when its sentence has been observed: before or after the last message with a translation.
  await page.waitForFunction(() => window.messages.some(({ held, sentence }) => sentence === 2 && held?.head?.kind === 'cross' && held.head.layer === 3 && held.head.head === 2), WAIT);
  const messages = await page.evaluate(() => window.messages);
  assert.ok(messages.every(({ translucent, origin }) => translucent === 1 && origin === new URL(here.url).origin));
  await page.evaluate(() => {
    window.messages = [];
    frames[0].postMessage({ translucent: 2, type: 'text', text: 'Of another version.' }, '*');
    frames[0].postMessage({ translucent: 1, type: 'text', text: 'A horse.\nA cat.' }, '*');
  });
  await translated(page, 'A horse.\nA cat.');
  assert.match(await page.evaluate(() => window.messages.find(({ type }) => type === 'text').translation), /Pferd.*\n.*Katze/, 'line breaks are kept');
  assert.equal(await frameOf(page).$eval('#source', ({ value }) => value), 'A horse.\nA cat.');
  // As high as it asked for, nothing is left to scroll.
  await page.waitForFunction(() => Number(document.querySelector('iframe').height) > 200, WAIT);
  await frameOf(page).waitForFunction(() => document.documentElement.scrollHeight <= innerHeight, WAIT);
});

test('to a page of another origin it says its size alone, and takes nothing from it', async (t) => {
  const page = await framed(t, () => '&origin=https%3A%2F%2Fexample.org');
  const frame = frameOf(page);
  await frame.waitForSelector('body[data-doc="done"]', WAIT);
  await page.evaluate(() => frames[0].postMessage({ translucent: 1, type: 'text', text: 'A horse.' }, '*'));
  // A message that is answered after it: the frame has read both.
  await frame.evaluate(() => new Promise((read) => {
    addEventListener('message', ({ data }) => data === 'read' && read(), { once: false });
    postMessage('read', '*');
  }));
  assert.equal(await frame.$eval('#source', ({ value }) => value), 'A dog runs.');
  assert.deepEqual(await page.evaluate(() => [...new Set(window.messages.map(({ type }) => type))]), ['size']);
});
