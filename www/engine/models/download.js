// One file of a model folder over the network, from where an earlier attempt stopped.

import { EngineError, downloadFailed } from '../error.js';
import { isDescription, mostBytes, tooLarge } from './check.js';
import { isPage } from './index.js';
import { Parts } from './parts.js';

/**
 * @typedef {object} Wanted One file to have.
 * @property {string} name
 * @property {boolean} required
 * @property {number} bytes 0 where unknown.
 * @property {string | null} sha256
 */

/** @typedef {{ content: import('./content.js').Content, headers: Headers, parts: Parts, downloaded: number }} Downloaded */

/** A download that brings nothing for so long has failed. */
const STALLED_MS = 30_000;

/**
 * Fetches a file. Its parts stay in the cache until the caller drops them.
 * @param {Cache | null} cache
 * @param {URL} folder
 * @param {Wanted} file
 * @param {AbortSignal} signal
 * @param {(bytes: number, size: number) => void} report
 * @returns {Promise<Downloaded | null>} null for an optional file that is not there, or a description that is too large
 */
export async function download(cache, folder, file, signal, report) {
  const url = new URL(file.name, folder);
  const stop = new AbortController();
  const fetched = (/** @type {HeadersInit | undefined} */ headers) =>
    fetch(url, { signal: AbortSignal.any([signal, stop.signal]), cache: 'no-cache', headers });
  let stalled = false;
  const stall = () => {
    stalled = true;
    stop.abort();
  };
  let timer = setTimeout(stall, STALLED_MS);
  let downloaded = 0;
  const parts = new Parts(cache, url);
  try {
    await parts.load();
    let response = await fetched(parts.length > 0 ? { range: `bytes=${parts.length}-` } : undefined);
    if (parts.length > 0 && !parts.continuedBy(response)) {
      // It is another file by now, or the host knows no ranges.
      await parts.drop();
      if (response.status !== 200) response = await fetched(undefined);
    }
    // Some hosts answer 403, or with a page, for whatever is not there.
    if (!file.required && ([403, 404].includes(response.status) || isPage(response))) return null;
    if (!response.ok || !response.body) {
      throw downloadFailed(url, `the server answered ${response.status} ${response.statusText}`.trim());
    }
    // Compressed in transit, the length header counts other bytes than the reader brings.
    const encoded = response.headers.has('content-encoding');
    const rest = encoded ? 0 : Number(response.headers.get('content-length') ?? 0);
    const size = file.bytes || (rest && parts.length + rest);
    const most = Math.min(mostBytes(file.name), file.bytes || Infinity);
    const reader = response.body.getReader();
    /** A body without end must not fill the memory. @param {number} bytes */
    const refuse = async (bytes) => {
      stop.abort();
      await parts.drop();
      if (isDescription(file.name)) return null;
      const why = tooLarge(file.name, bytes) ?? `model file ${file.name} has more than the ${file.bytes} bytes that the index says`;
      throw new EngineError('ModelFormat', why);
    };
    if (size > most) return await refuse(size);
    parts.expect(size);
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      await parts.add(value, response.headers);
      downloaded += value.length;
      if (parts.length > most) return await refuse(parts.length);
      report(parts.length, Math.max(size, parts.length));
      clearTimeout(timer);
      timer = setTimeout(stall, STALLED_MS);
    }
    if (size > parts.length && !file.bytes) {
      throw downloadFailed(url, `the connection ended after ${parts.length} of ${size} bytes`);
    }
    return { content: await parts.join(), headers: response.headers, parts, downloaded };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof EngineError) throw error;
    const why = stalled ? `nothing arrived for ${STALLED_MS / 1000} seconds` : error instanceof Error ? error.message : String(error);
    throw downloadFailed(url, why);
  } finally {
    clearTimeout(timer);
    await parts.settle().catch(() => {});
  }
}
