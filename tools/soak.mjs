// Uses the page in Chromium for a long time, as an impatient reader does, and says how its memory goes on:
//
//     cargo xtask serve                        # in another terminal; prints the address
//     node tools/soak.mjs ADDRESS [MINUTES]    # 60 minutes where none are given
//
// Texts of every length are pasted, typed and superseded, models switched, tabs opened, heads held, scenes stepped through. Every
// half minute, after a collection of garbage: the heap of the page and its workers, the memory of WebAssembly, the nodes of
// the document, and what Linux counts for the renderer. The slopes are those of the second half. It ends with 1 where the
// page reports an error, or where heap, nodes or WebAssembly grow by more than `LIMITS` an hour in that half.

import { memoryOfRenderers } from '../benches/browser/memory.mjs';
import { launch } from '../tests/e2e/lib/browser.mjs';
import { longText } from '../tests/e2e/lib/paste.mjs';

const [address, minutes = '60'] = process.argv.slice(2);
/** Milliseconds between two looks. */
const EVERY = 30_000;
/** Largest growth in an hour. */
const LIMITS = { heapMiB: 20, wasmMiB: 64, nodes: 5_000 };

let seed = 1;
/** A number below another one: the same run each time. */
const random = (/** @type {number} */ below) => ((seed = (seed * 48271) % 2147483647) % below);

const browser = await launch();
const page = await browser.newPage();
/** @type {string[]} */
const faults = [];
page.on('pageerror', (error) => faults.push(String(error)));
page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
await page.setViewport({ width: 1280, height: 900 });
await page.goto(address);
await page.waitForSelector('body[data-state="ready"]');
const cdp = await page.createCDPSession();

const put = (/** @type {string} */ text) =>
  page.$eval('#source', (source, text) => ((/** @type {any} */ (source).value = text), source.dispatchEvent(new InputEvent('input', { bubbles: true }))), text);
const click = (/** @type {string} */ selector, which = 0) =>
  page.evaluate((selector, which) => {
    const all = [...document.querySelectorAll(selector)].filter((node) => /** @type {any} */ (node).checkVisibility?.() && !(/** @type {any} */ (node).disabled));
    /** @type {any} */ (all[which % Math.max(1, all.length)])?.click();
  }, selector, which);

/** @type {[name: string, act: () => Promise<unknown>][]} */
const ACTS = [
  ['a sentence', () => put(`The old man on bridge ${random(1e6)} watches the river.`)],
  ['a page', () => put(longText(2_000 + random(4_000)).slice(random(500)))],
  ['a long text', () => put(longText(60_000 + random(200_000)))],
  ['superseded texts', async () => { for (let i = 0; i < 20; i++) await put(`A dog and ${random(1e6)} cats.`); }],
  ['typing', () => page.type('#source', ` and ${random(100)} dogs`)],
  ['another model', () => page.$eval('#language', (select) => { const list = /** @type {any} */ (select); list.selectedIndex = (list.selectedIndex + 1) % Math.max(1, list.options.length); list.dispatchEvent(new Event('change', { bubbles: true })); })],
  ['a tab', () => click('[role="tab"]:not(#tab-learning)', random(100))],
  ['a head', () => click('.head', random(200))],
  ['a piece', () => click('#translation .piece', random(50))],
  ['the unit', () => click('.segmented button', random(60))],
  ['a scene', () => page.keyboard.press('PageDown')],
  ['Escape', () => page.keyboard.press('Escape')],
];

/** @returns {Promise<Record<string, number>>} */
async function look() {
  await cdp.send('HeapProfiler.collectGarbage');
  const own = (await cdp.send('Runtime.getHeapUsage')).usedSize;
  let workers = 0;
  let wasm = 0;
  for (const worker of page.workers()) {
    await worker.client.send('HeapProfiler.collectGarbage').catch(() => {});
    workers += (await worker.client.send('Runtime.getHeapUsage')).usedSize;
    wasm += await worker.evaluate(async () => (await (await import(new URL(`../pkg/translucent.js${self.location.search}`, self.location.href).href)).default()).memory.buffer.byteLength).catch(() => 0);
  }
  const { nodes } = await cdp.send('Memory.getDOMCounters');
  return { heapMiB: (own + workers) / 2 ** 20, wasmMiB: wasm / 2 ** 20, nodes, rssMiB: memoryOfRenderers(browser.process()?.pid, 'VmRSS') };
}

/** Growth of a column in an hour, by least squares. */
function slope(/** @type {{ hours: number, [name: string]: number }[]} */ rows, /** @type {string} */ name) {
  const x = rows.reduce((sum, row) => sum + row.hours, 0) / rows.length;
  const y = rows.reduce((sum, row) => sum + row[name], 0) / rows.length;
  return rows.reduce((sum, row) => sum + (row.hours - x) * (row[name] - y), 0) / rows.reduce((sum, row) => sum + (row.hours - x) ** 2, 0);
}

/** @type {{ hours: number, [name: string]: number }[]} */
const rows = [];
const start = Date.now();
let done = 0;
let due = start + EVERY;
while (Date.now() - start < Number(minutes) * 60_000) {
  const [name, act] = ACTS[random(ACTS.length)];
  await act().catch((error) => faults.push(`${name}: ${error.message}`));
  done += 1;
  await new Promise((next) => setTimeout(next, random(400)));
  if (Date.now() < due) continue;
  // What is measured is the page at rest: the same short text each time.
  await put('A dog.');
  await page.waitForFunction(() => document.body.dataset.doc === 'done' && document.body.dataset.state === 'ready', { timeout: 120_000 });
  const row = { hours: (Date.now() - start) / 3.6e6, ...(await look()) };
  rows.push(row);
  console.log(`${(row.hours * 60).toFixed(1)} min, ${done} acts: ${Object.entries(row).slice(1).map(([key, value]) => `${key} ${value.toFixed(key === 'nodes' ? 0 : 1)}`).join(', ')}`);
  due = Date.now() + EVERY;
}
await browser.close();
const half = rows.slice(Math.floor(rows.length / 2));
const slopes = Object.fromEntries(['heapMiB', 'wasmMiB', 'nodes', 'rssMiB'].map((name) => [name, slope(half, name)]));
console.log(`an hour, by the second half: ${Object.entries(slopes).map(([name, value]) => `${name} ${value > 0 ? '+' : ''}${value.toFixed(1)}`).join(', ')}; most RSS ${Math.max(...rows.map(({ rssMiB }) => rssMiB)).toFixed(0)} MiB`);
for (const fault of new Set(faults)) console.log(`FAULT ${fault}`);
const over = Object.entries(LIMITS).filter(([name, most]) => half.length > 3 && slopes[name] > most);
if (over.length > 0) console.log(`grows: ${over.map(([name]) => name).join(', ')}`);
process.exit(faults.length > 0 || over.length > 0 ? 1 : 0);
