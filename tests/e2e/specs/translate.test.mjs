// Typing translates: streamed, superseded by the next key, and always the newest text's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { LONG, SEARCH, drawn, expected, open, translation, replaceText, type } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();

test('what is typed is translated, a long text as it grows, without a fault', async (t) => {
  const { page, faults, hosts } = await visit(t, here.browser);
  await open(page, here.url);
  await type(page, 'A dog sleeps.');
  assert.equal((await translation(page, 'A dog sleeps.')).trim(), (await expected(page, 'A dog sleeps.', SEARCH)).trim());
  // Every state of the translation that is ever on screen.
  await page.evaluate(() => {
    const node = document.querySelector('#translation');
    window.seen = [];
    new MutationObserver(() => window.seen.push(node.textContent)).observe(node, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  // Long enough that a busy machine, too, draws several frames while it grows.
  const text = LONG;
  await replaceText(page, text);
  const final = await translation(page, text);
  assert.notEqual(final, '');
  const seen = (await page.evaluate(() => window.seen)).filter((state) => state.trim() !== '' && state !== final);
  const states = new Set(seen);
  assert.ok(states.size >= 2, `the translation should grow; it was ${JSON.stringify([...states])}, then ${final}`);
  assert.ok([...states].some((state) => state.length < final.length), 'no shorter state was ever shown');
  assert.equal(final.replace(/\s+/g, ' '), (await expected(page, text, SEARCH)).replace(/\s+/g, ' ').trim());
  assert.deepEqual(faults, []);
  assert.deepEqual([...hosts], [new URL(here.url).host], 'nothing may be loaded from another host');
});

test('line breaks are kept and every sentence comes out in order', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  const text = 'The cat sleeps. The dog runs.\n\nA man reads.';
  await page.focus('#source');
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
  // Typed key by key: Enter breaks the line.
  for (const key of text) await page.keyboard.press(key === '\n' ? 'Enter' : key);
  await translation(page, text);
  const [first, second, third] = await Promise.all(['The cat sleeps.', 'The dog runs.', 'A man reads.'].map((sentence) => expected(page, sentence, SEARCH)));
  assert.equal(await page.$eval('#translation', (node) => node.textContent), `${first} ${second}\n\n${third}`);
  assert.deepEqual(await page.$$eval('#translation .sentence', (all) => all.map(({ textContent }) => textContent.trim())), [first, second, third]);
  assert.deepEqual(faults, []);
});

test('the next key supersedes: what is shown in the end belongs to the newest text', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  // All at once: forty sentences typed key by key would be translated meanwhile.
  await replaceText(page, LONG);
  await page.waitForSelector('body[data-doc="running"]');
  await page.waitForFunction(() => document.querySelector('#translation').textContent.trim() !== '');
  const text = 'A horse.';
  await type(page, text);
  const final = await translation(page, text);
  assert.equal(final.trim(), (await expected(page, text, SEARCH)).trim());
  // The worker answers in order: what it sent of the old text has come before, and is drawn by now if it ever is.
  await drawn(page);
  assert.equal(await page.$eval('#translation', (node) => node.textContent.trim()), final);
  assert.deepEqual(faults, []);
});

test('an emptied text leaves no translation and offers examples', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  const text = 'A bird sings.';
  await type(page, text);
  await translation(page, text);
  await page.locator('#clear').click();
  await page.waitForSelector('body[data-doc="empty"]');
  await drawn(page);
  assert.equal(await page.$eval('#source', (node) => node.value), '');
  assert.equal(await page.$eval('#translation', (node) => node.textContent.trim()), '');
  assert.ok(await page.$eval('#suggest', (node) => !node.hidden && node.querySelectorAll('button').length >= 3));
  assert.deepEqual(faults, []);
});
