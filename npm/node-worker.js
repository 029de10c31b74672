// The engine's worker as a thread of Node: gives it what it uses of a browser's worker.

import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';

const fetchOverNetwork = globalThis.fetch;

/** Reads `file:` addresses, which Node's own `fetch` does not. */
async function fetchFile(address, options) {
  const url = new URL(address);
  if (url.protocol !== 'file:') return fetchOverNetwork(address, options);
  options?.signal?.throwIfAborted();
  try {
    const type = url.pathname.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream';
    return new Response(await readFile(url), { headers: { 'content-type': type } });
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return new Response(null, { status: 404, statusText: 'no such file' });
  }
}

Object.assign(globalThis, {
  self: globalThis,
  name: workerData,
  location: new URL('file:///'),
  fetch: fetchFile,
  postMessage: (message, options) => parentPort.postMessage(message, options?.transfer),
  // What is thrown outside of a call ends the thread, which `node.js` hears of.
  reportError: (error) => process.nextTick(() => { throw error; }),
});
await import('./engine/worker.js');
parentPort.on('message', (data) => self.onmessage({ data }));
parentPort.on('messageerror', () => self.onmessageerror());
