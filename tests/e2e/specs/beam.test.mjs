// The beam: the tree on the page is the search's own, its settings are the page's, and the n best are the core's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { translated } from '../lib/native.mjs';
import { decoded, drawn, observed, observedWhole, openView, textOf, type, visible } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();
const TEXT = 'The little girl gave her old dog a new ball because it was his birthday.';

/** The tree and the n best of the page's search, by an engine of the test's own. */
async function searched(page, more) {
  const { nBest, events } = await decoded(page, TEXT, { nBest: 4, tree: true, ...more });
  return { nBest, nodes: events.filter(({ kind }) => kind === 'nodes').flatMap(({ nodes }) => nodes) };
}

async function beam(t) {
  const visited = await visit(t, here.browser, { width: 1440 });
  const { page } = visited;
  await observed(page, here.url, TEXT);
  await openView(page, 'Beam');
  // The n best stand there once the search has ended.
  await visible(page, '#n-best li:nth-child(4)');
  return visited;
}

test('the n best are those of the native core, and each is read from the tree by walking parents', async (t) => {
  const { page, faults } = await beam(t);
  const { nodes, nBest } = await searched(page);
  const native = translated(TEXT, ['--beam', '4', '--n-best', '4']);
  assert.deepEqual(nBest.map(({ text }) => text), native.map(({ text }) => text));
  nBest.forEach(({ score }, i) => assert.ok(Math.abs(score - native[i].score) < 1e-3));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const { node, target, logprob } of nBest) {
    const path = [];
    for (let at = byId.get(node); at; at = byId.get(at.parent)) path.unshift(at);
    assert.deepEqual(path.map((n) => n.token), target.map((p) => p.id));
    assert.ok(Math.abs(path.reduce((sum, n) => sum + n.logprob, 0) - logprob) < 1e-3);
    assert.ok(path.slice(0, -1).every((n) => n.state === 'open') && path.at(-1).state === 'finished');
  }
  for (const { state, parent } of nodes) {
    if (parent !== null) assert.equal(byId.get(parent).state, 'open', 'only what is kept is continued');
    assert.ok(['open', 'finished', 'pruned'].includes(state));
  }
  // As they stand there.
  assert.deepEqual(await page.$$eval('#n-best .prose-line', (list) => list.map((line) => line.textContent)), nBest.map(({ text }) => text));
  const scores = await page.$$eval('#n-best .score', (list) => list.map((s) => parseFloat(s.textContent.replace('−', '-'))));
  scores.forEach((s, i) => assert.ok(Math.abs(s - nBest[i].score) < 6e-4));
  assert.equal(await page.$$eval('#beam-tree .node', (list) => list.length), nodes.length);
  assert.equal(await page.$$eval('#beam-tree .node.best', (list) => list.length), nBest[0].target.length);
  assert.deepEqual(faults, []);
});

test('the tree grows step by step, and keys walk in it', async (t) => {
  const { page, faults } = await beam(t);
  const { nodes } = await searched(page);
  await page.locator('#tree-first').click();
  await drawn(page);
  const upTo = (step) => nodes.filter((n) => n.step <= step).length;
  const drawnNodes = () => page.$$eval('#beam-tree .node', (list) => list.length);
  assert.equal(await drawnNodes(), upTo(0));
  await page.locator('#tree-next').click();
  await page.locator('#tree-next').click();
  await drawn(page);
  assert.equal(await drawnNodes(), upTo(2));
  await page.focus('#beam-tree');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  const said = await page.$eval('#tree-readout', (node) => node.textContent);
  const first = nodes.filter((n) => n.step === 1).find((n) => said.includes(`ln P ${n.logprob.toFixed(3).replace('-', '−')}`));
  assert.ok(first && said.startsWith('step 2:'), said);
  assert.deepEqual(faults, []);
});

test('beam size and α are sliders, for the page as for the tree', async (t) => {
  const { page, faults } = await beam(t);
  await page.focus('#set-beam');
  for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => document.querySelectorAll('#n-best li').length === 1 && document.querySelector('#tree-step').textContent.includes('(beam 1)') && document.body.dataset.doc === 'done');
  const { nBest, nodes } = await searched(page, { beam: 1, nBest: 1 });
  const [greedy] = translated(TEXT, ['--beam', '1', '--n-best', '1']);
  assert.deepEqual(nBest.map(({ text }) => text), [greedy.text]);
  assert.equal(await textOf(page, '#n-best .prose-line'), greedy.text);
  assert.equal(await textOf(page, '#translation'), greedy.text);
  const kept = nodes.filter((n) => n.state === 'open').map((n) => n.step);
  assert.equal(new Set(kept).size, kept.length, 'greedy keeps one at each step');
  assert.equal(await page.$$eval('#beam-tree .node.open', (list) => list.length), kept.length);
  assert.equal(await page.$eval('#search-note', (node) => node.textContent), 'beam 1, α = 0.6');
  assert.match(new URL(page.url()).hash, /beam=1/);
  assert.deepEqual(faults, []);
});

/** Waits until the page translates into this language. */
async function into(page, language) {
  await page.waitForSelector(`#language option[value$="/en-${language}/"]`);
  await page.select('#language', await page.$eval(`#language option[value$="/en-${language}/"]`, ({ value }) => value));
  await page.waitForFunction((language) => document.querySelector('#translation').lang === language && document.body.dataset.doc === 'done', { timeout: 60_000 }, language);
  await observedWhole(page);
}

test("the tree and the n best are those of the search with the reader's own words", async (t) => {
  const { page, faults } = await beam(t);
  await page.locator('#words-button').click();
  await page.waitForSelector('#words[open]');
  await page.type('#words-source', 'dog');
  await page.type('#words-target', 'Köter');
  await page.keyboard.press('Enter');
  const terms = [{ source: 'dog', target: 'Köter' }];
  await page.waitForFunction(() => document.querySelector('#n-best .prose-line')?.textContent.includes('Köter'), { timeout: 20_000 });
  const { nBest } = await searched(page, { terms });
  assert.equal(await textOf(page, '#n-best .prose-line'), nBest[0].text);
  await page.waitForFunction((best) => document.body.dataset.doc === 'done' && document.querySelector('#translation').textContent.trim() === best, {}, nBest[0].text);
  assert.deepEqual(faults, []);
});

test('another model grows a tree of its own for the same sentence', async (t) => {
  const { page, faults } = await beam(t);
  const best = () => page.waitForFunction(() => document.querySelector('#n-best .prose-line')?.textContent === document.querySelector('#translation').textContent.trim(), { timeout: 20_000 });
  await best();
  await into(page, 'fr');
  await best();
  await visible(page, '#beam-tree');
  // Nor is the tree missing when models came and went behind another view.
  await openView(page, 'Own target');
  await into(page, 'de');
  await into(page, 'fr');
  await openView(page, 'Beam');
  await best();
  await visible(page, '#beam-tree');
  assert.deepEqual(faults, []);
});

test('without a text there is no tree, and the tab says what it needs', async (t) => {
  const { page, faults } = await beam(t);
  await type(page, '');
  await page.waitForSelector('#beam-tree', { hidden: true, timeout: 5000 });
  for (const part of ['#tree-step', '#n-best']) await page.waitForSelector(part, { hidden: true, timeout: 5000 });
  assert.match(await textOf(page, '#steer-waits'), /^These views need a text/);
  await type(page, TEXT);
  await visible(page, '#n-best li:nth-child(4)');
  await page.waitForSelector('#steer-waits', { hidden: true });
  assert.deepEqual(faults, []);
});
