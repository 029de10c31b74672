// The parts of a download: a small file arrives in memory, a large one outside of it; both resume where they stopped.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BlobContent, bytesOf, forEngine } from '../../www/engine/models/content.js';
import { Parts } from '../../www/engine/models/parts.js';

const FILE = new URL('https://example.org/model/model.safetensors');
const HEADERS = new Headers({ etag: '"1"' });
const SIZES = { large: 400, part: 64 };

/** A cache that has room for so many bytes. */
function cacheOf(room = Infinity) {
  /** @type {Map<string, Response>} */
  const entries = new Map();
  let used = 0;
  return {
    entries,
    match: async (/** @type {any} */ key) => entries.get(String(key))?.clone(),
    async put(/** @type {any} */ key, /** @type {Response} */ response) {
      const bytes = await response.arrayBuffer();
      if ((used += bytes.byteLength) > room) throw new DOMException('full', 'QuotaExceededError');
      entries.set(String(key), new Response(bytes, { headers: response.headers }));
    },
    delete: async (/** @type {any} */ key) => entries.delete(String(key)),
  };
}

const file = (/** @type {number} */ length) => Uint8Array.from({ length }, (_, i) => (i * 31) >> 3);

/** Adds a file's bytes from where the parts end, in pieces of different lengths. @param {Parts} parts @param {Uint8Array} bytes @param {number} [until] */
async function add(parts, bytes, until = bytes.length, headers = HEADERS) {
  for (let piece = 7; parts.length < until; piece = (piece * 5) % 41) await parts.add(bytes.subarray(parts.length, Math.min(until, parts.length + piece)), headers);
}

for (const [name, length] of /** @type {const} */ ([['small', 300], ['large', 1000]])) {
  for (const known of [true, false]) {
    test(`a ${name} file of ${known ? 'a known' : 'an unknown'} size arrives whole`, async () => {
      for (const cache of [cacheOf(), null]) {
        const parts = new Parts(/** @type {any} */ (cache), FILE, SIZES);
        await parts.load();
        if (known) parts.expect(length);
        await add(parts, file(length));
        const content = await parts.join();
        assert.equal(content instanceof Blob, name === 'large');
        assert.deepEqual(await bytesOf(content), file(length));
      }
    });

    test(`a ${name} file of ${known ? 'a known' : 'an unknown'} size goes on where it stopped`, async () => {
      const cache = /** @type {any} */ (cacheOf());
      const first = new Parts(cache, FILE, SIZES);
      await first.load();
      if (known) first.expect(length);
      await add(first, file(length), 250);
      const second = new Parts(cache, FILE, SIZES);
      await second.load();
      assert.ok(second.length >= 250 - 64 - 41 && second.length <= 250, String(second.length));
      assert.ok(second.continuedBy(new Response('', { status: 206, headers: { etag: '"1"', 'content-range': `bytes ${second.length}-` } })));
      if (known) second.expect(length);
      await add(second, file(length));
      assert.deepEqual(await bytesOf(await second.join()), file(length));
      await second.drop();
      assert.equal(cache.entries.size, 0);
    });
  }
}

test('a full disk, or a host without versions, does not keep a large file from arriving', async () => {
  for (const [room, headers] of /** @type {[number, Headers][]} */ ([[0, HEADERS], [200, HEADERS], [Infinity, new Headers()]])) {
    const cache = /** @type {any} */ (cacheOf(room));
    const parts = new Parts(cache, FILE, SIZES);
    parts.expect(1000);
    await add(parts, file(1000), 1000, headers);
    assert.deepEqual(await bytesOf(await parts.join()), file(1000));
    // What is kept is the file's beginning.
    const again = new Parts(cache, FILE, SIZES);
    await again.load();
    if (again.length > 0) assert.deepEqual(await bytesOf(await again.join()), file(1000).subarray(0, again.length));
  }
});

test('a Blob is read ahead from its beginning to its end, and elsewhere when that is asked for', async (t) => {
  const bytes = file(9 * 2 ** 20);
  let reads = 0;
  /** @type {any} */ (globalThis).FileReaderSync = class {
    readAsArrayBuffer(/** @type {Part} */ { start, end }) {
      reads++;
      return bytes.slice(start, end).buffer;
    }
  };
  t.after(() => delete (/** @type {any} */ (globalThis).FileReaderSync));
  for (const byob of [true, false]) {
    /** A Blob of which parts of a part can be read. */
    class Part {
      constructor(/** @type {number} */ start, /** @type {number} */ end) {
        this.start = start;
        this.end = end;
        this.size = end - start;
      }
      slice(/** @type {number} */ start, end = this.size) {
        return new Part(this.start + start, Math.min(this.start + end, bytes.length));
      }
      arrayBuffer = async () => bytes.slice(this.start, this.end).buffer;
      stream() {
        let at = this.start;
        return new ReadableStream({
          ...(byob && { type: 'bytes' }),
          pull: (/** @type {any} */ controller) => {
            const next = Math.min(this.end, at + 700_001);
            if (next > at) controller.enqueue(bytes.slice(at, next));
            at = next;
            if (at < this.end) return;
            controller.close();
            controller.byobRequest?.respond(0);
          },
        });
      }
    }
    reads = 0;
    const content = new BlobContent('model.safetensors', /** @type {any} */ (new Part(0, bytes.length)));
    assert.equal(content.length, bytes.length);
    for (const [start, end] of [[0, 8], [8, 100]]) assert.deepEqual(content.read(start, end), bytes.subarray(start, end));
    assert.equal(reads, 2);
    for (let at = 100; at < bytes.length; at += 2 ** 20 - 3) {
      await content.readAhead();
      const end = Math.min(bytes.length, at + 2 ** 20 - 3);
      assert.ok(Buffer.compare(content.read(at, end), bytes.subarray(at, end)) === 0, String(at));
    }
    assert.equal(reads, 2, 'what was read ahead is read once');
    // The file's beginning is there all the time.
    assert.deepEqual(content.read(5, 9), bytes.subarray(5, 9));
    await content.readAhead();
    assert.equal(reads, 2);
    const far = 5 * 2 ** 20;
    assert.deepEqual(content.read(far, far + 9), bytes.subarray(far, far + 9));
    await content.readAhead();
    assert.deepEqual(content.read(far + 9, far + 2 ** 20), bytes.subarray(far + 9, far + 2 ** 20));
    assert.equal(reads, 3);
    content.close();
  }
  delete (/** @type {any} */ (globalThis).FileReaderSync);
  const files = await forEngine(new Map(/** @type {[string, import('../../www/engine/models/content.js').Content][]} */ ([['a', new Blob([bytes])], ['b', bytes]])));
  assert.deepEqual([...files.values()].map((value) => value instanceof Uint8Array && value.length), [bytes.length, bytes.length]);
});
