// Scenes: the tour that ships says nothing that the page does not show; lists of others are read as data, or refused.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { SEARCH, attentions, computed, drawn, idsOf, observedWhole, open, savedFile, textOf, translation, type, visible, withoutTour } from '../lib/page.mjs';
import { MODELS, SCRATCH, site } from '../lib/site.mjs';

const here = site();
const tour = JSON.parse(readFileSync(new URL('../../../www/page/scenes/tour.json', import.meta.url), 'utf8'));
const index = JSON.parse(readFileSync(resolve(MODELS, 'index.json'), 'utf8'));
const hash = index.models[0].files.find(({ name }) => name === 'model.safetensors').sha256;
const AGAIN = 'run `node tools/scenes/pick.mjs`, which picks the scenes and writes their numbers anew';
/** A model with random weights stands in where none ships: no scene was made for it. */
const shipped = { skip: resolve(MODELS) !== resolve('models') && 'no model ships' };

/** Numbers as captions print them; places in the paper are no claims. */
const claims = (caption) =>
  caption
    .replace(/“[^”]*”/g, '')
    .replace(/§[\d.]+|Table \d|eq\. \d|footnote \d|\(from 0\)/g, '')
    .match(/−?\d+(\.\d+)?/g) ?? [];
const print = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(2).replace('-', '−'));

test('every number of a caption is one of its facts, and the scenes are those of the weights that ship', shipped, () => {
  assert.ok(tour.scenes.length >= 10, `${tour.scenes.length} scenes: ${AGAIN}`);
  for (const { title, model, caption, facts } of tour.scenes) {
    assert.equal(model, hash, `“${title}” was made with other weights: ${AGAIN}`);
    const known = facts.map(({ value }) => print(value));
    for (const number of claims(caption)) assert.ok(known.includes(number), `“${title}” claims ${number}: ${caption}`);
  }
});

/**
 * The value of a fact: where the page holds something, as the page says it; the numbers, as an engine of the test's own has them.
 * @param {import('puppeteer-core').Page} page
 * @param {{ text: string }} scene
 * @param {any} observed all its attentions
 * @param {any} fact
 */
async function valueOf(page, { text }, { trace, source, target }, fact) {
  const at = (kind, { layer, head, row, col }) => {
    const { data, shape } = trace[kind];
    return data[((layer * shape[1] + head) * shape[2] + row) * shape[3] + col];
  };
  const heldHead = async () => /-(\d+)-(\d+)$/.exec(await page.$eval('.head[aria-pressed="true"]', (square) => square.dataset.head)).slice(1).map(Number);
  switch (fact.what) {
    case 'weight':
      return at(fact.kind, fact);
    case 'layer':
      return (await heldHead())[0] + 1;
    case 'head':
      return (await heldHead())[1] + 1;
    case 'step':
      return Number(/^step (\d+)/.exec(await textOf(page, '#step-label'))[1]);
    case 'between':
      return fact.row - fact.col - 1;
    case 'probability':
      return Math.exp(target[fact.step].logprob);
    case 'pieces': {
      const pieces = fact.side === 'source' ? source : target;
      return pieces.filter(({ word }) => word !== null && word === pieces[fact.first].word).length;
    }
    case 'position':
      return fact.value < (fact.side === 'source' ? source : target).length ? fact.value : NaN;
    case 'previous': {
      const rows = trace[fact.kind].shape[2];
      let sum = 0;
      for (let row = 1; row < rows; row++) sum += at(fact.kind, { ...fact, row, col: row - 1 });
      return sum / (rows - 1);
    }
    case 'masked':
      return (target.length * (target.length - 1)) / 2;
    case 'columns':
      return fact.row + 1;
    case 'dK':
    case 'rootDK': {
      await visible(page, '#step-product .shapes');
      const dK = Number(/^\(\d+, (\d+)\)/.exec(await textOf(page, '#step-product .shapes'))[1]);
      return fact.what === 'dK' ? dK : Math.sqrt(dK);
    }
    case 'beam':
      return Number(/beam (\d+)/.exec(await textOf(page, '#search-note'))[1]);
    case 'score': {
      const { events } = await computed(page, 'translate', text, { ...SEARCH, beam: fact.beam });
      return events.find(({ kind }) => kind === 'sentence').score;
    }
    case 'unscaled':
      return Math.max(...(await computed(page, 'arithmetic', { source: text, target: idsOf(target), cell: fact.cell })).weightsUnscaled.data);
    default:
      throw new Error(`no such fact: ${fact.what}`);
  }
}

test('the tour, by PageDown alone: each scene holds what it says, and the page agrees with each number', shipped, async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  await page.locator('#tour').click();
  for (const [i, scene] of tour.scenes.entries()) {
    if (i > 0) await page.keyboard.press('PageDown');
    await page.waitForFunction((i) => document.querySelector('#scene-count').textContent.includes(`, ${i + 1} of `), {}, i);
    await translation(page, scene.text);
    await observedWhole(page);
    const { head, token } = scene.held;
    if (head) await page.waitForSelector(`[data-head="${head.kind}-${head.layer}-${head.head}"][aria-pressed="true"]`, { timeout: 60_000 });
    // A piece of the translation is held where it is read and where it is predicted; the figure shows the step that reads.
    if (token) await page.waitForSelector(`.chips.${token.side} .chip[data-index="${token.index}"][aria-pressed="true"]`, { timeout: 60_000 });
    assert.equal((await page.$$('.head[aria-pressed="true"]')).length, head ? 1 : 0);
    await drawn(page);
    assert.equal(await page.$eval('#scene-caption', (node) => node.textContent), scene.caption.replaceAll('_', ''), 'symbols are set in type');
    assert.equal(await page.$eval('.scene-answer', (node) => node.open), false, 'the answer is hidden');
    const observed = await attentions(page, scene.text);
    for (const fact of scene.facts) {
      const value = await valueOf(page, scene, observed, fact);
      assert.ok(Math.abs(value - fact.value) < 0.005, `“${scene.title}”: ${JSON.stringify(fact)}, the page says ${value}`);
    }
  }
  await page.keyboard.press('PageUp');
  await page.waitForFunction((i) => document.querySelector('#scene-count').textContent.includes(`, ${i + 1} of `), {}, tour.scenes.length - 2);
  assert.deepEqual(faults, []);
});

/** Gives the page a file of scenes, and what it says to it. */
async function imported(page, content) {
  const file = join(await mkdtemp(join(SCRATCH, 'scenes-')), 'scenes.json');
  await writeFile(file, content);
  await page.$eval('#scene-says', (node) => (node.textContent = ''));
  await (await page.$('#scene-import')).uploadFile(file);
  await page.waitForFunction(() => document.querySelector('#scene-says').textContent !== '');
  return page.$eval('#scene-says', (node) => node.textContent);
}

test('scenes are added, reordered, written out and read again', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  await page.locator('#tour').click();
  await page.waitForSelector('#scene-title');
  await page.locator('#scene-edit').click();
  const titles = () => page.$$eval('.scene-rows .go', (rows) => rows.map((row) => row.textContent));
  const exported = async () => (await savedFile(page, () => page.locator('#scene-export').click())).text;
  const before = await titles();
  await translation(page, tour.scenes[0].text);
  await page.locator('#scene-add').click();
  // The fields are the new scene's from the next frame on.
  await page.waitForFunction(() => document.querySelector('.scene-words input').value === '');
  await page.type('.scene-words input', 'Mine');
  await page.type('.scene-words textarea', 'A <b>caption</b> of 3 words');
  await drawn(page);
  assert.deepEqual(await titles(), [before[0], 'Mine', ...before.slice(1)]);
  assert.equal(await page.$eval('#scene-caption', (node) => node.textContent), 'A <b>caption</b> of 3 words');
  await page.locator('.scene-rows li:nth-child(2) [aria-label^="Move down"]').click();
  await drawn(page);
  const lesson = await exported();
  const { scenes } = JSON.parse(lesson);
  assert.equal(scenes[2].title, 'Mine');
  assert.equal(scenes[2].text, tour.scenes[0].text, 'it is the scene that was shown');
  assert.match(await imported(page, lesson), new RegExp(`^${before.length + 1} scenes imported`));
  assert.equal(await exported(), lesson);
  assert.deepEqual(faults, []);
});

test('a scene looks at the sentence of its text that it names, the first one if none', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  await page.locator('#tour').click();
  await page.waitForSelector('#scene-title');
  await page.locator('#scene-edit').click();
  const text = 'A horse sleeps. Two dogs run.';
  const held = { token: { side: 'source', index: 1 } };
  await imported(page, JSON.stringify({ format: 1, scenes: [{ text, sentence: 1, held }, { text, held }, { text, sentence: 99, held }] }));
  const holds = (word) => page.waitForFunction((word) => document.querySelector('.chips.source .chip[aria-pressed="true"]')?.textContent === word, { timeout: 60_000 }, word);
  await holds('dogs');
  await page.locator('#scene-next').click();
  await holds('horse');
  // The last one, where there are not so many.
  await page.locator('#scene-next').click();
  await holds('dogs');
  await page.locator('#scene-add').click();
  await page.waitForFunction(() => document.querySelector('#scene-count').textContent.endsWith('4 of 4'));
  const { text: written } = await savedFile(page, () => page.locator('#scene-export').click());
  assert.deepEqual(JSON.parse(written).scenes.map(({ sentence }) => sentence), [1, 0, 99, 1]);
  assert.deepEqual(faults, []);
});

test('a scene whose lines end as on Windows holds what it says', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  await page.locator('#tour').click();
  await page.waitForSelector('#scene-title');
  await page.locator('#scene-edit').click();
  await imported(page, JSON.stringify({ format: 1, scenes: [{ text: 'A horse sleeps.\r\nTwo dogs run.', sentence: 1, held: { token: { side: 'source', index: 1 } } }] }));
  await page.waitForFunction(() => document.querySelector('.chips.source .chip[aria-pressed="true"]')?.textContent === 'dogs', { timeout: 60_000 });
  assert.deepEqual(faults, []);
});

/** Aborts the first request for each of these modules, once the engine's worker is there: it would wait for ever. @param {import('puppeteer-core').Page} page @param {string[]} paths */
async function failOnce(page, paths) {
  const left = new Set(paths);
  await page.setRequestInterception(true);
  page.on('request', (request) => (left.delete(new URL(request.url()).pathname.slice(1)) ? request.abort() : request.continue()));
  return left;
}

test('a part that could not be fetched is said, and fetched when it is wanted again', async (t) => {
  const { page } = await visit(t, here.browser);
  await open(page, here.url);
  await type(page, 'A horse sleeps.');
  await translation(page, 'A horse sleeps.');
  await observedWhole(page);
  const left = await failOnce(page, ['page/scenes/scene-list.js', 'page/scenes/exercise.js', 'page/scenes/sheet.js', 'page/figure/walk.js', 'page/figure/losses.js', 'page/words/words.js']);
  /** Presses twice: the first time something is missing, the second time it is there. */
  const twice = async (press, there) => {
    await press();
    await page.waitForFunction(() => /could not be loaded: .* Try again/.test(document.querySelector('#part-missing')?.textContent ?? ''));
    await page.locator('#part-missing button').click();
    await page.waitForSelector('#part-missing', { hidden: true });
    await press();
    await page.waitForSelector(there);
  };
  const click = (selector) => () => page.locator(selector).click();
  await twice(click('#words-button'), '#words[open]');
  await click('#words-close')();
  await twice(click('#walk-open'), '#walk-open[aria-pressed="true"]');
  await click('#walk-open')();
  await twice(async () => {
    await click('#mode [data-value="translating"]')();
    await drawn(page);
    await click('#mode [data-value="training"]')();
  }, '#losses:not([hidden])');
  await twice(click('#tour'), '#scenes:not([hidden]) #scene-title');
  await click('#scene-edit')();
  await page.waitForSelector('.scene-rows button');
  await twice(async () => {
    await page.focus('#scene-sheet');
    await page.keyboard.press('Enter');
  }, '#sheet');
  await page.keyboard.press('Escape');
  await page.waitForSelector('#sheet', { hidden: true });
  await imported(page, JSON.stringify({ format: 1, scenes: [{ text: 'A horse sleeps.' }, { text: 'A dog runs.', exercise: { choose: 'word', kind: 'encoderSelf' } }] }));
  await twice(async () => {
    await click('.scene-rows li:nth-child(1) .go')();
    await page.waitForFunction(() => document.querySelector('#scene-count').textContent.endsWith('1 of 2'));
    await click('.scene-rows li:nth-child(2) .go')();
  }, '#exercise-check');
  assert.deepEqual([...left], []);
});

test('the menu of examples says that they are missing, and has them when it is opened again', async (t) => {
  const { page } = await visit(t, here.browser);
  await withoutTour(page);
  await open(page, here.url);
  await page.locator('#examples-button').click();
  await page.waitForFunction(() => document.querySelector('#examples-menu:not([hidden])')?.textContent.includes('could not be loaded'));
  await page.evaluate(() => (window.offline = false));
  await page.locator('#examples-button').click();
  await page.waitForSelector('#examples-menu[hidden]');
  await page.locator('#examples-button').click();
  await page.waitForFunction(() => document.querySelectorAll('#examples-menu:not([hidden]) .examples button').length > 10);
  assert.ok(!(await page.$eval('#examples-menu', ({ textContent }) => textContent)).includes('could not be loaded'));
  await page.waitForSelector('#examples-menu button:focus');
});

test('where the shown scene is removed, the one that takes its place is played', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  await page.locator('#tour').click();
  await translation(page, tour.scenes[0].text);
  await page.locator('#scene-edit').click();
  await page.locator('.scene-rows li:nth-child(1) [aria-label^="Remove"]').click();
  await translation(page, tour.scenes[1].text);
  assert.equal(await textOf(page, '#scene-title'), tour.scenes[1].title.replaceAll('_', ''));
  assert.deepEqual(faults, []);
});

test('a list of the reader’s own is opened whatever its size; what is too large is not added, and the list stays', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  await page.locator('#tour').click();
  await translation(page, tour.scenes[0].text);
  await page.locator('#scene-edit').click();
  await page.locator('#scene-list-new').click();
  await page.waitForFunction(() => document.querySelector('#scene-count').textContent === 'My scenes, 1 of 1');
  const most = await page.$$eval('#scene-list-title, .scene-words .line-field', (fields) => fields.map(({ maxLength }) => maxLength));
  assert.deepEqual(most, [200, 200, 4000, 4000, 4000]);
  const says = (said) => page.waitForFunction((said) => document.querySelector('#scene-says').textContent.includes(said), {}, said);
  const chosen = () => page.$eval('#scene-lists', ({ value }) => value);
  const choose = async (source) => {
    await page.waitForSelector(`#scene-lists option[value="${source}"]`);
    await page.select('#scene-lists', source);
  };

  // As versions without limits of the fields stored it.
  const caption = 'a'.repeat(5000);
  await page.$eval('.scene-words textarea', (field, caption) => {
    field.value = caption;
    field.dispatchEvent(new Event('input'));
  }, caption);
  // Once it is stored it is offered.
  await page.waitForFunction(() => document.querySelector('#scene-lists').value.startsWith('own:'));
  const own = await chosen();
  await choose('tour');
  await page.waitForFunction(() => document.querySelector('#scene-count').textContent.endsWith('1 of 10'));
  await choose(own);
  await page.waitForFunction((caption) => document.querySelector('#scene-caption').textContent === caption, {}, caption);

  // A list that is gone, as from another tab.
  await choose('tour');
  await page.waitForFunction(() => document.querySelector('#scene-count').textContent.endsWith('1 of 10'));
  await page.locator('#examples-button').click();
  await page.waitForSelector('#examples-menu ::-p-text(My scenes)');
  await page.evaluate((own) => import('./app/own-scenes.js').then(({ deleteList }) => deleteList(own)), own);
  await page.locator('#examples-menu ::-p-text(My scenes)').click();
  await page.waitForFunction(() => document.querySelector('#scenes-link')?.textContent.includes('no longer on this device'));
  await choose(own);
  await says('The list was not opened');
  assert.equal(await chosen(), 'tour');

  await imported(page, JSON.stringify({ format: 1, title: 'Many', scenes: Array(300).fill({ text: 'A horse.' }) }));
  await translation(page, 'A horse.');
  await page.locator('#scene-add').click();
  await says('Nothing was added: there are 301 scenes, at most 300 are allowed.');
  assert.equal(await textOf(page, '#scene-count'), 'Many, 1 of 300');
  assert.deepEqual(faults, []);
});

test('a list opened by a relative address stands in the address as a whole one', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, `${here.url}#scenes=page/scenes/tour.json&scene=2`);
  await translation(page, tour.scenes[1].text);
  const fragment = new URLSearchParams(new URL(page.url()).hash.slice(1));
  assert.equal(fragment.get('scenes'), new URL('page/scenes/tour.json', here.url).href);
  assert.equal(fragment.get('scene'), '2');
  assert.deepEqual(faults, []);
});

test('files that are no scenes are refused in words, and nothing in one can run or load', async (t) => {
  const { page, faults, hosts } = await visit(t, here.browser);
  await open(page, here.url);
  await page.locator('#tour').click();
  await page.waitForSelector('#scene-title');
  await page.locator('#scene-edit').click();
  const scene = { text: 'A horse.' };
  for (const [file, said] of [
    ['<html>', /no JSON/],
    ['{}', /"format": 1/],
    ['{"format":1,"scenes":[]}', /no list/],
    [JSON.stringify({ format: 1, scenes: [{ ...scene, text: 7 }] }), /scene 1: text is no text/],
    [JSON.stringify({ format: 1, scenes: [scene, { ...scene, view: { tab: '__proto__' } }] }), /scene 2: tab is none of/],
    [JSON.stringify({ format: 1, scenes: [{ ...scene, held: { head: { kind: 'cross', layer: -1, head: 0 } } }] }), /layer is no whole number/],
    [JSON.stringify({ format: 1, scenes: [{ ...scene, model: 'https://example.org/' }] }), /no SHA-256/],
    [JSON.stringify({ format: 1, scenes: Array(301).fill(scene) }), /at most 300/],
  ]) {
    assert.match(await imported(page, file), said);
  }
  const evil = '<img src="https://example.org/x.png" onerror="window.hacked = 1">';
  const wild = { title: evil, caption: evil, question: evil, answer: evil, text: `${evil} A horse.`, held: { head: { kind: 'cross', layer: 99, head: 99 }, token: { side: 'target', index: 9999 }, cell: { row: 5, col: 5 } }, step: 4000, run: 'alert(1)', constructor: { prototype: {} } };
  const file = JSON.stringify({ format: 1, title: evil, scenes: [wild] }).replace('"run"', '"__proto__":{"hacked":1},"run"');
  assert.match(await imported(page, file), /^1 scenes imported/);
  await translation(page, wild.text);
  await drawn(page);
  const { hacked, images, caption } = await page.evaluate(() => ({ hacked: 'hacked' in window, images: document.images.length, caption: document.querySelector('#scene-caption').textContent }));
  assert.deepEqual({ hacked, images, caption }, { hacked: false, images: 0, caption: evil });
  assert.deepEqual(faults, []);
  assert.deepEqual([...hosts], [new URL(here.url).host]);
});

test('#present: the held view takes three fifths of the height, and no text is smaller than 20 px', shipped, async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1280, height: 720 });
  await open(page, `${here.url}#present`);
  await page.keyboard.press('PageDown');
  await translation(page, tour.scenes[0].text);
  await page.waitForFunction(() => document.querySelector('.head[aria-pressed="true"]'));
  await drawn(page);
  const { share, small } = await page.evaluate(() => {
    const { top, bottom } = document.querySelector('#inspector').getBoundingClientRect();
    const seen = Math.min(bottom, innerHeight) - Math.max(top, 0);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const small = [];
    while (walker.nextNode()) {
      const { parentElement: parent, textContent } = walker.currentNode;
      if (!textContent.trim() || !parent.checkVisibility() || parent.closest('.unseen, sub, sup, .top, .texts header')) continue;
      if (parseFloat(getComputedStyle(parent).fontSize) < 20) small.push(`${textContent.trim().slice(0, 30)}: ${getComputedStyle(parent).fontSize}`);
    }
    return { share: seen / innerHeight, small };
  });
  assert.ok(share >= 0.6, `${(share * 100).toFixed(0)} % of the height`);
  assert.deepEqual(small, []);
  assert.deepEqual(faults, []);
});

test('#embed shows one view, and a saved page is one file that needs nothing else', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 700, height: 500 });
  await open(page, `${here.url}#embed&tab=positions`);
  const visible = await page.evaluate(() => ['.tools', '.texts', '.figure', '.tabs', '#panel-positions'].filter((s) => document.querySelector(s).checkVisibility()));
  assert.deepEqual(visible, ['#panel-positions']);
  // The whole page has the button that saves it.
  const { page: whole } = await visit(t, here.browser);
  await open(whole, `${here.url}#tab=positions`);
  const evil = '<img src="https://example.org/x.png" onerror="window.hacked = 1">';
  await type(whole, evil);
  await translation(whole, evil);
  const { text: file } = await savedFile(whole, () => whole.locator('#save-page').click());
  const own = file.replace(/&lt;.*?&gt;/g, '');
  assert.ok(!/<script|<canvas|(src|href)="(?!data:)|url\((?!["']?data:)/.test(own), 'nothing is loaded');
  const { page: saved, hosts } = await visit(t, here.browser);
  await saved.setContent(file);
  const { text, pictures } = await saved.evaluate(() => ({ text: document.body.textContent, pictures: [...document.images].filter((i) => i.naturalWidth > 10).length }));
  assert.ok(text.includes(evil), 'the text is there, as text');
  assert.ok(pictures >= 1);
  assert.deepEqual([...hosts], []);
  assert.deepEqual(faults, []);
});
