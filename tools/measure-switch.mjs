// Loads one model after another into one engine, as the page's list of languages does, and prints how long each takes until its
// first translation, and how much memory the page's process has then:
//
//     cargo xtask serve --models FOLDER_OF_FOLDERS        # in another terminal; prints the address
//     node tools/measure-switch.mjs ADDRESS NAME NAME…

import { memoryOfRenderers } from '../benches/browser/memory.mjs';
import { launch } from '../tests/e2e/lib/browser.mjs';

const [address, ...names] = process.argv.slice(2);

const browser = await launch();
try {
  const page = await browser.newPage();
  await page.goto(`${address}models/index.json`);
  await page.evaluate(async (base) => {
    const { Translator } = await import(`${base}engine/translator.js`);
    Object.assign(globalThis, { engine: new Translator() });
  }, address);
  for (const name of names) {
    const [ready, translated] = await page.evaluate(
      async (base, name) => {
        const { engine } = /** @type {any} */ (globalThis);
        const start = performance.now();
        await engine.load(`${base}models/${name}/`);
        const ready = performance.now() - start;
        await engine.translate('2 + 2 = 4', { maxExtra: 8 });
        return [ready, performance.now() - start];
      },
      address,
      name,
    );
    // What was freed, and is stored for the next visit, takes a while.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    console.log(`${name}: ready after ${ready.toFixed(0)} ms, translated after ${translated.toFixed(0)} ms, ${memoryOfRenderers(browser.process()?.pid, 'VmRSS').toFixed(0)} MiB`);
  }
} finally {
  await browser.close();
}
