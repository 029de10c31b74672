// A headless browser, Chromium or Firefox, and pages that remember whatever went wrong on them.

import puppeteer from 'puppeteer-core';

/** Which browser the tests run in: BROWSER=firefox, else Chromium. */
export const FIREFOX = process.env.BROWSER === 'firefox';

/** Root has no sandbox in Chromium; the rest keeps the browser from talking to its maker. */
const CHROMIUM_FLAGS = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-extensions',
  '--disable-sync',
  '--no-first-run',
];

/**
 * @param {{ dark?: boolean }} [look] what Firefox tells pages of the system's theme; in Chromium each page sets its own
 * @returns {Promise<import('puppeteer-core').Browser>}
 */
export function launch({ dark = false } = {}) {
  // A cold machine compiles the engine in its own time.
  const common = { headless: true, protocolTimeout: 180_000 };
  if (!FIREFOX) {
    const program = process.env.CHROMIUM ?? '/usr/bin/chromium';
    // The build without windows speaks of itself by its name.
    return puppeteer.launch({ ...common, headless: program.includes('headless-shell') ? 'shell' : true, executablePath: program, args: CHROMIUM_FLAGS });
  }
  return puppeteer.launch({
    ...common,
    browser: 'firefox',
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    extraPrefsFirefox: { 'layout.css.prefers-color-scheme.content-override': dark ? 0 : 1 },
  });
}

/**
 * @typedef {object} Visit
 * @property {import('puppeteer-core').Page} page
 * @property {string[]} faults What the console, the network and uncaught errors said, in order.
 * @property {Set<string>} hosts Every host that was asked for anything, workers included.
 */

/**
 * A page in a profile of its own: nothing cached. It is closed with the test. Its service worker, which fetches and stores the
 * whole site once more, is registered only where the test asks for it.
 * @param {Pick<import('node:test').TestContext, 'after'>} t
 * @param {import('puppeteer-core').Browser} browser
 * @param {{ width?: number, height?: number, dark?: boolean, serviceWorker?: boolean, plain?: boolean }} [look] `plain`: a phone
 *   shows what it shows by itself, the texts alone; else its reader has asked for the model at an earlier visit
 * @returns {Promise<Visit>}
 */
export async function visit(t, browser, { width = 1280, height = 900, dark = false, serviceWorker = false, plain = false } = {}) {
  // Firefox takes the theme from its profile alone.
  const own = FIREFOX && dark ? await launch({ dark }) : null;
  if (own) t.after(() => own.close());
  const context = await (own ?? browser).createBrowserContext();
  if (!own) t.after(() => context.close());
  const page = await context.newPage();
  /** @type {string[]} */
  const faults = [];
  /** @type {Set<string>} */
  const hosts = new Set();
  page.on('console', (message) => ['error', 'warn'].includes(message.type()) && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    // What Firefox says of a download that the test's own next navigation cut off.
    if (reason !== 'NS_BINDING_ABORTED') faults.push(`${request.url()}: ${reason}`);
  });
  page.on('response', (response) => response.status() >= 400 && faults.push(`${response.status()} ${response.url()}`));
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith('http')) hosts.add(host);
  });
  if (!serviceWorker) await withoutServiceWorker(page);
  if (!plain && width <= 480) {
    await page.evaluateOnNewDocument(() => {
      if (self.origin !== 'null' && !localStorage.getItem(`translucent.plain ${location.pathname}`)) localStorage.setItem(`translucent.plain ${location.pathname}`, 'no');
    });
  }
  await page.setViewport({ width, height });
  if (!FIREFOX) await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
  return { page, faults, hosts };
}

/**
 * Keeps the page from registering its service worker.
 * @param {import('puppeteer-core').Page} page
 */
export function withoutServiceWorker(page) {
  return page.evaluateOnNewDocument(() => {
    if (navigator.serviceWorker) navigator.serviceWorker.register = () => new Promise(() => {});
  });
}
