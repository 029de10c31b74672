// Makes the README's picture: node tools/pictures/screenshot.mjs http://127.0.0.1:8080/ [FILE.png] [light|dark] [WIDTH] [TEXT]

import { TEXT, holdHead, pictured } from './pictures.mjs';

const [url, file = 'docs/media/screenshot.png', theme = 'light', width = '1440', text = TEXT] = process.argv.slice(2);
if (!url) {
  console.error('usage: node tools/pictures/screenshot.mjs URL [FILE.png] [light|dark] [WIDTH] [TEXT]');
  process.exit(2);
}
const { page, faults, close } = await pictured(url, { width: Number(width), dark: theme === 'dark', text });
await holdHead(page);
await page.screenshot({ path: file, fullPage: Number(width) < 800 });
for (const fault of faults) console.error(fault);
await close();
