// Starts the engine's worker: beside this module, at another address, on another host.

/** @typedef {string | URL | ((options: WorkerOptions) => Worker)} WorkerSource Address of `worker.js`, or what starts it. */

// By a name of its own: what bundlers look for is `new URL(…, import.meta.url)`, and only the worker below shall be it.
const HERE = import.meta.url;

/**
 * @param {string} version of the engine; empty where it is not stamped
 * @param {WorkerSource} [source]
 * @returns {Worker}
 */
export function startWorker(version, source) {
  // A service worker may answer with a script that does not know its address, so the name says the version again.
  /** @type {WorkerOptions} */
  const options = { type: 'module', name: `translucent ${version}`.trim() };
  if (typeof source === 'function') return source(options);
  const script = source ? new URL(source, document.baseURI) : new URL('./worker.js', HERE);
  const foreign = script.protocol.startsWith('http') && script.origin !== self.location.origin;
  if (!source && !version && !foreign) {
    return new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'translucent' });
  }
  // For caches.
  if (version) script.searchParams.set('v', version);
  if (!foreign) return new Worker(script, options);
  // A worker's script must be of the page's own origin; a module that it imports need not be, where its host allows it (CORS).
  const own = new Blob([`import ${JSON.stringify(script.href)};`], { type: 'text/javascript' });
  return new Worker(URL.createObjectURL(own), options);
}
