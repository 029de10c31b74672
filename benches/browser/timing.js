// What limits.js and kernels.js share: the assembled loops, and their rates.

import { ACCUMULATORS, PEAKS, ROUNDS, STREAMS } from './loops.js';

export const MIB = 2 ** 20;
/** Where streaming begins in the loops' memory. */
export const START = 65536;
const PEAK_ROUNDS = 1e6;

/** @param {number[]} values */
export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** The loops of loops.mjs by name, compiled for good, over memory with small floats and bytes of both signs. */
export async function loadLoops() {
  const { instance } = await WebAssembly.instantiateStreaming(fetch('/cache/loops.wasm'));
  const { memory, ...loops } = instance.exports;
  const words = new Int32Array(memory.buffer);
  for (let i = 0; i < words.length; i++) words[i] = 0x3f000000 + (i & 0xffff);
  for (let i = 0; i < 5; i++) for (const name of Object.keys(PEAKS)) loops[name](PEAK_ROUNDS);
  for (let i = 0; i < 200; i++) for (const name of Object.keys(STREAMS)) loops[`stream_${name}`](START, START + MIB / 4);
  return loops;
}

/**
 * Gop/s of one loop over registers.
 * @param {Record<string, Function>} loops
 * @param {string} name
 */
export function peakOf(loops, name) {
  const start = performance.now();
  loops[name](PEAK_ROUNDS);
  return (2 * PEAKS[name].lanes * ACCUMULATORS * ROUNDS * PEAK_ROUNDS) / (performance.now() - start) / 1e6;
}
