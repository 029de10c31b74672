// The service worker: stores the page and the engine for the next visit and for being offline. Models are stored by the
// engine's worker (`engine/models/store.js`).
//
// A *generation* is one whole version of the site, as `site.json` lists it: every file with its SHA-256. It lies in a
// cache of its own, and `site.json` is stored last: a cache without it is the rest of an attempt that did not come to its
// end, and is never served from. An open page is served from one generation as long as it is open. A visit compares the
// site with the newest generation; where they differ, a new one is fetched for the next visit.

const sw = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

/**
 * @typedef {object} Manifest
 * @property {string} version
 * @property {{ path: string, bytes: number, sha256: string }[]} files
 */

const SCOPE = sw.registration.scope;
const PREFIX = `translucent-site-${SCOPE} `;
const MANIFEST = new URL('site.json', SCOPE).href;
/** Below this folder lie models, which are no part of a generation. */
const MODELS = new URL('models/', SCOPE).href;
/** Under such an address a generation holds an empty entry for each page and worker that is served from it. */
const CLIENT = new URL('client/', SCOPE).href;
/** Files that are fetched at once. */
const AT_ONCE = 6;
/**
 * On a developer's own machine the network comes first and the cache is for being offline only. The query
 * `sw.js?cache-first` switches that off, for tests.
 */
const NETWORK_FIRST = ['localhost', '127.0.0.1', '[::1]'].includes(self.location.hostname) && !self.location.search;

sw.addEventListener('install', (event) => {
  event.waitUntil(update().then(() => sw.skipWaiting()));
});

sw.addEventListener('activate', (event) => {
  event.waitUntil(claim());
});

sw.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(SCOPE) || request.url.startsWith(MODELS)) return;
  event.respondWith(NETWORK_FIRST ? networkFirst(event) : cacheFirst(event));
  // Once per visit. A failure leaves everything as it was, and the next visit tries again.
  if (request.mode === 'navigate') event.waitUntil(update().catch(() => {}));
});

/** @param {FetchEvent} event */
async function networkFirst(event) {
  try {
    return await fetch(event.request);
  } catch (error) {
    const stored = await match(event);
    if (stored) return stored;
    throw error;
  }
}

/** @param {FetchEvent} event */
async function cacheFirst(event) {
  return (await match(event)) ?? fetch(event.request);
}

/** @param {FetchEvent} event */
async function match(event) {
  const name = await generationFor(event);
  if (!name) return undefined;
  const cache = await caches.open(name);
  const url = new URL(event.request.url);
  const isEntry = event.request.mode === 'navigate' && [SCOPE, `${SCOPE}index.html`].includes(`${url.origin}${url.pathname}`);
  // The version in an address is that of the page that asks, and so this generation's.
  return cache.match(isEntry ? SCOPE : event.request, { ignoreSearch: true });
}

/**
 * The generation that a request is answered from: the one of the page or worker that asks, the newest for a new page.
 * @param {FetchEvent} event
 */
async function generationFor(event) {
  const { mode, destination, url, referrer } = event.request;
  const known = mode === 'navigate' ? undefined : await generationOf(event.clientId);
  const name = known ?? started.get(referrer) ?? (await newest());
  if (!name) return undefined;
  if (destination === 'worker') started.set(url, name);
  // A page, or a worker that this page starts. Browsers may give it another id once it runs: then its own first request counts.
  for (const id of [event.resultingClientId, known ? '' : event.clientId]) if (id) event.waitUntil(assign(id, name));
  return name;
}

/**
 * The generation of the worker that was started last from this address.
 * @type {Map<string, string>}
 */
const started = new Map();

/**
 * Whole generations by the time of their making, with which their names end, the newest last.
 * @returns {Promise<string[]>}
 */
async function generations() {
  const names = await named();
  const whole = await Promise.all(names.map(async (name) => (await caches.open(name)).match(MANIFEST)));
  const time = (/** @type {string} */ name) => Number(name.split(' ').at(-1));
  return names.filter((_, i) => whole[i]).sort((a, b) => time(a) - time(b));
}

/** Every cache of this site, whole or not. */
async function named() {
  return (await caches.keys()).filter((name) => name.startsWith(PREFIX));
}

async function newest() {
  return (await generations()).at(-1);
}

/**
 * Generations by the ids of their clients, as far as this run of the worker knows them.
 * @type {Map<string, string>}
 */
const assigned = new Map();

/** @param {string} client */
async function generationOf(client) {
  if (!client) return undefined;
  const known = assigned.get(client);
  if (known) return known;
  for (const name of await generations()) {
    if (!(await (await caches.open(name)).match(CLIENT + client))) continue;
    assigned.set(client, name);
    return name;
  }
  return undefined;
}

/**
 * Serves a client from this generation from now on, also after this worker was ended and started again.
 * @param {string} client
 * @param {string} name
 */
async function assign(client, name) {
  assigned.set(client, name);
  // Where the disk is full, it holds as long as this run of the worker.
  await (await caches.open(name)).put(CLIENT + client, new Response('')).catch(() => {});
}

/** Takes over the pages that were opened before there was a service worker. */
async function claim() {
  const name = await newest();
  for (const { id } of name ? await sw.clients.matchAll({ includeUncontrolled: true }) : []) {
    if (name && !(await generationOf(id))) await assign(id, name);
  }
  await sw.clients.claim();
}

/** Makes a new generation if the site has changed; one attempt at a time, also where an older service worker still runs. */
function update() {
  return navigator.locks.request(`${PREFIX}update`, compare);
}

async function compare() {
  // Unchanged files answer 304 from the browser's own cache.
  const response = await fetch(MANIFEST, { cache: 'no-cache' });
  if (!response.ok) throw new Error(`${MANIFEST}: ${response.status}`);
  /** @type {Manifest} */
  const manifest = await response.clone().json();
  const before = (await generations()).at(-1);
  if (!before?.startsWith(`${PREFIX}${manifest.version} `)) {
    await prune();
    await store(manifest, response, before);
    for (const client of before ? await sw.clients.matchAll() : []) client.postMessage({ type: 'updated', version: manifest.version });
  }
  await prune();
}

/**
 * Stores a generation: all of it, or nothing.
 * @param {Manifest} manifest
 * @param {Response} response which brought the manifest
 * @param {string | undefined} before the generation before, whose unchanged files are copied
 */
async function store(manifest, response, before) {
  const name = `${PREFIX}${manifest.version} ${Date.now()}`;
  try {
    const cache = await caches.open(name);
    const unchanged = await stored(before);
    // Types are for people who write code against the engine.
    const files = manifest.files.filter(({ path }) => !path.endsWith('.d.ts'));
    const next = async () => {
      for (let file = files.pop(); file; file = files.pop()) {
        const url = new URL(file.path === 'index.html' ? './' : file.path, SCOPE).href;
        await cache.put(url, (await unchanged(url, file.sha256)) ?? (await fetched(url, file.sha256)));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
    await cache.put(MANIFEST, response);
  } catch (error) {
    await caches.delete(name);
    throw error;
  }
}

/**
 * The files of a generation by address and hash.
 * @param {string | undefined} name
 * @returns {Promise<(url: string, sha256: string) => Promise<Response | undefined>>}
 */
async function stored(name) {
  if (!name) return async () => undefined;
  const cache = await caches.open(name);
  /** @type {Manifest | undefined} */
  const manifest = await (await cache.match(MANIFEST))?.json();
  const hashes = new Set(manifest?.files.map(({ path, sha256 }) => `${sha256} ${new URL(path === 'index.html' ? './' : path, SCOPE).href}`));
  return async (url, sha256) => (hashes.has(`${sha256} ${url}`) ? cache.match(url) : undefined);
}

/**
 * Fetches a file of the version that the manifest lists.
 * @param {string} url
 * @param {string} sha256
 */
async function fetched(url, sha256) {
  const response = await fetch(url, { cache: 'no-cache' });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const digest = await crypto.subtle.digest('SHA-256', await response.clone().arrayBuffer());
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (hex !== sha256) throw new Error(`${url} is of another version than site.json: the site is being replaced`);
  return response;
}

/** Deletes unfinished caches, and generations before the newest that no open page or worker is served from. */
async function prune() {
  const whole = await generations();
  const open = await sw.clients.matchAll({ includeUncontrolled: true, type: 'all' });
  const used = new Set([whole.at(-1), ...(await Promise.all(open.map(({ id }) => generationOf(id))))]);
  await Promise.all((await named()).filter((name) => !used.has(name)).map((name) => caches.delete(name)));
}
