// The engine of `pkg/` in Node, with the model that ships: what the page would observe of a sentence.

import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The search of the page: the paper's (§6.1). */
export const SEARCH = { beam: 4, scoring: { kind: 'wu', alpha: 0.6 } };
const REQUEST = { encoderSelf: true, decoderSelf: true, cross: true };

/** Starts the engine and loads the first model of `models/index.json`. */
export async function loadShipped() {
  const { models } = JSON.parse(await readFile(join(ROOT, 'models/index.json'), 'utf8'));
  const [{ name, files }] = models;
  const folder = join(ROOT, 'models', name);
  const map = new Map();
  for (const file of files) map.set(file.name, new Uint8Array(await readFile(join(folder, file.name))));
  const api = await importEngine();
  const translator = api.Translator.load(map);
  return {
    translator,
    config: translator.info().config,
    heads: JSON.parse(await readFile(join(folder, 'heads.json'), 'utf8')),
    hash: files.find((file) => file.name === 'model.safetensors').sha256,
  };
}

/** The glue is a module by its content, not by its name: Node wants both. */
async function importEngine() {
  const dir = await mkdtemp(join(tmpdir(), 'translucent-'));
  try {
    await copyFile(join(ROOT, 'pkg/translucent.js'), join(dir, 'translucent.mjs')).catch(() => {
      throw new Error('pkg/ is not built: `cargo xtask serve` or `cargo xtask test` builds it');
    });
    const api = await import(join(dir, 'translucent.mjs'));
    await api.default({ module_or_path: await readFile(join(ROOT, 'pkg/translucent_bg.wasm')) });
    return api;
  } finally {
    await rm(dir, { recursive: true });
  }
}

/**
 * Translates one sentence with everything observed.
 * @returns the pieces of both sides, the blocks, the likeliest pieces of each step, the text and its score
 */
export function observe(translator, text, options = SEARCH) {
  const job = translator.begin(text, options, { sentence: 0, request: REQUEST, alternatives: 3 });
  try {
    const seen = {};
    while (!job.isDone()) {
      for (const event of job.step()) {
        if (event.kind === 'sentences') seen.sentences = event.sentences;
        if (event.kind === 'sentence') Object.assign(seen, { text: event.text, score: event.score });
      }
    }
    if (seen.sentences.length !== 1) throw new Error(`${text}: has ${seen.sentences.length} sentences, a scene shows one`);
    const { target, steps, trace } = job.trace();
    return { ...seen, source: seen.sentences[0].source, target, steps, trace };
  } finally {
    job.free();
  }
}

/** One weight of a block (layers, heads, rows, cols). */
export function weight({ data, shape: [, heads, rows, cols] }, { layer, head, row, col }) {
  return data[((layer * heads + head) * rows + row) * cols + col];
}

/** The words of a side: their text and the indices of their pieces. */
export function words(pieces) {
  const found = [];
  pieces.forEach(({ text, word }, index) => {
    if (word === null) return;
    found[word] ??= { text: '', pieces: [] };
    found[word].text += text.replace('▁', '');
    found[word].pieces.push(index);
  });
  return found.filter(Boolean);
}
