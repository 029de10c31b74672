// Times the engine's matrix products beside the loops that say what is possible, in turns.

import start, { Products } from '/cache/kernels/translucent.js';
import { MIB, START, loadLoops, median, peakOf } from './timing.js';

/** The encoder's maps of S and M: (outputs, inputs). */
const MAPS = [
  ['S attention', 256, 256],
  ['S feed-forward, first', 1024, 256],
  ['S feed-forward, second', 256, 1024],
  ['M attention', 512, 512],
  ['M feed-forward, first', 2048, 512],
  ['M feed-forward, second', 512, 2048],
];
const ROWS = [64, 128];
/** For a single row: the decoder's maps and the projection to the vocabulary. */
const SINGLE = [...MAPS, ['S projection', 8000, 256], ['M projection', 16000, 512]];
/** What all weights of a decoder of S have together, about. */
const STREAMED_MIB = 5;

const ms = (run) => {
  const start = performance.now();
  run();
  return performance.now() - start;
};

/**
 * Takes turns until the medians stand: the loop, the product.
 * @param {number} turns
 * @param {() => number} limit the rate that is possible
 * @param {() => number} product the rate that is reached
 */
function share(turns, limit, product) {
  const [limits, rates] = [[], []];
  for (let turn = 0; turn < turns; turn++) {
    limits.push(limit());
    rates.push(product());
  }
  return { rate: median(rates), limit: median(limits), share: median(rates.map((rate, i) => rate / limits[i])) };
}

/** Repetitions that take about 15 ms, once the code has settled. */
function settled(products) {
  let times = 1;
  while (ms(() => products.run(times)) < 15) times *= 2;
  for (let i = 0; i < 10; i++) products.run(times);
  return times;
}

async function kernels(turns = 9) {
  await start();
  const loops = await loadLoops();
  const gemm = (int8, peak) =>
    MAPS.flatMap(([name, outputs, inputs]) =>
      ROWS.map((rows) => {
        const products = new Products(int8, 1, rows, outputs, inputs);
        const times = settled(products);
        const operations = 2 * rows * outputs * inputs * times;
        const measured = share(
          turns,
          () => peakOf(loops, peak),
          () => operations / ms(() => products.run(times)) / 1e6,
        );
        products.free();
        return { shape: `${name}, ${rows} rows`, unit: 'Gop/s', ...measured };
      }),
    );
  const gemv = (int8, stream, bytes) =>
    SINGLE.map(([name, outputs, inputs]) => {
      const size = outputs * inputs * bytes;
      const copies = Math.max(1, Math.round((STREAMED_MIB * MIB) / size));
      const products = new Products(int8, copies, 1, outputs, inputs);
      const times = settled(products);
      const streamed = Math.min(copies * size, 128 * MIB);
      const rounds = Math.max(1, Math.round((64 * MIB) / streamed));
      const measured = share(
        turns,
        () => {
          const took = ms(() => {
            for (let i = 0; i < rounds; i++) loops[`stream_${stream}`](START, START + streamed);
          });
          return (streamed * rounds) / took / 1e6;
        },
        () => (copies * size * times) / ms(() => products.run(times)) / 1e6,
      );
      products.free();
      return { shape: `${name} (${outputs} × ${inputs}, ${copies} of them)`, unit: 'GB/s', ...measured };
    });
  return {
    gemmInt8: gemm(true, 'i8_relaxed_dot'),
    gemmF32: gemm(false, 'f32_relaxed_madd'),
    gemvInt8: gemv(true, 'i8_relaxed_dot', 1),
    gemvF32: gemv(false, 'f32_relaxed_madd', 4),
  };
}
Object.assign(window, { kernels });
