// `probes.bin` as the Model tab reads it: whole files, empty ones, and ones that lie about their size.

import assert from 'node:assert/strict';
import test from 'node:test';
import { readProbes } from '../../www/tabs/model/probes.js';

const HEADER = {
  encoder_layers: 2,
  decoder_layers: 1,
  n_heads: 2,
  sentences: [
    { source: 'a b', target: 'c', source_pieces: ['a', 'b'], target_pieces: ['c'] },
    { source: 'd', target: 'e', source_pieces: ['d'], target_pieces: ['e'] },
  ],
  checkpoints: [{ step: 0, target_tokens: 0 }, { step: 10, target_tokens: 100 }],
};
/** Weights of a checkpoint of `HEADER`: 2 heads × (2 encoder + 1 decoder + 1 cross maps) of both sentences. */
const BLOCK = 2 * (2 * 4 + 1 + 2) + 2 * (2 + 1 + 1);

/** @param {unknown} header @param {number} [weights] bytes after it */
function file(header, weights = 0) {
  const text = new TextEncoder().encode(typeof header === 'string' ? header : JSON.stringify(header));
  const bytes = new Uint8Array(12 + text.length + weights);
  bytes.set(new TextEncoder().encode('TLPROBES'));
  new DataView(bytes.buffer).setUint32(8, text.length, true);
  bytes.set(text, 12);
  for (let i = 0; i < weights; i++) bytes[12 + text.length + i] = i % 251;
  return bytes;
}

test('each map is found at its place', () => {
  const probes = readProbes(file(HEADER, 2 * BLOCK));
  assert.ok(probes);
  assert.deepEqual(probes.layers, { encoderSelf: 2, decoderSelf: 1, cross: 1 });
  const bytes = (/** @type {any} */ at) => Array.from(probes.matrix(at).data, (weight) => Math.round(weight * 255));
  assert.deepEqual(bytes({ checkpoint: 0, sentence: 0, kind: 'encoderSelf', layer: 0, head: 1 }), [4, 5, 6, 7]);
  assert.deepEqual(bytes({ checkpoint: 0, sentence: 0, kind: 'decoderSelf', layer: 0, head: 1 }), [17]);
  assert.deepEqual(bytes({ checkpoint: 0, sentence: 0, kind: 'cross', layer: 0, head: 1 }), [20, 21]);
  assert.deepEqual(bytes({ checkpoint: 0, sentence: 1, kind: 'encoderSelf', layer: 0, head: 0 }), [22]);
  assert.deepEqual(bytes({ checkpoint: 1, sentence: 1, kind: 'cross', layer: 0, head: 1 }), [2 * BLOCK - 1]);
});

test('a file without sentences or checkpoints is empty, not an error', () => {
  assert.equal(readProbes(file({ ...HEADER, sentences: [] })), null);
  assert.equal(readProbes(file({ ...HEADER, checkpoints: [] })), null);
});

test('a header that announces more than the file holds is refused', () => {
  assert.equal(readProbes(file(HEADER, BLOCK)), null);
  assert.equal(readProbes(file({ ...HEADER, n_heads: 1e6, sentences: [] })), null);
  assert.equal(readProbes(file({ ...HEADER, n_heads: 1e6, sentences: [{ source: '', target: '', source_pieces: [], target_pieces: [] }] })), null);
  const pieces = { source: 'a', target: 'b', source_pieces: ['a'], target_pieces: ['b'] };
  assert.equal(readProbes(file({ ...HEADER, n_heads: 1000, encoder_layers: 1, sentences: [pieces], checkpoints: [{ step: 0, target_tokens: 0 }] }, 3000)), null);
});

test('odd shapes are refused, not thrown', () => {
  const odd = { toString: 1 };
  const headers = ['', 'null', '[]', '{', { ...HEADER, sentences: null }, { ...HEADER, sentences: [null] }, { ...HEADER, sentences: [{ ...HEADER.sentences[0], source: odd }] }, { ...HEADER, sentences: [{ ...HEADER.sentences[0], target_pieces: [odd] }] }, { ...HEADER, checkpoints: [null] }, { ...HEADER, checkpoints: 'x' }, { ...HEADER, n_heads: -1 }];
  for (const header of headers) assert.equal(readProbes(file(header, 7)), null, JSON.stringify(header));
  for (let length = 0; length < 12; length++) assert.equal(readProbes(file(HEADER).subarray(0, length)), null);
});
