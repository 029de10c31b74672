// The service worker: keeps the page and the engine for the next visit and for being offline. The model is kept by
// the worker (`model-folder.js`).
//
// A *generation* is one whole version of the site, found by following what its files refer to. A visit is served
// from the newest whole generation, never from a mixture; meanwhile the site is compared with it, and if anything
// changed a new generation is fetched for the next visit.

const sw = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const PREFIX = 'translucent-site-';
/** Below this folder lie models, which are no part of a generation. */
const MODELS = new URL('models/', sw.registration.scope).href;
/**
 * A developer wants to see what was just written: on their own machine the network comes first, the cache only
 * without it. A query (`sw.js?cache-first`) switches that off, for tests.
 */
const FRESH = ['localhost', '127.0.0.1', '[::1]'].includes(self.location.hostname) && !self.location.search;

sw.addEventListener('install', (event) => {
  event.waitUntil(update().then(() => sw.skipWaiting()));
});

sw.addEventListener('activate', (event) => {
  event.waitUntil(sw.clients.claim());
});

sw.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || !url.href.startsWith(sw.registration.scope) || url.href.startsWith(MODELS)) return;
  event.respondWith(FRESH ? networkFirst(request) : cacheFirst(request));
  // Once per visit, after its own files had their turn.
  if (request.mode === 'navigate') event.waitUntil(update().catch(() => {}));
});

/** @param {Request} request */
async function networkFirst(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await match(request);
    if (kept) return kept;
    throw error;
  }
}

/** @param {Request} request */
async function cacheFirst(request) {
  return (await match(request)) ?? fetch(request);
}

/** @param {Request} request */
async function match(request) {
  const name = await newest();
  if (!name) return undefined;
  const cache = await caches.open(name);
  return cache.match(request, { ignoreSearch: request.mode === 'navigate' });
}

/** The name of the newest generation: names end with the time of their making. */
async function newest() {
  return (await generations()).at(-1);
}

async function generations() {
  const names = (await caches.keys()).filter((name) => name.startsWith(`${PREFIX}${sw.registration.scope} `));
  const time = (/** @type {string} */ name) => Number(name.split(' ').at(-1));
  return names.sort((a, b) => time(a) - time(b));
}

/** Compares the site with the newest generation; makes a new one if anything differs, and tells the open pages. */
async function update() {
  const site = await crawl(new URL(sw.registration.scope));
  const version = await digest(site);
  const old = await generations();
  if (old.at(-1)?.includes(version)) return;
  const cache = await caches.open(`${PREFIX}${sw.registration.scope} ${version} ${Date.now()}`);
  await Promise.all([...site].map(([url, { response }]) => cache.put(url, response)));
  await Promise.all(old.map((name) => caches.delete(name)));
  if (old.length > 0) {
    for (const client of await sw.clients.matchAll()) client.postMessage({ type: 'updated', version });
  }
}

/**
 * Fetches a page and everything that it refers to, and what that refers to.
 * @param {URL} entry
 */
async function crawl(entry) {
  /** @type {Map<string, { response: Response, bytes: ArrayBuffer }>} */
  const site = new Map();
  const visit = async (/** @type {URL} */ url) => {
    if (site.has(url.href)) return;
    // Unchanged files answer 304 from the browser's own cache.
    const response = await fetch(url, { cache: 'no-cache' });
    if (site.has(url.href)) return;
    if (!response.ok) throw new Error(`${url.href}: ${response.status}`);
    const bytes = await response.clone().arrayBuffer();
    site.set(url.href, { response, bytes });
    const type = response.headers.get('content-type') ?? '';
    if (!/html|css|javascript/.test(type)) return;
    const inner = references(new TextDecoder().decode(bytes), type, url);
    await Promise.all(inner.filter((next) => next.href.startsWith(entry.href)).map(visit));
  };
  await visit(entry);
  return site;
}

/**
 * The addresses that a text loads: tags of a page, `url(…)` of a style sheet, imports and `new URL` of a module.
 * @param {string} text
 * @param {string} type
 * @param {URL} base
 * @returns {URL[]}
 */
function references(text, type, base) {
  const tags = [/<(?:link|script|img)\b[^>]*?\s(?:href|src)=["']?([^"'\s>]+)/g];
  const styles = [/url\(["']?([^"')]+)["']?\)/g, /@import\s+["']([^"']+)/g];
  const modules = [
    /\b(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g,
    /new URL\(\s*["']([^"']+)["'],\s*import\.meta\.url/g,
  ];
  // A page may hold modules and styles of its own.
  const patterns = type.includes('html') ? [...tags, ...styles, ...modules] : type.includes('css') ? styles : modules;
  return patterns
    .flatMap((pattern) => [...code(text, type).matchAll(pattern)])
    .map(([, reference]) => new URL(reference, base))
    .filter((url) => /^https?:$/.test(url.protocol) && !url.pathname.endsWith('/'))
    .map((url) => new URL(url.pathname, url));
}

/**
 * A module without its comments, whose types refer to files that no browser loads.
 * @param {string} text
 * @param {string} type
 */
function code(text, type) {
  return type.includes('javascript') ? text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '') : text;
}

/** @param {Map<string, { bytes: ArrayBuffer }>} site */
async function digest(site) {
  const parts = [];
  for (const [url, { bytes }] of [...site].sort(([a], [b]) => (a < b ? -1 : 1))) {
    parts.push(url, ...hex(await crypto.subtle.digest('SHA-256', bytes)));
  }
  return hex(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(parts.join(' ')))).join('');
}

/** @param {ArrayBuffer} bytes */
function hex(bytes) {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0'));
}
