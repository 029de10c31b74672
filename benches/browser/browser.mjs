// Headless Chromium for measurements, driven by puppeteer-core out of the cache folder.

import { createRequire } from 'node:module';

const FLAGS = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-extensions',
  '--disable-sync',
  '--no-first-run',
  // The sides of a comparison wait for their turns in tabs of one window: none may count as put away.
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
];

/** Where things are, and how carefully to measure. */
export class Bench {
  /** @param {{ url: string, root: string, cache: string, chromium: string, quick: boolean }} settings */
  constructor({ url, root, cache, chromium, quick }) {
    Object.assign(this, { url, root, cache, chromium, quick });
    this.puppeteer = createRequire(`${cache}/package.json`)('puppeteer-core');
    /** Of the browser that was launched last. */
    this.version = '';
  }

  /** @param {string[]} [flags] */
  async launch(flags = []) {
    const browser = await this.puppeteer.launch({
      executablePath: this.chromium,
      headless: true,
      args: [...FLAGS, ...flags],
      protocolTimeout: 600_000,
    });
    this.version = await browser.version();
    return browser;
  }

  /**
   * A page of this folder, once it has put `global` on its window.
   * @param {any} browser
   */
  async open(browser, file, global = 'contestant') {
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.error(`${file}: ${error.message}`));
    await page.goto(`${this.url}bench/${file}`);
    await page.waitForFunction((name) => window[name], {}, global);
    return page;
  }
}
