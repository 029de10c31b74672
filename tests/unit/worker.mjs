// The engine's worker in this process, with a stand-in for the engine: `www/engine/worker.js` itself, each with a scope of its
// own, and messages that arrive in order, a turn of the event loop later.

import { readFileSync } from 'node:fs';

const ENGINE = new URL('../../www/engine/', import.meta.url);

/** Turns of the event loop without a port that keeps Node from ending. */
class Channel {
  port1 = { postMessage: () => setImmediate(() => this.port2.onmessage?.()) };
  /** @type {{ onmessage?: () => void }} */
  port2 = {};
}
Object.assign(globalThis, { MessageChannel: Channel, self: { location: new URL('https://example.org/'), navigator: {} }, fetch: async () => new Response('') });

/** Models of this process that were not freed. @type {Set<Core>} */
export const live = new Set();

/** A translation: its sentences, what is there so far, the whole. */
class Job {
  /** @type {any[]} */
  #events;

  /** @param {Core} core @param {string} text */
  constructor(core, text) {
    const translated = `${core.name}: ${text}`;
    const sentences = text.split('. ').map((source) => ({ source }));
    this.core = core;
    this.#events = [
      { kind: 'sentences', sentences },
      { kind: 'partial', sentence: 0, text: translated.slice(0, 4) },
      { kind: 'sentence', sentence: 0, nBest: [{ text: translated }] },
      { kind: 'translated', text: translated },
    ];
  }
  step() {
    if (!live.has(this.core)) throw new Error('null pointer passed to rust');
    return this.#events.splice(0, 1);
  }
  isDone = () => this.#events.length === 0;
  reported = () => undefined;
  trace = () => ({ sentence: 0, final: this.isDone(), trace: { cross: { data: Float32Array.of(this.core.name.length), shape: [1, 1, 1, 1] } } });
  free() {}
}

/** A model; its configuration is its name. */
class Core {
  /** @param {Map<string, Uint8Array>} files */
  static load(files) {
    const name = new TextDecoder().decode(files.get('config.json'));
    if (name === 'refused') throw Object.assign(new Error('config.json: d_model is missing'), { code: 'ConfigInvalid' });
    return new Core(name);
  }
  /** @param {string} name */
  constructor(name) {
    this.name = name;
    live.add(this);
  }
  info = () => ({ label: this.name });
  free = () => live.delete(this);
  begin = (/** @type {string} */ text) => new Job(this, text);
  beginSentence = this.begin;
  score = (/** @type {string} */ source, /** @type {string} */ target) => ({ scored: `${this.name}: ${source} ${target}`, observed: new Job(this, source).trace() });
  positions = (/** @type {number} */ length) => ({ sinusoidal: { data: new Float32Array(length), shape: [length, 1] } });
  measure(/** @type {number} */ n) {
    let steps = 0;
    return { step: () => (++steps > 2 ? { n, ms: 1 } : undefined), free() {} };
  }
}

const api = {
  default: async () => {},
  Translator: Core,
  simdLevel: () => 'simd128',
  viewTrace: (/** @type {any} */ { cross }) => ({ cross: { rows: [...cross.data] } }),
};

/** @type {Record<string, any>} */
const shared = { '../pkg/translucent.js': api };
for (const name of ['arguments', 'error', 'build', 'load', 'observed', 'queue', 'models/image']) shared[`./${name}.js`] = await import(new URL(`${name}.js`, ENGINE).href);

/** A module that each worker has for itself, as a function of its scope. @param {string} name */
function compiled(name) {
  /** @type {string[]} */
  const exported = [];
  const code = readFileSync(new URL(name, ENGINE), 'utf8')
    .replace(/^import \* as (\w+) from '(.*)';$/gm, "const $1 = modules['$2'];")
    .replace(/^import (\{.*\}) from '(.*)';$/gm, "const $1 = modules['$2'];")
    .replace(/^export (function|const) (\w+)/gm, (_, kind, name) => (exported.push(name), `${kind} ${name}`));
  return new Function('self', 'modules', `'use strict'; ${code}\nreturn { ${exported.join(', ')} };`);
}
const post = compiled('post.js');
const worker = compiled('worker.js');

/**
 * What becomes of a message: it arrives, or it is lost, cannot be read where it arrives, or cannot be sent; or with it the worker
 * ends, without a word or with an error.
 * @typedef {'arrives' | 'lost' | 'unreadable' | 'unsent' | 'silent' | 'ends'} Fate
 */

/** What `Translator` uses of a browser's worker. */
export class TestWorker {
  /** @type {((event: { data: any }) => void) | undefined} */
  onmessage;
  /** @type {(() => void) | undefined} */
  onmessageerror;
  /** @type {((event: { message: string, preventDefault: () => void }) => void) | undefined} */
  onerror;
  #over = false;

  /** @param {WorkerOptions} options @param {() => Fate} fate of the next message */
  constructor({ name = '' }, fate) {
    this.fate = fate;
    /** @type {any} */
    this.scope = {
      name,
      postMessage: (/** @type {any} */ message, /** @type {any} */ options) => this.#send(message, (data) => this.onmessage?.({ data }), () => this.onmessageerror?.(), options),
      reportError: (/** @type {any} */ error) => this.#error(error),
    };
    worker(this.scope, { ...shared, './post.js': post(this.scope, {}) });
  }

  postMessage(/** @type {any} */ message) {
    this.#send(message, (data) => this.#inWorker(() => this.scope.onmessage({ data })), () => this.#inWorker(() => this.scope.onmessageerror()));
  }

  terminate() {
    this.#over = true;
  }

  /** @param {any} message @param {(data: any) => void} arrive @param {() => void} fail @param {{ transfer?: any[] }} [options] */
  #send(message, arrive, fail, options) {
    if (this.#over) return;
    const fate = this.fate();
    if (fate === 'unsent') throw new DOMException('The message could not be cloned: out of memory', 'DataCloneError');
    // Files are handles, which Node's copies are not.
    const data = message.args?.files ? message : structuredClone(message, options);
    if (fate === 'silent') this.#over = true;
    if (fate === 'ends') this.#error(new Error('killed'));
    if (fate === 'lost') return;
    setImmediate(() => {
      if (!this.#over) fate === 'unreadable' ? fail() : arrive(data);
    });
  }

  /** @param {() => void} act */
  #inWorker(act) {
    try {
      act();
    } catch (error) {
      this.#error(error);
    }
  }

  /** @param {any} error */
  #error(error) {
    setImmediate(() => this.#over || this.onerror?.({ message: `Uncaught ${error}`, preventDefault() {} }));
  }
}
