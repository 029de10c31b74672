// The service worker against a full disk, its own end at any moment, and a site that is replaced meanwhile: what was
// stored goes on working, and the next visit repairs the rest.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Script, createContext } from 'node:vm';

const CODE = new Script(readFileSync(new URL('../../www/sw.js', import.meta.url), 'utf8'));
const SCOPE = 'https://example.org/some/where/';

/** @param {Record<string, string>} files by their path */
function site(files) {
  const sha256 = (/** @type {string} */ text) => createHash('sha256').update(text).digest('hex');
  const listed = Object.entries(files).map(([path, text]) => ({ path, bytes: text.length, sha256: sha256(text) }));
  return { files, manifest: { version: sha256(JSON.stringify(listed)), files: listed } };
}

const OLD = site({ 'index.html': '<p>old', 'main.js': 'old', 'same.js': 'same', 'engine/worker.js': 'old worker', 'engine/types.d.ts': 'old' });
const NEW = site({ 'index.html': '<p>new', 'main.js': 'new', 'same.js': 'same', 'engine/worker.js': 'new worker', 'tab.js': 'new tab' });

/** A browser's profile: its caches, its open pages, and the host that it reaches. */
class Profile {
  /** @type {Map<string, Map<string, Response>>} */
  caches = new Map();
  /** @type {Set<string>} */
  clients = new Set();
  /** @type {{ id: string, message: any }[]} */
  messages = [];
  /** @type {ReturnType<typeof site> | null} null: offline */
  host = null;
  /** @type {string[]} */
  fetched = [];
  puts = 0;
  /** Called before the n-th put of a run. */
  onPut = async (/** @type {number} */ _) => {};

  /** Starts the service worker anew, as browsers do at will. */
  worker() {
    /** @type {Map<string, (event: any) => void>} */
    const listeners = new Map();
    const profile = this;
    const url = (/** @type {any} */ request) => (typeof request === 'string' ? request : request.url);
    const storage = {
      async open(/** @type {string} */ name) {
        if (!profile.caches.has(name)) profile.caches.set(name, new Map());
        const entries = /** @type {Map<string, Response>} */ (profile.caches.get(name));
        return {
          async match(/** @type {any} */ request, { ignoreSearch = false } = {}) {
            return entries.get(ignoreSearch ? url(request).split('?')[0] : url(request))?.clone();
          },
          async put(/** @type {any} */ request, /** @type {Response} */ response) {
            profile.puts += 1;
            await profile.onPut(profile.puts);
            entries.set(url(request), response);
          },
        };
      },
      keys: async () => [...profile.caches.keys()],
      delete: async (/** @type {string} */ name) => profile.caches.delete(name),
    };
    const self = {
      registration: { scope: SCOPE },
      location: new URL('sw.js', SCOPE),
      addEventListener: (/** @type {string} */ kind, /** @type {any} */ listener) => listeners.set(kind, listener),
      skipWaiting: async () => {},
      clients: {
        claim: async () => {},
        matchAll: async () => [...profile.clients].map((id) => ({ id, postMessage: (/** @type {any} */ message) => profile.messages.push({ id, message }) })),
      },
    };
    const fetch = async (/** @type {any} */ request) => {
      const path = url(request).slice(SCOPE.length) || 'index.html';
      profile.fetched.push(path);
      if (!profile.host) throw new TypeError('offline');
      if (path === 'site.json') return new Response(JSON.stringify(profile.host.manifest));
      const text = profile.host.files[path];
      return text === undefined ? new Response('', { status: 404 }) : new Response(text);
    };
    const locks = { request: (/** @type {string} */ _, /** @type {() => Promise<void>} */ work) => work() };
    CODE.runInContext(createContext({ self, caches: storage, fetch, crypto, Response, URL, Date, navigator: { locks } }));
    return {
      /** Sends an event and waits for all that it started. */
      async send(/** @type {string} */ kind, /** @type {object} */ fields = {}) {
        /** @type {Promise<any>[]} */
        const work = [];
        /** @type {Promise<Response> | undefined} */
        let answer;
        listeners.get(kind)?.({ ...fields, waitUntil: (/** @type {Promise<any>} */ promise) => work.push(promise), respondWith: (/** @type {Promise<Response>} */ promise) => (answer = promise) });
        const response = await answer;
        for (let i = 0; i < work.length; i += 1) await work[i];
        return response;
      },
      /** Opens a page. @returns {Promise<string>} its text */
      async visit(/** @type {string} */ id) {
        const response = await this.send('fetch', { request: { method: 'GET', mode: 'navigate', url: SCOPE }, clientId: '', resultingClientId: id });
        profile.clients.add(id);
        return /** @type {Response} */ (response).text();
      },
      /** What an open page gets. @returns {Promise<string>} */
      async get(/** @type {string} */ id, /** @type {string} */ path) {
        const response = await this.send('fetch', { request: { method: 'GET', mode: 'cors', url: SCOPE + path }, clientId: id, resultingClientId: '' });
        return /** @type {Response} */ (response).text();
      },
    };
  }

  async install() {
    this.puts = 0;
    const worker = this.worker();
    await worker.send('install');
    await worker.send('activate');
    return worker;
  }
}

/** Everything of a site comes from the cache, offline, and nothing of another version. */
async function works(/** @type {Profile} */ profile, /** @type {ReturnType<typeof site>} */ { files }, id = 'a new page') {
  const { host } = profile;
  profile.host = null;
  const worker = profile.worker();
  assert.equal(await worker.visit(id), files['index.html']);
  for (const [path, text] of Object.entries(files)) {
    if (path === 'index.html' || path.endsWith('.d.ts')) continue;
    assert.equal(await worker.get(id, path), text, path);
    assert.equal(await worker.get(id, `${path}?v=1`), text, `${path} with the version of the page that asks`);
  }
  profile.clients.delete(id);
  profile.host = host;
}

async function installed() {
  const profile = new Profile();
  profile.host = OLD;
  await profile.install();
  await works(profile, OLD);
  return profile;
}

/** The caches that a site of one version leaves behind: one, whole. */
function only(/** @type {Profile} */ profile, /** @type {ReturnType<typeof site>} */ { manifest }) {
  assert.deepEqual([...profile.caches.keys()].map((name) => name.split(' ')[1]), [manifest.version]);
}

/** Installs anew with a fault at every n-th put in turn, until an attempt meets none. */
async function atEveryPut(/** @type {(profile: Profile, n: number) => Promise<boolean>} */ attempt) {
  for (let n = 1; ; n += 1) {
    const profile = await installed();
    profile.puts = 0;
    profile.host = NEW;
    if (await attempt(profile, n)) return n - 1;
  }
}

test('a disk that is full at any write leaves the old version whole, and the next visit stores the new one', async () => {
  const faults = await atEveryPut(async (profile, n) => {
    let failed = false;
    profile.onPut = async (put) => {
      if (put < n) return;
      failed = true;
      throw new Error('QuotaExceededError');
    };
    await profile.install().catch(() => {});
    profile.onPut = async () => {};
    if (!failed) {
      await works(profile, NEW);
      return true;
    }
    only(profile, OLD);
    await works(profile, OLD);
    await profile.worker().visit('b');
    await works(profile, NEW);
    return false;
  });
  assert.equal(faults, Object.keys(NEW.files).length + 1);
});

test('a first visit to a full disk stores nothing, and a later one all', async () => {
  for (let n = 1; n <= Object.keys(OLD.files).length; n += 1) {
    const profile = new Profile();
    profile.host = OLD;
    profile.onPut = async (put) => {
      if (put >= n) throw new Error('QuotaExceededError');
    };
    await assert.rejects(profile.install());
    assert.equal(profile.caches.size, 0);
    profile.onPut = async () => {};
    await profile.install();
    await works(profile, OLD);
  }
});

test('a worker that is ended at any write leaves the old version whole, and the next visit stores the new one', async () => {
  const faults = await atEveryPut(async (profile, n) => {
    let ended = () => {};
    const end = new Promise((done) => (ended = () => done('ended')));
    profile.onPut = (put) => {
      if (put < n) return Promise.resolve();
      ended();
      return new Promise(() => {});
    };
    const how = await Promise.race([end, profile.install()]);
    profile.onPut = async () => {};
    if (how !== 'ended') return true;
    await works(profile, OLD);
    await profile.worker().visit('b');
    only(profile, NEW);
    await works(profile, NEW);
    return false;
  });
  assert.equal(faults, Object.keys(NEW.files).length + 1);
});

test('a site that is replaced while it is fetched is no generation', async () => {
  for (const path of ['main.js', 'tab.js', 'index.html']) {
    const profile = await installed();
    profile.host = { manifest: NEW.manifest, files: { ...NEW.files, [path]: 'of a third version' } };
    await profile.worker().visit('a');
    only(profile, OLD);
    await works(profile, OLD);
    profile.host = NEW;
    await profile.worker().visit('b');
    await works(profile, NEW);
  }
});

test('an open page stays with its version, is told of the new one, and its version goes when it is closed', async () => {
  const profile = await installed();
  assert.equal(await profile.worker().visit('open'), '<p>old');
  profile.host = NEW;
  assert.equal(await profile.worker().visit('second'), '<p>old', 'this visit finds the new version for the next');
  assert.ok(profile.messages.some(({ id, message }) => id === 'open' && message.type === 'updated' && message.version === NEW.manifest.version));
  // Each time by a worker that was started anew, and knows only what is stored.
  assert.equal(await profile.worker().visit('third'), '<p>new');
  for (const [id, text] of [['open', 'old'], ['second', 'old'], ['third', 'new']]) assert.equal(await profile.worker().get(id, 'main.js'), text);
  profile.clients = new Set(['third']);
  await profile.worker().visit('fourth');
  only(profile, NEW);
});

test('a page and its worker whose ids were not announced stay with the version of their first request', async () => {
  const profile = await installed();
  const worker = profile.worker();
  const ask = async (/** @type {string} */ clientId, /** @type {string} */ path, more = {}) => {
    const request = { method: 'GET', mode: 'cors', destination: '', referrer: SCOPE, url: SCOPE + path, ...more };
    return /** @type {Response} */ (await worker.send('fetch', { request, clientId, resultingClientId: '' })).text();
  };
  await worker.visit('announced');
  profile.clients = new Set(['page', 'worker']);
  assert.equal(await ask('page', 'main.js'), 'old');
  profile.host = NEW;
  await worker.visit('other');
  assert.equal(await worker.visit('newer'), '<p>new');
  assert.equal(await ask('page', 'main.js'), 'old');
  assert.equal(await ask('page', 'engine/worker.js', { destination: 'worker' }), 'old worker');
  assert.equal(await ask('worker', 'main.js', { referrer: `${SCOPE}engine/worker.js` }), 'old');
});

test('only what has changed is fetched again', async () => {
  const profile = await installed();
  profile.host = NEW;
  profile.fetched = [];
  await profile.worker().visit('a');
  assert.deepEqual(profile.fetched.sort(), ['engine/worker.js', 'index.html', 'main.js', 'site.json', 'tab.js']);
  profile.fetched = [];
  await profile.worker().visit('b');
  assert.deepEqual(profile.fetched, ['site.json']);
});
