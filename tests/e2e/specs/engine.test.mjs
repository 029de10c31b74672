// The engine's JavaScript API: a queue, superseding, signals, views without copies, models that change, crashes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIREFOX } from '../lib/browser.mjs';
import { enginePage } from '../lib/engine.mjs';
import { site } from '../lib/site.mjs';

const here = site();

/** @param {import('node:test').TestContext} t */
const blank = (t) => enginePage(t, here);

test('translations made together all come out, in their order', async (t) => {
  const { page } = await blank(t);
  const found = await page.evaluate(async () => {
    const translator = new Translator();
    await translator.load(model);
    const texts = ['A horse sees a tree.', 'The child laughs.', 'A dog sleeps.', 'A bird sings.'];
    const order = [];
    const together = await Promise.all(texts.map((text, i) => translator.translate(text, { beam: 2 }).then((result) => (order.push(i), result.text))));
    const apart = [];
    for (const text of texts) apart.push((await translator.translate(text, { beam: 2 })).text);
    return { together, apart, order };
  });
  assert.deepEqual(found.together, found.apart);
  assert.equal(new Set(found.together).size, 4);
  assert.deepEqual(found.order, [0, 1, 2, 3]);
});

test('an aborted request rejects with the reason of its signal, and the next one is answered', async (t) => {
  const { page } = await blank(t);
  const found = await page.evaluate(async () => {
    const translator = new Translator();
    await translator.load(model);
    const controller = new AbortController();
    const long = 'The old man walks through the garden and reads a book. '.repeat(40);
    let heard = 0;
    const running = translator.translate(long, { signal: controller.signal, onEvent: () => ++heard === 3 && controller.abort(new Error('enough')) });
    const waiting = translator.translate(long, { signal: controller.signal });
    const reasons = (await Promise.allSettled([running, waiting])).map(({ reason }) => reason?.message);
    const seen = heard;
    const next = await translator.translate('A horse.');
    const late = await translator.translate('A dog.', { signal: AbortSignal.abort(new Error('before')) }).catch((error) => error.message);
    translator.terminate();
    const after = await translator.translate('A cat.').catch((error) => error.code);
    return { reasons, silent: heard === seen, next: next.kind, late, after };
  });
  assert.deepEqual(found, { reasons: ['enough', 'enough'], silent: true, next: 'translated', late: 'before', after: 'Terminated' });
});

test('a listener that ends its request or throws: it hears no more, and the document is known as the worker has told it', async (t) => {
  const { page } = await blank(t);
  const found = await page.evaluate(async () => {
    // What listeners throw, browsers report.
    addEventListener('error', (event) => event.preventDefault());
    const translator = new Translator();
    await translator.load(model);
    const controller = new AbortController();
    let heard = 0;
    const onEvent = () => {
      heard += 1;
      controller.abort(new Error('enough'));
    };
    // Known already, so that all of its events come at once.
    await translator.translate('A horse. A dog.');
    await translator.translate('A cat.');
    const reason = await translator.translate('A horse. A dog.', { signal: controller.signal, onEvent }).catch((error) => error.message);
    const thrower = () => {
      throw new Error('of the page');
    };
    const { kind } = await translator.translate('A bird. A dog.', { onEvent: thrower });
    const told = [];
    await translator.translate('A bird. A cow.', { onEvent: (event) => event.kind === 'sentence' && told.push(event.sentence) });
    return { heard, reason, kind, told };
  });
  assert.deepEqual(found, { heard: 1, reason: 'enough', kind: 'translated', told: [0, 1] });
});

test('arguments of other types are refused by name, and the engine goes on', async (t) => {
  const { page } = await blank(t);
  const found = await page.evaluate(async () => {
    const translator = new Translator();
    await translator.load(model);
    const caught = (request) => request.then(() => 'no error', ({ code, message }) => `${code}: ${message}`);
    const errors = [];
    for (const request of [
      () => translator.translate(),
      () => translator.translate(5),
      () => translator.translate('a', { terms: 'b' }),
      () => translator.translateSentence({ source: 'a' }),
      () => translator.score('a', {}),
      () => translator.detectLanguage({}),
      () => translator.positions({ length: -1 }),
      () => translator.measure({}),
      () => translator.score('a'),
      () => translator.viewTrace(),
      () => translator.viewTrace({ trace: 5, source: [], target: [] }),
      () => translator.arithmetic(null),
      () => translator.translate('a', 'b'),
      () => translator.translate('a', { signal: {} }),
      () => translator.translate('a', { onEvent: 'b' }),
      () => translator.load(),
      () => translator.load('http://'),
      () => translator.load('models/en-de/', 'b'),
    ]) errors.push(await caught(request()));
    return { errors, text: (await translator.translate('A dog sleeps.')).text };
  });
  assert.deepEqual(found.errors, [
    'RequestInvalid: translate: text is missing, it must be a string',
    'RequestInvalid: translate: text is the number 5, it must be a string',
    'RequestInvalid: translate: terms is the string b, it must be a list',
    'RequestInvalid: translateSentence: source is an object, it must be a string',
    'RequestInvalid: score: target is missing, it must be a string or a list of pieces',
    'RequestInvalid: detectLanguage: text is missing, it must be a string',
    'RequestInvalid: positions: length is the number -1, it must be a whole number from 0 on',
    'RequestInvalid: measure: lengths is missing, it must be a list of whole numbers from 0 on',
    'RequestInvalid: score: target is missing, it must be a string or a list of pieces',
    'RequestInvalid: viewTrace: trace is missing, it must be an object',
    'RequestInvalid: viewTrace: trace is the number 5, it must be an object',
    'RequestInvalid: arithmetic: the options must be an object',
    'RequestInvalid: translate: the options must be an object',
    'RequestInvalid: translate: signal must be an AbortSignal',
    'RequestInvalid: translate: onEvent must be a function',
    'RequestInvalid: load: model must be the address of a folder',
    'RequestInvalid: load: model must be the address of a folder',
    'RequestInvalid: load: the options must be an object',
  ]);
  assert.ok(found.text.length > 5);
});

test('5000 superseded requests leave the memory as it was', { skip: FIREFOX && 'its workers cannot be looked into' }, async (t) => {
  const { page } = await blank(t);
  await page.evaluate(async () => {
    const translator = new Translator();
    await translator.load(model);
    const text = 'The old man walks through the garden and reads a book. '.repeat(20);
    window.flood = async (times) => {
      const all = Array.from({ length: times }, (_, i) => translator.translate(`${i} ${text}`, { supersede: true }));
      const kinds = (await Promise.all(all)).map(({ kind }) => kind);
      return { cancelled: kinds.filter((kind) => kind === 'cancelled').length, last: kinds.at(-1) };
    };
    await flood(2);
  });
  const cdp = await page.createCDPSession();
  const look = async () => {
    for (const client of [cdp, page.workers()[0].client]) await client.send('HeapProfiler.collectGarbage');
    const own = (await cdp.send('Runtime.getHeapUsage')).usedSize;
    const { usedSize, engineBytes } = await memory(page);
    return { engine: engineBytes / 2 ** 20, heap: (own + usedSize) / 2 ** 20 };
  };
  const before = await look();
  const start = performance.now();
  assert.deepEqual(await page.evaluate(() => flood(5000)), { cancelled: 4999, last: 'translated' });
  const ms = performance.now() - start;
  const after = await look();
  t.diagnostic(`5000 requests in ${ms.toFixed(0)} ms; engine ${before.engine.toFixed(1)} → ${after.engine.toFixed(1)} MiB, heap ${before.heap.toFixed(1)} → ${after.heap.toFixed(1)} MiB`);
  assert.ok(before.engine > 4, 'what is measured is the engine that runs');
  // A translation that is begun takes half a megabyte of the engine, so some that were begun before their turn would show.
  assert.ok(after.engine <= before.engine + 8, `${before.engine} → ${after.engine} MiB`);
  assert.ok(after.heap <= before.heap + 8, `${before.heap} → ${after.heap} MiB`);
});

test('models that are loaded one after the other give their memory back', { skip: FIREFOX && 'its workers cannot be looked into' }, async (t) => {
  const { page } = await blank(t);
  await page.evaluate(async () => {
    window.translator = new Translator();
    const models = [model, new URL('../en-fr/', model).href];
    window.loads = async (times) => {
      for (let i = 0; i < times; i++) {
        await translator.load(models[i % 2]).catch(() => translator.load(model));
        await translator.translate(`A dog and ${i} cats.`, { observe: { sentence: 0, request: { cross: true } } });
      }
    };
    await loads(8);
  });
  const look = async () => {
    // Each model had a worker of its own, and that of the last one is left.
    for (let i = 0; page.workers().length > 1; i++) {
      assert.ok(i < 100, `${page.workers().length} workers`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await page.workers()[0].client.send('HeapProfiler.collectGarbage');
    return memory(page);
  };
  const before = await look();
  await page.evaluate(() => loads(16));
  const after = await look();
  t.diagnostic(`16 loads: engine ${before.engineBytes / 2 ** 20} → ${after.engineBytes / 2 ** 20} MiB, heap ${(before.usedSize / 2 ** 20).toFixed(1)} → ${(after.usedSize / 2 ** 20).toFixed(1)} MiB`);
  assert.ok(before.engineBytes > 4 * 2 ** 20, 'what is measured is the engine that runs');
  // Another one at each load would be over 100 MiB.
  assert.ok(after.engineBytes <= before.engineBytes + 24 * 2 ** 20, `${before.engineBytes} → ${after.engineBytes}`);
  assert.ok(after.usedSize <= before.usedSize + 8 * 2 ** 20, `${before.usedSize} → ${after.usedSize}`);
});

test('a sentence under way ends with its own model when another one is loaded meanwhile', async (t) => {
  const { page, faults } = await blank(t);
  const found = await page.evaluate(async () => {
    const translator = new Translator();
    await translator.load(model);
    const source = 'The old man walks through the garden and reads a book about a horse.';
    const target = (await translator.translateSentence(source)).target.map(({ id }) => id);
    const ends = [];
    for (let i = 0; i < 6; i++) {
      const steered = translator.translateSentence(source, { beam: 8, nBest: 1, noRepeatNgram: 3 + i, compare: target, intervention: { heads: [{ kind: 'cross', layer: 0, head: i % 2, change: 'off' }] } });
      const loaded = translator.load(i % 2 ? model : model.replace('en-de-free', 'en-fr'));
      ends.push((await steered).kind, (await loaded).kind);
      ends.push((await translator.translate('A horse.')).text.length > 0);
    }
    return ends;
  });
  assert.deepEqual(found, Array.from({ length: 6 }, () => ['translated', 'loaded', true]).flat());
  assert.deepEqual(faults, []);
});

test('a view of an observed trace is made from the blocks that the worker has, and is the same from copies', async (t) => {
  const { page } = await blank(t);
  const found = await page.evaluate(async () => {
    const translator = new Translator();
    await translator.load(model);
    const text = 'The unbelievable grasshopper sleeps.';
    let source;
    const observations = [];
    await translator.translate(text, {
      observe: { sentence: 0, request: { cross: true, encoderSelf: true } },
      onEvent: (event) => event.kind === 'sentences' && (source = event.sentences[0].source),
      onTrace: (observation) => observations.push(observation),
    });
    const { trace, target } = observations.at(-1);
    const sent = [];
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
      sent.push(message.args?.trace && Object.values(message.args.trace).map((block) => typeof block));
      return post.call(this, message, ...rest);
    };
    const options = { source, target, unit: 'words', specialTokens: 'hidden', heads: 'mean' };
    const view = await translator.viewTrace({ trace, ...options });
    const copies = await translator.viewTrace({ trace: structuredClone(trace), ...options });
    // Many newer ones take the place of the old: it is then sent after all.
    for (let i = 0; i < 30; i++) {
      await translator.score(`${text} `.repeat(9), { target: `${i} `.repeat(120), request: { cross: true, encoderSelf: true, decoderSelf: true, norms: true } });
    }
    const again = await translator.viewTrace({ trace, ...options });
    return { sent, same: JSON.stringify(view) === JSON.stringify(copies), again: JSON.stringify(view) === JSON.stringify(again), rows: view.cross.rows.length, pieces: target.length };
  });
  assert.ok(found.same && found.again);
  assert.ok(found.rows < found.pieces, 'words are fewer than pieces');
  const views = found.sent.filter(Boolean);
  assert.deepEqual(views[0], ['number', 'number']);
  assert.deepEqual(views[1], ['object', 'object']);
  assert.deepEqual(views.at(-1), ['object', 'object'], 'the dropped block is sent');
});

test('a worker that crashes is replaced, and its model loaded again', async (t) => {
  const { page } = await blank(t);
  const found = await page.evaluate(async () => {
    const workers = [];
    const Native = Worker;
    window.Worker = class extends Native {
      constructor(...args) {
        super(...args);
        workers.push(this);
      }
    };
    const translator = new Translator();
    await translator.load(model);
    const before = (await translator.translate('A horse.')).text;
    const pending = translator.translate('The old man walks through the garden. A woman reads a book. '.repeat(50));
    // As a trap in the engine does: its answer says that it stopped.
    workers[0].onmessage({ data: { type: 'error', id: 0, code: 'EngineCrashed', message: 'unreachable' } });
    const code = await pending.then(({ kind }) => kind, (error) => error.code);
    const after = (await translator.translate('A horse.')).text;
    return { code, same: before === after, workers: workers.length };
  });
  assert.deepEqual(found, { code: 'EngineCrashed', same: true, workers: 2 });
});

// A module whose one function is `unreachable`.
const TRAP = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 5, 1, 3, 0, 0, 11];

test('a trap while a text is translated ends in an error; a model that could not be stored is there for the next text', async (t) => {
  const { page } = await blank(t);
  await page.evaluate(async () => {
    window.translator = new Translator();
    await translator.complexity({ n: 2, d: 2, r: 1, k: 2 });
  });
  const [worker] = page.workers();
  await worker.evaluate(() => {
    Cache.prototype.put = async () => {
      throw new DOMException('', 'QuotaExceededError');
    };
  });
  const stored = await page.evaluate(async () => {
    const files = [];
    for (const name of ['config.json', 'model.safetensors', 'source.spm', 'vocab.json', 'generation_config.json']) {
      files.push(new File([await (await fetch(model + name)).arrayBuffer()], name));
    }
    const loaded = await translator.load('./given/', { files });
    window.before = (await translator.translate('A horse.')).text;
    return loaded.stored;
  });
  assert.equal(stored, false, 'no room: the files that were given are all there is');
  await worker.evaluate(async (bytes) => {
    const { Translator } = self.translucent;
    const { begin } = Translator.prototype;
    Translator.prototype.begin = function (text, ...rest) {
      if (text === 'A child laughs.') new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes))).exports.f();
      return begin.call(this, text, ...rest);
    };
  }, TRAP);
  const found = await page.evaluate(async () => {
    const first = await translator.translate('A child laughs.').then(({ kind }) => ({ code: kind }), ({ code, message }) => ({ code, message }));
    const after = (await translator.translate('A horse.')).text;
    return { ...first, same: after === before };
  });
  assert.equal(found.code, 'EngineCrashed');
  assert.match(found.message, /stopped: .*unreachable/);
  assert.ok(found.same, 'the same model answers');
});

/** Bytes of WebAssembly memory and of the heap in the page's workers. */
async function memory(page) {
  const worker = page.workers()[0];
  const { usedSize } = await worker.client.send('Runtime.getHeapUsage');
  const engineBytes = await worker.evaluate(async () => (await self.translucent.default()).memory.buffer.byteLength);
  return { usedSize, engineBytes };
}
