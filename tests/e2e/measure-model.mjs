// Loads a model folder in Chromium, as a page does, and prints how long that takes, how much memory the page's process
// takes at most, and how fast the model translates:
//
//     cargo xtask serve --no-build --models FOLDER_OF_FOLDERS        # in another terminal; prints the address
//     node tests/e2e/measure-model.mjs ADDRESS NAME [int8]
//
// The memory is the most that the page's renderer ever had, as Linux counts it. Tokens are those of a translation
// with beam 1 and beam 4 of 60 pieces at most, the best of three.

import { peakOfRenderers } from '../../benches/browser/memory.mjs';
import { launch } from './lib/browser.mjs';

const [address, name, int8] = process.argv.slice(2);
const TEXT = 'A man in a red shirt is playing the guitar in the park.';

const browser = await launch();
try {
  const page = await browser.newPage();
  await page.goto(`${address}models/${name}/config.json`);
  const found = await page.evaluate(
    async (base, name, quantize, text) => {
      const { Translator } = await import(`${base}translator.js`);
      const engine = new Translator();
      const loads = [];
      for (let i = 0; i < 2; i += 1) {
        const result = await engine.load(`${base}models/${name}/`, undefined, { quantize });
        loads.push({ ms: Math.round(result.totalMs), downloaded: result.downloaded, precision: result.model.precision, parameters: result.model.parameters });
      }
      const speeds = {};
      for (const beam of [1, 4]) {
        let best = 0;
        for (let i = 0; i < 3; i += 1) {
          // A longer text each time: a sentence that was translated lately is not decoded again.
          const result = await engine.translate(text + '!'.repeat(i), { options: { beam, maxExtra: 40 } });
          best = Math.max(best, (1000 * (result.tokens - 1)) / (result.totalMs - result.firstTokenMs));
        }
        speeds[`beam ${beam}`] = Math.round(10 * best) / 10;
      }
      return { loads, tokensPerSecond: speeds };
    },
    address,
    name,
    int8 === 'int8',
    TEXT,
  );
  console.log(JSON.stringify({ name, ...found, peakMiB: Math.round(peakOfRenderers(browser.process()?.pid)) }, null, 2));
} finally {
  await browser.close();
}
