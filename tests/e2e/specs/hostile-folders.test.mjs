// Model folders that nobody makes in good faith: each is refused with a reason or works, and the next model loads.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { enginePage } from '../lib/engine.mjs';
import { SCRATCH, site } from '../lib/site.mjs';

const here = site();
const NAMES = ['config.json', 'generation_config.json', 'model.safetensors', 'source.spm', 'target.spm', 'vocab.json'];

/** The files of a tiny model that works. @type {Record<string, Buffer>} */
const good = {};
before(async () => {
  const folder = join(SCRATCH, 'hostile-base');
  execFileSync(process.env.TRANSLUCENT, ['random', '--output', folder, '--tokenizer', 'tests/golden/tokenizer'], { stdio: 'pipe' });
  for (const name of NAMES) good[name] = await readFile(join(folder, name));
});

const json = (/** @type {string} */ name, /** @type {object} */ change) => ({ [name]: Buffer.from(JSON.stringify({ ...JSON.parse(String(good[name])), ...change })) });
const config = (/** @type {object} */ change) => json('config.json', change);
const cut = (/** @type {string} */ name, /** @type {number} */ bytes) => ({ [name]: good[name].subarray(0, bytes) });
const header = (/** @type {bigint} */ length) => {
  const bytes = Buffer.from(good['model.safetensors']);
  bytes.writeBigUInt64LE(length);
  return { 'model.safetensors': bytes };
};
const field = (/** @type {number} */ number, /** @type {Buffer} */ bytes) => Buffer.concat([Buffer.from([(number << 3) | 2, ...varint(bytes.length)]), bytes]);
function varint(/** @type {number} */ value) {
  const out = [];
  for (; value >= 0x80; value = Math.floor(value / 128)) out.push((value % 128) | 0x80);
  return [...out, value];
}

/** What is changed of the good folder, and whether it then works. @type {[name: string, change: () => Record<string, Buffer>, works?: boolean][]} */
const FOLDERS = [
  ['an empty configuration', () => ({ 'config.json': Buffer.alloc(0) })],
  ['a configuration 100 000 lists deep', () => ({ 'config.json': Buffer.from('['.repeat(100_000)) })],
  ['a billion positions', () => config({ max_position_embeddings: 1e9 })],
  ['a table of positions of 8 GB', () => config({ max_position_embeddings: 16384, d_model: 131072, d_k: 1, d_v: 1, model_type: 'translucent' })],
  ['sixteen million layers', () => config({ encoder_layers: 2 ** 24 })],
  ['a million heads', () => config({ encoder_attention_heads: 1e6, decoder_attention_heads: 1e6, d_k: 1, d_v: 1, model_type: 'translucent' })],
  ['a forced end outside the vocabulary', () => config({ forced_eos_token_id: 4_000_000 })],
  ['banned ids outside the vocabulary', () => config({ bad_words_ids: [[4_000_000]] })],
  ['a start outside the vocabulary', () => config({ decoder_start_token_id: 4_294_967_295 })],
  ['everything banned', () => config({ bad_words_ids: Array.from({ length: 3000 }, (_, id) => [id]) })],
  ['a beam of a billion', () => json('generation_config.json', { num_beams: 1e9 })],
  ['a length penalty that is no number', () => json('generation_config.json', { length_penalty: 'NaN' }), true],
  ['weights without an end', () => cut('model.safetensors', 5000)],
  ['weights of nothing', () => cut('model.safetensors', 0)],
  ['a header longer than the file', () => header(2n ** 63n)],
  ['a header of one byte', () => header(1n)],
  ['a vocabulary that is a list', () => ({ 'vocab.json': Buffer.from('["</s>", "<unk>", "<pad>"]') })],
  ['ids that leave a gap', () => json('vocab.json', { gap: 4_294_967_295 })],
  ['a tokenizer of nothing', () => ({ 'source.spm': Buffer.alloc(0), 'target.spm': Buffer.alloc(0) })],
  ['a tokenizer of random bytes', () => ({ 'source.spm': Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 7919) % 251)), 'target.spm': Buffer.alloc(9, 7) })],
  ['a piece of 30 MB', () => ({ 'source.spm': Buffer.concat([good['source.spm'], field(1, field(1, Buffer.alloc(30e6, 97)))]) }), true],
  ['a configuration of 5 MB', () => ({ 'config.json': Buffer.concat([good['config.json'], Buffer.alloc(5e6, 32)]) })],
  ['a card of 160 000 open links', () => ({ 'README.md': Buffer.from('[a]('.repeat(40_000)) }), true],
  ['probes of 0 sentences', () => ({ 'probes.bin': Buffer.concat([Buffer.from('TLPROBES'), Buffer.alloc(24)]) }), true],
  ['odd descriptions', () => ({ 'heads.json': Buffer.from('{"heads": [[null, "x"]]}'), 'training.json': Buffer.from('[1e999]'), 'metrics.json': Buffer.from('"x"') }), true],
];

test('every hostile folder is refused with a reason or works, in one worker, and the good one loads after it', { timeout: 300_000 }, async (t) => {
  const { page } = await enginePage(t, here);
  /** Loads a folder, and translates with what is there then. */
  const attempt = (/** @type {Record<string, Buffer>} */ files) =>
    page.evaluate(
      async (entries) => {
        const files = entries.map(([name, text]) => new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
        window.translator ??= new Translator();
        const start = performance.now();
        const loaded = await translator.load('./hostile/', { files }).then(({ kind }) => kind, ({ code, message }) => `${code}: ${message}`);
        const answer = await translator.translate('the dog', { beam: 1, maxExtra: 4 }).then(({ kind }) => kind, ({ code }) => code);
        return { loaded, answer, ms: performance.now() - start };
      },
      Object.entries(files).map(([name, bytes]) => [name, bytes.toString('base64')]),
    );
  assert.deepEqual({ ...(await attempt(good)), ms: 0 }, { loaded: 'loaded', answer: 'translated', ms: 0 });
  const [worker] = page.workers();
  for (const [name, change, works] of FOLDERS) {
    const { loaded, answer, ms } = await attempt({ ...good, ...change() });
    if (works) assert.equal(loaded, 'loaded', name);
    else assert.match(loaded, /^(ConfigInvalid|ModelFormat|ShapeMismatch|TokenizerFormat|RequestInvalid): .{10}/, name);
    // The model that was there before serves on.
    assert.equal(answer, 'translated', name);
    assert.ok(ms < 5000, `${name}: ${ms} ms`);
  }
  assert.deepEqual({ ...(await attempt(good)), ms: 0 }, { loaded: 'loaded', answer: 'translated', ms: 0 });
  assert.deepEqual(page.workers(), [worker], 'the engine never trapped');
});
