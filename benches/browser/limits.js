// Runs the loops of loops.mjs: Gop/s of arithmetic on registers (a multiply-add is 2), GB/s of streaming.

import { PEAKS, STREAMS } from './loops.js';
import { MIB, START, loadLoops, median, peakOf } from './timing.js';

/** From the fastest cache to weights that no cache holds. */
const SIZES_MIB = [1 / 32, 1, 5, 20, 30, 120];

async function limits(repeats = 9) {
  const loops = await loadLoops();
  const several = (measure) => median(Array.from({ length: repeats }, measure));
  const peak = {};
  for (const name of Object.keys(PEAKS)) peak[name] = several(() => peakOf(loops, name));
  const stream = {};
  for (const name of Object.keys(STREAMS)) {
    stream[name] = SIZES_MIB.map((mib) => {
      const times = Math.max(1, Math.round(64 / mib));
      const rate = () => {
        const start = performance.now();
        for (let i = 0; i < times; i++) loops[`stream_${name}`](START, START + mib * MIB);
        return (mib * MIB * times) / (performance.now() - start) / 1e6;
      };
      rate();
      return { mib, gbPerS: several(rate) };
    });
  }
  return { peak, stream };
}
Object.assign(window, { limits });
