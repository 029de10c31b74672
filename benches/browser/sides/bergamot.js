// bergamot-translator: whole `service.translate` calls, with the wasm gemm linked as the package's own worker does
// in browsers without Firefox's intrinsics.

import { sentences } from '../text.js';

const PACKAGE = '/cache/node_modules/@browsermt/bergamot-translator/worker/';
const GEMM = {
  int8_prepare_a: 'int8PrepareAFallback',
  int8_prepare_b: 'int8PrepareBFallback',
  int8_prepare_b_from_transposed: 'int8PrepareBFromTransposedFallback',
  int8_prepare_b_from_quantized_transposed: 'int8PrepareBFromQuantizedTransposedFallback',
  int8_prepare_bias: 'int8PrepareBiasFallback',
  int8_multiply_and_add_bias: 'int8MultiplyAndAddBiasFallback',
  int8_select_columns_of_b: 'int8SelectColumnsOfBFallback',
};

/** @param {import('../contestant.js').Settings} settings */
export async function start({ model, source, target, beam }) {
  const start = performance.now();
  const file = async (name) => new Int8Array(await (await fetch(`/cache/peers/marian/${model}/${name}`)).arrayBuffer());
  const files = Promise.all([file('model.bin'), file('vocab.spm')]);
  /** @type {WebAssembly.Memory | undefined} */
  let memory;
  const Module = await new Promise((resolve, reject) => {
    window.Module = {
      instantiateWasm(info, accept) {
        memory = info.env?.memory;
        const gemm = Object.entries(GEMM).map(([name, fallback]) => [name, (...a) => window.Module.asm[fallback](...a)]);
        WebAssembly.instantiateStreaming(fetch(`${PACKAGE}bergamot-translator-worker.wasm`), {
          ...info,
          wasm_gemm: Object.fromEntries(gemm),
        }).then(({ instance }) => accept(instance), reject);
        return {};
      },
      onRuntimeInitialized: () => resolve(window.Module),
      print: () => {},
      printErr: () => {},
    };
    const script = document.createElement('script');
    script.src = `${PACKAGE}bergamot-translator-worker.js`;
    script.onerror = reject;
    document.head.append(script);
  });
  const [weights, vocabulary] = await files;
  const aligned = (bytes, alignment) => {
    const copy = new Module.AlignedMemory(bytes.byteLength, alignment);
    copy.getByteArrayView().set(bytes);
    return copy;
  };
  const vocabularies = new Module.AlignedMemoryList();
  vocabularies.push_back(aligned(vocabulary, 64));
  const config = {
    'beam-size': beam,
    normalize: '1.0',
    'word-penalty': 0,
    'max-length-break': Math.max(128, source),
    'mini-batch-words': 2048,
    workspace: 128,
    'max-length-factor': (target - 0.01) / source,
    'skip-cost': true,
    'cpu-threads': 0,
    quiet: true,
    'quiet-translation': true,
    'gemm-precision': 'int8shiftAlphaAll',
  };
  const yaml = Object.entries(config).map(([key, value]) => `${key}: ${value}\n`).join('');
  const service = new Module.BlockingService({ cacheSize: 0 });
  const translation = new Module.TranslationModel(yaml, aligned(weights, 256), aligned(new Int8Array(0), 64), vocabularies, null);
  const readyMs = performance.now() - start;

  const sentence = sentences(model, source);
  async function once() {
    const [input, options] = [new Module.VectorString(), new Module.VectorResponseOptions()];
    input.push_back(sentence());
    options.push_back({ qualityScores: false, alignment: false, html: false });
    const start = performance.now();
    const response = service.translate(translation, input, options);
    const ms = performance.now() - start;
    const words = response.get(0).getTranslatedText().split(' ').length;
    for (const object of [input, options, response]) object.delete();
    if (words !== target) throw new Error(`${words} pieces, not ${target}`);
    return ms;
  }
  return {
    load: { readyMs },
    once,
    memory: () => (memory?.buffer.byteLength ?? 0) / 2 ** 20,
  };
}
