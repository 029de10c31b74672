// Loads a model folder in Chromium, as a page does, and prints how long that takes, how much memory the page's process
// takes at most, and how fast the model translates; then a second page loads it from the browser's cache:
//
//     cargo xtask serve --models FOLDER_OF_FOLDERS        # in another terminal; prints the address
//     node tools/measure-model.mjs ADDRESS NAME [int8]
//
// The memory is the most that the first page's renderer ever had, as Linux counts it. Tokens a second are those after the
// first of a sentence that comes out with 40 pieces more than it has, the best of three.

import { peakOfRenderers } from '../benches/browser/memory.mjs';
import { launch } from '../tests/e2e/lib/browser.mjs';

const [address, name, int8] = process.argv.slice(2);
const TEXT = 'A man in a red shirt is playing the guitar in the park.';

/**
 * A page that loads a model and, where asked to, quantises it first and translates with it.
 * @param {string} model its address
 * @param {{ quantize?: boolean, measured?: boolean }} what
 */
async function visit(model, { quantize = false, measured = false }) {
  const page = await browser.newPage();
  await page.goto(`${address}models/${name}/config.json`);
  return page.evaluate(
    async (base, folder, quantize, text, measured) => {
      const { Translator } = await import(`${base}engine/translator.js`);
      const engine = new Translator();
      const { totalMs, downloaded, address, model } = await engine.load(folder, { quantize });
      const tokensPerSecond = {};
      for (const beam of measured ? [1, 4] : []) {
        let best = 0;
        for (let i = 0; i < 3; i += 1) {
          // A longer text each time: a sentence that was translated lately is not decoded again.
          const result = await engine.translate(text + '!'.repeat(i), { beam, maxExtra: 40 });
          best = Math.max(best, (1000 * (result.tokens - 1)) / (result.totalMs - result.firstTokenMs));
        }
        tokensPerSecond[`beam ${beam}`] = Math.round(10 * best) / 10;
      }
      return { loadMs: Math.round(totalMs), downloaded, address, precision: model.precision, parameters: model.parameters, tokensPerSecond };
    },
    address,
    model,
    quantize,
    TEXT,
    measured,
  );
}

const browser = await launch();
try {
  const first = await visit(`${address}models/${name}/`, { quantize: int8 === 'int8', measured: true });
  const peakMiB = Math.round(peakOfRenderers(browser.process()?.pid));
  const again = await visit(first.address, {});
  console.log(JSON.stringify({ name, ...first, peakMiB, cachedLoadMs: again.loadMs, downloadedAgain: again.downloaded }, null, 2));
} finally {
  await browser.close();
}
