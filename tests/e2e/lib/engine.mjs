// A page with the engine alone, as an embedder's.

import { visit } from './browser.mjs';

/**
 * A page of a site without the application. Its window has what `engine/translator.js` exports, and `model`, the address of
 * the model that ships.
 * @param {import('node:test').TestContext} t
 * @param {{ url: string, browser: import('puppeteer-core').Browser }} site
 */
export async function enginePage(t, { url, browser }) {
  const { page, faults } = await visit(t, browser);
  await page.goto(`${url}models/index.json`);
  await page.evaluate(async () => {
    Object.assign(window, await import(new URL('../engine/translator.js', location.href).href));
    Object.assign(window, { engine: new URL('../engine/', location.href).href, model: new URL('./en-de-free/', location.href).href });
  });
  return { page, faults };
}
