// The received parts of a file; large files are stored part by part, so that a broken download resumes where it stopped.

/** So much of a file is kept as a part while the rest is on its way: what a broken connection costs at most. */
const PART_BYTES = 16 * 2 ** 20;

/** The bytes of one file as they arrive. */
export class Parts {
  /** What has arrived, and room for what is expected: with pieces to be joined at the end, a file would be in memory twice. */
  #room = new Uint8Array(0);
  /** Number of parts in the cache, and the bytes that they hold. */
  #kept = 0;
  #keptBytes = 0;
  /** The host's mark of the version that the parts are of. */
  #version = '';
  length = 0;

  /**
   * @param {Cache | null} cache
   * @param {URL} url
   */
  constructor(cache, url) {
    this.cache = cache;
    this.url = url;
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
      const bytes = new Uint8Array(await part.arrayBuffer());
      this.#version = version;
      this.#append(bytes);
      this.#keptBytes = this.length;
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
    if (this.length - this.#keptBytes < PART_BYTES || !this.cache) return;
    const version = versionOf(headers);
    // Ranges of a compressed body are of other bytes than these.
    if (!version || headers.has('content-encoding')) return;
    const part = new Response(new Blob([this.#room.subarray(this.#keptBytes, this.length)]), {
      headers: { 'x-version': version, 'x-offset': String(this.#keptBytes) },
    });
    // A full disk must not keep the model from arriving.
    const kept = await this.cache.put(this.#key(this.#kept), part).then(() => true, () => false);
    if (!kept) return;
    this.#kept += 1;
    this.#keptBytes = this.length;
  }

  /**
   * Makes room for a whole file of this size.
   * @param {number} size
   */
  expect(size) {
    if (size <= this.#room.length) return;
    const room = new Uint8Array(size);
    room.set(this.#room.subarray(0, this.length));
    this.#room = room;
  }

  /** @param {Uint8Array} piece */
  #append(piece) {
    const length = this.length + piece.length;
    if (length > this.#room.length) this.expect(Math.max(length, 2 * this.#room.length));
    this.#room.set(piece, this.length);
    this.length = length;
  }

  /** The whole file, which is then no longer here. */
  join() {
    const bytes = this.length === this.#room.length ? this.#room : this.#room.slice(0, this.length);
    this.#room = new Uint8Array(0);
    return bytes;
  }

  /** Deletes what was kept, and forgets it. */
  async drop() {
    await this.#delete(0);
    this.#room = new Uint8Array(0);
    this.length = this.#kept = this.#keptBytes = 0;
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
