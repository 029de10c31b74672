// The browser's store of models: every file of a model folder under the folder's address, whether it was fetched from
// there or came from this device. Used by the worker and the page.

import { decodePart, fileUrl, folderName, openCache, strictCache } from './cache.js';
import { deleteImage, imageBytes } from './image-file.js';

/** Below this address lie the folders that were given from this device. Nothing is ever fetched from there. */
const LOCAL = localFolders(import.meta.url);

/**
 * Beside the engine; where a bundler wrote the module's place on its own disk into it, at the root of the page's host.
 * @param {string} module
 */
function localFolders(module) {
  if (module.startsWith('http')) return new URL('../../models-on-this-device/', module);
  return new URL('/models-on-this-device/', globalThis.location?.href ?? module);
}

/**
 * @typedef {object} StoredFolder A model folder in the store.
 * @property {string} url
 * @property {string} name
 * @property {boolean} local it came from this device, or was quantised on it
 * @property {number} bytes
 */

/**
 * The address of a folder from this device.
 * @param {string} name
 */
export const localUrl = (name) => new URL(`${encodeURIComponent(name)}/`, LOCAL).href;

/** @param {URL | string} url */
export const isLocal = (url) => String(url).startsWith(LOCAL.href);

/**
 * The folder that an address means: a model's page on the Hugging Face hub stands for the files behind it.
 * @param {string} typed
 * @returns {URL | null} null if it is no address that can be fetched
 */
export function folderUrl(typed) {
  /** @type {URL} */
  let url;
  try {
    url = new URL(typed.includes('://') ? typed : `https://${typed}`);
  } catch {
    return null;
  }
  const here = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && here)) return null;
  // Some browsers take any words for a host.
  if (!here && !/^[\w-]+(\.[\w-]+)+$|^\[/.test(url.hostname)) return null;
  url.search = '';
  url.hash = '';
  // Whoever copies the address of a file means the folder that it lies in.
  url.pathname = url.pathname.replace(/\/[^/]+\.(json|safetensors|bin|spm)$/, '/');
  const parts = url.pathname.split('/').filter(Boolean);
  if (url.hostname === 'huggingface.co' && (parts.length === 2 || parts[2] === 'tree' || parts[2] === 'blob')) {
    url.pathname = `/${parts[0]}/${parts[1]}/resolve/${parts[3] ?? 'main'}/`;
  }
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/**
 * What a folder without an index has in the store. It is written last: with it, all files of a version are there at once.
 * @typedef {object} Manifest
 * @property {string} version
 * @property {string[]} files
 * @property {string[]} absent Optional files that its host does not have.
 * @property {string} validator Of the weights, as their host gave it.
 */

/** @param {URL | string} folder */
const manifestUrl = (folder) => new URL('?manifest', folder);

/**
 * @param {Cache | null} cache
 * @param {URL | string} folder
 * @returns {Promise<Manifest | null>}
 */
export async function readManifest(cache, folder) {
  return (await (await cache?.match(manifestUrl(folder)))?.json().catch(() => null)) ?? null;
}

/** @typedef {import('../protocol').ModelEntry} ModelEntry */
/** @typedef {import('./content.js').Content} Content */

/** @param {URL | string} folder */
const entryUrl = (folder) => new URL('?entry', folder);

/**
 * What the index said of a folder when its files were stored. It is written last, so that offline a folder is of one version,
 * also while a newer one is being fetched.
 * @param {Cache | null} cache
 * @param {URL | string} folder
 * @returns {Promise<ModelEntry | null>}
 */
export async function readEntry(cache, folder) {
  return (await (await cache?.match(entryUrl(folder)))?.json().catch(() => null)) ?? null;
}

/**
 * Stores the files of a folder that are new in this version of the index, and then the version.
 * @param {URL} folder
 * @param {ModelEntry} entry
 * @param {{ url: URL, content: Content }[]} files
 * @returns {Promise<boolean>} whether the browser had room for them
 */
export async function storeEntry(folder, entry, files) {
  const last = { url: entryUrl(folder), content: new TextEncoder().encode(JSON.stringify(entry)) };
  if (!(await putAll([...files, last]))) return false;
  await prune(folder, [last.url.href, ...entry.files.map((file) => fileUrl(folder, file).href)]);
  return true;
}

/**
 * The folders in the store, by name.
 * @returns {Promise<StoredFolder[]>}
 */
export async function storedFolders() {
  const cache = await strictCache();
  /** @type {Map<string, { bytes: number, whole: boolean }>} */
  const folders = new Map();
  for (const request of (await cache?.keys()) ?? []) {
    const url = new URL('.', request.url).href;
    const folder = folders.get(url) ?? { bytes: 0, whole: false };
    const response = await cache?.match(request);
    folder.bytes += (await response?.blob())?.size ?? 0;
    const { pathname, search, searchParams } = new URL(request.url);
    // The index of a site's models lies beside them, and is no model; files of a version count with their manifest.
    folder.whole ||= search === '?manifest' || (pathname.endsWith('/config.json') && !searchParams.has('version'));
    folders.set(url, folder);
  }
  for (const [url, folder] of folders) folder.bytes += await imageBytes(url);
  return [...folders]
    .filter(([, { whole }]) => whole)
    .map(([url, { bytes }]) => ({ url, bytes, name: folderName(url), local: isLocal(url) }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/**
 * Deletes a folder's files. Only the user's own wish does this.
 * @param {URL | string} url
 */
export async function deleteFolder(url) {
  const cache = await strictCache();
  if (!cache) return;
  await deleteImage(String(url));
  const ours = (await cache.keys()).filter((request) => request.url.startsWith(String(url)));
  // First what makes them a model: half of one is not loaded, nor listed.
  const rank = (/** @type {Request} */ { url: stored }) => (/\?(manifest|entry)$/.test(stored) ? 0 : /\/config\.json(\?|$)/.test(stored) ? 1 : 2);
  for (const request of ours.toSorted((a, b) => rank(a) - rank(b))) await cache.delete(request);
}

/**
 * The files of a folder in the store, by name.
 * @param {string} url
 * @returns {Promise<Map<string, Blob>>}
 */
export async function readFolder(url) {
  const cache = await strictCache();
  const version = (await readManifest(cache, url))?.version ?? null;
  const entry = await readEntry(cache, url);
  const listed = entry && new Set(entry.files.map((file) => fileUrl(url, file).href));
  /** @type {Map<string, Blob>} */
  const files = new Map();
  for (const request of (await cache?.keys()) ?? []) {
    const { href, pathname, search, searchParams } = new URL(request.url);
    // Parts of an unfinished download, and notes of what a folder does not have, are no files.
    if (!href.startsWith(url) || searchParams.has('part') || ['?manifest', '?entry'].includes(search) || searchParams.get('version') !== version) continue;
    if (listed && !listed.has(href)) continue;
    const response = await cache?.match(request);
    if (response && response.status !== 204) files.set(decodePart(pathname.split('/').at(-1) ?? ''), await response.blob());
  }
  return files;
}

/**
 * Stores a folder's files beside what was there, and then takes its place.
 * @param {URL | string} url
 * @param {Map<string, Content>} files
 * @param {Partial<Pick<Manifest, 'absent' | 'validator'>>} [about]
 * @returns {Promise<boolean>} whether the browser had room for them; if not, what was there is as it was
 */
export async function storeFolder(url, files, { absent = [], validator = '' } = {}) {
  const version = `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
  const entries = [...files].map(([name, content]) => ({ url: fileUrl(url, { name, sha256: null }, version), content }));
  /** @type {Manifest} */
  const manifest = { version, files: [...files.keys()], absent, validator };
  const last = { url: manifestUrl(url), content: new TextEncoder().encode(JSON.stringify(manifest)) };
  if (!(await putAll([...entries, last]))) return false;
  await prune(url, [...entries, last].map((entry) => entry.url.href));
  return true;
}

/**
 * Puts entries in their order; where there is no room for one, those before it are deleted again.
 * @param {{ url: URL, content: Content }[]} entries new ones, but for the last
 */
export async function putAll(entries) {
  const cache = await openCache();
  if (!cache) return false;
  try {
    for (const { url, content } of entries) await cache.put(url, new Response(/** @type {BodyInit} */ (content)));
    return true;
  } catch {
    await Promise.all(entries.slice(0, -1).map(({ url }) => cache.delete(url)));
    return false;
  }
}

/**
 * Deletes what earlier versions of a folder left behind.
 * @param {URL | string} folder
 * @param {string[]} current addresses of its present entries
 */
export async function prune(folder, current) {
  const cache = await openCache();
  for (const { url } of (await cache?.keys()) ?? []) {
    if (url.startsWith(String(folder)) && !current.includes(url)) await cache?.delete(url);
  }
}
