// The browser's cache of models, and where a file of a model folder lies in it.

const CACHE = 'translucent-models';

/**
 * The browser's cache of models; null where it gives none (private windows, insecure origins). An entry that cannot be read
 * is none, so that a damaged store keeps no model from being fetched; only writing fails.
 * @returns {Promise<Cache | null>}
 */
export async function openCache() {
  const cache = await strictCache();
  if (!cache) return null;
  /** @type {Partial<Cache>} */
  const tolerant = {
    match: (request) => cache.match(request).catch(() => undefined),
    keys: () => cache.keys().catch(() => []),
    delete: (request) => cache.delete(request).catch(() => false),
    put: (request, response) => cache.put(request, response),
  };
  return /** @type {Cache} */ (tolerant);
}

/**
 * The same with every failure: for what is shown, deleted or saved.
 * @returns {Promise<Cache | null>}
 */
export async function strictCache() {
  try {
    return await caches.open(CACHE);
  } catch {
    return null;
  }
}

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
export function decodePart(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Where a file of a folder lies in the cache. The version is part of it: another version is another entry.
 * @param {URL | string} folder
 * @param {{ name: string, sha256: string | null }} file
 * @param {string} [version] of a folder that has a manifest
 */
export function fileUrl(folder, { name, sha256 }, version = '') {
  const url = new URL(encodeURIComponent(name), folder);
  if (sha256) url.searchParams.set('sha256', sha256);
  else if (version) url.searchParams.set('version', version);
  return url;
}
