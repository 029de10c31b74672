// Makes the README's pictures of the laboratory: node tools/pictures/learning.mjs http://127.0.0.1:8080/ [FOLDER] [light|dark]
//   learning-1.png  random weights: every head reads everything
//   learning-2.png  the heads while they form
//   learning-3.png  reverse, learnt: a head of encoder–decoder attention reads backwards
//   learning-4.png  A | B: the same with no positions, on the same axes

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launch, visit } from '../../tests/e2e/lib/browser.mjs';
import { fewColours } from './png.mjs';
import { away } from './pictures.mjs';

/** Held-out answers that are exact in the second and the third picture, in percent. */
const [FORMING, LEARNT] = [30, 99];
/** Steps of the fourth. */
const STEPS = 500;
/** Bytes that all of them may have. */
const MOST = 150_000;
const WAIT = { timeout: 170_000 };

const [url, folder = 'docs/media', theme = 'light'] = process.argv.slice(2);
if (!url) {
  console.error('usage: node tools/pictures/learning.mjs URL [FOLDER] [light|dark]');
  process.exit(2);
}
const browser = await launch();
const { page, faults } = await visit({ after: () => {} }, browser, { width: 1440, height: 2400, dark: theme === 'dark' });
let bytes = 0;

/**
 * The inspector from one element to the end of another.
 * @param {string} name
 * @param {string} from
 * @param {string} to
 */
async function picture(name, from, to) {
  await away(page);
  const clip = await page.evaluate(
    (from, to) => {
      const [first, last] = [from, to].map((selector) => document.querySelector(selector).getBoundingClientRect());
      const panel = document.querySelector('#panel-learning').getBoundingClientRect();
      const top = first.top + scrollY - 6;
      return { x: panel.left - 8, y: top, width: panel.width + 16, height: last.bottom + scrollY - top + 6 };
    },
    from,
    to,
  );
  const small = await fewColours(page, await page.screenshot({ encoding: 'base64', clip, captureBeyondViewport: true }));
  bytes += small.length;
  await writeFile(join(folder, `${name}.png`), small);
}

/** Presses a button by keyboard: the layout moves while a model learns. @param {string} selector */
async function press(selector) {
  await page.focus(selector);
  await page.keyboard.press('Enter');
}

/** Trains on until the page says so, and halts. @param {(status: string) => boolean} until */
async function train(until) {
  await press('#learning-play');
  // Asked again and again: one question may wait for three minutes only.
  while (!until(await page.$eval('#learning-status', (node) => node.textContent ?? ''))) await new Promise((done) => setTimeout(done, 100));
  await press('#learning-play');
  await page.waitForFunction(() => document.querySelector('#learning-play').textContent === 'Train on', WAIT);
}
const percent = (/** @type {number} */ least) => (/** @type {string} */ status) => Number(status.match(/([\d.]+) % exact/)?.[1]) >= least;

await page.goto(`${url}#tab=learning&learning=${encodeURIComponent('task=reverse')}`);
await page.waitForFunction(() => /^step 0 .*exact/.test(document.querySelector('#learning-status')?.textContent ?? ''), WAIT);
await picture('learning-1', '.learning-try', '.learning-maps');
await train(percent(FORMING));
await picture('learning-2', '.learning-try', '.learning-maps');
await train(percent(LEARNT));
await picture('learning-3', '.learning-try', '.learning-maps');
await press('#learning-ab');
await page.select('#learning-b-key', 'positions');
await page.select('#learning-b-value', 'none');
await press('#learning-b-start');
await page.waitForFunction(() => /^B.*step 0/.test(document.querySelector('#learning-b-status').textContent), WAIT);
await train((status) => Number(status.match(/^step ([\d\u00a0]+)/)?.[1].replace('\u00a0', '')) >= STEPS);
await picture('learning-4', '#learning-b-status', '#learning-exact');
console.log(`${(bytes / 1000).toFixed(0)} kB`);
if (bytes > MOST) {
  console.error(`more than ${MOST / 1000} kB`);
  process.exitCode = 1;
}
for (const fault of faults) console.error(fault);
await browser.close();
