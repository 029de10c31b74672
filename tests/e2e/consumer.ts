// A program against the published types of the engine: it compiles under `strict`, and what must not compile does not.

import { TranslatorPool } from 'translucent/pool.js';
import { Translator } from 'translucent/translator.js';

export async function translate(text: string, signal: AbortSignal): Promise<string> {
  using translator = new Translator();
  const loaded = await translator.load('./models/en-de/', {
    signal,
    onProgress: ({ stage, loaded, total }) => console.log(stage.toUpperCase(), loaded / total),
  });
  if (loaded.kind === 'cancelled') return '';
  const languages: [string, string] = [loaded.model.sourceLanguage, loaded.model.targetLanguage];
  console.log(languages, loaded.stored, loaded.model.config.dModel);

  const result = await translator.translate(text, {
    beam: 4,
    scoring: { kind: 'wu', alpha: 0.6 },
    supersede: true,
    signal,
    observe: { sentence: 0, request: { cross: true } },
    onEvent(event) {
      if (event.kind === 'partial') console.log(event.text.slice(0, event.stableLength));
    },
    onTrace({ trace, target }) {
      const weights: Float32Array | undefined = trace.cross?.data;
      const shape: number[] | undefined = trace.cross?.shape;
      console.log(weights, shape, target[0]?.logprob);
    },
  });
  // @ts-expect-error A cancelled translation has no text.
  result.text;
  // @ts-expect-error There is no such option.
  await translator.translate(text, { beams: 4 });
  // @ts-expect-error A target is needed.
  await translator.score(text, {});

  const { observed, logprob } = await translator.score(text, { target: 'Ein Hund.', request: { cross: true } });
  const view = await translator.viewTrace({ trace: observed.trace, source: [], target: observed.target, unit: 'words' });
  console.log(logprob.toFixed(2), view.cross?.rows[0]?.text);
  return result.kind === 'translated' ? result.text : '';
}

export async function document(text: string): Promise<string> {
  const pool = new TranslatorPool({ workers: 2 });
  await pool.load(new URL('https://example.org/models/en-de/'));
  const result = await pool.translate(text, { beam: 1, onPart: ({ first, lines }) => console.log(first, lines.length) });
  pool.terminate();
  return result.kind === 'translated' ? result.text : '';
}
