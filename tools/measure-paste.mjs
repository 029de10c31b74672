// Pastes a long text into the page as a person does, and prints how long the page's main thread was busy at a stretch:
//
//     cargo xtask serve                       # in another terminal; prints the address
//     node tools/measure-paste.mjs ADDRESS [CHARACTERS [SECONDS]]
//
// A bare text field of the same size stands beside it: what the browser itself takes to lay out the text that was pasted.

import { launch } from '../tests/e2e/lib/browser.mjs';
import { CATEGORIES, copy, longText, paste, tasks } from '../tests/e2e/lib/paste.mjs';

const [address, characters = '240000', seconds = '20'] = process.argv.slice(2);
const LONG_MS = 50;

const browser = await launch();
try {
  const text = longText(Number(characters));
  for (const bare of [true, false]) {
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 900 });
    if (bare) {
      await page.goto(`${address}site.json`);
      await page.evaluate(() => {
        const area = document.createElement('textarea');
        area.id = 'source';
        area.style.cssText = 'width: 600px; height: 300px; font: 18px/1.5 sans-serif';
        document.body.replaceChildren(area);
      });
    } else {
      await page.goto(address);
      await page.waitForSelector('body[data-state="ready"]');
      await page.waitForSelector('body[data-doc="done"]');
    }
    await new Promise((done) => setTimeout(done, 1500));
    await copy(page, text);
    await page.tracing.start({ categories: CATEGORIES });
    await paste(page);
    await new Promise((done) => setTimeout(done, bare ? 2000 : 1000 * Number(seconds)));
    const found = tasks(await page.tracing.stop(), LONG_MS);
    console.log(`${bare ? 'a bare text field' : 'the page'}: ${found.length} tasks over ${LONG_MS} ms; value ${await page.$eval('#source', (node) => node.value.length)}`);
    const from = found[0]?.at ?? 0;
    for (const { ms, cpu, at, parts } of found) console.log(`  at ${((at - from) / 1e6).toFixed(1)} s ${ms.toFixed(0)} ms (${cpu.toFixed(0)} ms of it on the processor): ${parts}`);
    await page.close();
  }
} finally {
  await browser.close();
}
