// What is measured in the browser, group by group; each group fits into a few minutes. `cargo xtask bench` names them.

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { peakOfRenderers } from './memory.mjs';
import { SENTENCES } from './sentences.mjs';

/** Every attention map of a sentence. */
const EVERY_MAP = { encoderSelf: true, decoderSelf: true, cross: true };

const engine = (precision, flavour) => ({ side: 'engine', precision, ...(flavour ? { flavour } : {}) });
/** Who meets whom; the name of a side is its key in the results. */
const SIDES = {
  'engine int8': engine('int8'),
  'engine int8 simd128': engine('int8', 'simd128'),
  'engine f32': engine('f32'),
  'onnxruntime minimal int8': { side: 'onnxruntime-minimal', precision: 'int8' },
  'onnxruntime minimal f32': { side: 'onnxruntime-minimal', precision: 'f32' },
  'onnxruntime standard int8': { side: 'onnxruntime-standard', precision: 'int8' },
  'onnxruntime standard f32': { side: 'onnxruntime-standard', precision: 'f32' },
  bergamot: { side: 'bergamot' },
};
const RECURRENT = { 'bergamot recurrent': { side: 'bergamot', model: 'Sr' } };

const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
};

/**
 * Sides that take turns, A B C A B C …: the median time of each side's translations, and of each round.
 * @param {import('./browser.mjs').Bench} bench
 * @param {Record<string, object>} sides
 * @param {object} task
 */
async function compare(bench, sides, task, { rounds = 7, turnMs = 400, warmUpMs = 2500 } = {}) {
  if (bench.quick) [rounds, turnMs, warmUpMs] = [2, 100, 300];
  const browser = await bench.launch();
  const pages = new Map();
  for (const [name, side] of Object.entries(sides)) {
    const page = await bench.open(browser, 'contestant.html');
    await page.evaluate((settings) => window.contestant.start(settings), { ...task, ...side });
    // WebAssembly is compiled better while it runs: only what has settled counts.
    await page.evaluate((ms) => window.contestant.turn(ms, 2), warmUpMs);
    pages.set(name, { page, rounds: [] });
  }
  for (let round = 0; round < rounds; round++) {
    for (const { page, rounds } of pages.values()) {
      rounds.push(await page.evaluate((ms) => window.contestant.turn(ms), turnMs));
    }
  }
  await browser.close();
  return Object.fromEntries(
    [...pages].map(([name, { rounds }]) => [
      name,
      {
        ms: median(rounds.flat()),
        rounds: rounds.map(median),
        runs: rounds.flat().length,
        ...(task.target ? { tokensPerS: (1000 * (task.target * (task.sentences ?? 1))) / median(rounds.flat()) } : {}),
      },
    ]),
  );
}

/** One model and length, greedy and beam 4. */
function throughput(model, source, target) {
  return async (bench) => {
    const results = [];
    const sides = model === 'S' ? { ...SIDES, ...RECURRENT } : SIDES;
    for (const beam of [1, 4]) {
      const task = { model, source, target, beam };
      results.push({ ...task, sides: await compare(bench, sides, task) });
    }
    return results;
  };
}

/** The model that ships, on sentences as people write them. */
async function shipped(bench) {
  const results = [];
  const sides = { 'engine relaxed': { side: 'engine' }, 'engine simd128': { side: 'engine', flavour: 'simd128' } };
  for (const beam of [1, 4]) {
    const task = { model: 'en-de', beam, texts: SENTENCES };
    results.push({ model: 'en-de', beam, sides: await compare(bench, sides, task, { turnMs: 1000 }) });
  }
  return results;
}

/** Loading: from cached bytes to readiness, the first translation after that, and the renderer's peak memory. */
async function start(bench) {
  const sides = {
    'engine int8': SIDES['engine int8'],
    'engine int8 simd128': SIDES['engine int8 simd128'],
    'onnxruntime minimal int8': SIDES['onnxruntime minimal int8'],
    bergamot: SIDES.bergamot,
    ...RECURRENT,
  };
  const task = { model: 'S', source: 20, target: 22, beam: 1 };
  const results = {};
  for (let round = 0; round < (bench.quick ? 1 : 5); round++) {
    for (const [name, side] of Object.entries(sides)) {
      const browser = await bench.launch();
      const visit = async () => {
        const page = await bench.open(browser, 'contestant.html');
        const load = await page.evaluate((settings) => window.contestant.start(settings), { ...task, ...side });
        return { page, load };
      };
      // The first visit fills the caches; the second is the one that counts. The first lasts for a sentence and a look at it: what
      // a side stores for the next visit, and the browser of its code, is stored then.
      const first = await visit();
      await first.page.evaluate(() => window.contestant.once());
      await new Promise((resolve) => setTimeout(resolve, bench.quick ? 500 : 3000));
      await first.page.close();
      const { page, load } = await visit();
      const coldMs = await page.evaluate(() => window.contestant.once());
      await page.evaluate(() => window.contestant.turn(1000, 5));
      const result = (results[name] ??= { readyMs: [], coldMs: [], renderersMiB: [] });
      result.readyMs.push(load.readyMs);
      result.coldMs.push(coldMs);
      result.renderersMiB.push(peakOfRenderers(browser.process()?.pid));
      await browser.close();
      if (side.side !== 'engine') continue;
      // As a reader does it: who looks at the page before typing meets an engine that has warmed up.
      const later = await bench.launch();
      const calm = await bench.open(later, 'contestant.html');
      await calm.evaluate((settings) => window.contestant.start(settings), { ...task, ...side });
      await new Promise((resolve) => setTimeout(resolve, 1000));
      (result.coldAfterASecondMs ??= []).push(await calm.evaluate(() => window.contestant.once()));
      await later.close();
    }
  }
  return Object.fromEntries(
    Object.entries(results).map(([name, measured]) => [
      name,
      Object.fromEntries(Object.entries(measured).map(([key, values]) => [key, median(values)])),
    ]),
  );
}

/** What observing costs: the same sentences with and without every attention map. */
async function observe(bench) {
  const results = [];
  const sides = { plain: SIDES['engine int8'], observed: { ...SIDES['engine int8'], observe: EVERY_MAP } };
  for (const beam of [1, 4]) {
    const task = { model: 'S', source: 20, target: 22, beam };
    results.push({ beam, sides: await compare(bench, sides, task, { rounds: 40, turnMs: 300 }) });
  }
  return results;
}

/** How time grows with the number of sentences of a document, and with the length of a translation: a source is cut at 200 pieces. */
async function growth(bench) {
  const measured = async (tasks) => {
    const browser = await bench.launch();
    const pages = [];
    for (const task of tasks) {
      const page = await bench.open(browser, 'contestant.html');
      await page.evaluate((settings) => window.contestant.start(settings), task);
      await page.evaluate((ms) => window.contestant.turn(ms, 1), bench.quick ? 100 : 800);
      pages.push({ page, task, times: [] });
    }
    for (let round = 0; round < (bench.quick ? 1 : 5); round++) {
      for (const { page, times } of pages) {
        times.push(...(await page.evaluate((ms) => window.contestant.turn(ms), bench.quick ? 50 : 250)));
      }
    }
    await browser.close();
    return pages.map(({ task, times }) => ({ ...task, ms: median(times), runs: times.length }));
  };
  const task = { ...SIDES['engine int8'], model: 'S', beam: 1 };
  const counts = [1, 2, 4, 8, 16, 32, 64];
  const lengths = [32, 64, 128, 192, 256, 320, 384, 448, 512];
  return {
    sentences: await measured(counts.map((sentences) => ({ ...task, source: 20, target: 22, sentences }))),
    length: await measured(lengths.map((target) => ({ ...task, source: 20, target }))),
  };
}

/** The limits of the machine in this browser; and as V8 would run on a processor without 8-bit dot products. */
async function limits(bench) {
  const run = async (flags) => {
    const browser = await bench.launch(flags);
    const page = await bench.open(browser, 'limits.html', 'limits');
    const result = await page.evaluate((repeats) => window.limits(repeats), bench.quick ? 3 : 9);
    await browser.close();
    return result;
  };
  return {
    asItIs: await run([]),
    withoutVnni: await run(['--js-flags=--no-enable-avx-vnni,--no-enable-avx-vnni-int8']),
  };
}

/** Matrix products of the engine, as shares of those limits. */
async function kernels(bench) {
  const browser = await bench.launch();
  const page = await bench.open(browser, 'kernels.html', 'kernels');
  const result = await page.evaluate((turns) => window.kernels(turns), bench.quick ? 3 : 9);
  await browser.close();
  return result;
}

/** What has to be fetched. */
async function size(bench) {
  const gzip = (file) => gzipSync(readFileSync(`${bench.root}/${file}`), { level: 9 }).length;
  const packages = `${bench.cache}/node_modules`;
  const peer = (file) => gzipSync(readFileSync(`${packages}/${file}`), { level: 9 }).length;
  return {
    simd128: gzip('pkg/translucent_bg.wasm'),
    'relaxed-simd': gzip('pkg/relaxed/translucent_bg.wasm'),
    'onnxruntime-web': peer('onnxruntime-web/dist/ort-wasm-simd-threaded.wasm'),
    bergamot: peer('@browsermt/bergamot-translator/worker/bergamot-translator-worker.wasm'),
  };
}

export const GROUPS = {
  size,
  limits,
  kernels,
  's-short': throughput('S', 20, 22),
  's-long': throughput('S', 60, 66),
  'm-short': throughput('M', 20, 22),
  'm-long': throughput('M', 60, 66),
  shipped,
  start,
  observe,
  growth,
};
