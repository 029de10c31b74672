// onnxruntime-web with the graphs that optimum exports: encoder, first decoder step, decoder with past.

import { SHAPES, Search, ints, reordered, sourceIds, startSessions } from './onnxruntime.js';

/** @param {import('../contestant.js').Settings & { precision: string }} settings */
export async function start({ model, precision, source, target, beam }) {
  const { layers, vocabulary } = SHAPES[model];
  const [eos, pad] = [0, vocabulary - 1];
  const suffix = precision === 'int8' ? '_quantized' : '';
  const parts = ['encoder_model', 'decoder_model', 'decoder_with_past_model'];
  const { ort, sessions, load } = await startSessions(parts.map((part) => `/cache/peers/standard/${model}/${part}${suffix}.onnx`));
  const [encoder, first, following] = sessions;
  const ids = sourceIds(source, vocabulary, eos);

  /** The same for every row of the beam. */
  const repeated = (tensor) => {
    const data = new tensor.data.constructor(tensor.data.length * beam);
    for (let row = 0; row < beam; row++) data.set(tensor.data, row * tensor.data.length);
    return new ort.Tensor(tensor.type, data, [beam, ...tensor.dims.slice(1)]);
  };
  const names = (who) =>
    Array.from({ length: layers }, (_, layer) => ['key', 'value'].map((part) => `${layer}.${who}.${part}`)).flat();

  async function once() {
    const start = performance.now();
    const mask = ints(ort, Array(source).fill(1), [1, source]);
    const { last_hidden_state: memory } = await encoder.run({ input_ids: ints(ort, ids, [1, source]), attention_mask: mask });
    const attention = { encoder_attention_mask: repeated(mask) };
    const start_ids = ints(ort, Array(beam).fill(pad), [beam, 1]);
    let out = await first.run({ input_ids: start_ids, encoder_hidden_states: repeated(memory), ...attention });
    const past = {};
    for (const name of [...names('decoder'), ...names('encoder')]) past[`past_key_values.${name}`] = out[`present.${name}`];
    const search = new Search({ beam, vocabulary, banned: [eos, pad] });
    for (let length = 1; ; length++) {
      const { next, from } = search.step(out.logits.data);
      if (length === target) break;
      for (const name of from ? names('decoder') : []) {
        past[`past_key_values.${name}`] = reordered(ort, past[`past_key_values.${name}`], from);
      }
      out = await following.run({ input_ids: ints(ort, next, [beam, 1]), ...attention, ...past });
      for (const name of names('decoder')) past[`past_key_values.${name}`] = out[`present.${name}`];
    }
    return performance.now() - start;
  }
  return { load, once };
}
