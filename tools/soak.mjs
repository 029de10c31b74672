// Uses the page in Chromium for a long time, as an impatient reader does, and says how its memory goes on:
//
//     cargo xtask serve                        # in another terminal; prints the address
//     node tools/soak.mjs ADDRESS [MINUTES]    # 60 minutes where none are given
//
// Texts of every length are pasted, typed and superseded, models switched, tabs opened, heads held, scenes stepped through. Every
// half minute the page is brought to the same state, and then, after a collection of garbage: the heap of the page and its
// workers, the memory of WebAssembly, buffers and the browser's own objects, the nodes of the document, those that are in no document
// any more, listeners, and what Linux counts for the renderer (all of it, and what no file backs), the GPU's process and the browser's.
// Every tenth look, and at the end, a dump of the renderer's allocators is printed beside them. Before that each act is done a few times, so that what is loaded once is there, and the model is switched
// fifty times. The slopes are those of the second half. It ends with 1 where the page reports an error, where something grows by
// more than `LIMITS` an hour in that half, or where there is more than `MOST` of something.

import { memoryOfProcess } from '../benches/browser/memory.mjs';
import { launch } from '../tests/e2e/lib/browser.mjs';
import { longText } from '../tests/e2e/lib/paste.mjs';

const [address, minutes = '60'] = process.argv.slice(2);
/** Milliseconds between two looks. */
const EVERY = 30_000;
/** Largest growth in an hour. */
const LIMITS = { heapMiB: 20, wasmMiB: 64 };
/** Most that there may be: each tab that was opened keeps what it showed last, so these numbers go up and down. */
const MOST = { attached: 20_000, detached: 5_000, listeners: 2_500 };
/** Columns without a limit of their own. */
const PROCESSES = ['domMiB', 'buffersMiB', 'rssMiB', 'anonMiB', 'gpuMiB', 'browserMiB'];
/** How often each act is done before anything is measured, and the model switched. */
const FIRST = 5;
const SWITCHES = 50;

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
  const { usedSize: own, embedderHeapUsedSize: dom = 0, backingStorageSize: buffers = 0 } = await cdp.send('Runtime.getHeapUsage');
  let workers = 0;
  let wasm = 0;
  for (const worker of page.workers()) {
    await worker.client.send('HeapProfiler.collectGarbage').catch(() => {});
    workers += (await worker.client.send('Runtime.getHeapUsage')).usedSize;
    wasm += await worker.evaluate(async () => (await /** @type {any} */ (self).translucent.default()).memory.buffer.byteLength).catch(() => 0);
  }
  const { nodes, jsEventListeners: listeners } = await cdp.send('Memory.getDOMCounters');
  const attached = await page.evaluate(() => {
    const walker = document.createTreeWalker(document);
    let count = 1;
    while (walker.nextNode()) count += 1;
    return count;
  });
  const pid = browser.process()?.pid;
  return {
    heapMiB: (own + workers) / 2 ** 20,
    wasmMiB: wasm / 2 ** 20,
    domMiB: dom / 2 ** 20,
    buffersMiB: buffers / 2 ** 20,
    attached,
    detached: nodes - attached,
    listeners,
    rssMiB: memoryOfProcess(pid, 'renderer', 'VmRSS'),
    anonMiB: memoryOfProcess(pid, 'renderer', 'RssAnon'),
    gpuMiB: memoryOfProcess(pid, 'gpu-process', 'VmRSS'),
    browserMiB: memoryOfProcess(pid, 'browser', 'VmRSS'),
  };
}

/** What each allocator of the renderer has from the system, MiB: those of a MiB or more. @returns {Promise<string>} */
async function allocators() {
  await page.tracing.start({ categories: ['-*', 'disabled-by-default-memory-infra'] });
  await cdp.send('Tracing.requestMemoryDump', { levelOfDetail: 'light' });
  /** @type {{ ph: string, pid: number, args: { dumps?: { allocators?: Record<string, { attrs?: { size?: { value: string } } }> } } }[]} */
  const events = JSON.parse(Buffer.from((await page.tracing.stop()) ?? []).toString()).traceEvents;
  /** @type {Record<string, number>} */
  const most = {};
  for (const { ph, args } of events) {
    if (ph !== 'v') continue;
    for (const [name, { attrs }] of Object.entries(args.dumps?.allocators ?? {})) {
      const size = parseInt(attrs?.size?.value ?? '0', 16) / 2 ** 20;
      if (size >= 1 && name.split('/').length <= 2 && !/^(global|shared_memory\/)/.test(name)) most[name] = Math.max(most[name] ?? 0, size);
    }
  }
  return Object.entries(most).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, size]) => `${name.replace(/0x[0-9a-f]+/i, '*')} ${size.toFixed(1)}`).join(', ');
}

/** Waits until no model loads and the page has translated what stands in it. */
async function still() {
  // What was asked for just now shows from the next frame on.
  await new Promise((next) => setTimeout(next, 200));
  await page.waitForFunction(() => document.body.dataset.doc === 'done' && document.body.dataset.state === 'ready' && document.querySelector('#bar.none'), { timeout: 120_000 });
}

/** Brings the page to the same state each time: first model, first tab, nothing held, a short text. */
async function rest() {
  await page.keyboard.press('Escape');
  await page.$eval('#language', (select) => {
    const list = /** @type {any} */ (select);
    if (list.selectedIndex === 0) return;
    list.selectedIndex = 0;
    list.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await click('[role="tab"]');
  await put('A dog.');
  await still();
  // What is shown in the next frames.
  await new Promise((next) => setTimeout(next, 500));
  return look();
}

/** @param {Record<string, number>} row */
const printed = (row) => Object.entries(row).map(([key, value]) => `${key} ${value.toFixed(key.endsWith('MiB') ? 1 : 0)}`).join(', ');

/** Growth of a column in an hour, by least squares. */
function slope(/** @type {{ hours: number, [name: string]: number }[]} */ rows, /** @type {string} */ name) {
  const x = rows.reduce((sum, row) => sum + row.hours, 0) / rows.length;
  const y = rows.reduce((sum, row) => sum + row[name], 0) / rows.length;
  return rows.reduce((sum, row) => sum + (row.hours - x) * (row[name] - y), 0) / rows.reduce((sum, row) => sum + (row.hours - x) ** 2, 0);
}

/** @param {string} name @param {() => Promise<unknown>} act */
const attempt = (name, act) => act().catch((error) => faults.push(`${name}: ${error.message}`));
for (const [name, act] of ACTS) for (let i = 0; i < FIRST; i++) await attempt(name, act);
const other = ACTS.find(([name]) => name === 'another model')?.[1] ?? still;
const before = await rest();
for (let i = 0; i < SWITCHES; i++) {
  await other();
  await still();
}
console.log(`${SWITCHES} switches of the model: ${printed(before)} → ${printed(await rest())}`);

/** @type {{ hours: number, [name: string]: number }[]} */
const rows = [];
const start = Date.now();
let done = 0;
let switched = 0;
let due = start + EVERY;
while (Date.now() - start < Number(minutes) * 60_000) {
  const [name, act] = ACTS[random(ACTS.length)];
  await attempt(name, act);
  done += 1;
  if (act === other) switched += 1;
  await new Promise((next) => setTimeout(next, random(400)));
  if (Date.now() < due) continue;
  const hours = (Date.now() - start) / 3.6e6;
  const row = await rest();
  rows.push({ hours, ...row });
  console.log(`${(hours * 60).toFixed(1)} min, ${done} acts: ${printed(row)}`);
  if (rows.length % 10 === 1) console.log(`  allocators: ${await allocators()}`);
  due = Date.now() + EVERY;
}
console.log(`  allocators: ${await allocators()}`);
await browser.close();
const half = rows.slice(Math.floor(rows.length / 2));
const slopes = Object.fromEntries([...Object.keys(LIMITS), ...Object.keys(MOST), ...PROCESSES].map((name) => [name, slope(half, name)]));
console.log(`${done} acts, ${switched} of them switches of the model`);
console.log(`an hour, by the second half: ${Object.entries(slopes).map(([name, value]) => `${name} ${value > 0 ? '+' : ''}${value.toFixed(1)}`).join(', ')}; most RSS ${Math.max(...rows.map(({ rssMiB }) => rssMiB)).toFixed(0)} MiB`);
for (const fault of new Set(faults)) console.log(`FAULT ${fault}`);
const over = [
  ...Object.entries(LIMITS).filter(([name, most]) => half.length > 3 && slopes[name] > most),
  ...Object.entries(MOST).filter(([name, most]) => rows.some((row) => row[name] > most)),
];
if (over.length > 0) console.log(`too much: ${over.map(([name]) => name).join(', ')}`);
process.exit(faults.length > 0 || over.length > 0 ? 1 : 0);
