// What a test does on the page and asks of it, by the names that `www/index.html` lists.

/** Generous: a cold machine with other work compiles the engine first. */
const WAIT = { timeout: 120_000 };

/**
 * Opens the page and waits until its model can translate.
 * @param {import('puppeteer-core').Page} page
 * @param {string} url
 */
export async function open(page, url) {
  await page.goto(url);
  await page.waitForSelector('body[data-state="ready"]', WAIT);
}

/**
 * Opens a tab of the inspector and waits until it is loaded.
 * @param {import('puppeteer-core').Page} page
 * @param {string} id
 */
export async function openTab(page, id) {
  await page.click(`#tab-${id}`);
  await page.waitForSelector(`#panel-${id}:not([hidden], [aria-busy]) > *`, WAIT);
}

/**
 * Replaces the source text as a reader would: select all, type.
 * @param {import('puppeteer-core').Page} page
 * @param {string} text
 */
export async function type(page, text) {
  await page.focus('#source');
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
  await page.keyboard.press('Backspace');
  await page.type('#source', text);
}

/**
 * Waits until the translation of exactly this text is finished, and gives it.
 * @param {import('puppeteer-core').Page} page
 * @param {string} text
 * @returns {Promise<string>}
 */
export async function translation(page, text) {
  // What was typed just now is marked as running from the next frame on.
  await drawn(page);
  await page.waitForFunction((text) => document.body.dataset.doc === 'done' && document.querySelector('#source').value === text, WAIT, text);
  return page.$eval('#translation', (node) => node.textContent.trim());
}

/**
 * The translation of a text by an engine of the test's own, in the same page: what the page ought to show.
 * @param {import('puppeteer-core').Page} page
 * @param {string} text
 * @param {object} options of the search
 * @returns {Promise<string>}
 */
export function expected(page, text, options) {
  return page.evaluate(
    async (text, options) => {
      const { Translator } = await import('./engine/translator.js');
      const engine = new Translator();
      await engine.load('./models/en-de/');
      const result = await engine.translate(text, options);
      return result.text;
    },
    text,
    options,
  );
}

/**
 * Lets two frames pass, so that what was set is drawn.
 * @param {import('puppeteer-core').Page} page
 */
export function drawn(page) {
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/**
 * Opens the page, translates a text and waits until its sentence is observed whole.
 * @param {import('puppeteer-core').Page} page
 * @param {string} url
 * @param {string} text
 * @returns {Promise<string>} the translation
 */
export async function observed(page, url, text) {
  await open(page, url);
  await type(page, text);
  const found = await translation(page, text);
  await observedWhole(page);
  return found;
}

/**
 * Waits until every step of the sentence at hand can be looked at, as the step control says.
 * @param {import('puppeteer-core').Page} page
 */
export async function observedWhole(page) {
  await page.waitForFunction(() => / of \d+ ·|^all \d+ rows/.test(document.querySelector('#step-label').textContent), WAIT);
  await drawn(page);
}

/**
 * Waits until the page's state fulfils a condition.
 * @param {import('puppeteer-core').Page} page
 * @param {(state: any) => unknown} condition
 */
export function until(page, condition) {
  return page.waitForFunction(`(${condition})(window.translucent.store.get())`, WAIT);
}
