// A loaded model as the memory of its WebAssembly instance, and the WebAssembly itself. It is stored after the first visit, in the
// browser's private file system beside the folder's files, and put back at the next one: nothing is parsed or packed again. It is
// only a copy: it is used where it is of the version that the host has now (offline, that the store has), and where it does not fit
// or is damaged, the files are read.

import { directory, fileName } from './image-file.js';
import { sumOf } from './sum.js';

/**
 * @typedef {import('../build.js').Engine} Engine
 * @typedef {import('../../pkg/translucent.js').Translator} Core
 * @typedef {import('../../pkg/translucent.js').InitOutput} Exports
 */

/**
 * @typedef {object} SyncFile What is used of `FileSystemSyncAccessHandle`, which only the types of workers have.
 * @property {(into: ArrayBufferView, options: { at: number }) => number} read
 * @property {(from: ArrayBufferView, options: { at: number }) => number} write
 * @property {() => number} getSize
 * @property {(size: number) => void} truncate
 * @property {() => void} flush
 * @property {() => void} close
 */
/**
 * @typedef {object} About What an image is of.
 * @property {string} folder Address of the folder.
 * @property {string} version The folder's.
 * @property {string} build The engine's version and flavour: another one lays its memory out otherwise.
 */

/**
 * @typedef {object} Captured
 * @property {Uint8Array} memory from `from` on
 * @property {number} from Before it are zeros, which are not stored: the stack, empty while no function runs.
 * @property {number} sum of what is stored
 * @property {number} table Size of the instance's table of JavaScript values; none of them is in use.
 */
/** @typedef {About & { memory: number, from: number, table: number, model: Record<string, unknown> }} Header `memory`: bytes of all of it */
/** @typedef {{ header: number, bytes: Uint8Array, digest: Uint8Array }} Front Bytes of the header in JSON, of it and all that stands before the memory, and their SHA-256. */

/** Stands before everything else, and is written last: a file without it was not written to its end. */
const MAGIC = 0x344d4c54;
/** `MAGIC`, bytes of the header and of all that stands before the memory, the memory's sum, and the SHA-256 of what stands before it. */
const START_BYTES = 16 + 32;
const MOST_FRONT_BYTES = 16 * 2 ** 20;
/** A page of WebAssembly's memory. */
const PAGE_BYTES = 65_536;
/** Larger models are read from their files: a copy of them would need more memory and more of the disk than it saves time. */
const MOST_BYTES = 64 * 2 ** 20;
/** So much is written between two turns of the message queue. */
const SLICE_BYTES = 2 ** 20;

/**
 * Computed beside this thread.
 * @param {Uint8Array} bytes
 */
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', /** @type {BufferSource} */ (bytes)));

/** A stored image, open until it is closed. */
export class Image {
  #file;
  #header;
  /** The engine's WebAssembly: reading it here is quicker than a request. */
  #wasm;
  /** Where the memory begins in the file, and its sum. */
  #at;
  #sum;
  /** Whether what stands before the memory is as it was written. */
  #isWhole;

  /**
   * @param {SyncFile} file
   * @param {Header} header
   * @param {Uint8Array} wasm
   * @param {number} at
   * @param {number} sum
   * @param {Promise<boolean>} isWhole
   */
  constructor(file, header, wasm, at, sum, isWhole) {
    this.#file = file;
    this.#header = header;
    this.#wasm = wasm;
    this.#at = at;
    this.#sum = sum;
    this.#isWhole = isWhole;
  }

  /**
   * The image of a folder that this build of the engine has written; null where there is none.
   * @param {string} folder
   * @param {string} build
   * @returns {Promise<Image | null>}
   */
  static async open(folder, build) {
    /** @type {SyncFile | undefined} */
    let file;
    try {
      const handle = await (await directory())?.getFileHandle(fileName(folder));
      // Where browsers have no such mode, another tab may have it open: then the files are read.
      file = await /** @type {any} */ (handle)?.createSyncAccessHandle({ mode: 'read-only' });
      const image = file ? Image.#read(file) : null;
      if (image && image.#header.folder === folder && image.#header.build === build) return image;
    } catch {
      // No image is no failure.
    }
    file?.close();
    return null;
  }

  /**
   * @param {SyncFile} file
   * @returns {Image | null} null where it is not whole
   */
  static #read(file) {
    const start = new Uint8Array(START_BYTES);
    file.read(start, { at: 0 });
    const [magic, headerSize, size, sum] = new Uint32Array(start.buffer, 0, 4);
    if (magic !== MAGIC || size > MOST_FRONT_BYTES) return null;
    const front = new Uint8Array(size);
    if (file.read(front, { at: START_BYTES }) !== size) return null;
    const isWhole = sha256(front).then((digest) => digest.every((byte, i) => byte === start[16 + i]), () => false);
    const { probes, ...header } = JSON.parse(new TextDecoder().decode(front.subarray(0, headerSize)));
    const wasm = front.subarray(headerSize + probes);
    if (probes > 0) header.model.probes = front.slice(headerSize, headerSize + probes);
    const at = START_BYTES + size;
    return file.getSize() === at + header.memory - header.from ? new Image(file, header, wasm, at, sum, isWhole) : null;
  }

  get version() {
    return this.#header.version;
  }

  /** What was known of the model beside what the engine says. */
  get model() {
    return this.#header.model;
  }

  /** Whether all but the memory is as it was written: to be asked before anything of it is used. */
  isWhole() {
    return this.#isWhole;
  }

  /**
   * The engine's WebAssembly, compiled.
   * @returns {Promise<WebAssembly.Module | null>} null where the image is damaged
   */
  async compiled() {
    try {
      const module = new WebAssembly.Module(/** @type {BufferSource} */ (this.#wasm));
      return (await this.#isWhole) ? module : null;
    } catch {
      return null;
    }
  }

  /**
   * Puts the memory into an instance that has loaded nothing yet.
   * @param {Engine} engine
   * @param {Exports} exports of its instance
   * @returns {Core | null} null where the image is damaged: the instance is as it was
   */
  restore(engine, exports) {
    const { memory, __wbindgen_externrefs: table } = exports;
    const { memory: size, from } = this.#header;
    const missing = size - memory.buffer.byteLength;
    if (missing < 0 || this.#header.table < table.length) return null;
    const before = new Uint8Array(memory.buffer.slice(from));
    memory.grow(missing / PAGE_BYTES);
    const bytes = new Uint8Array(memory.buffer, from);
    if (this.#file.read(bytes, { at: this.#at }) !== bytes.length || sumOf(memory, from) !== this.#sum) {
      bytes.fill(0);
      bytes.set(before);
      return null;
    }
    table.grow(this.#header.table - table.length);
    return engine.Translator.resume() ?? null;
  }

  close() {
    this.#file.close();
  }
}

/**
 * A copy of the memory of an instance that has done nothing but load this model. The model is then used under another handle.
 * @param {Engine} engine
 * @param {Exports} exports of its instance
 * @param {Core} core
 * @returns {{ core: Core, captured: Captured | null }}
 */
export function capture(engine, exports, core) {
  const { memory, __wbindgen_externrefs: table } = exports;
  if (memory.buffer.byteLength > MOST_BYTES) return { core, captured: null };
  core.park();
  const from = zerosOf(memory);
  const captured = { memory: new Uint8Array(memory.buffer.slice(from)), from, sum: sumOf(memory, from), table: table.length };
  return { core: /** @type {Core} */ (engine.Translator.resume()), captured };
}

/**
 * Whole pages of zeros at a memory's beginning, in bytes.
 * @param {WebAssembly.Memory} memory
 */
function zerosOf(memory) {
  const words = new BigUint64Array(memory.buffer);
  const first = words.findIndex((word) => word !== 0n);
  return Math.floor((Math.max(first, 0) * words.BYTES_PER_ELEMENT) / PAGE_BYTES) * PAGE_BYTES;
}

/**
 * Opens a folder's image for writing; null where it is there already, where another tab has it, or where none can be stored.
 * @param {About} about
 * @returns {Promise<SyncFile | null>}
 */
export async function openForWriting(about) {
  const there = await Image.open(about.folder, about.build);
  there?.close();
  if (there?.version === about.version && (await there.isWhole())) return null;
  try {
    const handle = await (await directory())?.getFileHandle(fileName(about.folder), { create: true });
    return (await /** @type {any} */ (handle)?.createSyncAccessHandle()) ?? null;
  } catch {
    return null;
  }
}

/**
 * What stands before the memory in the file of an image.
 * @param {About} about
 * @param {Record<string, unknown> & { probes?: Uint8Array }} model
 * @param {Uint8Array} wasm The engine's WebAssembly.
 * @param {Captured} captured
 * @returns {Promise<Front>}
 */
export async function frontOf(about, { probes = new Uint8Array(0), ...model }, wasm, { memory, from, table }) {
  const header = new TextEncoder().encode(JSON.stringify({ ...about, memory: from + memory.length, from, table, probes: probes.length, model }));
  const bytes = new Uint8Array(header.length + probes.length + wasm.length);
  bytes.set(header);
  bytes.set(probes, header.length);
  bytes.set(wasm, header.length + probes.length);
  return { header: header.length, bytes, digest: await sha256(bytes) };
}

/**
 * Writes an image, a slice between two `yield`s. What is not written to its end is none.
 * @param {SyncFile} file
 * @param {Front} front
 * @param {Captured} captured
 */
export function* write(file, { header, bytes, digest }, { memory, sum }) {
  try {
    if (bytes.length > MOST_FRONT_BYTES) return;
    file.truncate(0);
    file.write(bytes, { at: START_BYTES });
    for (let at = 0; at < memory.length; at += SLICE_BYTES) {
      yield;
      file.write(memory.subarray(at, at + SLICE_BYTES), { at: START_BYTES + bytes.length + at });
    }
    yield;
    file.write(digest, { at: 16 });
    file.flush();
    file.write(Uint32Array.of(MAGIC, header, bytes.length, sum), { at: 0 });
  } catch {
    // A full disk: the files are read as before.
    file.truncate(0);
  } finally {
    file.close();
  }
}
