// What a test does on the page and asks of it, by the names that `www/index.html` lists.

import { FIREFOX } from './browser.mjs';

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
  await page.locator(`#tab-${id}`).click();
  await page.waitForSelector(`#panel-${id}:not([hidden], [aria-busy]) > *`, WAIT);
}

/**
 * Selects all that stands in a text field, by keyboard: a field that moves under the mouse would be missed.
 * @param {import('puppeteer-core').Page} page
 * @param {string} selector
 */
async function selectAll(page, selector) {
  await page.focus(selector);
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
}

/**
 * Replaces the text of a field as a reader would: select all, type.
 * @param {import('puppeteer-core').Page} page
 * @param {string} selector
 * @param {string} text
 */
export async function retype(page, selector, text) {
  await selectAll(page, selector);
  await page.keyboard.press('Backspace');
  await page.type(selector, text);
}

/**
 * Replaces the source text.
 * @param {import('puppeteer-core').Page} page
 * @param {string} text
 */
export const type = (page, text) => retype(page, '#source', text);

/**
 * Replaces the source text at once, as an input method does.
 * @param {import('puppeteer-core').Page} page
 * @param {string} text
 */
export async function replaceText(page, text) {
  await selectAll(page, '#source');
  // Firefox takes one character at a time; its own command inserts the whole.
  if (FIREFOX) await page.evaluate((text) => document.execCommand('insertText', false, text), text);
  else await page.keyboard.sendCharacter(text);
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

/** Forty sentences, no two alike: the page translates what comes again only once. */
export const LONG = Array.from({ length: 40 }, (_, i) => `The old man on bridge ${i} watches the river, and his little dog plays with ${i + 2} red balls.`).join(' ');

/** The search that the page uses: the paper's (§6.1). */
export const SEARCH = { beam: 4, scoring: { kind: 'wu', alpha: 0.6 } };

/**
 * The translation of a text by an engine of the test's own: what the page ought to show.
 * @param {import('puppeteer-core').Page} page
 * @param {string} text
 * @param {object} options of the search
 * @returns {Promise<string>}
 */
export async function expected(page, text, options) {
  return (await computed(page, 'translate', text, options)).text;
}

/**
 * Calls a method of an engine of the test's own, which is loaded once a page. The answer comes with plain arrays, and a
 * translation's with its events and its last trace, as `events` and `observed`.
 * @param {import('puppeteer-core').Page} page
 * @param {string} method
 * @param {...any} args
 * @returns {Promise<any>}
 */
export function computed(page, method, ...args) {
  return page.evaluate(
    async (method, args) => {
      window.testEngine ??= (async () => {
        const { Translator } = await import('./engine/translator.js');
        const engine = new Translator();
        await engine.load('./models/en-de-free/');
        return engine;
      })();
      const plain = (value) => {
        if (ArrayBuffer.isView(value)) return [...value];
        if (Array.isArray(value)) return value.map(plain);
        if (value === null || typeof value !== 'object') return value;
        return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
      };
      const events = [];
      let observed;
      const streams = method === 'translate' || method === 'translateSentence';
      const listeners = { onEvent: (event) => events.push(event), onTrace: (trace) => (observed = trace) };
      const given = streams ? [args[0], { ...args[1], ...listeners }] : args;
      const answer = await (await window.testEngine)[method](...given);
      return plain(streams ? { ...answer, events, observed } : answer);
    },
    method,
    args,
  );
}

/**
 * One sentence as the page's search translates it, by an engine of the test's own.
 * @param {import('puppeteer-core').Page} page
 * @param {string} text
 * @param {object} [more] options
 */
export const decoded = (page, text, more = {}) => computed(page, 'translateSentence', text, { ...SEARCH, ...more });

/** @param {{id: number}[]} pieces */
export const idsOf = (pieces) => pieces.map(({ id }) => id);

/**
 * A text of one sentence with its translation: the pieces of both, and all attentions by forced decoding.
 * @param {import('puppeteer-core').Page} page
 * @param {string} text
 * @param {object} [request]
 */
export async function attentions(page, text, request = { encoderSelf: true, decoderSelf: true, cross: true }) {
  const { events } = await computed(page, 'translate', text, SEARCH);
  const [{ source }] = events.find(({ kind }) => kind === 'sentences').sentences;
  const { target } = events.find(({ kind }) => kind === 'sentence');
  const { trace } = (await computed(page, 'score', text, { target: idsOf(target), request })).observed;
  return { source, target, trace };
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
 * Opens a view of the Alternatives tab by its button.
 * @param {import('puppeteer-core').Page} page
 * @param {string} label what stands on the button
 */
export async function openView(page, label) {
  await openTab(page, 'alternatives');
  await page.locator(`.steer-views ::-p-text(${label})`).click();
  await drawn(page);
}

/**
 * Waits until an element can be seen.
 * @param {import('puppeteer-core').Page} page
 * @param {string} selector
 */
export const visible = (page, selector) => page.waitForSelector(selector, { ...WAIT, visible: true });

/**
 * Attention, layer and head that the inspector's title names, counted from 0.
 * @param {import('puppeteer-core').Page} page
 */
export async function titledHead(page) {
  const title = await textOf(page, '#head-title');
  const [, layer, head] = /layer (\d+), head (\d+)/.exec(title) ?? [];
  return { title, layer: Number(layer) - 1, head: Number(head) - 1 };
}

/**
 * Moves a slider to a value by its keys.
 * @param {import('puppeteer-core').Page} page
 * @param {string} selector
 * @param {() => Promise<boolean>} there whether it has arrived
 */
export async function slideTo(page, selector, there) {
  await page.focus(selector);
  await page.keyboard.press('Home');
  for (let i = 0; i < 100; i++) {
    if (await there()) return;
    await page.keyboard.press('ArrowRight');
  }
  throw new Error(`${selector} never got there`);
}

/**
 * Presses a button and gives the file that the page offers for download.
 * @param {import('puppeteer-core').Page} page
 * @param {() => Promise<void>} press
 */
export async function savedFile(page, press) {
  await page.evaluate(() => {
    window.files = [];
    if (window.catching) return;
    window.catching = true;
    const make = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
      window.files.push(blob);
      return make.call(URL, blob);
    };
    document.addEventListener('click', (event) => event.target.closest?.('a[download]') && event.preventDefault(), true);
  });
  await press();
  await page.waitForFunction(() => window.files.length > 0, WAIT);
  return page.evaluate(async () => {
    const [blob] = window.files;
    const bytes = new Uint8Array(await blob.arrayBuffer());
    return { type: blob.type, text: await blob.text(), start: [...bytes.slice(0, 24)] };
  });
}

/**
 * Has the page open as if the tour could not be fetched, until `window.offline` is false.
 * @param {import('puppeteer-core').Page} page
 */
export const withoutTour = (page) =>
  page.evaluateOnNewDocument(() => {
    const fetchAll = window.fetch;
    window.offline = true;
    window.fetch = (address, options) => (window.offline && String(address).endsWith('/tour.json') ? Promise.reject(new TypeError('no network')) : fetchAll(address, options));
  });

/**
 * @param {import('puppeteer-core').Page} page
 * @param {string} selector
 */
export const textOf = (page, selector) => page.$eval(selector, (node) => node.textContent.trim());

/** A number as the page prints it, with a true minus sign. @param {string} text */
export const number = (text) => parseFloat(String(text).replace('−', '-'));
