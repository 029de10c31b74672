// The files that an index lists are asked for all at once; the first fault ends the others.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';

const HOST = 'https://example.org/';
const NAMES = ['config.json', 'model.safetensors', 'source.spm', 'vocab.json'];
const index = { models: [{ name: 'en-de', source: 'en', target: 'de', files: NAMES.map((name) => ({ name, bytes: name.length, sha256: createHash('sha256').update(name).digest('hex') })) }] };

Object.assign(globalThis, { location: new URL(HOST), self: { location: new URL(HOST), navigator: {} } });
const { ModelFolder } = await import('../../www/engine/models/folder.js');

/** Names of the files that were asked for, and how each is answered. @type {Map<string, { answer: (response: Response) => void, signal: AbortSignal }>} */
const asked = new Map();
let all = () => {};
Object.assign(globalThis, {
  async fetch(/** @type {URL} */ url, /** @type {RequestInit} */ { signal } = {}) {
    if (url.href === `${HOST}models/index.json`) return Response.json(index);
    return new Promise((answer, refuse) => {
      asked.set(String(url.pathname.split('/').at(-1)), { answer, signal: /** @type {AbortSignal} */ (signal) });
      signal?.addEventListener('abort', () => refuse(signal.reason));
      if (asked.size === NAMES.length) all();
    });
  },
});

function fetched() {
  asked.clear();
  const everything = new Promise((done) => (all = () => done(undefined)));
  const files = new ModelFolder(`${HOST}models/en-de/`).fetch({ signal: new AbortController().signal, onProgress() {} });
  files.catch(() => {});
  return { everything, files };
}

test('no file waits for another', async () => {
  const { everything, files } = fetched();
  await everything;
  for (const [name, { answer }] of [...asked].reverse()) answer(new Response(name));
  assert.deepEqual([...(await files).keys()].sort(), NAMES);
});

test('a file that cannot be had ends the load with its own reason, and the other downloads', async () => {
  const { everything, files } = fetched();
  await everything;
  asked.get('source.spm')?.answer(new Response('', { status: 500 }));
  await assert.rejects(files, { code: 'DownloadFailed', message: /source\.spm.*500/ });
  for (const [name, { signal }] of asked) assert.ok(name === 'source.spm' || signal.aborted, name);
});
