// Pictures of the page for the README: opened as a visitor opens it, with a text translated and all of it observed.

import { launch, visit } from '../../tests/e2e/lib/browser.mjs';
import { drawn, observed } from '../../tests/e2e/lib/page.mjs';

/** What the pictures translate, unless they are given another text. */
export const TEXT = 'The little girl gave the old dog a new ball because he was sad.';

/**
 * @param {string} url
 * @param {{ width?: number, height?: number, dark?: boolean, scale?: number, text?: string }} [look] `scale`: pixels of the picture per CSS pixel
 * @returns {Promise<{ page: import('puppeteer-core').Page, faults: string[], close: () => Promise<void> }>}
 */
export async function pictured(url, { width = 1440, height = 1000, dark = false, scale = 1, text = TEXT } = {}) {
  const browser = await launch();
  const { page, faults } = await visit({ after: () => {} }, browser, { width, height, dark });
  await page.setViewport({ width, height, deviceScaleFactor: scale });
  console.log(await observed(page, url, text));
  return { page, faults, close: () => browser.close() };
}

/**
 * Holds a distinctive head of the encoder–decoder attention: its map is what a visitor comes for.
 * @param {import('puppeteer-core').Page} page
 */
export async function holdHead(page) {
  await page.evaluate(() => {
    const heads = [...document.querySelectorAll('[data-head^="cross-"]')];
    (heads.find((head) => head.classList.contains('ringed')) ?? heads[0])?.click();
  });
  await page.waitForSelector('.head[aria-pressed="true"]');
  await away(page);
}

/**
 * Takes the pointer and the focus off what is pictured, and waits until that is drawn.
 * @param {import('puppeteer-core').Page} page
 */
export async function away(page) {
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await drawn(page);
}
