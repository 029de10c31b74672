// Makes the README's sequence of pictures: node tools/pictures/sequence.mjs http://127.0.0.1:8080/ [FOLDER] [light|dark] [TEXT]
//   1-translation.png  the page with a translation
//   2-head.png         one head's lines, a word held
//   3-arithmetic.png   the arithmetic of one weight
//   4-beam.png         the search's tree

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fewColours } from './png.mjs';
import { TEXT, away, holdHead, pictured } from './pictures.mjs';

/** Pictures are this wide, whatever width the page is laid out for. */
const WIDE = 1200;
/** The page's own width: both zones side by side at their full size. */
const LAYOUT = { width: 1440, height: 900 };
/** Bytes that one picture may have: a README is fetched on telephones too. */
const MOST = 150_000;

const [url, folder = 'docs/media', theme = 'light', text = TEXT] = process.argv.slice(2);
if (!url) {
  console.error('usage: node tools/pictures/sequence.mjs URL [FOLDER] [light|dark] [TEXT]');
  process.exit(2);
}
const { page, faults, close } = await pictured(url, { ...LAYOUT, dark: theme === 'dark', scale: WIDE / LAYOUT.width, text });
const press = (/** @type {string} */ selector) => page.$eval(selector, (node) => /** @type {HTMLElement} */ (node).click());

/**
 * What the window shows from this element down.
 * @param {string} name
 * @param {string} from
 */
async function picture(name, from) {
  await page.$eval(from, (node) => scrollTo({ top: node.getBoundingClientRect().top + scrollY - 14, behavior: 'instant' }));
  await away(page);
  const path = join(folder, `${name}.png`);
  const small = await fewColours(page, await page.screenshot({ encoding: 'base64' }));
  await writeFile(path, small);
  const size = small.length;
  console.log(`${path}: ${(size / 1000).toFixed(0)} kB`);
  if (size > MOST) {
    console.error(`${path} has more than ${MOST / 1000} kB`);
    process.exitCode = 1;
  }
}

await picture('1-translation', 'header.top');

await holdHead(page);
await press('#panel-attention [data-value="lines"]');
await press('#panel-attention [data-value="one"]');
// The last word but the full stop: a word whose choice needs the source.
await page.evaluate(() => {
  const step = Number(document.querySelector('#step-label').textContent.match(/step (\d+)/)[1]) - 1;
  document.querySelector(`#translation [data-index="${step}"]`)?.click();
});
// The list of other words, which a click opens, would lie over the picture.
await page.waitForSelector('#choice:not([hidden])');
await page.mouse.click(4, 4);
await page.waitForSelector('#choice', { hidden: true });
await page.waitForSelector('#panel-attention [data-value="lines"][aria-pressed="true"]');
await page.waitForSelector('#translation .piece.step');
await picture('2-head', '#figure');

await press('#tab-arithmetic');
await page.waitForSelector('#panel-arithmetic:not([hidden], [aria-busy]) .formula > *');
await picture('3-arithmetic', '#figure');

await press('#tab-alternatives');
await page.waitForSelector('.steer-views');
await press('.steer-views [data-value="beam"]');
await page.waitForSelector('#n-best li');
await picture('4-beam', '#figure');

for (const fault of faults) console.error(fault);
await close();
