// The switch between the languages that ship, what scenes do under another model than theirs, and the models that were
// trained another way. The sites are made here of copies of the model that ships first: what it says is not looked at.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { visit } from '../lib/browser.mjs';
import { drawn, observedWhole, open, translation, type } from '../lib/page.mjs';
import { site, siteToSpoil } from '../lib/site.mjs';

const here = site();
const TEXT = 'The child laughs.';
const WAIT = { timeout: 120_000 };

/**
 * A copy of the first model in a folder of its own, with other weights by one bit, as an index lists it.
 * @param {string} models
 * @param {any} first its entry
 * @param {string} name below `models`
 * @param {string} target
 */
async function copyOf(models, first, name, target) {
  const folder = join(models, name);
  await rm(folder, { recursive: true, force: true });
  await cp(join(models, first.name), folder, { recursive: true });
  const weights = await readFile(join(folder, 'model.safetensors'));
  weights[weights.length - 3] ^= 1;
  await writeFile(join(folder, 'model.safetensors'), weights);
  const sha256 = createHash('sha256').update(weights).digest('hex');
  const files = first.files.map((/** @type {any} */ file) => (file.name === 'model.safetensors' ? { ...file, sha256 } : file));
  return { ...first, name: name.split('/').at(-1), target, files };
}

/**
 * A site of these languages, the first one German; `variants`: with models that were trained another way.
 * @param {import('node:test').TestContext} t
 * @param {string[]} targets
 * @param {string[]} variants
 */
async function siteOf(t, targets, variants = []) {
  const made = await siteToSpoil(t);
  const index = join(made.models, 'index.json');
  const [first] = JSON.parse(await readFile(index, 'utf8')).models;
  const models = [first];
  for (const target of targets.slice(1)) models.push(await copyOf(made.models, first, `en-${target}`, target));
  await writeFile(index, JSON.stringify({ models }));
  await rm(join(made.models, 'table3'), { recursive: true, force: true });
  const others = [];
  for (const name of variants) others.push(await copyOf(made.models, first, `table3/${name}`, 'de'));
  if (others.length > 0) await writeFile(join(made.models, 'table3/index.json'), JSON.stringify({ models: others }));
  return { ...made, first, address: (/** @type {string} */ name) => `${made.url}models/${name}/` };
}

/** @param {import('puppeteer-core').Page} page */
const options = (page) => page.$$eval('#language option:not([value="more"])', (all) => all.map(({ textContent }) => textContent));

/**
 * Waits until the model at this address has translated what stands in the field, as the list of languages says.
 * @param {import('puppeteer-core').Page} page
 * @param {string} address
 */
async function inUse(page, address) {
  // What was chosen just now is on its way from the next frame on.
  await drawn(page);
  await page.waitForFunction(
    (/** @type {string} */ address) => {
      const arrives = document.querySelector('#target-language .language').textContent.includes('→');
      return document.querySelector('#language').value === address && !arrives && document.body.dataset.doc === 'done';
    },
    WAIT,
    address,
  );
  await drawn(page);
}

/** What the page says of the translation's language. @param {import('puppeteer-core').Page} page */
const said = (page) =>
  page.evaluate(() => ({
    heading: document.querySelector('#target-language .language').textContent,
    lang: document.querySelector('#translation').lang,
    chosen: document.querySelector('#language').selectedOptions[0]?.textContent,
  }));

test('one language: the heading is a heading', async (t) => {
  const made = await siteOf(t, ['de']);
  const { page, faults } = await visit(t, here.browser);
  await open(page, made.url);
  // The dialog lists what the index has: by then it is read.
  await page.locator('#models-button').click();
  await page.waitForSelector('#models[open]');
  await page.waitForSelector('#model-list li', WAIT);
  assert.equal((await page.$$('#model-list li')).length, 1);
  assert.ok(await page.$eval('#language', (node) => node.hidden));
  assert.equal(await page.$eval('#target-language', (node) => node.textContent.trim()), 'German');
  // The dialog asks for models that were trained another way, of which this site has none.
  assert.deepEqual(faults.filter((fault) => !/404/.test(fault)), []);
});

test('another language, by keyboard: the text stays, is translated into it, and the choice is kept for the next visit', async (t) => {
  const made = await siteOf(t, ['de', 'fr']);
  const { page, faults } = await visit(t, here.browser);
  await open(page, made.url);
  await type(page, TEXT);
  await translation(page, TEXT);
  await page.waitForSelector('#language:not([hidden])', WAIT);
  assert.deepEqual(await options(page), ['German', `French · ${(made.first.bytes / 1e6).toFixed(1)} MB`]);
  await page.focus('#copy');
  for (let i = 0; i < 3 && !(await page.evaluate(() => document.activeElement.id === 'language')); i++) {
    await page.keyboard.down('Shift');
    await page.keyboard.press('Tab');
    await page.keyboard.up('Shift');
  }
  assert.ok(await page.evaluate(() => document.activeElement.id === 'language'), 'the tab key reaches it');
  // Typing a name chooses it, with the list open or closed, in every browser.
  await page.keyboard.press('f');
  await page.keyboard.press('Enter');
  await inUse(page, made.address('en-fr'));
  assert.deepEqual(await said(page), { heading: 'French', lang: 'fr', chosen: 'French' });
  assert.equal(await page.$eval('#source', (node) => node.value), TEXT);
  assert.notEqual(await translation(page, TEXT), '');
  assert.deepEqual(await options(page), ['German · on this device', 'French']);
  assert.equal(await page.$eval('#live', (node) => node.lang), 'fr');

  await page.reload();
  await inUse(page, made.address('en-fr'));
  assert.equal((await said(page)).heading, 'French');
  assert.deepEqual(faults, []);
});

test('the recorded example stands under its own language until the remembered model has arrived, and is translated anew', async (t) => {
  const made = await siteOf(t, ['de', 'fr']);
  const { page, faults } = await visit(t, here.browser);
  await open(page, made.url);
  await page.evaluate((address) => localStorage.setItem('translucent.model', address), made.address('en-fr'));
  await page.evaluateOnNewDocument(() => {
    // Every state that a frame showed the heading and the translation in.
    window.seen = [];
    const look = () => {
      const heading = document.querySelector('#target-language .language')?.textContent;
      const { lang, textContent } = document.querySelector('#translation') ?? {};
      if (textContent) window.seen.push({ heading, lang, recorded: document.body.dataset.doc === 'recorded' });
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(made.url);
  await inUse(page, made.address('en-fr'));
  const seen = await page.evaluate(() => window.seen);
  for (const { heading, lang, recorded } of seen) {
    if (recorded) assert.match(`${lang}: ${heading}`, /^de: German( → French)?$/);
    if (heading === 'French') assert.equal(lang, 'fr');
  }
  await observedWhole(page);
  assert.deepEqual(await said(page), { heading: 'French', lang: 'fr', chosen: 'French' });
  assert.deepEqual(faults, []);
});

test('a language that cannot be had: the old one stays, the list goes back, and trying again works', async (t) => {
  const made = await siteOf(t, ['de', 'fr']);
  const { page } = await visit(t, here.browser);
  await open(page, made.url);
  await type(page, TEXT);
  const before = await translation(page, TEXT);
  await page.waitForSelector('#language:not([hidden])', WAIT);
  const weights = join(made.models, 'en-fr/model.safetensors');
  await rename(weights, `${weights}.away`);
  await page.select('#language', made.address('en-fr'));
  await page.waitForSelector('#failure:not([hidden])', WAIT);
  assert.match(await page.$eval('#failure', (node) => node.textContent), /^French: the model could not be downloaded.*404.*Still translating to German/s);
  await drawn(page);
  assert.deepEqual(await said(page), { heading: 'German', lang: 'de', chosen: 'German' });
  assert.equal(await translation(page, TEXT), before);
  assert.equal(await page.evaluate(() => localStorage.getItem('translucent.model')), null);
  await rename(`${weights}.away`, weights);
  await page.locator('#retry').click();
  await inUse(page, made.address('en-fr'));
  assert.ok(await page.$eval('#failure', (node) => node.hidden));
  assert.equal((await said(page)).heading, 'French');
});

test('a model of the reader’s own stands in the list while it translates, and a shipped one is chosen again', async (t) => {
  const made = await siteOf(t, ['de', 'fr']);
  await cp(join(made.models, 'en-fr'), join(made.models, 'opus-en-fr'), { recursive: true });
  const { page } = await visit(t, here.browser);
  await open(page, made.url);
  await type(page, TEXT);
  await page.locator('#models-button').click();
  await page.waitForSelector('#models[open]');
  await page.waitForSelector('#model-list li', WAIT);
  assert.deepEqual(await page.$$eval('#model-list li', (rows) => rows.map((row) => row.dataset.name)), ['en-de-free', 'en-fr']);
  await page.type('#models-url', made.address('opus-en-fr'));
  await page.locator('#models-fetch').click();
  await inUse(page, made.address('opus-en-fr'));
  await page.locator('#models-close').click();
  assert.deepEqual(await said(page), { heading: 'French', lang: 'fr', chosen: 'French · opus-en-fr' });
  await page.select('#language', made.address('en-de-free'));
  await inUse(page, made.address('en-de-free'));
  assert.deepEqual(await said(page), { heading: 'German', lang: 'de', chosen: 'German' });
  assert.equal((await options(page)).length, 2);
  assert.equal(await page.evaluate(() => localStorage.getItem('translucent.model')), null);
});

test('the tour has the model translate that it was made with, and gives the reader’s back at its end', async (t) => {
  const made = await siteOf(t, ['de', 'fr']);
  const tour = JSON.parse(await readFile(new URL('../../../www/page/scenes/tour.json', import.meta.url), 'utf8'));
  const own = made.first.files.find((/** @type {any} */ { name }) => name === 'model.safetensors').sha256;
  assert.equal(tour.scenes[0].model, own, 'the tour was made with the model that ships first');
  const { page, faults } = await visit(t, here.browser);
  await open(page, made.url);
  await page.waitForSelector('#language:not([hidden])', WAIT);
  await page.select('#language', made.address('en-fr'));
  await inUse(page, made.address('en-fr'));
  await page.locator('#tour').click();
  await inUse(page, made.address('en-de-free'));
  await page.waitForSelector('.head[aria-pressed="true"]', WAIT);
  await observedWhole(page);
  assert.ok(await page.$eval('#scene-note', (node) => node.hidden), 'its numbers are those of the weights that translate');
  assert.equal(await page.evaluate(() => localStorage.getItem('translucent.model')), made.address('en-fr'), 'the next visit begins with the reader’s own');
  await page.locator('#scene-close').click();
  await inUse(page, made.address('en-fr'));

  // Without the model it is said, and it can be asked for again.
  await page.evaluate(async (folder) => {
    const cache = await caches.open('translucent-models');
    for (const request of await cache.keys()) if (request.url.startsWith(folder)) await cache.delete(request);
    // Images of models, from which they load as well.
    const images = await navigator.storage.getDirectory();
    for await (const name of /** @type {any} */ (images).keys()) await images.removeEntry(name);
  }, made.address('en-de-free'));
  const weights = join(made.models, 'en-de-free/model.safetensors');
  await rename(weights, `${weights}.away`);
  await page.locator('#tour').click();
  await page.waitForSelector('#failure:not([hidden])', WAIT);
  await drawn(page);
  assert.match(await page.$eval('#scene-note', (node) => node.textContent), /other weights.*Load the model for German/);
  await rename(`${weights}.away`, weights);
  await page.locator('#scene-fit').click();
  await inUse(page, made.address('en-de-free'));
  // A file that is not there ends the others, which are fetched at the same time.
  assert.deepEqual(faults.filter((fault) => !/404|\/models\/en-de-free\/.*ERR_ABORTED/.test(fault)), []);
});

test('models that were trained another way are listed with what to look at, used, and gone from the list where a site has none', async (t) => {
  const made = await siteOf(t, ['de'], ['one-head', 'something-new']);
  const { page, faults } = await visit(t, here.browser);
  await open(page, made.url);
  await page.locator('#models-button').click();
  await page.waitForSelector('#models[open]');
  await page.waitForSelector('#variant-list li', WAIT);
  assert.deepEqual(await page.$$eval('#variant-list strong', (all) => all.map(({ textContent }) => textContent)), ['One head', 'something-new']);
  assert.match(await page.$eval('#variant-list li', (node) => node.textContent), /one head in each layer.*to download/);
  assert.deepEqual(await page.$$eval('#model-list li', (rows) => rows.map((row) => row.dataset.name)), ['en-de-free']);
  await page.locator('#variant-list li[data-name="one-head"] .use').click();
  await page.waitForSelector('#variant-list li.current[data-name="one-head"]', WAIT);
  await page.waitForSelector('body[data-doc="done"]', WAIT);
  assert.equal((await page.$$('#model-list li')).length, 1, 'it stands in one list only');
  assert.deepEqual(faults, []);

  const { page: plain } = await visit(t, here.browser);
  await rename(join(made.models, 'table3'), join(made.models, 'away'));
  await open(plain, made.url);
  await plain.locator('#models-button').click();
  await plain.waitForSelector('#models[open]');
  await plain.waitForSelector('#model-list li', WAIT);
  await drawn(plain);
  assert.ok(await plain.$eval('.model-variants', (node) => node.hidden));
});
