// A document in several workers comes out as it does in one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { open } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();

/** Sixty lines, empty ones among them, that are all different. */
const DOCUMENT = Array.from({ length: 60 }, (_, i) =>
  i % 7 === 3 ? '' : `The ${['dog', 'cat', 'horse', 'child'][i % 4]} sees ${i} trees. A woman reads book number ${i * 3} in the garden.`,
).join('\n');

test('a document is translated line by line in two workers as in one', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  const found = await page.evaluate(async (text) => {
    const { Translator } = await import('./engine/translator.js');
    const { TranslatorPool } = await import('./engine/pool.js');
    const one = new Translator();
    await one.load('./models/en-de-free/');
    const alone = await one.translate(text, { beam: 1 });
    const pool = new TranslatorPool({ workers: 2 });
    const loaded = await pool.load('./models/en-de-free/');
    const old = pool.translate(`Another text.\n${text}`, { beam: 1 });
    const parts = [];
    const together = await pool.translate(text, { beam: 1, supersede: true, onPart: (part) => parts.push(part) });
    parts.sort((a, b) => a.first - b.first);
    return { alone, together, old: await old, size: pool.size, loaded: loaded.kind, pieced: parts.flatMap((part) => part.lines).join('\n'), parts: parts.length };
  }, DOCUMENT);
  assert.equal(found.size, 2);
  assert.equal(found.loaded, 'loaded');
  assert.equal(found.together.text, found.alone.text);
  assert.equal(found.together.text.split('\n').length, 60);
  assert.ok(found.parts > 2, `${found.parts} parts`);
  assert.equal(found.pieced, found.alone.text);
  assert.deepEqual(found.old, { kind: 'cancelled' });
  assert.deepEqual(faults, []);
});

test('a document is in one language, whatever is loaded meanwhile, and also after a load that was aborted half-way', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  const found = await page.evaluate(async (text) => {
    const { TranslatorPool } = await import('./engine/pool.js');
    const pool = new TranslatorPool({ workers: 2 });
    await pool.load('./models/en-de-free/');
    const german = await pool.translate(text, { beam: 1 });
    // Asked for in this order: the document has the model before, the next one the new one.
    const during = pool.translate(text, { beam: 1 });
    const loading = pool.load('./models/en-fr/');
    const after = pool.translate(text, { beam: 1 });
    const [duringText, , french] = await Promise.all([during, loading, after]);
    await pool.load('./models/en-de-free/');
    // Aborted as soon as the first worker has the other model.
    const aborting = new AbortController();
    const first = pool.load('./models/en-fr/', { signal: aborting.signal, onProgress: ({ stage }) => stage === 'ready' && aborting.abort() });
    const reason = await first.then(({ kind }) => kind, ({ name }) => name);
    const again = await pool.translate(text, { beam: 1 });
    return { german: german.text, during: duringText.text, french: french.text, again: again.text, reason };
  }, DOCUMENT);
  assert.ok(found.during === found.german, 'the model before');
  assert.match(found.french, /La femme|Une femme/);
  assert.doesNotMatch(found.french, /Frau/);
  assert.equal(found.reason, 'AbortError');
  assert.ok(found.again === found.german, 'no worker kept the model of the aborted load');
  assert.deepEqual(faults, []);
});
