// The engine is on its way before the views are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { site } from '../lib/site.mjs';

const here = site();

test('the engine starts though main.js, and with it every view, is still to come', { timeout: 120_000 }, async (t) => {
  const { page } = await visit(t, here.browser);
  await page.setRequestInterception(true);
  let held = 0;
  const asked = new Promise((asked) => {
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.endsWith('/worker.js')) asked(true);
      // Never answered: the test ends before it comes.
      if (pathname.endsWith('/main.js')) held += 1;
      else request.continue();
    });
  });
  page.goto(here.url).catch(() => {});
  assert.ok(await asked);
  assert.equal(held, 1, 'main.js should have been asked for');
  assert.equal(await page.evaluate(() => 'translucent' in window), false, 'main.js should not have run');
});
