// Fetches the files of a model folder, with progress, and keeps them in the browser's cache.

import { EngineError, downloadFailed } from '../error.js';
import { readIndex } from './index.js';
import { deleteFolder, fileUrl, folderName, isLocal, openCache, tooLarge } from './store.js';

/** @typedef {import('../protocol').ModelEntry} ModelEntry */

/**
 * @typedef {object} Wanted One file to have.
 * @property {string} name
 * @property {boolean} required
 * @property {number} bytes 0 where unknown.
 * @property {string | null} sha256
 */

/** @typedef {{ signal: AbortSignal, onProgress: (loaded: number, total: number) => void }} Options */

/** A download that brings nothing for so long has failed. */
const STALLED_MS = 30_000;
/** So much of a file is kept as a part while the rest is on its way: what a broken connection costs at most. */
const PART_BYTES = 16 * 2 ** 20;

/**
 * What a folder may hold that is named in no index: a Hugging Face MarianMT folder and our own additions.
 * @type {[name: string, required: boolean][]}
 */
const MARIAN_FOLDER = [
  ['config.json', true],
  ['model.safetensors', false],
  ['pytorch_model.bin', false],
  ['source.spm', true],
  ['target.spm', false],
  ['vocab.json', true],
  ['target_vocab.json', false],
  ['generation_config.json', false],
  ['heads.json', false],
  ['training.json', false],
  ['probes.bin', false],
  ['README.md', false],
];

const WEIGHTS = 'model.safetensors';
/** The same as `torch.save` writes it; repositories of 2020 have nothing else. */
const OLD_WEIGHTS = 'pytorch_model.bin';

/** The files of one model folder: fetched once, kept for the next visit, thrown away when they prove bad. */
export class ModelFolder {
  /** @param {string} url */
  constructor(url) {
    /** Always ends with a slash, so that file names resolve below it. */
    this.url = new URL(url.endsWith('/') ? url : `${url}/`, self.location.href);
    /** Bytes that came over the network. */
    this.downloaded = 0;
    const name = folderName(this.url);
    const [, source, target] = /([a-z]{2,3})-([a-z]{2,3})(?: int8)?$/.exec(name) ?? ['', '', ''];
    /** What the folder is called, the languages that its name or the index says, and the weights' checksum. */
    this.names = { name, sourceLanguage: source, targetLanguage: target, hash: '' };
  }

  /**
   * Every file of the folder by name. Files that were fetched stay in the cache even if a later one fails,
   * so trying again goes on where this stopped.
   * @param {Options} options
   * @returns {Promise<Map<string, Uint8Array>>}
   */
  async fetch({ signal, onProgress }) {
    const cache = await openCache();
    const wanted = await this.#wanted(cache, signal);
    const kept = await Promise.all(wanted.map((file) => this.#kept(cache, file)));
    const sizes = wanted.map((file) => file.bytes);
    const loaded = wanted.map(() => 0);
    const known = sizes.every((bytes, i) => bytes > 0 || !wanted[i].required);
    /** @type {Map<string, Uint8Array>} */
    const files = new Map();
    for (const [i, file] of wanted.entries()) {
      // The same weights twice: the older form only where there is no other.
      if (file.name === OLD_WEIGHTS && files.has(WEIGHTS)) continue;
      const report = (/** @type {number} */ bytes, /** @type {number} */ size) => {
        loaded[i] = bytes;
        sizes[i] = size;
        const total = sum(sizes);
        // Without an index the sizes of later files are unknown; the weights are nearly all of it.
        onProgress(sum(loaded), known || [WEIGHTS, OLD_WEIGHTS].some((name) => sizes[wanted.findIndex((f) => f.name === name)]) ? total : 0);
      };
      const ours = kept[i];
      const bytes = ours === undefined ? await this.#file(cache, file, signal, report) : ours;
      if (bytes) {
        files.set(file.name, bytes);
        report(bytes.length, bytes.length);
      }
    }
    // Nobody waits for tidiness.
    this.#prune(cache, wanted).catch(() => {});
    return files;
  }

  /** Throws the folder's files away, so that the next attempt fetches them anew. */
  async evict() {
    await deleteFolder(this.url.href);
  }

  /**
   * Throws away what an earlier version of the folder left behind.
   * @param {Cache | null} cache
   * @param {Wanted[]} wanted
   */
  async #prune(cache, wanted) {
    const current = new Set(wanted.map((file) => this.#key(file).href));
    for (const request of (await cache?.keys()) ?? []) {
      if (request.url.startsWith(this.url.href) && !current.has(request.url)) await cache?.delete(request);
    }
  }

  /**
   * Where a file lies in the cache.
   * @param {Wanted} file
   */
  #key(file) {
    return fileUrl(this.url, file);
  }

  /**
   * The files to fetch: from the `index.json` beside the folder where it names this one, otherwise what a
   * Marian folder has.
   * @param {Cache | null} cache
   * @param {AbortSignal} signal
   * @returns {Promise<Wanted[]>}
   */
  async #wanted(cache, signal) {
    const entry = isLocal(this.url) ? undefined : await this.#indexEntry(cache, signal);
    if (entry) {
      const weights = entry.files.find((file) => file.name === 'model.safetensors');
      this.names = { name: entry.name, sourceLanguage: entry.source, targetLanguage: entry.target, hash: weights?.sha256 ?? '' };
      return entry.files.map((file) => ({ ...file, required: true }));
    }
    if (cache && !isLocal(this.url)) await this.#evictIfChanged(cache, signal);
    return MARIAN_FOLDER.map(([name, required]) => ({ name, required, bytes: 0, sha256: null }));
  }

  /**
   * @param {Cache | null} cache
   * @param {AbortSignal} signal
   * @returns {Promise<ModelEntry | undefined>}
   */
  async #indexEntry(cache, signal) {
    // Only our own host has an index: asking others for one would only leave a 404 there.
    if (this.url.origin !== self.location.origin) return undefined;
    const url = new URL('index.json', new URL('..', this.url));
    const index = await readIndex(url, cache, signal);
    const entry = index?.models?.find(({ name }) => new URL(`${name}/`, url).href === this.url.href);
    const shipped = entry?.files;
    return Array.isArray(shipped) && shipped.length > 0 ? entry : undefined;
  }

  /**
   * A folder without an index has no checksums: its host's validators tell whether the cached weights are
   * still its own. Offline, they are taken as they are.
   * @param {Cache} cache
   * @param {AbortSignal} signal
   */
  async #evictIfChanged(cache, signal) {
    const kept = await Promise.all([WEIGHTS, OLD_WEIGHTS].map((name) => cache.match(new URL(name, this.url))));
    const cached = kept.find((response) => response && response.status !== 204);
    if (!cached) return;
    const url = new URL(cached === kept[0] ? WEIGHTS : OLD_WEIGHTS, this.url);
    try {
      const now = await fetch(url, { method: 'HEAD', signal, cache: 'no-cache' });
      if (now.ok && validator(now.headers) !== validator(cached.headers)) await this.evict();
    } catch {
      signal.throwIfAborted();
    }
  }

  /**
   * A file from the cache, which holds nothing but what had the index's checksum when it arrived.
   * @param {Cache | null} cache
   * @param {Wanted} file
   * @returns {Promise<Uint8Array | null | undefined>} null for an optional file that is not there, undefined if that
   *   is not known yet.
   */
  async #kept(cache, file) {
    const key = this.#key(file);
    const cached = await cache?.match(key);
    if (!cached) return undefined;
    // An empty answer remembers that an optional file is not there.
    if (cached.status === 204) return null;
    const bytes = new Uint8Array(await cached.arrayBuffer());
    if (!wrongLength(bytes, file)) return bytes;
    await cache?.delete(key);
    return undefined;
  }

  /**
   * A file from its host, kept in the cache.
   * @param {Cache | null} cache
   * @param {Wanted} file
   * @param {AbortSignal} signal
   * @param {(bytes: number, size: number) => void} report
   * @returns {Promise<Uint8Array | null>} null for an optional file that is not there.
   */
  async #file(cache, file, signal, report) {
    const key = this.#key(file);
    if (isLocal(this.url)) {
      if (!file.required) return null;
      throw new EngineError('ModelMissing', `${this.names.name} is no longer on this device.`);
    }
    const response = await this.#download(cache, file, signal, report);
    if (!response) {
      await cache?.put(key, new Response(null, { status: 204 }));
      return null;
    }
    const { bytes, headers } = response;
    const reason = await fault(bytes, file);
    if (reason) throw new EngineError('ModelFormat', `model file ${file.name} ${reason}`);
    // A full disk must not keep the model from working now.
    await cache?.put(key, new Response(/** @type {BlobPart} */ (bytes), { headers })).catch(() => {});
    return bytes;
  }

  /**
   * Fetches a file, from where an earlier attempt stopped if there was one.
   * @param {Cache | null} cache
   * @param {Wanted} file
   * @param {AbortSignal} signal
   * @param {(bytes: number, size: number) => void} report
   */
  async #download(cache, file, signal, report) {
    const url = new URL(file.name, this.url);
    const stall = new AbortController();
    let timer = setTimeout(() => stall.abort(), STALLED_MS);
    try {
      const parts = new Parts(cache, url);
      await parts.load();
      const headers = parts.length > 0 ? { range: `bytes=${parts.length}-` } : undefined;
      let response = await fetch(url, { signal: AbortSignal.any([signal, stall.signal]), cache: 'no-cache', headers });
      if (headers && !parts.continuedBy(response)) {
        // It is another file by now, or the host knows no ranges.
        await parts.drop();
        if (response.status !== 200) response = await fetch(url, { signal: AbortSignal.any([signal, stall.signal]), cache: 'no-cache' });
      }
      // Some hosts answer 403 for whatever is not there.
      if ([403, 404].includes(response.status) && !file.required) return null;
      if (!response.ok || !response.body) {
        throw downloadFailed(url, `the server answered ${response.status} ${response.statusText}`.trim());
      }
      // Compressed in transit, the length header counts other bytes than the reader brings.
      const encoded = response.headers.has('content-encoding');
      const rest = encoded ? 0 : Number(response.headers.get('content-length') ?? 0);
      const size = file.bytes || (rest && parts.length + rest);
      const refused = tooLarge(file.name, size);
      if (refused) throw new EngineError('ModelFormat', refused);
      const reader = response.body.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        await parts.add(value, response.headers);
        this.downloaded += value.length;
        report(parts.length, Math.max(size, parts.length));
        clearTimeout(timer);
        timer = setTimeout(() => stall.abort(), STALLED_MS);
      }
      if (size > parts.length && !file.bytes) {
        throw downloadFailed(url, `the connection ended after ${parts.length} of ${size} bytes`);
      }
      const bytes = parts.join();
      await parts.drop();
      return { bytes, headers: response.headers };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof EngineError) throw error;
      const why = stall.signal.aborted ? `nothing arrived for ${STALLED_MS / 1000} seconds` : describe(error);
      throw downloadFailed(url, why);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** What has arrived of a file; large ones are kept part by part, so that a broken download goes on where it stopped. */
class Parts {
  /** @type {Uint8Array[]} */
  #pieces = [];
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

  /** Takes up what an earlier attempt has left. */
  async load() {
    for (;;) {
      const part = await this.cache?.match(this.#key(this.#kept));
      if (!part) return;
      const bytes = new Uint8Array(await part.arrayBuffer());
      this.#version = part.headers.get('x-version') ?? '';
      this.#pieces.push(bytes);
      this.length += bytes.length;
      this.#keptBytes = this.length;
      this.#kept += 1;
    }
  }

  /**
   * Whether a response brings the rest of just the file that the parts are of.
   * @param {Response} response
   */
  continuedBy(response) {
    return response.status === 206 && this.#version !== '' && version(response.headers) === this.#version;
  }

  /**
   * @param {Uint8Array} piece
   * @param {Headers} headers
   */
  async add(piece, headers) {
    this.#pieces.push(piece);
    this.length += piece.length;
    if (this.length - this.#keptBytes < PART_BYTES || !this.cache) return;
    const mark = version(headers);
    if (!mark) return;
    let from = this.length;
    let first = this.#pieces.length;
    while (from > this.#keptBytes) from -= this.#pieces[--first].length;
    const part = new Response(/** @type {BlobPart} */ (/** @type {unknown} */ (new Blob(/** @type {BlobPart[]} */ (this.#pieces.slice(first))))), {
      headers: { 'x-version': mark },
    });
    // A full disk must not keep the model from arriving.
    const kept = await this.cache.put(this.#key(this.#kept), part).then(() => true, () => false);
    if (!kept) return;
    this.#kept += 1;
    this.#keptBytes = this.length;
  }

  /** The whole file. */
  join() {
    const bytes = new Uint8Array(this.length);
    let at = 0;
    for (const piece of this.#pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }

  /** Throws away what was kept. */
  async drop() {
    for (let number = 0; number < this.#kept; number += 1) await this.cache?.delete(this.#key(number));
    if (this.#version) this.#pieces.length = this.length = 0;
    this.#kept = this.#keptBytes = 0;
    this.#version = '';
  }
}

const AGAIN = 'it is damaged or was cut short on the way; loading again fetches it anew';

/**
 * Whether a file has another length than its index says, as the end of a sentence; null if not.
 * @param {Uint8Array} bytes
 * @param {Wanted} file
 */
function wrongLength(bytes, file) {
  if (file.bytes === 0 || bytes.length === file.bytes) return null;
  return `has ${bytes.length} bytes, the index says ${file.bytes}: ${AGAIN}`;
}

/**
 * What is wrong with a file's bytes, as the end of a sentence; null if nothing is.
 * @param {Uint8Array} bytes
 * @param {Wanted} file
 */
async function fault(bytes, file) {
  const length = wrongLength(bytes, file);
  if (length) return length;
  // Without a secure context there is no digest; the length was checked, and the core checks the form.
  if (!file.sha256 || !self.crypto?.subtle) return null;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', /** @type {BufferSource} */ (bytes)));
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex === file.sha256 ? null : `does not have the SHA-256 that the index says: ${AGAIN}`;
}

/**
 * A host's mark of a version of a file, the same for a part of it; empty where it gives none.
 * @param {Headers} headers
 */
const version = (headers) => headers.get('etag') ?? headers.get('last-modified') ?? '';

/** @param {Headers} headers */
function validator(headers) {
  return headers.get('etag') ?? headers.get('last-modified') ?? headers.get('content-length') ?? '';
}

/** @param {unknown} error */
const describe = (error) => (error instanceof Error ? error.message : String(error));

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
