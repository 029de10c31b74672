// Runs the loops of loops.mjs: Gop/s of arithmetic on registers (a multiply-add is 2), GB/s of streaming.

import { ACCUMULATORS, PEAKS, ROUNDS, STREAMS } from './loops.js';

const MIB = 2 ** 20;
/** From the fastest cache to weights that no cache holds. */
const SIZES_MIB = [1 / 32, 1, 5, 20, 30, 120];
const START = 65536;

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** The median of `repeats` timings in ms. */
function timed(repeats, run) {
  const times = [];
  for (let i = 0; i < repeats; i++) {
    const start = performance.now();
    run();
    times.push(performance.now() - start);
  }
  return median(times);
}

async function limits(repeats = 9) {
  const { instance } = await WebAssembly.instantiateStreaming(fetch('/cache/loops.wasm'));
  const { memory, ...loops } = instance.exports;
  const words = new Int32Array(memory.buffer);
  // Small floats, and bytes of both signs.
  for (let i = 0; i < words.length; i++) words[i] = 0x3f000000 + (i & 0xffff);
  const peak = {};
  for (const [name, { lanes }] of Object.entries(PEAKS)) {
    const rounds = 1e6;
    timed(5, () => loops[name](rounds));
    peak[name] = (2 * lanes * ACCUMULATORS * ROUNDS * rounds) / timed(repeats, () => loops[name](rounds)) / 1e6;
  }
  const stream = {};
  for (const name of Object.keys(STREAMS)) {
    for (let i = 0; i < 200; i++) loops[`stream_${name}`](START, START + MIB / 4);
    stream[name] = SIZES_MIB.map((mib) => {
      const times = Math.max(1, Math.round(64 / mib));
      const run = () => {
        for (let i = 0; i < times; i++) loops[`stream_${name}`](START, START + mib * MIB);
      };
      run();
      return { mib, gbPerS: (mib * MIB * times) / timed(repeats, run) / 1e6 };
    });
  }
  return { peak, stream };
}
Object.assign(window, { limits });
