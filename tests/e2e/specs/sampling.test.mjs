// Sampling: what is drawn is what the core draws with these settings, each step shows what it was drawn from.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { violations } from '../lib/axe.mjs';
import { visit } from '../lib/browser.mjs';
import { printed } from '../lib/native.mjs';
import { computed, decoded, drawn, idsOf, observed, openView, retype, slideTo, textOf, type, visible } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();
const TEXT = 'The old man reads a book by the river.';

/** What an engine of the test's own draws with these settings. */
const sampled = (page, sampling) => computed(page, 'translateSentence', TEXT, { scoring: { kind: 'wu', alpha: 0.6 }, beam: 1, nBest: 1, sampling, request: {}, alternatives: 12 });
/** Waits until the page shows a drawn text. */
const shows = (page, text) => page.waitForFunction((text) => document.querySelector('#drawn-text').textContent === text, {}, text);
const rows = (page) =>
  page.$$eval('#odds .choice', (list) =>
    list.map((row) => ({ id: Number(row.dataset.id), share: Number(row.querySelector('.value').textContent), cut: row.classList.contains('cut'), says: row.querySelector('.go').textContent, drawn: row.classList.contains('said') })),
  );

test('a translation is drawn as the core draws it, and each step shows its odds', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440 });
  await observed(page, here.url, TEXT);
  await openView(page, 'Sampling');
  await visible(page, '#odds');
  const first = await sampled(page, { temperature: 1, topK: 0, topP: 1, seed: 1 });
  await shows(page, first.text);
  assert.equal(first.text, printed(TEXT, ['--sample', '--seed', '1']));

  // Flatter, and cut off by both rules.
  await slideTo(page, '#set-temperature', async () => (await page.$eval('#set-temperature', (node) => node.value)) === '1.5');
  await slideTo(page, '#set-topK', async () => (await page.$eval('#set-topK', (node) => node.value)) === '5');
  await slideTo(page, '#set-topP', async () => (await page.$eval('#set-topP', (node) => node.value)) === '0.8');
  const settings = { temperature: 1.5, topK: 5, topP: 0.8, seed: 1 };
  const second = await sampled(page, settings);
  await shows(page, second.text);
  for (const at of [0, 3]) {
    await page.locator(`[data-steer="sampling"] .step-piece:nth-child(${at + 1})`).click();
    await drawn(page);
    const { draw, pieces } = second.observed.steps[at];
    const seen = await rows(page);
    assert.deepEqual(seen.map(({ id }) => id), idsOf(pieces));
    seen.forEach(({ share, cut, says, id, drawn }, i) => {
      assert.ok(Math.abs(share - draw.odds[i].share) < 6e-4);
      assert.equal(cut, draw.odds[i].cut !== null);
      if (cut) assert.equal(says, { top_k: 'cut by top-k', top_p: 'cut by top-p', banned: 'may not come' }[draw.odds[i].cut]);
      assert.equal(drawn, id === second.target[at].id);
    });
    assert.ok(seen.some(({ says }) => says === 'cut by top-k'), 'of 12 pieces at most 5 are left');
    assert.ok((await textOf(page, '#draw-says')).includes(draw.uniform.toFixed(3)));
  }
  assert.deepEqual(await violations(page, '[data-steer="sampling"]'), []);
  assert.deepEqual(faults, []);
});

test('another seed draws anew, the link keeps it, and the likeliest piece alone is greedy', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440 });
  await observed(page, here.url, TEXT);
  await openView(page, 'Sampling');
  await visible(page, '#odds');
  await page.locator('#draw-again').click();
  const again = await sampled(page, { seed: 2 });
  await shows(page, again.text);
  assert.match(await page.evaluate(() => location.hash), /seed=2/);
  // An emptied field has its seed again.
  await retype(page, '#set-seed', '');
  await page.keyboard.press('Tab');
  assert.equal(await page.$eval('#set-seed', ({ value }) => value), '2');
  await slideTo(page, '#set-topK', async () => (await page.$eval('#set-topK', (node) => node.value)) === '1');
  const greedy = await decoded(page, TEXT, { beam: 1, nBest: 1 });
  await shows(page, greedy.text);
  assert.match(await textOf(page, '#draw-says'), /1 piece was left/);

  // It takes the place of the page's translation, which says so.
  await page.locator('[data-steer="sampling"] .look').click();
  await page.waitForFunction(() => document.querySelector('#search-note').textContent.startsWith('not the model’s own translation'));
  await page.waitForFunction((text) => document.querySelector('#translation').textContent.trim() === text, {}, greedy.text);
  assert.deepEqual(faults, []);
});

test('what was drawn goes with the text, and is drawn again when the text is back', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440 });
  await observed(page, here.url, TEXT);
  await openView(page, 'Sampling');
  await visible(page, '#drawn-text');
  const text = await textOf(page, '#drawn-text');
  await type(page, '');
  await page.waitForSelector('#drawn-text', { hidden: true, timeout: 5000 });
  await type(page, TEXT);
  await visible(page, '#drawn-text');
  await shows(page, text);
  assert.deepEqual(faults, []);
});
