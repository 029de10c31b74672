// A model folder at an address: its files from the browser's store, the others from its host.

import { EngineError } from '../error.js';
import { fileFault, isDescription, wrongLength } from './check.js';
import { LARGE_BYTES, sizeOf } from './content.js';
import { download } from './download.js';
import { readIndex } from './index.js';
import { lock } from './lock.js';
import { versionOf } from './parts.js';
import { fileUrl, folderName, openCache } from './cache.js';
import { isLocal, readEntry, readManifest, storeEntry, storeFolder } from './store.js';

/** @typedef {import('../protocol').ModelEntry} ModelEntry */
/** @typedef {import('./content.js').Content} Content */
/** @typedef {import('./download.js').Wanted} Wanted */
/** @typedef {import('./store.js').Manifest} Manifest */

/** @typedef {{ signal: AbortSignal, onProgress: (loaded: number, total: number) => void }} Options */

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
  ['metrics.json', false],
  ['probes.bin', false],
  ['README.md', false],
];

const WEIGHTS = 'model.safetensors';
/** The same as `torch.save` writes it; repositories of 2020 have nothing else. */
const OLD_WEIGHTS = 'pytorch_model.bin';

/**
 * The files of one model folder. What is fetched is stored by `commit`, after the engine has accepted it; until then the
 * store has what it had.
 */
export class ModelFolder {
  /** Wanted files, their content, and which of them (or of those that are absent) came from the host. */
  /** @type {Wanted[]} */
  #wanted = [];
  /** @type {Map<string, Content>} */
  #files = new Map();
  /** @type {Set<string>} */
  #fetched = new Set();
  /** Optional files that the host is known not to have. @type {Set<string>} */
  #absent = new Set();
  /** @type {import('./parts.js').Parts[]} */
  #parts = [];
  /** Of the weights, as their host gave it. */
  #validator = '';
  /** The index beside the folder, once it was asked for. @type {ReturnType<typeof readIndex> | null} */
  #index = null;
  /** Without an index: whether the stored weights are no longer the host's, once it was asked. @type {Promise<boolean> | null} */
  #stale = null;
  /** What it says of the folder. @type {ModelEntry | null} */
  #entry = null;
  /** Lets other tabs store this folder. */
  #unlock = () => {};

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
   * Every file of the folder by name. `commit` or `discard` must follow. Large parts of what was fetched stay in the cache
   * even if a later file fails, so trying again resumes where this stopped.
   * @param {Options} options
   * @returns {Promise<Map<string, Content>>}
   */
  async fetch({ signal, onProgress }) {
    this.#unlock = await lock(this.url.href, signal);
    try {
      return await this.#fetch(signal, onProgress);
    } catch (error) {
      this.#unlock();
      throw error;
    }
  }

  /**
   * @param {AbortSignal} signal
   * @param {Options['onProgress']} onProgress
   */
  async #fetch(signal, onProgress) {
    const opening = openCache();
    const { wanted, manifest, stale } = await this.#plan(opening, signal);
    const cache = await opening;
    this.#wanted = wanted;
    const stored = await Promise.all(wanted.map((file) => (stale ? undefined : this.#stored(cache, file, manifest))));
    const sizes = wanted.map((file) => file.bytes);
    const loaded = wanted.map(() => 0);
    const known = sizes.every((bytes, i) => bytes > 0 || !wanted[i].required);
    const stop = new AbortController();
    const stopped = AbortSignal.any([signal, stop.signal]);
    const have = async (/** @type {Wanted} */ file, /** @type {number} */ i) => {
      // The same weights twice: the older form only where there is no other.
      if (file.name === OLD_WEIGHTS && this.#files.has(WEIGHTS)) return;
      const report = (/** @type {number} */ bytes, /** @type {number} */ size) => {
        loaded[i] = bytes;
        sizes[i] = size;
        const total = sum(sizes);
        // Without an index the sizes of later files are unknown; the weights are nearly all of it.
        onProgress(sum(loaded), known || [WEIGHTS, OLD_WEIGHTS].some((name) => sizes[wanted.findIndex((f) => f.name === name)]) ? total : 0);
      };
      const found = stored[i];
      if (found === null) this.#absent.add(file.name);
      const content = found === undefined ? await this.#download(cache, file, stopped, report) : found;
      if (content) {
        this.#files.set(file.name, content);
        report(sizeOf(content), sizeOf(content));
      }
    };
    if (!this.#entry) {
      for (const [i, file] of wanted.entries()) await have(file, i);
      return this.#files;
    }
    // What an index lists is requested all at once: on a slow line each answer takes as long as a small file. The first fault
    // ends the others.
    /** @type {unknown[]} */
    const faults = [];
    const fault = (/** @type {unknown} */ error) => {
      faults.push(error);
      stop.abort();
    };
    await Promise.all(wanted.map((file, i) => have(file, i).catch(fault)));
    if (faults.length > 0) throw faults[0];
    return this.#files;
  }

  /**
   * Stores what was fetched, in the place of an earlier version.
   * @returns {Promise<boolean>} whether all of the folder is in the store now
   */
  async commit() {
    try {
      // Their room is needed.
      await this.#dropParts();
      const cache = await openCache();
      if (!this.#entry) {
        if (this.#fetched.size === 0) return cache !== null;
        const absent = this.#wanted.map(({ name }) => name).filter((name) => !this.#files.has(name) && (this.#absent.has(name) || this.#fetched.has(name)));
        return await storeFolder(this.url, this.#files, { absent, validator: this.#validator });
      }
      if (this.#fetched.size === 0 && JSON.stringify(await readEntry(cache, this.url)) === JSON.stringify(this.#entry)) return true;
      const fresh = this.#wanted.filter(({ name }) => this.#fetched.has(name));
      const entries = fresh.map((file) => ({ url: fileUrl(this.url, file), content: /** @type {Content} */ (this.#files.get(file.name)) }));
      return await storeEntry(this.url, this.#entry, entries);
    } finally {
      this.#unlock();
    }
  }

  /**
   * Names the version that the host has now; offline, and of a folder that is in no index, the stored one.
   * @param {AbortSignal} signal
   * @returns {Promise<string | null>} null where no version is known
   */
  async currentVersion(signal) {
    // An index says all: opening the store takes longer than reading it.
    const entry = await this.#listed(signal);
    if (entry) return JSON.stringify(entry);
    const { manifest, stale } = await this.#plan(openCache(), signal);
    return stale ? null : (manifest?.version ?? null);
  }

  /** Names the version that `commit` has stored. */
  async storedVersion() {
    return this.#entry ? JSON.stringify(this.#entry) : (await readManifest(await openCache(), this.url))?.version;
  }

  /** Forgets what was fetched: the next attempt fetches it again. What was stored before stays. */
  async discard() {
    try {
      await this.#dropParts();
    } finally {
      this.#unlock();
    }
  }

  /** Leaves the parts of what was fetched for the next attempt. */
  suspend() {
    this.#unlock();
  }

  async #dropParts() {
    for (const parts of this.#parts.splice(0)) await parts.drop();
  }

  /**
   * Which files the folder has: from the `index.json` beside it where it names this one, otherwise what a Marian folder has.
   * @param {Promise<Cache | null>} opening The host is asked meanwhile.
   * @param {AbortSignal} signal
   * @returns {Promise<{ wanted: Wanted[], manifest: Manifest | null, stale: boolean }>}
   */
  async #plan(opening, signal) {
    const reading = opening.then((cache) => readManifest(cache, this.url));
    const entry = await this.#listed(signal);
    const [cache, manifest] = [await opening, await reading];
    if (entry) return { wanted: entry.files.map((file) => ({ ...file, required: true })), manifest: null, stale: false };
    const stale = cache !== null && !isLocal(this.url) && (await (this.#stale ??= this.#isStale(cache, manifest, signal)));
    if (!stale) this.#validator = manifest?.validator ?? '';
    return { wanted: MARIAN_FOLDER.map(([name, required]) => ({ name, required, bytes: 0, sha256: null })), manifest, stale };
  }

  /**
   * The folder's entry in the index of its host, which then names it; offline, the entry that its stored files are of.
   * @param {AbortSignal} signal
   */
  async #listed(signal) {
    const entry = await this.#indexEntry(signal);
    if (!entry) return undefined;
    this.#entry = entry;
    const weights = entry.files.find((file) => file.name === WEIGHTS);
    this.names = { name: entry.name, sourceLanguage: entry.source, targetLanguage: entry.target, hash: weights?.sha256 ?? '' };
    return entry;
  }

  /**
   * @param {AbortSignal} signal
   * @returns {Promise<ModelEntry | undefined>}
   */
  async #indexEntry(signal) {
    // Only our own host has an index: asking others for one would only leave a 404 there.
    if (isLocal(this.url) || this.url.origin !== self.location.origin) return undefined;
    const url = new URL('index.json', new URL('..', this.url));
    /** @type {import('../protocol').ModelIndex | undefined} */
    let index;
    try {
      index = await (this.#index ??= readIndex(url, null, signal));
    } catch (error) {
      this.#index = null;
      signal.throwIfAborted();
      const cache = await openCache();
      const [stored, manifest] = await Promise.all([readEntry(cache, this.url), readManifest(cache, this.url)]);
      // A folder that was stored without an index is in none.
      if (stored || manifest) return stored ?? undefined;
      // Stored before there were entries.
      index = await (await cache?.match(url))?.json();
      if (!index) throw error;
    }
    const entry = index?.models?.find(({ name }) => new URL(`${name}/`, url).href === this.url.href);
    const shipped = entry?.files;
    return Array.isArray(shipped) && shipped.length > 0 ? entry : undefined;
  }

  /**
   * A folder without an index has no checksums: its host's validators tell whether the stored weights are still its own.
   * Offline, they are taken as they are.
   * @param {Cache} cache
   * @param {Manifest | null} manifest
   * @param {AbortSignal} signal
   */
  async #isStale(cache, manifest, signal) {
    const version = manifest?.version;
    const names = [WEIGHTS, OLD_WEIGHTS];
    const stored = await Promise.all(names.map((name) => cache.match(fileUrl(this.url, { name, sha256: null }, version))));
    const at = stored.findIndex((response) => response && response.status !== 204);
    if (at < 0) return false;
    const before = manifest ? manifest.validator : validatorOf(/** @type {Response} */ (stored[at]).headers);
    try {
      const now = await fetch(new URL(names[at], this.url), { method: 'HEAD', signal, cache: 'no-cache' });
      return now.ok && validatorOf(now.headers) !== before;
    } catch {
      signal.throwIfAborted();
      return false;
    }
  }

  /**
   * A file from the store.
   * @param {Cache | null} cache
   * @param {Wanted} file
   * @param {Manifest | null} manifest
   * @returns {Promise<Content | null | undefined>} null for an optional file that is not there, undefined if that
   *   is not known yet.
   */
  async #stored(cache, file, manifest) {
    if (manifest?.absent.includes(file.name)) return null;
    const response = await cache?.match(fileUrl(this.url, file, manifest?.version));
    if (!response) return undefined;
    // Written before there were manifests: an optional file that is not there.
    if (response.status === 204) return null;
    const content = await read(response, file).catch(() => undefined);
    return !content || wrongLength(content, file) ? undefined : content;
  }

  /**
   * A file from its host.
   * @param {Cache | null} cache
   * @param {Wanted} file
   * @param {AbortSignal} signal
   * @param {(bytes: number, size: number) => void} report
   * @returns {Promise<Content | null>} null for an optional file that is not there.
   */
  async #download(cache, file, signal, report) {
    if (isLocal(this.url)) {
      if (!file.required) return null;
      throw new EngineError('ModelMissing', `${this.names.name} is no longer on this device.`);
    }
    /** @type {import('./download.js').Downloaded | null} */
    let response;
    try {
      response = await download(cache, this.url, file, signal, report);
    } catch (error) {
      // Offline, a stored model works without a description that it never had.
      if (file.required || !isDescription(file.name) || signal.aborted) throw error;
      return null;
    }
    this.#fetched.add(file.name);
    if (!response) return null;
    const { content, headers, parts, downloaded } = response;
    this.downloaded += downloaded;
    const reason = await fileFault(content, file);
    if (reason) {
      await parts.drop();
      throw new EngineError('ModelFormat', `model file ${file.name} ${reason}`);
    }
    this.#parts.push(parts);
    if ([WEIGHTS, OLD_WEIGHTS].includes(file.name)) this.#validator = validatorOf(headers);
    return content;
  }
}

/**
 * A stored file; in memory, unless it is or may be large.
 * @param {Response} response
 * @param {Wanted} file
 * @returns {Promise<Content>}
 */
async function read(response, { name, bytes }) {
  if (![WEIGHTS, OLD_WEIGHTS].includes(name) || (bytes > 0 && bytes <= LARGE_BYTES)) return new Uint8Array(await response.arrayBuffer());
  const blob = await response.blob();
  return blob.size > LARGE_BYTES ? blob : new Uint8Array(await blob.arrayBuffer());
}

/** @param {Headers} headers */
const validatorOf = (headers) => versionOf(headers) || (headers.get('content-length') ?? '');

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
