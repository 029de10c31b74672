// A model folder is fetched, replaced, dropped and deleted while the browser's store or the network fails at every call in
// turn: what was stored stays whole, what is reported is true, and trying again works.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';

const HOST = 'https://example.org/';
const FOLDER = `${HOST}models/en-de/`;

/** Tells the calls of a run, and makes one of them fail, or that one and all later ones, or never answer. */
class Faults {
  calls = 0;
  /** @type {{ at: number, kind: 'once' | 'from' | 'hang' } | null} */
  plan = null;
  struck = false;
  hung = () => {};

  /** @param {string} what */
  async call(what) {
    this.calls += 1;
    const { plan } = this;
    if (!plan || (plan.kind === 'from' ? this.calls < plan.at : this.calls !== plan.at)) return;
    this.struck = true;
    if (plan.kind === 'hang') {
      this.hung();
      await new Promise(() => {});
    }
    throw new DOMException(`${what}: out of room or out of reach`, 'UnknownError');
  }
}

let faults = new Faults();
/** The browser's caches. @type {Map<string, Map<string, Response>>} */
let stored = new Map();
/** Files of the host by address; null: offline. @type {Map<string, Uint8Array> | null} */
let host = null;

const address = (/** @type {any} */ request) => request.url ?? String(request);
const environment = {
  location: new URL(HOST),
  self: { location: new URL(HOST), navigator: {} },
  caches: {
    async open(/** @type {string} */ name) {
      await faults.call('open');
      const entries = stored.get(name) ?? new Map();
      stored.set(name, entries);
      return {
        match: async (/** @type {any} */ request) => (await faults.call('match'), entries.get(address(request))?.clone()),
        put: async (/** @type {any} */ request, /** @type {Response} */ response) => {
          await faults.call('put');
          entries.set(address(request), new Response(await response.arrayBuffer(), { status: response.status, headers: response.headers }));
        },
        delete: async (/** @type {any} */ request) => (await faults.call('delete'), entries.delete(address(request))),
        keys: async () => (await faults.call('keys'), [...entries.keys()].map((url) => ({ url }))),
      };
    },
  },
  async fetch(/** @type {any} */ request, /** @type {RequestInit} */ { method = 'GET' } = {}) {
    await faults.call('fetch');
    if (!host) throw new TypeError('Failed to fetch');
    const bytes = host.get(address(request));
    if (!bytes) return new Response('', { status: 404 });
    const body = new ReadableStream({
      async start(stream) {
        stream.enqueue(bytes.slice(0, 3));
        await faults.call('the rest of a body').then(() => (stream.enqueue(bytes.slice(3)), stream.close()), (error) => stream.error(error));
      },
    });
    const headers = { 'content-length': String(bytes.length), etag: createHash('sha256').update(bytes).digest('hex') };
    return new Response(method === 'HEAD' ? null : body, { headers });
  },
};
/** @type {MessagePort[]} */
const ports = [];
const { MessageChannel } = globalThis;
Object.assign(globalThis, environment, {
  MessageChannel: class {
    constructor() {
      const channel = new MessageChannel();
      ports.push(channel.port1, channel.port2);
      return channel;
    }
  },
});
// An open port keeps Node from ending.
after(() => ports.forEach((port) => port.close()));

const { loadModel } = await import('../../www/engine/load.js');
const { isDescription } = await import('../../www/engine/models/check.js');
const { deleteFolder, localUrl, readFolder, storedFolders } = await import('../../www/engine/models/store.js');

const REQUIRED = ['config.json', 'source.spm', 'vocab.json'];
/** The files of a version: what each holds names it. */
function version(/** @type {string} */ name, /** @type {string[]} */ more) {
  const header = JSON.stringify({ w: { data_offsets: [0, name.length] } });
  const size = new Uint8Array(8);
  new DataView(size.buffer).setBigUint64(0, BigInt(header.length), true);
  const text = (/** @type {string} */ file) => new TextEncoder().encode(`${name} ${file}`);
  return new Map([...[...REQUIRED, ...more].map((file) => /** @type {[string, Uint8Array]} */ ([file, text(file)])), ['model.safetensors', Buffer.concat([size, Buffer.from(header + name)])]]);
}
const OLD = version('old', ['target_vocab.json', 'heads.json', 'README.md']);
const NEW = version('newer', ['target.spm', 'README.md']);

/** @param {Map<string, Uint8Array>} files @param {boolean} indexed */
function hostOf(files, indexed) {
  const all = new Map([...files].map(([name, bytes]) => [FOLDER + name, bytes]));
  const listed = [...files].map(([name, bytes]) => ({ name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }));
  const index = { models: [{ name: 'en-de', source: 'en', target: 'de', files: listed }] };
  if (indexed) all.set(`${HOST}models/index.json`, new TextEncoder().encode(JSON.stringify(index)));
  return all;
}

/** What the engine was given: the version, where it is one. @param {Map<string, Uint8Array>} files */
function versionOf(files) {
  // Without a description a model works: it is fetched at the next visit.
  const named = (/** @type {Map<string, Uint8Array>} */ of) => [...new Set([...of.keys(), ...files.keys()])].every((name) => (files.has(name) ? Buffer.compare(files.get(name) ?? Buffer.of(), of.get(name) ?? Buffer.of()) === 0 : isDescription(name)));
  return named(OLD) ? 'old' : named(NEW) ? 'new' : `a mixture: ${[...files].map(([name, bytes]) => `${name}=${Buffer.from(bytes).toString('latin1').slice(-12)}`)}`;
}

/** Loads as the worker does; the engine tells which version it was given. */
async function load(/** @type {object} */ args = {}) {
  /** @type {string} */
  let found = '';
  const core = { info: () => ({}) };
  const engine = { simdLevel: () => 'simd128', Translator: { load: (/** @type {Map<string, Uint8Array>} */ files) => ((found = versionOf(files)), core) } };
  const { loaded } = await loadModel(/** @type {any} */ ({ model: FOLDER, ...args }), /** @type {any} */ ({ signal: new AbortController().signal, startEngine: async () => engine, onStage() {} }));
  return { found, stored: loaded.stored, address: loaded.address };
}

const given = (/** @type {Map<string, Uint8Array>} */ files) => [...files].map(([name, bytes]) => new File([/** @type {BlobPart} */ (bytes)], name));
const LOCAL = localUrl('en-de');

/**
 * What a reader does, from which state, and what may be there afterwards.
 * @typedef {object} Flow
 * @property {boolean} indexed
 * @property {() => Promise<unknown>} before
 * @property {() => Promise<{ found: string, stored: boolean } | void>} act
 * @property {string} folder
 * @property {string[]} whole versions that may be stored when it failed; '' nothing
 * @property {string} then what is stored when it is done
 */
/** @type {Record<string, Flow>} */
const FLOWS = {};
for (const indexed of [false, true]) {
  const where = indexed ? 'a shipped model' : 'a model without an index';
  FLOWS[`${where} is fetched for the first time`] = { indexed, folder: FOLDER, before: async () => (host = hostOf(NEW, indexed)), act: () => load(), whole: ['', 'new'], then: 'new' };
  FLOWS[`a new version of ${where} is fetched`] = {
    indexed,
    folder: FOLDER,
    async before() {
      host = hostOf(OLD, indexed);
      await load();
      host = hostOf(NEW, indexed);
    },
    act: () => load(),
    whole: ['old', 'new'],
    then: 'new',
  };
  FLOWS[`${where} is loaded again`] = {
    indexed,
    folder: FOLDER,
    async before() {
      host = hostOf(NEW, indexed);
      await load();
    },
    act: () => load(),
    whole: ['new'],
    then: 'new',
  };
}
FLOWS['a folder is dropped over a stored one of its name'] = {
  indexed: false,
  folder: LOCAL,
  before: () => load({ files: given(OLD) }),
  act: () => load({ files: given(NEW) }),
  whole: ['old', 'new'],
  then: 'new',
};
FLOWS['a stored folder is deleted'] = { indexed: false, folder: LOCAL, before: () => load({ files: given(OLD) }), act: () => deleteFolder(LOCAL), whole: ['old', ''], then: '' };

/** What a visit without a network finds. @param {string} folder */
async function offline(folder) {
  const before = host;
  host = null;
  try {
    return (await load({ model: folder })).found;
  } catch (error) {
    assert.ok(['ModelMissing', 'DownloadFailed'].includes(/** @type {any} */ (error).code), String(error));
    return '';
  } finally {
    host = before;
  }
}

for (const [name, flow] of Object.entries(FLOWS)) {
  for (const kind of /** @type {const} */ (['once', 'from', 'hang'])) {
    test(`${name}: ${{ once: 'any call fails', from: 'all calls fail from any on', hang: 'the page is closed at any call' }[kind]}`, async (t) => {
      for (let at = 1; ; at++) {
        stored = new Map();
        host = null;
        faults = new Faults();
        await flow.before();
        faults = new Faults();
        faults.plan = { at, kind };
        const end = new Promise((done) => (faults.hung = () => done('closed')));
        const what = `call ${at}`;
        /** @type {any} */
        const result = await Promise.race([end, flow.act().then((loaded) => loaded ?? 'done', (error) => error)]);
        const { struck } = faults;
        faults = new Faults();
        if (result instanceof Error) assert.ok(result.message.length > 10 && (flow.then === '' || typeof (/** @type {any} */ (result).code) === 'string'), `${what}: ${result.stack}`);
        else if (result.found) {
          assert.ok(['old', 'new'].includes(result.found), `${what}: ${result.found}`);
          if (result.stored) assert.equal(await offline(flow.folder), result.found, `${what}: it says that it is stored`);
        }
        const left = await offline(flow.folder);
        assert.ok(flow.whole.includes(left), `${what}: ${left}`);
        const listed = (await storedFolders()).some(({ url }) => url === flow.folder);
        // A list names what can be loaded, and may name what is half deleted, so that it can be deleted.
        if (left) assert.ok(listed, `${what}: listed`);
        // Trying again works, and leaves nothing but the version.
        const again = await flow.act();
        if (again) assert.deepEqual([again.found, again.stored], [flow.then, true], what);
        assert.equal(await offline(flow.folder), flow.then, what);
        const blobs = await readFolder(flow.folder);
        const files = new Map(await Promise.all([...blobs].map(async ([file, blob]) => /** @type {[string, Uint8Array]} */ ([file, new Uint8Array(await blob.arrayBuffer())]))));
        if (flow.then) assert.equal(versionOf(files), flow.then, what);
        else assert.equal(files.size, 0, what);
        if (!struck) {
          assert.ok(at > 2, `${at} calls`);
          t.diagnostic(`${at - 1} faults`);
          break;
        }
      }
    });
  }
}
