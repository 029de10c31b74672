// A plain static server, as any host is: no special headers but, where asked for, those that let other origins read.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES = { '.html': 'text/html', '.css': 'text/css', '.svg': 'image/svg+xml', '.js': 'text/javascript', '.mjs': 'text/javascript', '.json': 'application/json', '.wasm': 'application/wasm' };

/**
 * Serves folders until the test ends.
 * @param {Pick<import('node:test').TestContext, 'after'>} t
 * @param {Record<string, string>} folders by the path that they lie at, such as `/models/`; texts by a path without a slash at its end
 * @param {Record<string, string>} [headers]
 * @returns {Promise<string>} its address
 */
export async function serveFolders(t, folders, headers = {}) {
  const server = createServer(async ({ url }, answer) => {
    const path = normalize(decodeURIComponent(new URL(url ?? '/', 'http://host').pathname));
    const prefix = Object.keys(folders).filter((prefix) => (prefix.endsWith('/') ? path.startsWith(prefix) : path === prefix)).sort().at(-1);
    try {
      if (prefix === undefined) throw new Error('nothing lies there');
      const rest = path.slice(prefix.length);
      const file = rest || 'index.html';
      const content = prefix.endsWith('/') ? await readFile(join(folders[prefix], file)) : folders[prefix];
      const type = TYPES[extname(prefix.endsWith('/') ? file : prefix)] ?? 'application/octet-stream';
      answer.writeHead(200, { 'Content-Type': type, ...headers }).end(content);
    } catch {
      answer.writeHead(404, headers).end();
    }
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', () => listening(undefined)));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}/`;
}
