// Another model in one click: the list of known models, and a second step where no model leads from one language to the other. A
// site of the test's own plays the host.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { violations } from '../lib/axe.mjs';
import { visit } from '../lib/browser.mjs';
import { open, retype, textOf, translation, type } from '../lib/page.mjs';
import { site, siteToSpoil } from '../lib/site.mjs';

const here = site();
const WAIT = { timeout: 60_000 };
const TEXT = 'The child laughs.';
const known = JSON.parse(await readFile(new URL('../../../www/page/models/known.json', import.meta.url), 'utf8'));

test('the list that ships: at least thirty pairs, each with its languages, all of one host', () => {
  assert.ok(known.models.length >= 30);
  assert.equal(new URL(known.host).host, 'huggingface.co');
  assert.equal(new Set(known.models.map(({ name }) => name)).size, known.models.length);
  for (const { name, source, target } of known.models) assert.equal(name, `opus-mt-${source}-${target}`);
});

test('a known model is found by its language, fetched by one press, and kept; its translation goes on to a third language', async (t) => {
  const host = await siteToSpoil(t);
  // Its index does not name them: the folders are as a stranger's are.
  await cp(join(host.models, 'en-de-free'), join(host.models, 'opus-mt-en-nl'), { recursive: true });
  await cp(join(host.models, 'en-de-free'), join(host.models, 'opus-mt-nl-sv'), { recursive: true });
  const { page, faults } = await visit(t, here.browser);
  const models = [['en', 'nl'], ['nl', 'sv']].map(([source, target]) => ({ name: `opus-mt-${source}-${target}`, source, target }));
  await page.evaluateOnNewDocument((list) => {
    const { fetch } = window;
    window.fetch = async (address, options) => (String(address).endsWith('/known.json') ? new Response(list) : fetch(address, options));
  }, JSON.stringify({ host: `${host.url}models/`, megabytes: 300, models }));
  await open(page, host.url);
  await page.select('#language', 'more');
  await page.waitForSelector('#models[open] #known-list li', WAIT);
  assert.deepEqual(await page.$$eval('#known-list strong', (names) => names.map((name) => name.textContent)), ['English to Dutch'], 'those that read English');
  await page.type('#known-search', 'swed');
  await page.waitForFunction(() => document.querySelector('#known-list strong')?.textContent === 'Dutch to Swedish');
  assert.match(await textOf(page, '#known-list li'), /opus-mt-nl-sv · about 300 MB to download/);
  assert.deepEqual(await violations(page, '#models'), []);
  await retype(page, '#known-search', 'dutch');
  await page.locator('#known-list [aria-label="Use opus-mt-en-nl"]').click();
  await page.waitForSelector('#model-list .current[data-name="opus-mt-en-nl"]', WAIT);
  assert.deepEqual(await page.$$eval('#known-list strong', (names) => names.map((name) => name.textContent)), ['Dutch to Swedish'], 'it is on this device now');
  // From English over Dutch to Swedish: both steps stand there.
  await page.locator('#known-list [aria-label="Translate the translation with opus-mt-nl-sv"]').click();
  await page.waitForSelector('#models:not([open])');
  await type(page, TEXT);
  const first = await translation(page, TEXT);
  await page.waitForFunction(() => document.querySelector('#second-translation').textContent.trim() !== '' && document.querySelector('#second h2').textContent === 'Swedish', WAIT);
  assert.equal(await textOf(page, '#translation'), first);
  assert.match(await textOf(page, '#second .hint'), /from the Dutch above, by opus-mt-nl-sv/);
  assert.deepEqual(await violations(page, '.texts'), []);
  await page.locator('#second-close').click();
  await page.waitForSelector('#second[hidden]');
  assert.deepEqual(faults.filter((fault) => !/404/.test(fault)), []);
});
