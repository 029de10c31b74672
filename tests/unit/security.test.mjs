// SECURITY.md states the limits that the sources have.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readText } from '../../www/app/read-text.js';

const read = (/** @type {string} */ path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const PAGE = read('SECURITY.md');

/** A constant's value in a source file: literals, shifts, powers and products of them. */
function constant(/** @type {string} */ path, /** @type {string} */ name) {
  const [, text] = read(path).match(new RegExp(`${name}(?:: \\w+)? ?[=:] ?([^;,}]+)`)) ?? assert.fail(`${path} has no ${name}`);
  const plain = text.trim().replaceAll('_', '');
  assert.match(plain, /^[\d *<()-]+$/, `${path}: ${name}`);
  return Number(new Function(`return ${plain.replace(/(\d+) << (\d+)/, '$1 * 2 ** $2')}`)());
}

const MIB = 2 ** 20;
/** @type {[path: string, constant: string, value: number, as: string][]} */
const LIMITS = [
  ['src/checkpoint/files.rs', 'MOST_WEIGHTS', 2 ** 31, '2 GiB'],
  ['www/engine/models/check.js', 'WEIGHTS_BYTES', 2 ** 31 - 1, '2³¹ − 1 bytes'],
  ['src/checkpoint/files.rs', 'MOST_OTHERS', 64 * MIB, 'command line | 64 MiB'],
  ['www/engine/models/check.js', 'TOKENIZER_BYTES', 32 * MIB, '| 32 MiB; 64 MiB; 4 MiB |'],
  ['www/engine/models/check.js', 'PROBES_BYTES', 64 * MIB, '| 32 MiB; 64 MiB; 4 MiB |'],
  ['www/engine/models/check.js', 'OTHER_BYTES', 4 * MIB, '| 32 MiB; 64 MiB; 4 MiB |'],
  ['src/checkpoint/weights/safetensors.rs', 'LONGEST', 1e8, '| 100 MB |'],
  ['src/checkpoint/weights/torch/pickle.rs', 'MAX_RANK', 8, 'pickled tensor | 8 |'],
  ['src/text/spm/charsmap.rs', 'LONGEST_RULE', 64, 'rule makes | 64 |'],
  ['src/model/config.rs', 'MAX_LAYERS', 256, '| 256; 1 024 |'],
  ['src/model/config.rs', 'MAX_HEADS', 1024, '| 256; 1 024 |'],
  ['src/checkpoint/config_json/read.rs', 'MOST_POSITIONS', 16384, '| 16 384 |'],
  ['src/model/config.rs', 'MAX_POSITION_CELLS', 256 * MIB / 4, 'sinusoids | 256 MiB |'],
  ['src/translator.rs', 'MAX_PIECES', 200, '| 200; longer ones are cut |'],
  ['src/search/options.rs', 'MAX_BEAM', 64, '| 64; 1 000 |'],
  ['src/translator/cache.rs', 'CAPACITY', 1000, '| 64; 1 000 |'],
  ['src/lab/position_lab.rs', 'MAX_POSITIONS', 10000, '| 10 000; 2 048 |'],
  ['src/lab/measure.rs', 'LONGEST', 2048, '| 10 000; 2 048 |'],
  ['www/engine/models/download.js', 'STALLED_MS', 30000, '| 30 s |'],
  ['cli/src/lines.rs', 'MAX_LINE', MIB, '| 1 MiB; 512; 1 GiB; 64 MiB |'],
  ['cli/src/commands/mod.rs', 'MAX_THREADS', 512, '| 1 MiB; 512; 1 GiB; 64 MiB |'],
  ['cli/src/files.rs', 'MOST', 64 * MIB, '| 1 MiB; 512; 1 GiB; 64 MiB |'],
  ['cli/src/lines.rs', 'MAX_BYTES', 2 ** 30, '| 1 MiB; 512; 1 GiB; 64 MiB |'],
];

test('every limit in SECURITY.md is the one in the source', () => {
  for (const [path, name, value, as] of LIMITS) {
    assert.equal(constant(path, name), value, `${path}: ${name}`);
    assert.ok(PAGE.includes(as), `SECURITY.md does not say ${as}`);
  }
});

test('a body without end is given up at its limit, a text is read whole', async () => {
  let sent = 0;
  const endless = new ReadableStream({ pull: (stream) => ((sent += 1e6), stream.enqueue(new Uint8Array(1e6))) });
  await assert.rejects(readText(new Response(endless), 3e6), /more than 3 MB/);
  assert.ok(sent < 8e6, `${sent} bytes`);
  assert.equal(await readText(new Response('é'.repeat(1000)), 2000), 'é'.repeat(1000));
  assert.equal(await readText(new Blob(['A dog.']), 6), 'A dog.');
  await assert.rejects(readText(new Blob(['A dog.']), 5));
});
