// Links, lists of scenes and model cards that nobody makes in good faith: nothing of them runs or loads, and the page works on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { drawn, open, translation, type } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();
const EVIL = '<img src="https://example.org/x.png" onerror="window.hacked = 1"><script>window.hacked = 1</script>';

/** Fragments of an address. */
const LINKS = [
  '%',
  '%%%E0%A4%A',
  '='.repeat(10_000),
  '&'.repeat(10_000),
  `text=${'a'.repeat(100_000)}`,
  `text=${encodeURIComponent(EVIL)}`,
  `text=A+dog.&head=${encodeURIComponent(EVIL)}`,
  'text=A+dog.&head=cross.1.1.1.1&piece=source.99999&cell=99999.99999',
  'text=A+dog.&head=__proto__.1.1&piece=constructor.1',
  'text=A+dog.&head=cross.0.0&step=-1',
  'text=A+dog.&head=encoderSelf.99999.99999&step=99999',
  'text=A+dog.&step=1e9&scene=1e9',
  'text=A+dog.&layers=all&layers=none&tab=model&tab=why',
  'tab=toString&unit=__proto__&scale=constructor',
  'beam=1e308&alpha=-1e308',
  'beam=Infinity&alpha=NaN&beam=4',
  'model=x@' + '0'.repeat(64),
  `model=${encodeURIComponent(EVIL)}@${'f'.repeat(64)}`,
  'model=../../evil@00000000',
  'scenes=javascript:window.hacked%3D1',
  'scenes=data:application/json,%7B%22format%22%3A1%7D',
  'scenes=http://example.org/scenes.json',
  'scenes=blob:x',
  'scenes=https://[',
  'scenes=own:nothing',
  `learning=${'x'.repeat(100_000)}`,
  'learning=%7B%22task%22%3A%22__proto__%22%7D',
  'embed&present&embed',
  `text=A+dog.&theme=${encodeURIComponent('dark" onload="window.hacked=1')}`,
];

const scene = { text: 'A horse.' };
const file = (/** @type {object} */ more) => JSON.stringify({ format: 1, scenes: [scene], ...more });
/** Files of scenes. */
const SCENES = [
  '',
  'null',
  '[]',
  '"format"',
  '{"format":1}',
  '{"format":"1","scenes":[{}]}',
  '['.repeat(200_000),
  `{"format":1,"scenes":[${'{"text":"a"},'.repeat(20_000)}{"text":"a"}]}`,
  file({ title: 'x'.repeat(201) }),
  file({ title: { toString: 'x' } }),
  file({ scenes: [null] }),
  file({ scenes: [[]] }),
  file({ scenes: [{ text: '' }] }),
  file({ scenes: [{ text: ' \n ' }] }),
  file({ scenes: [{ text: 'a'.repeat(20_001) }] }),
  file({ scenes: [{ ...scene, view: { tab: ['attention'] } }] }),
  file({ scenes: [{ ...scene, view: { scale: '__proto__' } }] }),
  file({ scenes: [{ ...scene, held: { token: { side: 'source', index: 1e300 } } }] }),
  file({ scenes: [{ ...scene, held: { cell: { row: 0.5, col: '1' } } }] }),
  file({ scenes: [{ ...scene, step: -1 }] }),
  file({ scenes: [{ ...scene, model: 'g'.repeat(64) }] }),
  `\ufeff${file({})}`,
  `{"__proto__":{"format":1,"scenes":[{"text":"a"}]}}`,
  'x'.repeat(9_000_000),
];

/** Cards of models. */
const CARDS = [
  EVIL,
  `# ${EVIL}\n\n${EVIL}`,
  `[a](javascript:window.hacked=1) [b](data:text/html,<script>window.hacked=1</script>) [c](vbscript:x) [d](JaVaScRiPt:window.hacked=1)`,
  '[a](https://example.org/" onmouseover="window.hacked=1)',
  '![a](https://example.org/x.png) <https://example.org/x>',
  '<iframe src="https://example.org/"></iframe><object data="https://example.org/x"></object><link rel="stylesheet" href="https://example.org/x.css">',
  '[a]('.repeat(50_000),
  '|a'.repeat(50_000),
  '| a |\n'.repeat(20_000),
  '- '.repeat(50_000),
  '#'.repeat(200_000),
  '`'.repeat(199_999),
  '```\n'.repeat(40_000),
  '*a '.repeat(60_000),
  '$'.repeat(100_000),
  '\\'.repeat(200_000),
  '\u202e\u0000\ud800\ufeff'.repeat(10_000),
  '---\ntags: [x]\n---\n'.repeat(5_000),
];

/** What came of it in the page. */
const outcome = (page) => page.evaluate(() => ({ hacked: 'hacked' in window || 'hacked' in Object.prototype || 'format' in Object.prototype, foreign: document.querySelectorAll('img, iframe, object, link[href^="https"], body script, [onerror], [onload], [onmouseover], a[href^="javascript" i], a[href^="data"]').length }));

test('every hostile link opens the page, and nothing of it runs or loads', async (t) => {
  const { page, faults, hosts } = await visit(t, here.browser);
  await open(page, here.url);
  for (const link of LINKS) {
    await page.goto(`${here.url}#${link}`);
    await drawn(page);
    assert.deepEqual(await outcome(page), { hacked: false, foreign: 0 }, link.slice(0, 80));
    assert.deepEqual(faults, [], link.slice(0, 80));
  }
  await page.goto(here.url);
  await page.reload();
  await page.waitForSelector('body[data-state="ready"]');
  await type(page, 'A horse.');
  assert.notEqual(await translation(page, 'A horse.'), '');
  assert.deepEqual(faults, []);
  assert.deepEqual([...hosts], [new URL(here.url).host]);
});

test('every hostile file of scenes is refused in words or opens, and nothing of it runs', async (t) => {
  const { page, faults, hosts } = await visit(t, here.browser);
  await open(page, here.url);
  await page.locator('#tour').click();
  await page.waitForSelector('#scene-title');
  await page.locator('#scene-edit').click();
  for (const content of SCENES) {
    await page.evaluate((content) => {
      const input = document.querySelector('#scene-import');
      const data = new DataTransfer();
      data.items.add(new File([content], 'scenes.json'));
      input.files = data.files;
      document.querySelector('#scene-says').textContent = '';
      input.dispatchEvent(new Event('change'));
    }, content);
    await page.waitForFunction(() => document.querySelector('#scene-says').textContent !== '');
    assert.match(await page.$eval('#scene-says', (node) => node.textContent), /was not imported: .{8}|scenes imported/, content.slice(0, 80));
    assert.deepEqual(await outcome(page), { hacked: false, foreign: 0 }, content.slice(0, 80));
  }
  assert.deepEqual(faults, []);
  assert.deepEqual([...hosts], [new URL(here.url).host]);
});

test('every hostile card becomes text, links to the web and nothing else, in a moment', async (t) => {
  const { page, faults, hosts } = await visit(t, here.browser);
  await open(page, here.url);
  for (const card of CARDS) {
    const ms = await page.evaluate(async (card) => {
      const [{ renderBlocks }, { parseMarkdown }] = await Promise.all([import('./tabs/model/card.js'), import('./ui/markdown.js')]);
      const start = performance.now();
      const box = document.createElement('div');
      box.append(...renderBlocks(parseMarkdown(card)));
      document.body.append(box);
      const took = performance.now() - start;
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      if ([...box.querySelectorAll('a')].some(({ protocol }) => !['https:', 'http:'].includes(protocol))) window.hacked = 1;
      return took;
    }, card);
    assert.deepEqual(await outcome(page), { hacked: false, foreign: 0 }, card.slice(0, 80));
    assert.ok(ms < 20_000, `${card.slice(0, 20)}: ${ms} ms`);
    await page.evaluate(() => document.body.lastElementChild?.remove());
  }
  assert.deepEqual(faults, []);
  assert.deepEqual([...hosts], [new URL(here.url).host]);
});
