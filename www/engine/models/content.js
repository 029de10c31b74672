// The content of a model's file: in memory, or, where it is large, a Blob of which ranges are read when they are needed, so
// that a model's weights are in memory once, as the engine computes with them, and not a second time as a file.

import { EngineError } from '../error.js';

/** @typedef {Uint8Array | Blob} Content */
/** @typedef {import('../../pkg/translucent.js').FileContent} FileContent */

/** Larger files are not held in memory. */
export const LARGE_BYTES = 96 * 2 ** 20;
/** So much is read ahead: more than the engine reads in a step. */
const AHEAD_BYTES = 2 * 2 ** 20;

/**
 * So much of a file's beginning is kept while it is read: the header, and where matrices are 8-bit integers all floats stand there, with
 * a scale for each row of each matrix; without that every matrix would be read in two places.
 */
const HEAD_BYTES = 4 * 2 ** 20;

/** @param {Content} content */
export const sizeOf = (content) => (content instanceof Blob ? content.size : content.length);

/**
 * All bytes of a content.
 * @param {Content} content
 */
export const bytesOf = async (content) => (content instanceof Blob ? new Uint8Array(await content.arrayBuffer()) : content);

/**
 * Bytes of a content.
 * @param {Content} content
 * @param {number} start
 * @param {number} end
 */
export const rangeOf = async (content, start, end) => (content instanceof Blob ? bytesOf(content.slice(start, end)) : content.subarray(start, end));

/**
 * A folder's files as the engine takes them.
 * @param {Map<string, Content>} files
 * @returns {Promise<Map<string, Uint8Array | FileContent>>}
 */
export async function forEngine(files) {
  // Only workers of browsers read without waiting.
  if (!('FileReaderSync' in globalThis)) return inMemory(files);
  return new Map([...files].map(([name, content]) => [name, content instanceof Blob ? new BlobContent(name, content) : content]));
}

/**
 * A folder's files in memory.
 * @param {Map<string, Content>} files
 * @returns {Promise<Map<string, Uint8Array>>}
 */
export async function inMemory(files) {
  const entries = [...files].map(async ([name, content]) => /** @type {[string, Uint8Array]} */ ([name, await bytesOf(content)]));
  return new Map(await Promise.all(entries));
}

/**
 * Frees an array's memory now instead of at some later time, where the browser can.
 * @param {ArrayBuffer} buffer
 */
export function free(buffer) {
  /** @type {any} */ (buffer).transfer?.(0);
}

/**
 * Steps an engine's work over a folder's files to its end. What it reads next of files that are not in memory is read ahead
 * between two steps: so it need not wait for the disk, and the memory of what was read is used again.
 * @param {Map<string, Uint8Array | FileContent>} files
 * @param {{ step: () => boolean }} work
 * @param {AbortSignal} signal
 */
export async function stepThrough(files, work, signal) {
  const contents = [...files.values()].filter((content) => content instanceof BlobContent);
  try {
    do {
      for (const content of contents) await content.readAhead();
      signal.throwIfAborted();
    } while (work.step());
  } finally {
    for (const content of contents) content.close();
  }
}

/** @typedef {{ start: number, bytes: Uint8Array<ArrayBuffer> }} Chunk Bytes of a file. */

/**
 * A Blob whose ranges are read as the engine asks for them. It asks for nearly all of them one after the other: those are read
 * ahead, without waiting for each; others are read when they are asked for.
 */
export class BlobContent {
  #blob;
  /** Workers alone have such readers. @type {{ readAsArrayBuffer: (blob: Blob) => ArrayBuffer }} */
  #reader = new /** @type {any} */ (globalThis).FileReaderSync();
  /** The file's beginning, once something was read ahead. */
  #head = new Uint8Array(0);
  /** Where the last range behind it ended. */
  #at = 0;
  /** What was read ahead, without gaps. @type {Chunk[]} */
  #chunks = [];
  /** Memory to be used again. @type {ArrayBuffer[]} */
  #spare = [];
  /** The Blob from a place on. @type {{ at: number, reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | null, byob: ReadableStreamBYOBReader | null } | null} */
  #stream = null;

  /**
   * @param {string} name of the file
   * @param {Blob} blob
   */
  constructor(name, blob) {
    this.name = name;
    this.#blob = blob;
    this.length = blob.size;
  }

  /**
   * @param {number} start
   * @param {number} end
   * @returns {Uint8Array} valid until the next call
   */
  read(start, end) {
    if (end <= this.#head.length) return this.#head.subarray(start, end);
    this.#at = end;
    const chunks = this.#chunks[0]?.start === this.#head.length ? [{ start: 0, bytes: this.#head }, ...this.#chunks] : this.#chunks;
    const from = chunks.findIndex((chunk) => chunk.start <= start && start < chunk.start + chunk.bytes.length);
    const over = from < 0 ? [] : chunks.slice(from).filter((chunk) => chunk.start < end);
    const last = over.at(-1);
    if (!last || last.start + last.bytes.length < end) return new Uint8Array(this.#reader.readAsArrayBuffer(this.#blob.slice(start, end)));
    const part = (/** @type {Chunk} */ chunk) => chunk.bytes.subarray(Math.max(0, start - chunk.start), end - chunk.start);
    if (over.length === 1) return part(last);
    const joined = new Uint8Array(end - start);
    for (const chunk of over) joined.set(part(chunk), Math.max(0, chunk.start - start));
    return joined;
  }

  /** Reads what will probably be asked for next. */
  async readAhead() {
    try {
      await this.#readAhead();
    } catch (error) {
      throw new EngineError('Io', `${this.name} could not be read: ${error instanceof Error ? error.message : error}`);
    }
  }

  async #readAhead() {
    if (this.#head.length === 0) {
      this.#head = new Uint8Array(await this.#blob.slice(0, HEAD_BYTES).arrayBuffer());
      this.#at = this.#head.length;
    }
    const end = () => {
      const last = this.#chunks.at(-1);
      return last ? last.start + last.bytes.length : this.#at;
    };
    if (this.#at > end() || this.#at < (this.#chunks[0]?.start ?? this.#at)) this.#spare.push(...this.#chunks.splice(0).map(({ bytes }) => bytes.buffer));
    while (this.#chunks[0] && this.#chunks[0].start + this.#chunks[0].bytes.length <= this.#at) {
      this.#spare.push(/** @type {Chunk} */ (this.#chunks.shift()).bytes.buffer);
    }
    while (end() < this.length && end() < this.#at + AHEAD_BYTES) this.#chunks.push(await this.#readFrom(end()));
  }

  /**
   * @param {number} start
   * @returns {Promise<Chunk>}
   */
  async #readFrom(start) {
    if (this.#stream?.at !== start) {
      this.#stop();
      const stream = this.#blob.slice(start).stream();
      try {
        this.#stream = { at: start, reader: null, byob: stream.getReader({ mode: 'byob' }) };
      } catch {
        // Some browsers have no such readers of Blobs.
        this.#stream = { at: start, reader: stream.getReader(), byob: null };
      }
    }
    const stream = this.#stream;
    let bytes = new Uint8Array(0);
    if (stream.byob) {
      let filled = 0;
      let buffer = this.#spare.pop() ?? new ArrayBuffer(AHEAD_BYTES);
      while (filled < buffer.byteLength) {
        const { value, done } = await stream.byob.read(new Uint8Array(buffer, filled));
        if (value) buffer = value.buffer;
        if (done) break;
        filled += value.length;
      }
      bytes = new Uint8Array(buffer, 0, filled);
    } else bytes = (await stream.reader?.read())?.value ?? bytes;
    if (bytes.length === 0) throw new Error('the file is shorter than it was');
    stream.at = start + bytes.length;
    return { start, bytes };
  }

  #stop() {
    const { byob, reader } = this.#stream ?? {};
    (byob ?? reader)?.cancel().catch(() => {});
    this.#stream = null;
  }

  /** Frees what was read ahead. */
  close() {
    this.#stop();
    this.#head = new Uint8Array(0);
    this.#chunks = [];
    this.#spare = [];
  }
}
