// Types into a long text as a person does, and prints how long a key keeps the page's main thread busy and how long the engine
// takes until it begins with the sentence that changed:
//
//     cargo xtask serve                       # in another terminal; prints the address
//     node tools/measure-typing.mjs ADDRESS [CHARACTERS [KEYS [THROTTLE]]]
//
// The page's numbers are taken from a trace, with the processor slowed down by THROTTLE: all that a key's own event takes in the
// page's main thread, the longest of the tasks that follow until the next key, and their sum, as time on the processor. The
// engine's are taken in a page that has nothing but the engine, not slowed down: from the call with the changed text to the first
// event that tells of the sentence that changed.

import { launch } from '../tests/e2e/lib/browser.mjs';
import { CATEGORIES, copy, longText, paste } from '../tests/e2e/lib/paste.mjs';

const [address, characters = '20000', keys = '300', throttle = '6'] = process.argv.slice(2);
const text = longText(Number(characters));
/** Between two keys: a fast typist's. */
const PAUSE = 180;

/** @param {number[]} values */
function summary(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (/** @type {number} */ part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]?.toFixed(1);
  return `median ${at(0.5)}, p95 ${at(0.95)}, most ${at(1)} ms`;
}

/** @param {import('puppeteer-core').Browser} browser */
async function measureEngine(browser) {
  const page = await browser.newPage();
  await page.goto(`${address}models/index.json`);
  const found = await page.evaluate(
    async (base, text, keys) => {
      const { Translator } = await import(`${base}engine/translator.js`);
      const engine = new Translator();
      await engine.load(`${base}models/en-de/`);
      const observe = (/** @type {number} */ sentence) => ({ sentence, request: { encoderSelf: true, decoderSelf: true, cross: true, hidden: true }, alternatives: 10 });
      await engine.translate(text, { beam: 4, nBest: 1 });
      const middle = text.indexOf(' ', text.length >> 1);
      let typed = text;
      // The sentence that is typed in is observed, as the page does; where the key before found it.
      let sentence = 0;
      const first = [];
      const whole = [];
      for (let i = 0; i < keys; i++) {
        const at = middle + i;
        typed = `${typed.slice(0, at)}${'abcdefgh '[i % 9]}${typed.slice(at)}`;
        const start = performance.now();
        let began = 0;
        const result = await engine.translate(typed, {
          beam: 4,
          nBest: 1,
          observe: observe(Math.max(sentence, 0)),
          onEvent(/** @type {any} */ event) {
            if (event.kind === 'sentences') sentence = event.sentences.findIndex((/** @type {any} */ { range }) => range[0] <= at && at < range[1]);
            else if (event.sentence === sentence) began ||= performance.now() - start;
          },
        });
        if (result.kind === 'translated') whole.push(performance.now() - start);
        first.push(began);
      }
      engine.terminate();
      return { first, whole };
    },
    address,
    text,
    Math.min(Number(keys), 60),
  );
  await page.close();
  console.log(`engine: the changed sentence begins after ${summary(found.first)}; the text is done after ${summary(found.whole)}`);
}

/**
 * What each key cost the main thread.
 * @param {Uint8Array} trace by Chromium
 */
function costs(trace) {
  const { traceEvents } = JSON.parse(new TextDecoder().decode(trace));
  const isKey = (/** @type {any} */ { name, args }) => name === 'EventDispatch' && args?.data?.type === 'keydown';
  const key = traceEvents.find(isKey);
  const own = traceEvents.filter(({ pid, tid, ph }) => pid === key?.pid && tid === key?.tid && ph === 'X');
  const starts = own.filter(isKey).map(({ ts }) => ts);
  const run = own.filter(({ name }) => name === 'RunTask');
  return starts.map((start, i) => {
    const end = starts[i + 1] ?? Infinity;
    // The task of the key itself began before its event.
    const event = run.find(({ ts, dur }) => ts <= start && start < ts + dur);
    const after = run.filter(({ ts }) => ts > start && ts < end);
    const ms = [event, ...after].filter(Boolean).map(({ tdur, dur }) => (tdur ?? dur) / 1000);
    return { event: ms[0] ?? 0, longest: Math.max(...ms.slice(1), 0), sum: ms.reduce((a, b) => a + b, 0) };
  });
}

/** @param {import('puppeteer-core').Browser} browser */
async function measurePage(browser) {
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(address);
  await page.waitForSelector('body[data-state="ready"]');
  await page.waitForSelector('body[data-doc="done"]');
  await copy(page, text);
  await paste(page);
  const done = () => page.waitForSelector('body[data-doc="done"]', { timeout: 120_000 });
  await new Promise((resolve) => setTimeout(resolve, 2000));
  await done();
  await page.$eval('#source', (/** @type {HTMLTextAreaElement} */ area) => {
    const middle = area.value.indexOf(' ', area.value.length >> 1);
    area.setSelectionRange(middle, middle);
  });
  const client = await page.createCDPSession();
  await client.send('Emulation.setCPUThrottlingRate', { rate: Number(throttle) });
  /** @type {ReturnType<typeof costs>} */
  const all = [];
  // A trace of all keys would be too large to be read.
  for (let from = 0; from < Number(keys); from += 50) {
    await page.tracing.start({ categories: CATEGORIES });
    for (let i = from; i < Math.min(Number(keys), from + 50); i++) {
      await page.keyboard.press('abcdefgh '[i % 9] === ' ' ? 'Space' : /** @type {any} */ ('abcdefgh '[i % 9]));
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    all.push(...costs(await page.tracing.stop()));
  }
  await page.close();
  for (const [name, what] of /** @type {const} */ ([['event', 'its own task'], ['longest', 'the longest task after it'], ['sum', 'all of them']])) {
    console.log(`page, ${all.length} keys at ${throttle}×, ${what}: ${summary(all.map((cost) => cost[name]))}`);
  }
}

const browser = await launch();
try {
  console.log(`${text.length} characters`);
  await measureEngine(browser);
  await measurePage(browser);
} finally {
  await browser.close();
}
