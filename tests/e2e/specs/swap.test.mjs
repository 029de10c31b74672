// ⇄ and what is said of a text in another language.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHash } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { visit } from '../lib/browser.mjs';
import { violations } from '../lib/axe.mjs';
import { drawn, open, replaceText, translation, type } from '../lib/page.mjs';
import { site, siteToSpoil } from '../lib/site.mjs';

const here = site();
const WAIT = { timeout: 120_000 };

/**
 * A site with the first model, a copy of it, and one that says it reads German: what that translates is not looked at.
 * @param {import('node:test').TestContext} t
 */
async function bothDirections(t) {
  const made = await siteToSpoil(t);
  const index = join(made.models, 'index.json');
  const [first] = JSON.parse(await readFile(index, 'utf8')).models;
  for (const name of ['de-en', 'en-de-again']) await cp(join(made.models, first.name), join(made.models, name), { recursive: true });
  const files = await Promise.all(
    first.files.map(async (/** @type {any} */ file) => {
      const path = join(made.models, 'de-en', file.name);
      if (file.name === 'tokenizer_config.json' || file.name === 'config.json') {
        const { source_lang, target_lang, source_language, ...rest } = JSON.parse(await readFile(path, 'utf8'));
        await writeFile(path, JSON.stringify(source_lang ? { ...rest, source_lang: target_lang, target_lang: source_lang } : rest));
      }
      if (file.name === 'model.safetensors') {
        const weights = await readFile(path);
        weights[weights.length - 3] ^= 1;
        await writeFile(path, weights);
      }
      const bytes = await readFile(path);
      return { ...file, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
    }),
  );
  await writeFile(index, JSON.stringify({ models: [first, { ...first, name: 'de-en', source: 'de', target: 'en', files }, { ...first, name: 'en-de-again' }] }));
  return made;
}

/** Waits until the page translates from one language into the other, and all of the text is translated. */
async function translates(page, source, target) {
  await page.waitForFunction(
    (source, target) =>
      document.querySelector('#source-language').textContent === source && document.querySelector('#target-language .language').textContent === target && document.body.dataset.doc === 'done',
    WAIT,
    source,
    target,
  );
}

test('⇄ pressed at once waits for the translation; half of a long one does not take the text’s place', async (t) => {
  const made = await bothDirections(t);
  const { page, faults } = await visit(t, here.browser);
  await open(page, made.url);
  await type(page, 'A cat sleeps.');
  await translation(page, 'A cat sleeps.');
  await replaceText(page, 'I love my dog.');
  // At once: the page has hardly begun to translate.
  await page.focus('#swap');
  await page.keyboard.press('Enter');
  await translates(page, 'German', 'English');
  assert.match(await page.$eval('#source', ({ value }) => value), /Hund/);
  // Sentences that differ: known ones are not translated again.
  const long = Array.from({ length: 400 }, (_, i) => `Der Hund Nummer ${i} schläft heute in seinem neuen Haus am Fluss.`).join(' ');
  await replaceText(page, long);
  await page.waitForFunction(() => document.querySelector('#translation').textContent.length > 200, WAIT);
  await page.locator('::-p-aria([name="Swap languages"][role="button"])').click();
  await page.waitForFunction(() => document.querySelector('#source-language').textContent === 'English', WAIT);
  await drawn(page);
  assert.ok((await page.$eval('#source', ({ value }) => value)) === long, 'the text is still whole');
  assert.deepEqual(faults, []);
});

test('⇄ swaps the languages, and the translation becomes the text', async (t) => {
  const made = await bothDirections(t);
  const { page, faults } = await visit(t, here.browser);
  await open(page, made.url);
  await type(page, 'I love my dog.');
  const german = await translation(page, 'I love my dog.');
  await page.locator('::-p-aria([name="Swap languages"][role="button"])').click();
  await page.waitForFunction((text) => document.querySelector('#source').value === text, WAIT, german);
  await translates(page, 'German', 'English');
  assert.equal(await page.$eval('#source', (field) => field.lang), 'de');
  assert.deepEqual(await violations(page), []);
  // And back, by keyboard.
  const english = await translation(page, german);
  await page.focus('#swap');
  await page.keyboard.press('Enter');
  await page.waitForFunction((text) => document.querySelector('#source').value === text, WAIT, english);
  await translates(page, 'English', 'German');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'swap', 'a second Enter is no line break in the text');
  assert.deepEqual(faults, []);
});

test('⇄ and ⇄ lead back to the model that was chosen, where several translate that way', async (t) => {
  const made = await bothDirections(t);
  const { page, faults } = await visit(t, here.browser);
  await open(page, made.url);
  await page.waitForFunction(() => /** @type {HTMLSelectElement} */ (document.querySelector('#language')).options.length > 3, WAIT);
  await page.select('#language', `${made.url}models/en-de-again/`);
  // The option of the model in use says neither its size nor where it lies.
  await page.waitForFunction(() => document.querySelector('#language option:checked').textContent === 'German · en-de-again', WAIT);
  await type(page, 'I love my dog.');
  await translates(page, 'English', 'German');
  const chosen = () => page.$eval('#language', (select) => new URL(/** @type {HTMLSelectElement} */ (select).value).pathname);
  assert.equal(await chosen(), '/models/en-de-again/');
  await page.click('#swap');
  await translates(page, 'German', 'English');
  assert.equal(await chosen(), '/models/de-en/');
  await page.click('#swap');
  await translates(page, 'English', 'German');
  assert.equal(await chosen(), '/models/en-de-again/');
  assert.deepEqual(faults, []);
});

test('until the reader types, the first sentence stands there in the language that the model reads', async (t) => {
  const made = await bothDirections(t);
  const { page, faults } = await visit(t, here.browser);
  await open(page, made.url);
  await page.waitForFunction(() => /** @type {HTMLSelectElement} */ (document.querySelector('#language')).options.length > 3, WAIT);
  await page.select('#language', `${made.url}models/de-en/`);
  const shows = (/** @type {string} */ text) => page.waitForFunction((text) => document.querySelector('#source').value === text, WAIT, text);
  await shows('Der alte Hund liegt unter dem Baum.');
  await translates(page, 'German', 'English');
  assert.ok(await page.$eval('#text-before', (button) => button.hidden), 'no text of the reader was replaced');
  await page.reload();
  await shows('Der alte Hund liegt unter dem Baum.');
  await translates(page, 'German', 'English');
  await page.select('#language', `${made.url}models/en-de-again/`);
  await shows('The old dog is under the tree.');
  await translates(page, 'English', 'German');
  await replaceText(page, 'I love my dog.');
  await page.select('#language', `${made.url}models/de-en/`);
  await translates(page, 'German', 'English');
  assert.equal(await page.$eval('#source', ({ value }) => value), 'I love my dog.', 'what was typed stays');
  assert.deepEqual(faults, []);
});

test('a text in another language is named, and one click has the model that reads it', async (t) => {
  const made = await bothDirections(t);
  const { page } = await visit(t, here.browser, { width: 360, height: 740 });
  await open(page, made.url);
  const says = (/** @type {string} */ text) => page.waitForFunction((text) => document.querySelector('#source-foreign').textContent === text, WAIT, text);
  await type(page, 'Nous avons perdu la clé de la maison.');
  await says('This looks like French. The model reads English.');
  assert.ok(await page.$eval('#source-switch', (button) => button.hidden), 'no model reads French');
  await type(page, 'Wir haben den Schlüssel im Haus vergessen.');
  await says('This looks like German.');
  assert.deepEqual(await violations(page), []);
  await page.locator('::-p-aria([name="Translate from German"][role="button"])').click();
  await translates(page, 'German', 'English');
  assert.equal(await page.$eval('#source', (field) => field.value), 'Wir haben den Schlüssel im Haus vergessen.', 'the text stays');
  await says('');
  assert.ok(await page.$eval('#source-switch', (button) => button.hidden));
});

test('where only one direction ships there is nothing to swap', async (t) => {
  const made = await siteToSpoil(t);
  const index = join(made.models, 'index.json');
  const [first] = JSON.parse(await readFile(index, 'utf8')).models;
  await writeFile(index, JSON.stringify({ models: [first] }));
  const { page } = await visit(t, here.browser);
  await open(page, made.url);
  await type(page, 'Wir haben den Schlüssel im Haus vergessen.');
  await page.waitForFunction(() => document.querySelector('#source-foreign').textContent === 'This looks like German. The model reads English.', WAIT);
  assert.ok(await page.$eval('#swap', (button) => button.hidden));
});

test('an entry of the history is translated in its own direction', async (t) => {
  const made = await bothDirections(t);
  const { page, faults } = await visit(t, here.browser);
  await open(page, made.url);
  await page.locator('#history-button').click();
  await page.waitForSelector('#history[open]');
  await page.locator('#history-keep').click();
  await page.locator('#history-close').click();
  await type(page, 'I love my dog.');
  const german = await translation(page, 'I love my dog.');
  await page.waitForFunction(() => Object.entries(localStorage).some(([key, value]) => key.startsWith('translucent.history') && value.includes('dog')), WAIT);
  await page.locator('::-p-aria([name="Swap languages"][role="button"])').click();
  await page.waitForFunction((text) => document.querySelector('#source').value === text, WAIT, german);
  await translates(page, 'German', 'English');
  await page.locator('#history-button').click();
  await page.locator('.history-entry ::-p-text(I love my dog.)').click();
  await page.waitForFunction(() => document.querySelector('#source').value === 'I love my dog.', WAIT);
  await translates(page, 'English', 'German');
  assert.equal(await translation(page, 'I love my dog.'), german);
  assert.deepEqual(faults, []);
});
