// A loaded model as the memory of its WebAssembly instance. It is stored after the first visit, in the browser's private file
// system beside the folder's files, and put back at the next one: nothing is parsed or packed again. It is only a copy: it is used
// where the store has the folder's files of just that version, and where it does not fit or is damaged, they are read.

import { directory, fileName } from './image-file.js';

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
 * @property {Uint8Array} memory
 * @property {number} table Size of the instance's table of JavaScript values; none of them is in use.
 */

/** Stands before everything else, and is written last: a file without it was not written to its end. */
const MAGIC = 0x324d4c54;
/** `MAGIC`, bytes of the header, and the sums of header, probes, WebAssembly and memory. */
const START_BYTES = 24;
const MOST_HEADER_BYTES = 4 * 2 ** 20;
/** A page of WebAssembly's memory. */
const PAGE_BYTES = 65_536;
/** Larger models are read from their files: a copy of them would need more memory and more of the disk than it saves time. */
const MOST_BYTES = 64 * 2 ** 20;
/** So much is written between two turns of the message queue. */
const SLICE_BYTES = 2 ** 20;

/**
 * A sum that any damage changes. Four at a time: each product waits for the one before it.
 * @param {Uint8Array} bytes Whole groups of 16, on a boundary of four.
 */
function sumOf(bytes) {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  let [a, b, c, d] = [1, 2, 3, 4];
  for (let i = 0; i < words.length; i += 4) {
    a = Math.imul(a ^ words[i], 0x01000193);
    b = Math.imul(b ^ words[i + 1], 0x01000193);
    c = Math.imul(c ^ words[i + 2], 0x01000193);
    d = Math.imul(d ^ words[i + 3], 0x01000193);
  }
  return (a ^ Math.imul(b, 3) ^ Math.imul(c, 5) ^ Math.imul(d, 7)) >>> 0;
}

/** @param {number} size */
const padded = (size) => Math.ceil(size / 16) * 16;

/**
 * Bytes filled up to whole groups of 16.
 * @param {Uint8Array} bytes
 * @param {number} filler
 */
function sixteens(bytes, filler) {
  const whole = new Uint8Array(padded(bytes.length)).fill(filler);
  whole.set(bytes);
  return whole;
}

/** A stored image, open until it is closed. */
export class Image {
  #file;
  #header;
  /** Where the WebAssembly begins in the file; the memory follows it. */
  #at;
  #sums;

  /**
   * @param {SyncFile} file
   * @param {About & { wasm: number, memory: number, table: number, model: Record<string, unknown> }} header
   * @param {number} at
   * @param {{ wasm: number, memory: number }} sums
   */
  constructor(file, header, at, sums) {
    this.#file = file;
    this.#header = header;
    this.#at = at;
    this.#sums = sums;
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
    let at = 0;
    const next = (/** @type {number} */ size) => {
      const bytes = new Uint8Array(size);
      at += file.read(bytes, { at });
      return bytes;
    };
    const [magic, size, headerSum, probesSum, wasm, memory] = new Uint32Array(next(START_BYTES).buffer);
    if (magic !== MAGIC || size > MOST_HEADER_BYTES || size % 16 !== 0) return null;
    const text = next(size);
    if (sumOf(text) !== headerSum) return null;
    const { probes, ...header } = JSON.parse(new TextDecoder().decode(text));
    if (probes > 0) {
      const bytes = next(padded(probes));
      if (sumOf(bytes) !== probesSum) return null;
      header.model.probes = bytes.subarray(0, probes);
    }
    return file.getSize() === at + padded(header.wasm) + header.memory ? new Image(file, header, at, { wasm, memory }) : null;
  }

  get version() {
    return this.#header.version;
  }

  /** What was known of the model beside what the engine says. */
  get model() {
    return this.#header.model;
  }

  /** The engine's WebAssembly: reading it here is quicker than a request. Null where the image is damaged. */
  wasm() {
    const bytes = new Uint8Array(padded(this.#header.wasm));
    if (this.#file.read(bytes, { at: this.#at }) !== bytes.length || sumOf(bytes) !== this.#sums.wasm) return null;
    return bytes.subarray(0, this.#header.wasm);
  }

  /**
   * Puts the memory into an instance that has loaded nothing yet.
   * @param {Engine} engine
   * @param {Exports} exports of its instance
   * @returns {Core | null} null where the image is damaged: the instance is as it was
   */
  restore(engine, exports) {
    const { memory, __wbindgen_externrefs: table } = exports;
    const size = this.#header.memory;
    const missing = size - memory.buffer.byteLength;
    if (missing < 0 || this.#header.table < table.length) return null;
    const before = new Uint8Array(memory.buffer.slice(0));
    memory.grow(missing / PAGE_BYTES);
    const bytes = new Uint8Array(memory.buffer);
    if (this.#file.read(bytes, { at: this.#at + padded(this.#header.wasm) }) !== size || sumOf(bytes) !== this.#sums.memory) {
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
  const captured = { memory: new Uint8Array(memory.buffer.slice(0)), table: table.length };
  return { core: /** @type {Core} */ (engine.Translator.resume()), captured };
}

/**
 * Opens a folder's image for writing; null where it is there already, where another tab has it, or where none can be stored.
 * @param {About} about
 * @returns {Promise<SyncFile | null>}
 */
export async function openForWriting(about) {
  const there = await Image.open(about.folder, about.build);
  there?.close();
  if (there?.version === about.version) return null;
  try {
    const handle = await (await directory())?.getFileHandle(fileName(about.folder), { create: true });
    return (await /** @type {any} */ (handle)?.createSyncAccessHandle()) ?? null;
  } catch {
    return null;
  }
}

/**
 * Writes an image, a slice between two `yield`s. What is not written to its end is none.
 * @param {SyncFile} file
 * @param {About} about
 * @param {Record<string, unknown> & { probes?: Uint8Array }} model
 * @param {Uint8Array} wasm The engine's WebAssembly.
 * @param {Captured} captured
 */
export function* write(file, about, { probes = new Uint8Array(0), ...model }, wasm, { memory, table }) {
  try {
    const header = sixteens(new TextEncoder().encode(JSON.stringify({ ...about, wasm: wasm.length, memory: memory.length, table, probes: probes.length, model })), 32);
    if (header.length > MOST_HEADER_BYTES) return;
    const others = sixteens(probes, 0);
    const code = sixteens(wasm, 0);
    file.truncate(0);
    file.write(header, { at: START_BYTES });
    file.write(others, { at: START_BYTES + header.length });
    file.write(code, { at: START_BYTES + header.length + others.length });
    const start = START_BYTES + header.length + others.length + code.length;
    for (let at = 0; at < memory.length; at += SLICE_BYTES) {
      yield;
      file.write(memory.subarray(at, at + SLICE_BYTES), { at: start + at });
    }
    yield;
    file.flush();
    file.write(Uint32Array.of(MAGIC, header.length, sumOf(header), sumOf(others), sumOf(code), sumOf(memory)), { at: 0 });
  } catch {
    // A full disk: the files are read as before.
    file.truncate(0);
  } finally {
    file.close();
  }
}
