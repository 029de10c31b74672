// The browser's store of models: every file of a model folder under the folder's address, whether it was fetched from
// there or came from this device. Used by the worker and the page.

const CACHE = 'translucent-models';
/** Below this address lie the folders that were given from this device. Nothing is ever fetched from there. */
const LOCAL = new URL('../../models-on-this-device/', import.meta.url);
/** Files of more bytes are not read: no model needs them, and no browser gives so much memory in one piece. */
const MOST_BYTES = 2 ** 31 - 1;

/**
 * @typedef {object} StoredFolder A model folder in the store.
 * @property {string} url
 * @property {string} name
 * @property {boolean} local it came from this device, or was quantised on it
 * @property {number} bytes
 */

/**
 * The browser's cache of models; null where it gives none (private windows, insecure origins).
 * @returns {Promise<Cache | null>}
 */
export async function openCache() {
  try {
    return await caches.open(CACHE);
  } catch {
    return null;
  }
}

/**
 * The address of a folder from this device.
 * @param {string} name
 */
export const localUrl = (name) => new URL(`${encodeURIComponent(name)}/`, LOCAL).href;

/** @param {URL | string} url */
export const isLocal = (url) => String(url).startsWith(LOCAL.href);

/**
 * What a folder is called: the last part of its address, or the repository's name on the Hugging Face hub.
 * @param {URL | string} url
 */
export function folderName(url) {
  const { pathname } = new URL(url);
  const parts = pathname.split('/').filter(Boolean).map(decodePart);
  const hub = parts.findIndex((part, i) => part === 'resolve' && i >= 2);
  return (hub > 0 ? parts[hub - 1] : parts.at(-1)) ?? '';
}

/** @param {string} part */
function decodePart(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

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
 * Where a file of a folder lies in the cache. The checksum is part of it: another version is another entry.
 * @param {URL | string} folder
 * @param {{ name: string, sha256: string | null }} file
 */
export function fileUrl(folder, { name, sha256 }) {
  const url = new URL(name, folder);
  if (sha256) url.searchParams.set('sha256', sha256);
  return url;
}

/**
 * The folders in the store, by name.
 * @returns {Promise<StoredFolder[]>}
 */
export async function storedFolders() {
  const cache = await openCache();
  /** @type {Map<string, { bytes: number, whole: boolean }>} */
  const folders = new Map();
  for (const request of (await cache?.keys()) ?? []) {
    const url = new URL('.', request.url).href;
    const folder = folders.get(url) ?? { bytes: 0, whole: false };
    const response = await cache?.match(request);
    folder.bytes += (await response?.blob())?.size ?? 0;
    // The index of a site's models lies beside them, and is no model.
    folder.whole ||= new URL(request.url).pathname.endsWith('/config.json');
    folders.set(url, folder);
  }
  return [...folders]
    .filter(([, { whole }]) => whole)
    .map(([url, { bytes }]) => ({ url, bytes, name: folderName(url), local: isLocal(url) }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/**
 * Throws a folder's files away.
 * @param {URL | string} url
 */
export async function deleteFolder(url) {
  const cache = await openCache();
  if (!cache) return;
  const ours = (await cache.keys()).filter((request) => request.url.startsWith(String(url)));
  await Promise.all(ours.map((request) => cache.delete(request)));
}

/**
 * The files of a folder in the store, by name.
 * @param {string} url
 * @returns {Promise<Map<string, Blob>>}
 */
export async function readFolder(url) {
  const cache = await openCache();
  /** @type {Map<string, Blob>} */
  const files = new Map();
  for (const request of (await cache?.keys()) ?? []) {
    const { href, pathname, searchParams } = new URL(request.url);
    // Parts of an unfinished download, and notes of what a folder does not have, are no files.
    const response = href.startsWith(url) && !searchParams.has('part') && (await cache?.match(request));
    if (response && response.status !== 204) files.set(decodePart(pathname.split('/').at(-1) ?? ''), await response.blob());
  }
  return files;
}

/**
 * Keeps a folder's files under its address, in the place of what was there.
 * @param {string} url
 * @param {Map<string, Uint8Array>} files
 * @returns {Promise<boolean>} whether the browser had room for them
 */
export async function keepFolder(url, files) {
  const cache = await openCache();
  if (!cache) return false;
  await deleteFolder(url);
  try {
    for (const [name, bytes] of files) {
      await cache.put(new URL(encodeURIComponent(name), url), new Response(/** @type {BlobPart} */ (bytes)));
    }
    return true;
  } catch {
    await deleteFolder(url);
    return false;
  }
}

/**
 * What is wrong with a file's size, as a sentence; null if nothing is.
 * @param {string} name
 * @param {number} bytes
 */
export function tooLarge(name, bytes) {
  if (bytes <= MOST_BYTES) return null;
  return `model ${name}: has ${(bytes / 1e9).toFixed(1)} GB, a browser reads at most 2.1 GB. Write it with smaller numbers: translucent quantize, on the command line.`;
}
