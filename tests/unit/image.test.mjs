// The image of a loaded model: whole it gives the memory back, damaged in any way it is none, and the instance stays as it was.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

const PAGE = 65_536;
/** Files of the browser's private file system. @type {Map<string, Uint8Array>} */
const disk = new Map();
/** Bytes that the disk takes. */
let room = Infinity;
/** Files that are open. */
let open = 0;

/** A handle as browsers give it to workers. @param {string} name */
function access(name) {
  open += 1;
  const content = () => disk.get(name) ?? new Uint8Array(0);
  return {
    getSize: () => content().length,
    read(/** @type {ArrayBufferView} */ view, { at = 0 } = {}) {
      const to = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
      const from = content().subarray(at, at + to.length);
      to.set(from);
      return from.length;
    },
    write(/** @type {Uint8Array | Uint32Array} */ view, { at = 0 } = {}) {
      const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
      if (at + bytes.length > room) throw new DOMException('', 'QuotaExceededError');
      const grown = new Uint8Array(Math.max(content().length, at + bytes.length));
      grown.set(content());
      grown.set(bytes, at);
      disk.set(name, grown);
      return bytes.length;
    },
    truncate: (/** @type {number} */ size) => void disk.set(name, content().slice(0, size)),
    flush() {},
    close: () => void (open -= 1),
  };
}
const missing = () => new DOMException('', 'NotFoundError');
const root = {
  async getFileHandle(/** @type {string} */ name, { create = false } = {}) {
    if (!disk.has(name) && !create) throw missing();
    if (!disk.has(name)) disk.set(name, new Uint8Array(0));
    return { createSyncAccessHandle: async () => access(name), getFile: async () => ({ size: disk.get(name)?.length }) };
  },
  async removeEntry(/** @type {string} */ name) {
    if (!disk.delete(name)) throw missing();
  },
};
Object.defineProperty(globalThis, 'navigator', { value: { storage: { getDirectory: async () => root } }, configurable: true });

const { Image, capture, frontOf, openForWriting, write } = await import('../../www/engine/models/image.js');
const { sumOf } = await import('../../www/engine/models/sum.js');
const { deleteImage, imageBytes } = await import('../../www/engine/models/image-file.js');

const ABOUT = { folder: 'https://example.org/models/en-de/', version: 'one', build: 'abc relaxed-simd' };
/** An engine that does nothing. */
const WASM = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
const MODEL = { bytes: 7, heads: { a: [1] }, probes: Uint8Array.of(1, 2, 3) };

/** An instance of the engine: a page of stack, and one in whose first word stands what is parked. */
function instance() {
  const memory = new WebAssembly.Memory({ initial: 2 });
  const table = new WebAssembly.Table({ initial: 4, element: 'externref' });
  const first = () => new Uint32Array(memory.buffer, PAGE);
  first()[10] = 1;
  class Core {
    static resume() {
      const [parked] = [first()[0]];
      first()[0] = 0;
      return parked ? new Core(parked) : undefined;
    }
    /** @param {number} id */
    constructor(id) {
      this.id = id;
    }
    park() {
      first()[0] = this.id;
    }
  }
  return { engine: /** @type {any} */ ({ Translator: Core }), exports: /** @type {any} */ ({ memory, __wbindgen_externrefs: table }), words: first, Core };
}

/** Loads a model and stores its image. */
async function store(about = ABOUT) {
  const { engine, exports, words, Core } = instance();
  exports.memory.grow(3);
  exports.__wbindgen_externrefs.grow(128);
  words().set([5, 6, 7], 3 * (PAGE / 4) + 11);
  const { core, captured } = capture(engine, exports, /** @type {any} */ (new Core(42)));
  assert.equal(/** @type {any} */ (core).id, 42, 'the model goes on');
  assert.ok(captured);
  const file = await openForWriting(about);
  if (file) for (const _ of write(file, await frontOf(about, MODEL, WASM, captured), captured));
  return file !== null;
}

/** What a visit finds. */
async function visit({ folder, build } = ABOUT) {
  const { engine, exports, words } = instance();
  // Left on the stack by what the instance did before.
  new Uint32Array(exports.memory.buffer).set([9, 9, 9], 100);
  const before = Buffer.from(exports.memory.buffer.slice(0));
  const image = await Image.open(folder, build);
  try {
    const compiled = await image?.compiled();
    const core = /** @type {any} */ (compiled ? (image?.restore(engine, exports) ?? null) : null);
    if (core) assert.deepEqual(WebAssembly.Module.exports(/** @type {WebAssembly.Module} */ (compiled)), []);
    if (!core) {
      const after = Buffer.from(exports.memory.buffer);
      assert.equal(before.compare(after.subarray(0, before.length)), 0, 'the instance is as it was');
      assert.ok(after.subarray(before.length).every((byte) => byte === 0));
    }
    return core && { id: core.id, tail: [...words().subarray(3 * (PAGE / 4) + 11).slice(0, 3)], table: exports.__wbindgen_externrefs.length, version: image?.version, model: image?.model };
  } finally {
    image?.close();
  }
}

beforeEach(() => {
  disk.clear();
  room = Infinity;
});

test('a stored image gives model, memory and descriptions back', async () => {
  assert.equal(await visit(), null);
  assert.ok(await store());
  assert.deepEqual(await visit(), { id: 42, tail: [5, 6, 7], table: 132, version: 'one', model: MODEL });
  assert.equal(await store(), false, 'one that is there is not written again');
  const [[name, whole]] = disk;
  disk.set(name, whole.map((byte, at) => (at === 60 ? byte ^ 1 : byte)));
  assert.ok(await store(), 'a damaged one is');
  assert.equal(open, 0, 'nothing stays open');
});

test('an image is for its folder and its build of the engine alone, and a new version takes its place', async () => {
  await store();
  assert.equal(await visit({ ...ABOUT, build: 'abc simd128' }), null);
  assert.equal(await visit({ ...ABOUT, folder: `${ABOUT.folder}x/` }), null);
  const [name] = disk.keys();
  await store({ ...ABOUT, folder: 'https://example.org/models/en-fr/' });
  const [, other] = disk.keys();
  disk.set(other, /** @type {Uint8Array} */ (disk.get(name)));
  assert.equal(await visit({ ...ABOUT, folder: 'https://example.org/models/en-fr/' }), null, 'a file under the name of another folder');
  await store({ ...ABOUT, version: 'two' });
  assert.equal((await visit())?.version, 'two');
});

test('damage anywhere makes it none, and the memory is as it was', async () => {
  await store();
  const [[name, whole]] = disk;
  for (let at = 0; at < whole.length; at += at < 600 ? 1 : 4093) {
    const damaged = whole.slice();
    damaged[at] ^= 1 << at % 8;
    disk.set(name, damaged);
    assert.equal(await visit(), null, `byte ${at}`);
  }
  for (const length of [0, 1, 15, 16, 47, 48, 100, whole.length - 1]) {
    disk.set(name, whole.slice(0, length));
    assert.equal(await visit(), null, `cut at ${length}`);
  }
  disk.set(name, new Uint8Array(Buffer.concat([whole, Buffer.alloc(1)])));
  assert.equal(await visit(), null, 'a byte too many');
  assert.equal(open, 0);
});

test('an image that is not written to its end is none', async () => {
  await store();
  const [whole] = disk.values();
  for (room = 0; room < whole.length; room += 20_011) {
    disk.clear();
    await store();
    assert.equal(await visit(), null, `a disk of ${room} bytes`);
  }
  room = Infinity;
  disk.clear();
  const { engine, exports, Core } = instance();
  const captured = /** @type {import('../../www/engine/models/image.js').Captured} */ (capture(engine, exports, /** @type {any} */ (new Core(1))).captured);
  const front = await frontOf(ABOUT, MODEL, WASM, captured);
  const steps = write(/** @type {any} */ (await openForWriting(ABOUT)), front, captured);
  steps.next();
  assert.equal(await visit(), null, 'while it is written');
  steps.return();
  assert.equal(await visit(), null, 'the worker ended');
  assert.equal(open, 0);
});

test('a deleted folder leaves no image', async () => {
  await store();
  const bytes = await imageBytes(ABOUT.folder);
  assert.ok(bytes > 4 * PAGE && bytes < 4.1 * PAGE, 'all but the page of zeros at the beginning');
  await deleteImage(ABOUT.folder);
  assert.equal(disk.size, 0);
  assert.equal(await imageBytes(ABOUT.folder), 0);
  await deleteImage(ABOUT.folder);
});

test('the sum of a memory is that of its words in sixteen lanes', () => {
  const memory = new WebAssembly.Memory({ initial: 3 });
  const words = new Int32Array(memory.buffer);
  const prime = 0x01000193;
  const expected = () => {
    const lanes = new Int32Array(16).fill(prime);
    words.forEach((word, i) => (lanes[i % 16] = Math.imul(lanes[i % 16] ^ word, prime)));
    const joined = (/** @type {number[]} */ sums) => sums.reduce((all, sum) => Math.imul(all, prime) ^ sum);
    return joined([0, 1, 2, 3].map((lane) => joined([0, 4, 8, 12].map((vector) => lanes[vector + lane])))) >>> 0;
  };
  assert.equal(sumOf(memory, 0), expected());
  for (let i = 0; i < words.length; i += 1) words[i] = Math.imul(i, 0x9e3779b1) ^ (i >> 3);
  const whole = sumOf(memory, 0);
  assert.equal(whole, expected());
  for (const at of [0, 1, 15, 16, words.length - 1]) {
    words[at] ^= 1 << at % 32;
    assert.notEqual(sumOf(memory, 0), whole, `word ${at}`);
    assert.equal(sumOf(memory, 0), expected());
    words[at] ^= 1 << at % 32;
  }
  const rest = sumOf(memory, PAGE);
  words[7] ^= 1;
  assert.equal(sumOf(memory, PAGE), rest, 'what stands before does not count');
});
