// Headless Chromium, and pages that remember whatever went wrong on them.

import puppeteer from 'puppeteer-core';

/** Root has no sandbox in Chromium; the rest keeps the browser from talking to its maker. */
const FLAGS = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-extensions',
  '--disable-sync',
  '--no-first-run',
];

/** @returns {Promise<import('puppeteer-core').Browser>} */
export function launch() {
  return puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    args: FLAGS,
    // A cold machine compiles the engine in its own time.
    protocolTimeout: 180_000,
  });
}

/**
 * @typedef {object} Visit
 * @property {import('puppeteer-core').Page} page
 * @property {string[]} faults What the console, the network and uncaught errors said, in order.
 * @property {Set<string>} hosts Every host that was asked for anything, workers included.
 */

/**
 * A page in a profile of its own: nothing cached, no service worker. It is closed with the test.
 * @param {Pick<import('node:test').TestContext, 'after'>} t
 * @param {import('puppeteer-core').Browser} browser
 * @param {{ width?: number, height?: number, dark?: boolean }} [look]
 * @returns {Promise<Visit>}
 */
export async function visit(t, browser, { width = 1280, height = 900, dark = false } = {}) {
  const context = await browser.createBrowserContext();
  t.after(() => context.close());
  const page = await context.newPage();
  /** @type {string[]} */
  const faults = [];
  /** @type {Set<string>} */
  const hosts = new Set();
  page.on('console', (message) => ['error', 'warn'].includes(message.type()) && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('requestfailed', (request) => faults.push(`${request.url()}: ${request.failure()?.errorText}`));
  page.on('response', (response) => response.status() >= 400 && faults.push(`${response.status()} ${response.url()}`));
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith('http')) hosts.add(host);
  });
  await page.setViewport({ width, height });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
  return { page, faults, hosts };
}
