// Our engine, as a page uses it: `translator.js`, its worker, a model folder.

import { Translator } from '/engine/translator.js';
import { sentences } from '../text.js';

/** The paper's search (§6.1), as the page asks for it. */
const SCORING = { kind: 'wu', alpha: 0.6 };
/** Pieces that a translation may have beyond its source's, and never has. */
const LONGER = 50;

/**
 * @param {import('../contestant.js').Settings & {
 *   precision: string, flavour?: string, observe?: object, texts?: string[], sentences?: number,
 * }} settings `observe`: what to observe of the sentence; `texts`: real ones in place of random words, in turn.
 */
export async function start({ model, precision, flavour, source, target, beam, observe, texts, sentences: count = 1 }) {
  if (flavour === 'simd128') withoutRelaxed();
  const start = performance.now();
  const translator = new Translator();
  const loaded = await translator.load(`/models/${precision ? `${model}-${precision}` : model}/`);
  const load = { readyMs: performance.now() - start, downloaded: loaded.downloaded, flavour: loaded.model.flavour };

  const sentence = texts ? null : sentences(model, source);
  const options = { beam, scoring: SCORING, ...(texts ? {} : { maxExtra: target - source }) };
  let at = 0;
  // A line break ends a sentence.
  const text = sentence
    ? () => Array.from({ length: count }, sentence).join('\n')
    : () => texts[at++ % texts.length];
  let tokens = 0;
  async function once() {
    const source = text();
    // The worker remembers what it has translated under the same options: real texts come again and again.
    const own = sentence ? options : { ...options, maxExtra: LONGER + at };
    const start = performance.now();
    const result = await translator.translate(source, {
      ...own,
      ...(observe ? { observe: { sentence: 0, request: observe } } : {}),
    });
    const ms = performance.now() - start;
    tokens = result.tokens;
    if (sentence && tokens !== target * count) throw new Error(`${tokens} pieces, not ${target * count}`);
    return ms;
  }
  return { load, once, tokens: () => tokens, translator };
}

/** Makes the worker see a browser without relaxed SIMD, as Safari's is: it then takes the other build by itself. */
function withoutRelaxed() {
  const Native = Worker;
  window.Worker = class extends Native {
    constructor(url, options) {
      super('/bench/worker-simd128.js', options);
    }
  };
}
