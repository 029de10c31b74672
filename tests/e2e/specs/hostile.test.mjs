// Texts that nobody writes in good faith are shown as text and break nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { drawn, open, translation } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();

/** @type {[name: string, text: string][]} */
const TEXTS = [
  ['markup', '<img src=x onerror="window.hacked = 1"> is a dog. <script>window.hacked = 1</script> </textarea><svg onload="window.hacked = 1">'],
  ['right-to-left', 'The dog \u202Esees\u202C the \u05DB\u05DC\u05D1 and \u0627\u0644\u0643\u0644\u0628.'],
  ['zero-width', 'The\u200B d\u200Dog\uFEFF slee\u2060ps.\u0000\u0007'],
  ['lone surrogates', 'A dog \uD83D sleeps \uDC36 here.'],
  ['combining marks', `A do${'\u0301\u0323'.repeat(400)}g.`],
  ['one word of a megabyte', 'a'.repeat(1_000_000)],
  ['template and address', '${window.hacked = 1} javascript:window.hacked=1 {{hacked}} %3Cimg%20onerror%3E'],
];

/** Replaces the text at once, as a paste does. */
function paste(page, text) {
  return page.evaluate((text) => {
    const source = document.querySelector('#source');
    source.value = text;
    source.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }, text);
}

test('texts of every kind are shown as text, one after the other, and the page translates on', async (t) => {
  const { page, faults, hosts } = await visit(t, here.browser);
  await open(page, here.url);
  for (const [name, text] of TEXTS) {
    await paste(page, text);
    await drawn(page);
    await page.waitForFunction(
      (whole) => !document.querySelector('#failure').hidden || (whole ? document.body.dataset.doc === 'done' : document.querySelector('#translation .sentence[data-final]')),
      { timeout: 120_000 },
      // A megabyte has thousands of parts: it is enough that the first is there.
      text.length < 1e5,
    );
    await drawn(page);
    const { value, hacked, foreign } = await page.evaluate(() => ({
      value: document.querySelector('#source').value,
      hacked: 'hacked' in window,
      foreign: [...document.querySelectorAll('img, iframe, body script, #stage svg[onload], .prose *:not(span):not(mark):not(br):not(wbr):not(#translation > .sentences):not(#backdrop > div)')].map((node) => node.outerHTML.slice(0, 80)),
    }));
    assert.equal(value.length, text.length, `${name}: the field has the text`);
    assert.equal(hacked, false, `${name}: nothing of it ran`);
    assert.deepEqual(foreign, [], `${name}: nothing of it became an element`);
    // The page still translates.
    await paste(page, 'A horse.');
    assert.notEqual(await translation(page, 'A horse.'), '', name);
    assert.deepEqual(faults, [], name);
    assert.deepEqual([...hosts], [new URL(here.url).host], name);
  }
});

test('fragments of others set nothing but known settings, and their text stays text', async (t) => {
  const { page, faults, hosts } = await visit(t, here.browser);
  const evil = new URLSearchParams({
    tab: 'constructor',
    scale: '<img src=x onerror=window.hacked=1>',
    theme: '__proto__',
    layers: 'NaN',
    scene: '{"run":"alert(1)"}',
    model: 'https://example.org/evil/',
    text: '<img src=https://example.org/x.png onerror="window.hacked = 1">A horse.',
  });
  await open(page, `${here.url}#${evil}`);
  await page.waitForFunction(() => document.body.dataset.doc === 'done', { timeout: 120_000 });
  const settings = await page.evaluate(() => ({
    tab: document.querySelector('[role="tab"][aria-selected="true"]').id,
    scale: document.querySelector('[aria-label="Scale"] [aria-pressed="true"]').dataset.value,
    theme: document.querySelector('#theme').title,
    allLayers: document.querySelector('#all-layers').ariaPressed,
    text: document.querySelector('#source').value,
    hacked: 'hacked' in window,
    images: document.images.length,
  }));
  assert.deepEqual(settings, { tab: 'tab-attention', scale: 'linear', theme: 'Theme: as the system', allLayers: 'false', text: evil.get('text'), hacked: false, images: 0 });
  assert.deepEqual(faults, []);
  assert.deepEqual([...hosts], [new URL(here.url).host]);
});
