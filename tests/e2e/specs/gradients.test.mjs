// What needs gradients, in each browser and briefly: training and “depends on” give the native core's numbers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { depends, learned } from '../lib/native.mjs';
import { observed, open, openTab } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();
const WAIT = { timeout: 120_000 };

test('the losses in the browser are those of the native core', async (t) => {
  const { page } = await visit(t, here.browser);
  // Any page of the site will do.
  await page.goto(`${here.url}models/index.json`);
  const settings = { layers: 1, dModel: 32, dFf: 64, batchSize: 16, dropout: 0.1, warmupSteps: 20 };
  const losses = await page.evaluate(async (settings) => {
    const { default: init, Learner, defaultSettings } = await import('../pkg/learn/translucent_learn.js');
    await init();
    const run = new Learner('dates', { ...defaultSettings(), ...settings });
    return Array.from({ length: 30 }, () => [...run.step()].slice(2, 4));
  }, settings);
  const native = learned(['dates', '--steps', '30', '--every', '1', '--held-out', '1', '--until', '2', '--layers', '1', '--d-model', '32', '--d-ff', '64', '--batch-size', '16', '--dropout', '0.1', '--warmup-steps', '20']);
  assert.equal(native.length, 30);
  for (const [i, [smoothed, loss]] of losses.entries()) {
    assert.ok(Math.abs(smoothed - native[i].loss) < 1e-5 && Math.abs(loss - native[i].nll) < 1e-5, `step ${i + 1}: ${smoothed}, natively ${native[i].loss}`);
  }
});

test('the tab trains, pauses and answers', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, `${here.url}#tab=learning&learning=${encodeURIComponent('task=copy&layers=1&dModel=32&dFf=64')}`);
  const status = (/** @type {string} */ pattern) => page.waitForFunction((pattern) => new RegExp(pattern).test(document.querySelector('#learning-status')?.textContent ?? ''), WAIT, pattern);
  await status('^step 0 .*exact');
  const button = await page.waitForSelector('#learning-play', WAIT);
  await button.focus();
  await page.keyboard.press('Enter');
  await status('^step [1-9]\\d');
  await button.focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('#learning-play').textContent === 'Train on', WAIT);
  assert.equal(await page.$$eval('.learning-maps canvas', (all) => all.length), 3 * 3 * 4, 'every head of every attention has its map, for each of three inputs');
  assert.match(await page.$eval('#learning-sure', (node) => node.textContent), /^\d+ pieces?; least sure of/);
  assert.deepEqual(faults, []);
});

test('“depends on” gives the native core’s numbers for a word', async (t) => {
  const text = 'He reads.';
  const { page, faults } = await visit(t, here.browser);
  const translation = await observed(page, here.url, text);
  const button = await page.waitForSelector('.asking [data-value="depends"]', WAIT);
  await button.focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('#depends-ranks', WAIT);
  const step = (await page.$eval('#step-label', (node) => node.textContent)).match(/step (\d+) of/)[1];
  const native = depends(text, translation).filter((row) => row.step === step);
  const rows = await page.$$eval('.depends-table tbody tr', (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
  assert.ok(native.length >= 3);
  for (const [i, { piece, ...expected }] of native.entries()) {
    for (const [column, name] of [[1, 'gradient_input'], [2, 'integrated'], [3, 'left_out']]) {
      const found = Number(rows[i][column].replace('−', '-'));
      assert.ok(Math.abs(found - Number(expected[name])) <= 0.011, `${piece}, ${name}: ${found}, natively ${expected[name]}`);
    }
  }
  assert.deepEqual(faults, []);
});
