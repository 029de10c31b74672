// Makes the README's picture: node tests/e2e/screenshot.mjs http://127.0.0.1:8080/ [FILE.png] [light|dark] [WIDTH] [TEXT]

import { launch, visit } from './lib/browser.mjs';
import { drawn, open, translation, type } from './lib/page.mjs';

const [url, file = 'www/media/screenshot.png', theme = 'light', width = '1440', text = 'The little girl gave her old dog a new ball because it was his birthday.'] =
  process.argv.slice(2);
if (!url) {
  console.error('usage: node tests/e2e/screenshot.mjs URL [FILE.png] [light|dark] [WIDTH] [TEXT]');
  process.exit(2);
}
const browser = await launch();
const { page, faults } = await visit({ after: () => {} }, browser, { width: Number(width), height: 1000, dark: theme === 'dark' });
await open(page, url);
await type(page, text);
console.log(await translation(page, text));
await page.waitForFunction(() => window.translucent.store.get().observation?.final);
// A head of the last layer, held: the map in the inspector is what a visitor comes for.
await page.evaluate(() => {
  const heads = [...document.querySelectorAll('[data-head^="cross-"]')];
  (heads.find((head) => head.classList.contains('ringed')) ?? heads[0])?.click();
});
await page.mouse.move(0, 0);
await drawn(page);
await page.screenshot({ path: file, fullPage: Number(width) < 800 });
for (const fault of faults) console.error(fault);
await browser.close();
