// Measures training in the page, and what a word depends on, in headless Chromium, from the pressed button to the number on the screen:
//   node tools/measure-learning.mjs http://127.0.0.1:8080/ [steps] [reverse] [dates] [copy] [depends]
// steps: training steps of the default model a second of the processor, both builds; beside `benches/learning/speed.py`, which runs them natively.
// reverse, dates: until 99 % of the held-out inputs are answered exactly. copy: the same for a page that runs a sixth of the time, as on a phone.
// depends: gradient × input and integrated gradients for a sentence of 20 pieces, medians over steps.
// Beside the clock stand the seconds of the processor that the page's process used: other work on the machine does not lengthen those.

import { launch, visit } from '../tests/e2e/lib/browser.mjs';
import { observed, openTab } from '../tests/e2e/lib/page.mjs';

/** Share of exact answers that ends a run, slow-down of a phone, longest time for a run, ms that a slowed page runs at a time. */
const [EXACT, PHONE, MOST, SLICE] = [99, 6, 1_200_000, 15];
/** Steps that are counted, after so many that are not. */
const [STEPS, WARM] = [150, 40];
/** 20 pieces with the end mark in the model that ships. */
const SENTENCE = 'The man with the red hat reads a book by the river while his dog sleeps.';

const [url, ...only] = process.argv.slice(2);
if (!url) {
  console.error('usage: node tools/measure-learning.mjs ADDRESS [steps] [reverse] [dates] [copy] [depends]');
  process.exit(2);
}
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const browser = await launch();
const after = [];
const fresh = async () => (await visit({ after: (end) => after.push(end) }, browser)).page;
const system = await browser.target().createCDPSession();

/** The processes of pages, each with the seconds of the processor that it used so far. */
const renderers = async () => (await system.send('SystemInfo.getProcessInfo')).processInfo.filter(({ type }) => type === 'renderer');
const processor = async () => (await renderers()).reduce((sum, { cpuTime }) => sum + cpuTime, 0);

/** Lets the pages run for one part of the time in `rate`: the browser's own throttling leaves workers out. Returns what ends that. */
async function slowDown(rate) {
  const ids = (await renderers()).map(({ id }) => id);
  let isOn = true;
  const signal = (name) => ids.forEach((id) => process.kill(id, name));
  const ended = (async () => {
    while (isOn) {
      await wait(SLICE);
      signal('SIGSTOP');
      await wait(SLICE * (rate - 1));
      signal('SIGCONT');
    }
  })();
  return () => {
    isOn = false;
    return ended;
  };
}

/** Training alone: nothing is drawn, measured or answered. */
async function steps() {
  const page = await fresh();
  // A text: no page that does anything.
  await page.goto(new URL('engine/build.js', url).href);
  for (const build of ['relaxed/learn', 'learn']) {
    const train = (count) =>
      page.evaluate(
        async (build, count) => {
          const { default: init, Learner, defaultSettings } = await import(`/pkg/${build}/translucent_learn.js`);
          if (!window.run) {
            await init();
            window.run = new Learner('reverse', defaultSettings());
          }
          for (let i = 0; i < count; i++) window.run.step();
        },
        build,
        count,
      );
    await train(WARM);
    const before = await processor();
    await train(STEPS);
    console.log(`${build}: ${(STEPS / ((await processor()) - before)).toFixed(1)} steps a second of the processor`);
    await page.evaluate(() => delete window.run);
  }
  await page.close();
}

/** Trains a task from random weights, as a visitor does who opens the tab and presses Train. */
async function train(task, throttle = 1) {
  const page = await fresh();
  await page.goto(`${url}#tab=learning&learning=${encodeURIComponent(`task=${task}`)}`);
  const status = () => page.$eval('#learning-status', (node) => node.textContent);
  await page.waitForFunction(() => /^step 0 .*exact/.test(document.querySelector('#learning-status')?.textContent ?? ''), { timeout: 120_000 });
  const [cpu, start] = [await processor(), performance.now()];
  await page.focus('#learning-play');
  await page.keyboard.press('Enter');
  const endThrottling = throttle > 1 ? await slowDown(throttle) : () => {};
  // Asked again and again: one question may wait for three minutes only.
  while (!(Number((await status()).match(/· ([\d.]+) % exact/)?.[1]) >= EXACT)) {
    if (performance.now() - start > MOST) throw new Error(`${task}: ${await status()}`);
    await wait(100);
  }
  const seconds = (performance.now() - start) / 1000;
  await endThrottling();
  console.log(`${task}${throttle > 1 ? `, ${throttle} × slower` : ''}: ${EXACT} % exact after ${seconds.toFixed(0)} s, ${((await processor()) - cpu).toFixed(0)} s of the processor (${await status()})`);
  await page.close();
}

/** Asks what the pieces of a translation depend on, a step after the other. */
async function depends() {
  const page = await fresh();
  await observed(page, url, SENTENCE);
  await openTab(page, 'attention');
  await page.locator('.asking [data-value="depends"]').click();
  const answered = (title) => page.waitForFunction((title) => document.querySelector('#depends-ranks') !== null && document.querySelector('#depends-title').textContent !== title, { timeout: 120_000 }, title);
  await answered('');
  const times = [];
  for (let i = 0; i < 7; i++) {
    const title = await page.$eval('#depends-title', (node) => node.textContent);
    await page.locator('#step-previous').click();
    await answered(title);
    const status = await page.$eval('#depends-status', (node) => node.textContent);
    const [, first] = status.match(/input after (\d+) ms/);
    const [, whole] = status.match(/steps, ([\d\s]+) ms/);
    times.push([Number(first), Number(whole.replace(/\s/g, ''))]);
  }
  const pieces = await page.$$eval('#depends-source .depends-piece', (all) => all.length);
  const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
  console.log(`depends on, ${pieces} source pieces, medians of ${times.length} steps: gradient × input after ${median(times.map(([first]) => first))} ms, integrated gradients complete after ${median(times.map(([, whole]) => whole))} ms`);
  await page.close();
}

const WAYS = { steps, reverse: () => train('reverse'), dates: () => train('dates'), copy: () => train('copy', PHONE), depends };
for (const [name, measure] of Object.entries(WAYS)) if (only.length === 0 || only.includes(name)) await measure();
await browser.close();
