// onnxruntime-web with the graphs of ../../peers/minimal_graphs.py: the strongest that we could write for it.

import { SHAPES, Search, ints, reordered, sourceIds, startSessions } from './onnxruntime.js';

/** @param {import('../contestant.js').Settings & { precision: string }} settings */
export async function start({ model, precision, source, target, beam }) {
  const { layers, heads, dK, vocabulary } = SHAPES[model];
  const [eos, pad] = [0, vocabulary - 1];
  const suffix = precision === 'int8' ? '_quantized' : '';
  const urls = ['enc', 'dec'].map((part) => `/cache/peers/minimal/${model}/${part}${suffix}.onnx`);
  const { ort, sessions, load } = await startSessions(urls);
  const [encoder, decoder] = sessions;
  const ids = sourceIds(source, vocabulary, eos);

  async function once() {
    const start = performance.now();
    const positions = ids.map((_, i) => i);
    const cross = await encoder.run({ ids: ints(ort, ids, [source]), pos: ints(ort, positions, [source]) });
    const past = { ...cross };
    for (let layer = 0; layer < layers; layer++) {
      for (const part of 'kv') past[`p${part}${layer}`] = new ort.Tensor('float32', new Float32Array(0), [beam, heads, 0, dK]);
    }
    const search = new Search({ beam, vocabulary, banned: [eos, pad] });
    let next = Array(beam).fill(pad);
    for (let position = 0; position < target; position++) {
      const out = await decoder.run({ ids: ints(ort, next, [beam]), pos: ints(ort, [position], [1]), ...past });
      const chosen = search.step(out.logits.data);
      next = chosen.next;
      for (let layer = 0; layer < layers; layer++) {
        for (const part of 'kv') {
          const cache = out[`${part}${layer}`];
          past[`p${part}${layer}`] = chosen.from ? reordered(ort, cache, chosen.from) : cache;
        }
      }
    }
    return performance.now() - start;
  }
  return { load, once };
}
