// The received parts of a file; large files are stored part by part, so that a broken download resumes where it stopped.

import { LARGE_BYTES } from './content.js';

/** So much of a file is kept as a part while the rest is on its way: what a broken connection costs at most. */
const PART_BYTES = 16 * 2 ** 20;

/** The bytes of one file as they arrive. A large file is not held in memory: its parts are, where they can be, those in the cache. */
export class Parts {
  /** What is not in memory, from the file's beginning on. @type {Blob[]} */
  #blobs = [];
  #blobBytes = 0;
  /** What has arrived behind that, and room for what is expected: with pieces to be joined at the end, a file would be in memory twice. */
  #room = new Uint8Array(0);
  /** Number of parts in the cache, and the bytes that they hold. */
  #kept = 0;
  #keptBytes = 0;
  /** Whether parts are kept: nothing is that does not follow them. */
  #keeps = true;
  /** The part that is being kept. @type {Promise<void>} */
  #keeping = Promise.resolve();
  /** The host's mark of the version that the parts are of. */
  #version = '';
  #isLarge = false;
  length = 0;

  /**
   * @param {Cache | null} cache
   * @param {URL} url
   * @param {{ large?: number, part?: number }} [sizes] of what is large, and of a part
   */
  constructor(cache, url, { large = LARGE_BYTES, part = PART_BYTES } = {}) {
    this.cache = cache;
    this.url = url;
    this.large = large;
    this.part = part;
  }

  /** @param {number} number */
  #key(number) {
    const url = new URL(this.url);
    url.searchParams.set('part', String(number));
    return url;
  }

  /** Takes up what an earlier attempt has left, as far as it is one piece of one version. */
  async load() {
    for (;;) {
      const part = await this.cache?.match(this.#key(this.#kept));
      if (!part) return;
      const version = part.headers.get('x-version') ?? '';
      const fits = part.headers.get('x-offset') === String(this.length) && (this.#kept === 0 || version === this.#version);
      if (!fits) {
        await this.#delete(this.#kept);
        return;
      }
      const blob = await part.blob();
      this.#version = version;
      this.#blobs.push(blob);
      this.#blobBytes = this.length = this.#keptBytes = this.length + blob.size;
      this.#kept += 1;
    }
  }

  /**
   * Whether a response brings the rest of just the file that the parts are of.
   * @param {Response} response
   */
  continuedBy(response) {
    const { headers } = response;
    if (response.status !== 206 || this.#version === '' || versionOf(headers) !== this.#version) return false;
    // Other hosts may hide where it begins; then their word for the range must do.
    const start = /^bytes (\d+)-/.exec(headers.get('content-range') ?? '')?.[1];
    return start === undefined || Number(start) === this.length;
  }

  /**
   * @param {Uint8Array} piece
   * @param {Headers} headers
   */
  async add(piece, headers) {
    this.#append(piece);
    this.#isLarge ||= this.length > this.large;
    if (this.length - Math.max(this.#keptBytes, this.#blobBytes) < this.part) return;
    await this.#keeping;
    if (!this.#isLarge) {
      const start = this.#keptBytes - this.#blobBytes;
      await this.#keep(new Blob([this.#room.subarray(start, this.length - this.#blobBytes)]), headers);
      return;
    }
    const from = this.#blobBytes;
    const blob = new Blob([this.#room.subarray(0, this.length - from)]);
    const index = this.#blobs.push(blob) - 1;
    this.#blobBytes = this.length;
    // The next part arrives while this one is written.
    this.#keeping = this.#moveToCache(blob, from, index, headers);
  }

  /**
   * Keeps a part of a large file, and then has it no longer in memory.
   * @param {Blob} blob
   * @param {number} from where it begins in the file
   * @param {number} index among the blobs
   * @param {Headers} headers
   */
  async #moveToCache(blob, from, index, headers) {
    const isWhole = this.#keptBytes === from;
    this.#keeps = (await this.#keep(isWhole ? blob : blob.slice(this.#keptBytes - from), headers)) && this.#keeps;
    const stored = this.#keeps && isWhole ? await (await this.cache?.match(this.#key(this.#kept - 1)))?.blob() : undefined;
    if (stored && this.#blobs[index] === blob) this.#blobs[index] = stored;
  }

  /**
   * Keeps what follows the last part in the cache.
   * @param {Blob} bytes
   * @param {Headers} headers
   */
  async #keep(bytes, headers) {
    const version = versionOf(headers);
    // Ranges of a compressed body are of other bytes than these.
    if (!this.cache || !this.#keeps || !version || headers.has('content-encoding')) return false;
    const part = new Response(bytes, { headers: { 'x-version': version, 'x-offset': String(this.#keptBytes) } });
    // A full disk must not keep the model from arriving.
    const kept = await this.cache.put(this.#key(this.#kept), part).then(() => true, () => false);
    if (!kept) return false;
    this.#kept += 1;
    this.#keptBytes += bytes.size;
    return true;
  }

  /** Waits until nothing is being written. */
  settle() {
    return this.#keeping;
  }

  /**
   * Makes room for a whole file of this size.
   * @param {number} size
   */
  expect(size) {
    this.#isLarge ||= size > this.large;
    this.#grow(this.#isLarge ? this.part + 2 ** 20 : size - this.#blobBytes);
  }

  /** @param {number} size */
  #grow(size) {
    if (size <= this.#room.length) return;
    const room = new Uint8Array(size);
    room.set(this.#room.subarray(0, this.length - this.#blobBytes));
    this.#room = room;
  }

  /** @param {Uint8Array} piece */
  #append(piece) {
    const at = this.length - this.#blobBytes;
    if (at + piece.length > this.#room.length) this.#grow(Math.max(at + piece.length, 2 * this.#room.length));
    this.#room.set(piece, at);
    this.length += piece.length;
  }

  /**
   * The whole file, which is then no longer here; where it is large, not in memory.
   * @returns {Promise<import('./content.js').Content>}
   */
  async join() {
    await this.#keeping;
    const rest = this.#room.subarray(0, this.length - this.#blobBytes);
    this.#room = new Uint8Array(0);
    if (this.#blobs.length === 0) return rest.length === rest.buffer.byteLength ? rest : rest.slice();
    const blob = new Blob([...this.#blobs.splice(0), rest]);
    return this.length > this.large ? blob : new Uint8Array(await blob.arrayBuffer());
  }

  /** Deletes what was kept, and forgets it. */
  async drop() {
    await this.#keeping;
    await this.#delete(0);
    this.#room = new Uint8Array(0);
    this.#blobs = [];
    this.length = this.#blobBytes = this.#kept = this.#keptBytes = 0;
    this.#version = '';
  }

  /** Deletes the parts from a number on. @param {number} from */
  async #delete(from) {
    for (let number = from; await this.cache?.delete(this.#key(number)); number += 1);
  }
}

/**
 * A host's mark of a version of a file, the same for a part of it; empty where it gives none.
 * @param {Headers} headers
 */
export const versionOf = (headers) => headers.get('etag') ?? headers.get('last-modified') ?? '';
