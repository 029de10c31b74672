// What goes wrong is said with its reason and its remedy; nothing typed is lost, and trying again works.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FIREFOX, visit } from '../lib/browser.mjs';
import { open, translation, type } from '../lib/page.mjs';
import { site, siteToSpoil } from '../lib/site.mjs';

const here = site();
const TEXT = 'The child laughs.';

/** Waits for the message under the translation. */
async function failure(page) {
  await page.waitForSelector('body[data-state="failed"]', { timeout: 120_000 });
  return page.$eval('#failure', (node) => (node.hidden ? '' : node.textContent));
}

/** Presses Try again and expects the text to be translated after all. */
async function recover(page) {
  await page.locator('#retry').click();
  await page.waitForSelector('body[data-state="ready"]', { timeout: 120_000 });
  assert.equal(await page.$eval('#source', (node) => node.value), TEXT, 'the text is kept');
  assert.notEqual(await translation(page, TEXT), '');
  assert.ok(await page.$eval('#failure', (node) => node.hidden));
}

test('a damaged weights file is named, and trying again with the good one translates', async (t) => {
  const spoiled = await siteToSpoil(t);
  const weights = join(spoiled.models, 'en-de-free/model.safetensors');
  const good = await readFile(weights);
  const bad = Buffer.from(good);
  bad.fill(0xff, bad.length >> 1, (bad.length >> 1) + 64);
  await writeFile(weights, bad);
  const { page } = await visit(t, here.browser);
  await page.goto(spoiled.url);
  // The recorded example is there first, as for a reader who types.
  await page.waitForFunction(() => document.querySelector('#source').value !== '', { timeout: 60_000 });
  await type(page, TEXT);
  const message = await failure(page);
  assert.match(message, /model\.safetensors/);
  assert.match(message, /damaged|SHA-256/);
  await writeFile(weights, good);
  await recover(page);
});

test('a file that is no model at all is refused by the core with a reason, and is not kept', async (t) => {
  const spoiled = await siteToSpoil(t);
  const config = join(spoiled.models, 'en-de-free/config.json');
  const good = await readFile(config);
  // Without an index nothing is checked before the core reads it.
  await rename(join(spoiled.models, 'index.json'), join(spoiled.models, 'index.away'));
  await writeFile(config, '{ "model_type": "marian", "d_model": "many" }');
  const { page } = await visit(t, here.browser);
  await page.goto(spoiled.url);
  // The recorded example is there first, as for a reader who types.
  await page.waitForFunction(() => document.querySelector('#source').value !== '', { timeout: 60_000 });
  await type(page, TEXT);
  assert.match(await failure(page), /config\.json|d_model/);
  await writeFile(config, good);
  await recover(page);
});

test('a missing file says what the server answered', async (t) => {
  const spoiled = await siteToSpoil(t);
  const weights = join(spoiled.models, 'en-de-free/model.safetensors');
  await rename(weights, `${weights}.away`);
  const { page } = await visit(t, here.browser);
  await page.goto(spoiled.url);
  // The recorded example is there first, as for a reader who types.
  await page.waitForFunction(() => document.querySelector('#source').value !== '', { timeout: 60_000 });
  await type(page, TEXT);
  const message = await failure(page);
  assert.match(message, /model\.safetensors/);
  assert.match(message, /404/);
  await rename(`${weights}.away`, weights);
  await recover(page);
});

test('a part that follows the first screen and cannot be fetched is said, and the page translates without it', { skip: FIREFOX && 'only Chromium lets a test block one address from the start' }, async (t) => {
  const { page } = await visit(t, here.browser);
  const client = await page.createCDPSession();
  await client.send('Network.enable');
  await client.send('Network.setBlockedURLs', { urls: ['*/app/words.js'] });
  await open(page, here.url);
  await page.waitForFunction(() => /could not be loaded/.test(document.querySelector('#part-missing')?.textContent ?? ''));
  await type(page, TEXT);
  assert.notEqual(await translation(page, TEXT), '');
  await page.waitForSelector('#swap:not([hidden])');
});

test('the second visit works without a network', async (t) => {
  const spoiled = await siteToSpoil(t);
  const { page } = await visit(t, here.browser, { serviceWorker: true });
  await open(page, spoiled.url);
  await type(page, TEXT);
  const online = await translation(page, TEXT);
  await page.waitForFunction(async () => (await navigator.serviceWorker.ready).active?.state === 'activated', { timeout: 120_000 });
  await spoiled.stop();
  await page.reload();
  await page.waitForSelector('body[data-state="ready"]', { timeout: 120_000 });
  await type(page, TEXT);
  assert.equal(await translation(page, TEXT), online);
});

test('what failed to load is tried again by itself when the network is back', async (t) => {
  const spoiled = await siteToSpoil(t);
  const weights = join(spoiled.models, 'en-de-free/model.safetensors');
  await rename(weights, `${weights}.away`);
  const { page } = await visit(t, here.browser);
  await page.goto(spoiled.url);
  assert.notEqual(await failure(page), '');
  await rename(`${weights}.away`, weights);
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await page.waitForSelector('body[data-state="ready"]', { timeout: 120_000 });
  await page.waitForSelector('#failure[hidden]');
});
