// Exercises and the sheet of a list: the page checks what the reader holds, and prints a page for each scene.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { violations } from '../lib/axe.mjs';
import { FIREFOX, visit } from '../lib/browser.mjs';
import { attentions, drawn, observedWhole, open, textOf, translation, visible } from '../lib/page.mjs';
import { SCRATCH, site } from '../lib/site.mjs';

const here = site();
const { scenes } = JSON.parse(readFileSync(new URL('../../../www/page/scenes/exercises.json', import.meta.url), 'utf8'));

const shown = async (page, at) => {
  await page.waitForFunction((i) => document.querySelector('#scene-count').textContent.includes(`, ${i + 1} of `), {}, at);
  await translation(page, scenes[at].text);
  await observedWhole(page);
  await visible(page, '#exercise-check');
  await page.waitForFunction(() => document.querySelector('#exercise-place').textContent !== '');
};
const check = async (page) => {
  const before = await textOf(page, '#exercise-says');
  await page.locator('#exercise-check').click();
  await page.waitForFunction((before) => !['', before].includes(document.querySelector('#exercise-says').textContent), {}, before);
  return textOf(page, '#exercise-says');
};
const at = ({ data, shape }, layer, head, row, col) => data[((layer * shape[1] + head) * shape[2] + row) * shape[3] + col];

test('a cell, a head, a number and a word are chosen on the page, and checked against the trace', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440, height: 1000 });
  await open(page, here.url);
  await page.locator('#examples-button').click();
  await page.locator('#exercises').click();

  // A cell, by the keys of the map.
  await shown(page, 0);
  assert.match(await check(page), /^Hold a cell of the map first/);
  assert.match(new URL(page.url()).hash, /scenes=exercises&scene=1$/, 'the address opens them again');
  const one = await attentions(page, scenes[0].text);
  const { row } = scenes[0].exercise;
  const { layer, head } = scenes[0].held.head;
  const weights = Array.from({ length: one.source.length }, (_, col) => at(one.trace.encoderSelf, layer, head, row, col));
  const best = weights.indexOf(Math.max(...weights));
  const hold = async (col) => {
    await page.focus('#panel-attention .map');
    await page.keyboard.press('Home');
    for (let i = 0; i < col; i++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await drawn(page);
  };
  await hold(best === 0 ? 1 : 0);
  assert.match(await check(page), /^Not yet: .* lies to the (left|right)/);
  await hold(best);
  assert.match(await check(page), /^Right: /);
  const unit = (value) => page.locator(`#panel-attention [data-value="${value}"]`).click();
  await unit('words');
  assert.match(await check(page), /about pieces: choose “pieces”/);
  await unit('pieces');
  assert.match(await check(page), /^Right: /);
  assert.deepEqual(await violations(page, '#scenes'), []);

  // A head, by its square.
  await page.keyboard.press('PageDown');
  await shown(page, 1);
  const two = await attentions(page, scenes[1].text);
  const exercise = scenes[1].exercise;
  const [layers, heads] = two.trace.cross.shape;
  const all = Array.from({ length: layers * heads }, (_, i) => at(two.trace.cross, Math.floor(i / heads), i % heads, exercise.row, exercise.col));
  const most = all.indexOf(Math.max(...all));
  const square = async (i) => {
    await page.locator(`.decoder .rung[data-layer="${Math.floor(i / heads)}"]`).click();
    await page.locator(`[data-head="cross-${Math.floor(i / heads)}-${i % heads}"]`).click();
  };
  await square((most + 1) % all.length);
  assert.match(await check(page), /^Not yet: layer \d, head \d gives this cell/);
  await square(most);
  assert.match(await check(page), /^Right: layer \d, head \d gives this cell/);

  // A number.
  await page.keyboard.press('PageDown');
  await shown(page, 2);
  await page.type('#exercise-number', '3');
  assert.match(await check(page), /too little/);
  await page.locator('#exercise-number').fill('5');
  assert.match(await check(page), /^Right: it is 5/);

  // A word, by its piece.
  await page.focus('#scene-next');
  await page.keyboard.press('Enter');
  await shown(page, 3);
  const four = await attentions(page, scenes[3].text);
  const sums = new Map();
  four.source.forEach(({ word }, col) => word !== null && sums.set(word, (sums.get(word) ?? 0) + at(four.trace.cross, scenes[3].held.head.layer, scenes[3].held.head.head, scenes[3].exercise.row, col)));
  const [word] = [...sums].sort((a, b) => b[1] - a[1])[0];
  const index = four.source.findIndex((piece) => piece.word === word);
  const wrong = four.source.findIndex((piece) => piece.word !== null && piece.word !== word);
  await page.locator(`.chips.source .chip[data-index="${wrong}"]`).click();
  assert.match(await check(page), /^Not yet/);
  await page.locator(`.chips.source .chip[data-index="${index}"]`).click();
  assert.match(await check(page), /^Right: /);
  assert.deepEqual(faults, []);
});

test('the sheet has a page of paper for each scene, its maps are vectors', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440, height: 1000 });
  await open(page, `${here.url}#scenes=exercises`);
  await shown(page, 0);
  await page.locator('#scene-edit').click();
  await page.locator('#scene-sheet').click();
  await page.waitForFunction((pages) => document.querySelectorAll('.sheet-page').length === pages && !document.querySelector('#sheet-print').disabled, { timeout: 120_000 }, scenes.length);
  for (const [i, scene] of scenes.entries()) {
    const { source, target, trace } = await attentions(page, scene.text);
    const found = await page.$$eval('.sheet-page', (pages, i) => ({ words: pages[i].textContent, rects: pages[i].querySelectorAll('svg g rect').length, images: pages[i].querySelectorAll('canvas, image, img').length }), i);
    assert.ok(found.words.includes(scene.text) && found.words.includes(scene.question));
    assert.equal(found.images, 0);
    assert.ok(found.rects > source.length && target.length > 0 && trace.cross);
  }
  assert.deepEqual(await violations(page), []);
  if (!FIREFOX) {
    const pdf = Buffer.from(await page.pdf({ format: 'A4' })).toString('latin1');
    assert.equal(pdf.match(/\/Type\s*\/Page\b/g).length, scenes.length);
  }
  await page.keyboard.press('Escape');
  await page.waitForSelector('#sheet', { hidden: true });
  await drawn(page);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'scene-sheet');
  assert.deepEqual(faults, []);
});

test('a scene of a later sentence: the sheet shows that one, and its exercise is about no other', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440, height: 1000 });
  await open(page, `${here.url}#scenes=exercises`);
  await shown(page, 0);
  await page.locator('#scene-edit').click();
  const text = 'A horse sleeps. Two dogs run.';
  const held = { head: { kind: 'encoderSelf', layer: 0, head: 0 } };
  const exercise = { choose: 'cell', kind: 'encoderSelf', row: 1 };
  const list = JSON.stringify({ format: 1, scenes: [{ text, sentence: 1, held, exercise }, { text, held }, { text, sentence: 99, held }] });
  const folder = await mkdtemp(join(SCRATCH, 'scenes-'));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'scenes.json'), list);
  await (await page.$('#scene-import')).uploadFile(join(folder, 'scenes.json'));
  await page.waitForFunction(() => document.querySelector('#exercise-place').textContent.includes('“dogs”'), { timeout: 60_000 });
  // Another sentence is looked at, by the caret.
  await page.focus('#source');
  await page.keyboard.down('Control');
  await page.keyboard.press('Home');
  await page.keyboard.up('Control');
  await page.waitForFunction(() => document.querySelector('.chips.source').textContent.includes('horse') && document.querySelector('#exercise-place').textContent === '', { timeout: 60_000 });
  assert.match(await check(page), /^The exercise is about another sentence/);

  await page.locator('#scene-sheet').click();
  await page.waitForFunction(() => document.querySelectorAll('.sheet-page').length === 3 && !document.querySelector('#sheet-print').disabled, { timeout: 120_000 });
  const labels = await page.$$eval('.sheet-page', (pages) => pages.map((one) => [...one.querySelectorAll('svg text')].map((node) => node.textContent).join(' ')));
  assert.deepEqual(labels.map((words) => [words.includes('horse'), words.includes('dogs')]), [[false, true], [true, false], [false, true]]);

  // The keys of a sheet are its own: PageDown scrolls it.
  const count = await textOf(page, '#scene-count');
  await page.keyboard.press('PageDown');
  await page.waitForFunction(() => scrollY > 0 || document.querySelector('#sheet').scrollTop > 0);
  await drawn(page);
  assert.equal(await textOf(page, '#scene-count'), count);
  // So are those of a dialog.
  await page.keyboard.press('Escape');
  await page.waitForSelector('#sheet', { hidden: true });
  await page.locator('#words-button').click();
  await page.waitForSelector('#words[open]');
  await page.keyboard.press('PageDown');
  await drawn(page);
  assert.equal(await textOf(page, '#scene-count'), count);
  assert.deepEqual(faults, []);
});
