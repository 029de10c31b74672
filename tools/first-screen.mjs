// How long a first visit waits on a slow line, with and without the preloads that `cargo xtask dist` writes into the page:
//
//     cargo xtask dist /tmp/dist && node tools/first-screen.mjs /tmp/dist [ROUNDS]
//
// The folder is served over HTTP/2 and with gzip, as most hosts do, to a fresh Chromium whose network is slowed down to puppeteer's
// "Fast 3G" (1.4 Mbit/s, 562 ms for each answer). Medians of all rounds, the two sides in turns. The page counts as
// usable once its own script has run: a text can be typed, and the recorded example is on the screen. Then, on that line and on
// puppeteer's "Fast 4G" (8.1 Mbit/s, 165 ms): how long until the translation of a sentence that is typed at once, and how long the
// bytes alone that came until then take on the line.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';
import puppeteer, { PredefinedNetworkConditions } from '../tests/e2e/node_modules/puppeteer-core/lib/esm/puppeteer/puppeteer-core.js';

const [folder, rounds = '5'] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node tools/first-screen.mjs FOLDER [ROUNDS]');
  process.exit(2);
}
const TYPES = { html: 'text/html; charset=utf-8', js: 'text/javascript', css: 'text/css', json: 'application/json', wasm: 'application/wasm' };

const keys = mkdtempSync(join(tmpdir(), 'first-screen-'));
const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(keys, name));
execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost', '-keyout', key, '-out', cert], { stdio: 'ignore' });
/** Whether the page keeps its preloads. */
let preloads = true;
/** Bytes answered, compressed where they are. */
let served = 0;
// On a slow line all of a model waits in the session's memory: Node refuses streams beyond 10 MB.
const server = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert), maxSessionMemory: 100 }, (request, response) => {
  const path = normalize(new URL(request.url, 'https://localhost').pathname).replace(/\/$/, '/index.html');
  const file = join(folder, path);
  if (!existsSync(file) || !statSync(file).isFile()) return void response.writeHead(404).end();
  const type = TYPES[/** @type {keyof TYPES} */ (path.split('.').at(-1) ?? '')] ?? 'application/octet-stream';
  const content = readFileSync(file);
  const bytes = path === '/index.html' && !preloads ? content.toString().replace(/ *<link rel="modulepreload".*\n/g, '') : content;
  const isText = type !== 'application/octet-stream';
  const body = isText ? gzipSync(bytes) : bytes;
  served += body.length;
  response.writeHead(200, { 'content-type': type, 'cache-control': 'max-age=600', ...(isText && { 'content-encoding': 'gzip' }) });
  response.end(body);
});
await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

/**
 * A first visit whose reader types a sentence as soon as that can be done: milliseconds until it is translated, and the bytes until then.
 * @param {import('puppeteer-core').NetworkConditions} line
 */
async function typing(line) {
  const browser = await launch();
  try {
    const page = await browser.newPage();
    // A phone's page would ask first.
    await page.setViewport({ width: 1280, height: 900 });
    await page.emulateNetworkConditions(line);
    served = 0;
    const start = performance.now();
    page.goto(`https://localhost:${port}/`).catch(() => {});
    await page.waitForSelector('body[data-state]:not([data-state="starting"])', { timeout: 120_000 });
    await page.focus('#source');
    await page.keyboard.type('The neighbour has two dogs.');
    await page.waitForSelector('body[data-doc="done"]', { timeout: 240_000 });
    return { translated: performance.now() - start, bytes: served };
  } finally {
    await browser.close();
  }
}

function launch() {
  const args = ['--ignore-certificate-errors', '--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  return puppeteer.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, args });
}

/** One first visit: milliseconds until the page is usable, and the requests until then. */
async function visit() {
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.emulateNetworkConditions(PredefinedNetworkConditions['Fast 3G']);
    let requests = 0;
    page.on('request', () => (requests += 1));
    const start = performance.now();
    page.goto(`https://localhost:${port}/`).catch(() => {});
    await page.waitForSelector('body[data-state]:not([data-state="starting"])', { timeout: 120_000 });
    const usable = performance.now() - start;
    const asked = requests;
    await page.waitForSelector('body[data-doc="recorded"]', { timeout: 120_000 });
    return { usable, example: performance.now() - start, requests: asked };
  } finally {
    await browser.close();
  }
}

/** @type {Record<string, { usable: number, example: number, requests: number }[]>} */
const sides = { without: [], with: [] };
for (let i = 0; i < Number(rounds); i += 1) {
  for (const [side, all] of Object.entries(sides)) {
    preloads = side === 'with';
    all.push(await visit());
  }
}
const median = (/** @type {number[]} */ values) => values.sort((a, b) => a - b)[values.length >> 1];
for (const [side, all] of Object.entries(sides)) {
  const of = (/** @type {'usable' | 'example' | 'requests'} */ key) => median(all.map((one) => one[key]));
  console.log(`${side} preloads: usable after ${(of('usable') / 1000).toFixed(1)} s, example after ${(of('example') / 1000).toFixed(1)} s, ${of('requests')} requests until usable`);
}
preloads = true;
for (const name of /** @type {const} */ (['Fast 3G', 'Fast 4G'])) {
  const line = PredefinedNetworkConditions[name];
  const all = [];
  for (let i = 0; i < Math.min(3, Number(rounds)); i += 1) all.push(await typing(line));
  const bytes = median(all.map((one) => one.bytes));
  console.log(`${name}: typed sentence translated after ${(median(all.map((one) => one.translated)) / 1000).toFixed(1)} s; ${(bytes / 1e6).toFixed(2)} MB until then, which take ${(bytes / line.download).toFixed(1)} s`);
}
server.close();
rmSync(keys, { recursive: true });
process.exit();
