// The engine is on its way before the views are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { site } from '../lib/site.mjs';

const here = site();

test('the engine starts though main.js, and with it every view, is still to come', { timeout: 120_000 }, async (t) => {
  const { page } = await visit(t, here.browser);
  await page.setRequestInterception(true);
  const [main, worker] = ['main.js', 'worker.js'].map((name) => new Promise((asked) => {
    page.on('request', (request) => new URL(request.url()).pathname.endsWith(`/${name}`) && asked(true));
  }));
  page.on('request', (request) => {
    // The first is never answered: the test ends before it comes.
    if (!new URL(request.url()).pathname.endsWith('/main.js')) request.continue();
  });
  page.goto(here.url).catch(() => {});
  assert.deepEqual(await Promise.all([main, worker]), [true, true]);
  assert.equal(await page.evaluate(() => 'translucent' in window), false, 'main.js should not have run');
});
