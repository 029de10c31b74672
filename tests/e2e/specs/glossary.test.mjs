// The glossary: terms in the figure and the arithmetic explain themselves, and lead to the list of them all.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { drawn, observed, openTab, openView } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();

test('terms explain themselves on hover and focus, and lead to their place in the list', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440 });
  await observed(page, here.url, 'The old man reads a book.');
  const unknown = await page.evaluate(async () => {
    const { GLOSSARY } = await import('./page/glossary/terms.js');
    return [...document.querySelectorAll('.term')].map((node) => node.dataset.term).filter((id) => !GLOSSARY[id]);
  });
  assert.deepEqual(unknown, []);
  // Waited for: the tip comes and goes with a frame.
  const tells = (/** @type {RegExp} */ pattern) =>
    page.waitForFunction((source) => {
      const tip = document.querySelector('#tip');
      return new RegExp(source, 'u').test(tip.hidden ? '' : tip.textContent);
    }, {}, pattern.source);

  await page.hover('.softmax .term');
  await tells(/Exponentials divided by their sum.*§3\.2\.1/);
  await page.mouse.move(0, 0);
  await tells(/^$/);

  await openTab(page, 'arithmetic');
  // The page scrolls below: nothing may come to lie under the pointer.
  await page.mouse.move(0, 0);
  // Visible only when the numbers have come from the engine; before that it takes no focus.
  await page.waitForSelector('#step-project .term', { visible: true });
  await page.focus('#step-project .term');
  await tells(/Queries, keys and values/);
  await page.keyboard.press('Enter');
  await drawn(page);
  await tells(/^$/);
  assert.deepEqual(
    await page.evaluate(() => ({ open: document.querySelector('#glossary').open, at: document.activeElement.id })),
    { open: true, at: 'glossary-qkv' },
  );

  // Words of the search and of forced decoding are explained where they stand.
  for (const [view, label, terms] of [['target', 'Own target', ['piece', 'surprisal']], ['beam', 'Beam', ['beam', 'penalty']]]) {
    await openView(page, label);
    assert.deepEqual(await page.$$eval(`[data-steer="${view}"] .term`, (nodes) => nodes.map((node) => node.dataset.term).sort()), terms);
  }

  // Values are those of the model at hand.
  const heads = await page.$$eval('.encoder .head', (squares) => squares.length);
  const { d_model: dModel } = await page.evaluate(async () => (await fetch('./models/en-de-free/config.json')).json());
  const said = (id) => page.$eval(`#glossary-${id} + dd .glossary-value`, (node) => node.textContent);
  assert.match(await said('heads'), new RegExp(`h = ${heads} heads`));
  assert.match(await said('dk'), new RegExp(`= ${dModel / heads}\\.`));
  assert.deepEqual(faults, []);
});
