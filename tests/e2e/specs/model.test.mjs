// The Model tab: the card, the paper's tables, the training curve and the probes are those of the model's folder.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { drawn, open } from '../lib/page.mjs';
import { MODELS, site } from '../lib/site.mjs';

const here = site();
const file = (name) => resolve(MODELS, 'en-de-free', name);
const described = { skip: !existsSync(file('training.json')) && 'this model has no training curve' };

/** The page with the Model tab open. */
async function model(t) {
  const visited = await visit(t, here.browser);
  await open(visited.page, `${here.url}#tab=model`);
  await visited.page.waitForFunction(() => document.querySelector('#chart-loss path'));
  return visited;
}

test('Table 2 keeps newstest2013 and newstest2014 apart, and shows what metrics.json has', described, async (t) => {
  const { page, faults } = await model(t);
  const { head, ours, base, card } = await page.evaluate(() => {
    const cells = (row) => [...row.children].map((cell) => cell.textContent);
    const table = document.querySelector('.table-2');
    const rows = [...table.tBodies[0].rows];
    return {
      head: cells(table.tHead.rows[0]),
      ours: cells(rows.at(-1)),
      base: cells(rows.find((row) => row.cells[0].textContent.includes('(base)'))),
      card: document.querySelector('#model-card').textContent,
    };
  });
  const column = (name) => head.findIndex((text) => text.startsWith(name));
  assert.notEqual(column('newstest2013'), column('newstest2014'));
  assert.equal(base[column('newstest2014')], '27.3');
  assert.equal(base[column('newstest2013')], '25.8');
  const { test_sets: sets } = existsSync(file('metrics.json')) ? JSON.parse(readFileSync(file('metrics.json'), 'utf8')) : { test_sets: [] };
  const score = (set) => sets.find(({ name }) => name === set)?.bleu.toFixed(1) ?? '–';
  for (const set of ['newstest2013', 'newstest2014']) assert.equal(ours[column(set)], score(set), set);
  assert.ok(card.includes('How it was trained'));
  assert.ok(!card.includes('**') && !card.includes('`'), 'Markdown is read, not shown');
  assert.deepEqual(faults, []);
});

test('the curves say the numbers of training.json', described, async (t) => {
  const { page, faults } = await model(t);
  const { training, validation } = JSON.parse(readFileSync(file('training.json'), 'utf8'));
  const read = async (id, keys) => {
    await page.focus(`#${id} .plot`);
    for (const key of keys) await page.keyboard.press(key);
    await drawn(page);
    return page.$eval(`#${id} .readout`, (node) => node.textContent.replaceAll('\u00a0', ''));
  };
  const tenth = await read('chart-loss', ['Home', ...Array(9).fill('ArrowRight')]);
  assert.ok(tenth.startsWith(`step ${training[9].step}: training ${training[9].loss.toFixed(2)}`), tenth);
  const last = await read('chart-loss', ['End']);
  for (const [name, rows] of Object.entries(validation)) assert.ok(last.includes(`${name} ${rows.at(-1).loss.toFixed(2)}`), last);
  const rate = await read('chart-rate', ['Home']);
  assert.ok(rate.includes(`${(training[0].learning_rate * 1e3).toFixed(3)}·10⁻³`), rate);
  assert.deepEqual(faults, []);
});

/** One head's weights at a moment, read from the file's bytes by its documented form. */
function probe({ checkpoint, sentence, layer, head }) {
  const bytes = readFileSync(file('probes.bin'));
  const length = bytes.readUInt32LE(8);
  const header = JSON.parse(bytes.subarray(12, 12 + length).toString());
  const sizes = header.sentences.map((s) => [s.source_pieces.length, s.target_pieces.length]);
  const { n_heads: heads, encoder_layers: encoder, decoder_layers: decoder } = header;
  let at = 12 + length;
  for (let c = 0; c <= checkpoint; c++) {
    for (const [i, [s, t]] of sizes.entries()) {
      if (c === checkpoint && i === sentence) {
        at += heads * (encoder * s * s + decoder * t * t) + (layer * heads + head) * t * s;
        const rows = Array.from({ length: t }, (_, row) => [...bytes.subarray(at + row * s, at + (row + 1) * s)]);
        return { header, rows };
      }
      at += heads * (encoder * s * s + decoder * t * t + decoder * t * s);
    }
  }
  throw new Error('no such moment');
}

test('the slider shows each moment of the training as probes.bin has it', { skip: !existsSync(file('probes.bin')) && 'no probes' }, async (t) => {
  const { page, faults } = await model(t);
  const { header } = probe({ checkpoint: 0, sentence: 0, layer: 0, head: 0 });
  assert.equal(header.checkpoints[0].step, 0);
  const last = header.checkpoints.length - 1;
  for (const checkpoint of [0, Math.floor(last / 2), last]) {
    await page.focus('#probe-step');
    await page.keyboard.press('Home');
    for (let i = 0; i < checkpoint; i++) await page.keyboard.press('ArrowRight');
    await page.select('#probe-sentence', '1');
    const [layer, head] = [header.decoder_layers - 1, header.n_heads - 1];
    await page.locator(`.probe-grid [data-layer="${layer}"][data-head="${head}"]`).click();
    await drawn(page);
    const { moment, words } = await page.evaluate(() => ({
      moment: document.querySelector('#probe-moment').textContent.replaceAll('\u00a0', ''),
      words: document.querySelector('#probe-map').getAttribute('aria-label'),
    }));
    assert.ok(moment.startsWith(`step ${header.checkpoints[checkpoint].step} `), moment);
    const told = [...words.matchAll(/ reads \S+ (\d\.\d\d)/g)].map((match) => Number(match[1]));
    const { rows } = probe({ checkpoint, sentence: 1, layer, head });
    assert.deepEqual(told, rows.map((row) => Number((Math.max(...row) / 255).toFixed(2))));
  }
  assert.deepEqual(faults, []);
});

test('an English-French model has its own columns in Table 2, and its cost where it is known', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await page.goto(here.url);
  const metrics = { test_sets: [{ name: 'newstest2013', sentences: 3000, bleu: 18.41, chrf2: 47 }], training_flops: { counted: 3.1e16, estimated: 1.2e17 } };
  const [french, german, silent] = await page.evaluate(async (metrics) => {
    const { readMetrics } = await import('./tabs/model/metrics.js');
    const { table2 } = await import('./tabs/model/quality.js');
    const of = (targetLanguage, raw) => {
      const table = table2({ name: 'm', sourceLanguage: 'en', targetLanguage }, readMetrics(raw)).querySelector('table');
      const cells = (row) => [...row.children].map((cell) => cell.textContent);
      const [head, ours] = [cells(table.tHead.rows[0]), cells([...table.tBodies[0].rows].at(-1))];
      return Object.fromEntries(head.map((name, i) => [name, ours[i]]));
    };
    return [of('fr', metrics), of('de', metrics), of('fr', null)];
  }, metrics);
  assert.equal(french['newstest2013 EN–FR'], '18.4');
  assert.equal(french['newstest2013 EN–DE'], '–');
  assert.equal(french['training FLOPs, EN–FR'], '1.2·10¹⁷counted: 3.1·10¹⁶');
  assert.equal(french['training FLOPs, EN–DE'], '–');
  assert.equal(german['newstest2013 EN–DE'], '18.4');
  assert.ok(!('newstest2013 EN–FR' in german), 'the paper has none, so the column would be empty');
  for (const value of Object.values(silent).slice(1)) assert.equal(value, '–');
  assert.deepEqual(faults, []);
});
