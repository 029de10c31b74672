// The engine's modules that need neither worker nor browser: queue, kept blocks, checks of model files.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ObservedBlocks } from '../../www/engine/observed.js';
import { download } from '../../www/engine/models/download.js';
import { readIndex } from '../../www/engine/models/index.js';
import { mostBytes, safetensorsFault, tooLarge } from '../../www/engine/models/check.js';
import { TaskQueue } from '../../www/engine/queue.js';

const turn = () => new Promise((done) => setImmediate(done));

/** A queue, and tasks that write down each of their slices. */
function queued() {
  /** @type {string[]} */
  const log = [];
  const queue = new TaskQueue(turn, () => log.push('end'));
  const add = (id, lane, slices, { isReady = () => true, fails = false } = {}) =>
    queue.add({
      id, lane, isReady, method: 'm', model: 0,
      *run() {
        try {
          for (let i = 0; i < slices; i++) {
            log.push(`${id}.${i}`);
            if (fails) throw new Error('broken');
            yield;
          }
        } finally {
          log.push(`${id} freed`);
        }
      },
      fail: (error) => log.push(`${id}: ${error.message}`),
    });
  const idle = async () => {
    for (let i = 0; i < 30; i++) await turn();
  };
  return { queue, log, add, idle };
}

test('a lower lane goes first, within a lane the order is that of arrival', async () => {
  const { log, add, idle } = queued();
  add(1, 1, 2);
  add(2, 1, 1);
  add(3, 0, 1);
  await idle();
  assert.deepEqual(log.filter((entry) => /\.\d/.test(entry)), ['3.0', '1.0', '1.1', '2.0']);
});

test('a task that is removed before its turn never begins, a running one is freed', async () => {
  const { queue, log, add, idle } = queued();
  add(1, 0, 100);
  add(2, 0, 1);
  await turn();
  await turn();
  queue.remove(({ id }) => id === 2);
  queue.remove(({ id }) => id === 1);
  await idle();
  assert.ok(!log.some((entry) => entry.startsWith('2')), String(log));
  assert.ok(log.includes('1 freed'));
  assert.equal(queue.size, 0);
});

test('a task that fails is freed and reported, and the next one runs', async () => {
  const { log, add, idle } = queued();
  add(1, 0, 1, { fails: true });
  add(2, 0, 1);
  await idle();
  assert.deepEqual(log, ['1.0', '1 freed', 'end', '1: broken', '2.0', '2 freed', 'end']);
});

test('a task waits until it is ready, and others need not wait for it', async () => {
  const { queue, log, add, idle } = queued();
  let ready = false;
  add(1, 0, 1, { isReady: () => ready });
  add(2, 1, 1);
  await idle();
  assert.deepEqual(log.filter((entry) => /\.\d/.test(entry)), ['2.0']);
  ready = true;
  queue.wake();
  await idle();
  assert.ok(log.includes('1.0'));
});

test('kept blocks are copies, and the least recently used one is dropped', () => {
  const block = (n) => ({ data: new Float32Array(100).fill(n), shape: [1, 1, 10, 10] });
  const blocks = new ObservedBlocks(2 * 400);
  const given = block(1);
  const a = blocks.keep({ cross: given }).cross;
  given.data.fill(9);
  const b = blocks.keep({ encoderSelf: block(2), memory: block(5) });
  assert.deepEqual(Object.keys(b), ['encoderSelf']);
  assert.equal(blocks.get(a)?.data[0], 1);
  blocks.keep({ decoderSelf: block(3) });
  assert.equal(blocks.get(b.encoderSelf), undefined);
  assert.equal(blocks.get(a)?.data[0], 1);
});

test('sizes are limited by what a file is for', () => {
  assert.ok(mostBytes('README.md') < mostBytes('vocab.json'));
  assert.ok(mostBytes('probes.bin') < mostBytes('model.safetensors'));
  assert.equal(tooLarge('model.safetensors', 3e8), null);
  assert.match(tooLarge('model.safetensors', 3e9) ?? '', /3\.0 GB/);
  assert.match(tooLarge('config.json', 5e6) ?? '', /config\.json/);
});

/** A safetensors file with a header as given and so many bytes of data. */
function safetensors(header, bytes) {
  const text = new TextEncoder().encode(typeof header === 'string' ? header : JSON.stringify(header));
  const file = new Uint8Array(8 + text.length + bytes);
  new DataView(file.buffer).setBigUint64(0, BigInt(text.length), true);
  file.set(text, 8);
  return file;
}

test('weights that are cut short, shifted or something else are noticed by their own header', async () => {
  const header = { __metadata__: { format: 'pt' }, a: { dtype: 'I8', shape: [6], data_offsets: [0, 6] }, b: { dtype: 'I8', shape: [4], data_offsets: [6, 10] } };
  const good = safetensors(header, 10);
  assert.equal(await safetensorsFault(good), null);
  assert.match((await safetensorsFault(good.subarray(0, good.length - 1))) ?? '', /9 bytes of tensors, its header says 10/);
  assert.match((await safetensorsFault(safetensors(header, 11))) ?? '', /damaged/);
  assert.match((await safetensorsFault(good.subarray(0, 20))) ?? '', /header of/);
  assert.match((await safetensorsFault(new Uint8Array(3))) ?? '', /no header/);
  assert.match((await safetensorsFault(new TextEncoder().encode('<!doctype html><title>404</title>'))) ?? '', /header/);
  for (const odd of ['null', '[]', '{"a":null}', '{"a":{"data_offsets":"x"}}', '{', '']) assert.match((await safetensorsFault(safetensors(odd, 4))) ?? '', /damaged/, odd);
});

test('a page in the place of a missing file, as hosts of single-page apps answer, is no index and no optional file', async (t) => {
  const answer = () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html; charset=utf-8' } });
  t.mock.method(globalThis, 'fetch', async () => answer());
  const url = new URL('https://example.org/models/');
  assert.equal(await readIndex(new URL('index.json', url), null), undefined);
  const file = (required) => ({ name: 'target_vocab.json', required, bytes: 0, sha256: null });
  const fetched = (required) => download(null, url, file(required), new AbortController().signal, () => {});
  assert.equal(await fetched(false), null);
  assert.equal((await fetched(true)).content.length, '<!doctype html>'.length, 'what is required is checked by its reader');
});
