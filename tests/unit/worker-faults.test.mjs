// Every message to and from the engine's worker fails in turn, in each way in which messages fail: every call is answered, true
// answers come or an error, the model that the reader had translates, and trying again works.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { TestWorker, live } from './worker.mjs';
const { Translator } = await import('../../www/engine/translator.js');
const { TranslatorPool } = await import('../../www/engine/pool.js');

mock.timers.enable({ apis: ['setInterval'] });

/** @typedef {import('./worker.mjs').Fate} Fate */
/** @type {Record<Exclude<Fate, 'arrives'>, string>} */
const WAYS = {
  lost: 'is lost',
  unreadable: 'cannot be read',
  unsent: 'cannot be sent',
  silent: 'is the last sign of the worker',
  ends: 'ends the worker with an error',
};

let messages = 0;
/** The message that fails, and how. @type {{ at: number, how: Fate }} */
let fault = { at: 0, how: 'arrives' };
const worker = (/** @type {WorkerOptions} */ options) => new TestWorker(options, () => (++messages === fault.at ? fault.how : 'arrives'));

/** The outcomes of calls: all settle, where need be after some time. @param {Promise<any>[]} calls @returns {Promise<PromiseSettledResult<any>[]>} */
async function settled(calls) {
  let open = true;
  const all = Promise.allSettled(calls).finally(() => (open = false));
  for (let looks = 0; open; looks++) {
    assert.ok(looks < 60, 'a call is never answered');
    for (let turn = 0; turn < 100 && open; turn++) await new Promise(setImmediate);
    mock.timers.tick(5_000);
  }
  return all;
}

/** @param {any} translator @param {string} name */
const load = (translator, name) => translator.load(`https://example.org/${name}/`, { files: [new File([name], 'config.json')], store: false });
const LONG = Array.from({ length: 450 }, (_, i) => `Dog ${i}`).join('. ');

/** What a reader sees of a translation. @param {any} translator @param {string} text @param {object} [options] */
async function seen(translator, text, options) {
  let sentences = 0;
  let traces = '';
  const { kind, text: translated } = await translator.translate(text, {
    ...options,
    onEvent: (/** @type {any} */ event) => event.kind === 'sentences' && (sentences += event.sentences.length),
    onTrace: (/** @type {any} */ { trace }) => (traces = `${trace.cross.data}`),
  });
  return kind === 'translated' ? { translated, sentences, traces } : { kind };
}

/**
 * What a reader does, from which state, and what comes of it.
 * @typedef {object} Flow
 * @property {(translator: any) => Promise<unknown>} [before]
 * @property {(translator: any) => Promise<any>[]} act
 * @property {any[]} expected of the calls, by their order; a string is the code of an error
 * @property {string} model that translates before
 * @property {string} then that translates after
 */
/** @type {Record<string, Flow>} */
const FLOWS = {
  'the first model is loaded': { act: (t) => [load(t, 'a').then(({ model }) => model.label)], expected: ['a'], model: '', then: 'a' },
  'another model is loaded while a long text is translated': {
    before: (t) => load(t, 'a'),
    act: (t) => [seen(t, LONG), load(t, 'b').then(({ model }) => model.label)],
    expected: [{ translated: `a: ${LONG}`, sentences: 450, traces: '' }, 'b'],
    model: 'a',
    then: 'b',
  },
  'a model is refused': { before: (t) => load(t, 'a'), act: (t) => [load(t, 'refused')], expected: ['ConfigInvalid'], model: 'a', then: 'a' },
  'texts are superseded and aborted': {
    before: (t) => load(t, 'a'),
    act(t) {
      const controller = new AbortController();
      const calls = [seen(t, 'One.', { supersede: true }), seen(t, 'Two.', { supersede: true }), seen(t, 'Three.', { signal: controller.signal })];
      controller.abort(Object.assign(new Error('aborted by the reader'), { code: 'Aborted' }));
      return calls;
    },
    expected: [{ kind: 'cancelled' }, { translated: 'a: Two.', sentences: 1, traces: '' }, 'Aborted'],
    model: 'a',
    then: 'a',
  },
  'a text is observed, scored and viewed': {
    before: (t) => load(t, 'a'),
    act: (t) => [
      seen(t, 'A dog. A cat', { observe: { sentence: 0, request: { cross: true } } }),
      t.score('A dog.', { target: 'Ein Hund.' }).then(async (/** @type {any} */ { scored, observed: { trace } }) => {
        const { cross } = await t.viewTrace({ trace, source: [], target: [] });
        return [scored, cross.rows];
      }),
      t.translateSentence('A cat.').then((/** @type {any} */ { text }) => text),
    ],
    expected: [{ translated: 'a: A dog. A cat', sentences: 2, traces: '1' }, ['a: A dog. Ein Hund.', [1]], 'a: A cat.'],
    model: 'a',
    then: 'a',
  },
  'the engine is measured beside other requests': {
    before: (t) => load(t, 'a'),
    act: (t) => [t.measure({ lengths: [4, 8] }).then((/** @type {any} */ { measurements }) => measurements.length), t.positions({ length: 3 }).then((/** @type {any} */ { sinusoidal }) => sinusoidal.shape)],
    expected: [2, [3, 1]],
    model: 'a',
    then: 'a',
  },
};

/** Ones that `EngineError` has for a worker that is gone or a message that is lost. */
const ENGINE = ['EngineCrashed', 'EngineUnavailable', 'RequestInvalid', 'ModelMissing'];

/** @param {PromiseSettledResult<any>} outcome */
const valueOf = (outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.code);
/** The same by any model: at the second time it may be the one that was loaded the first time. @param {any} value */
const byAny = (value) => (value?.translated ? { ...value, translated: value.translated.replace(/^[ab]:/, '') } : value);

/** @param {Flow} flow @param {number} at @param {Fate} how @returns {Promise<boolean>} whether there was such a message */
async function fails({ before, act, expected, model, then }, at, how) {
  live.clear();
  const translator = new Translator({ worker });
  if (before) await settled([before(translator)]);
  // What follows a load, such as its first translation, is over.
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  messages = 0;
  fault = { at, how };
  const outcomes = await settled(act(translator));
  const struck = messages >= at;
  fault = { at: 0, how: 'arrives' };
  outcomes.forEach((outcome, i) => {
    if (outcome.status === 'rejected') assert.ok(outcome.reason.message.length > 10 && [...ENGINE, expected[i]].includes(outcome.reason.code), outcome.reason.stack);
    else assert.deepEqual(outcome.value, expected[i]);
  });
  if (!struck) assert.deepEqual(outcomes.map(valueOf), expected);
  const loaded = outcomes.every(({ status }) => status === 'fulfilled') ? [then] : [model, then];
  const ask = async () => valueOf((await settled([seen(translator, 'Still.')]))[0]);
  let there = await ask();
  // The message that failed was the last one, which no call waited for: this one is the first to notice.
  if (there === 'EngineCrashed') there = await ask();
  assert.ok(loaded.some((name) => (name ? there.translated === `${name}: Still.` : there === 'ModelMissing')), `${JSON.stringify(there)} by one of ${loaded}`);
  const again = await settled(act(translator));
  assert.deepEqual(again.map(valueOf).map(byAny), expected.map(byAny), 'again');
  const [after] = (await settled([seen(translator, 'After.')])).map(valueOf);
  assert.equal(after.translated, `${then}: After.`);
  translator.terminate();
  return struck;
}

for (const [name, flow] of Object.entries(FLOWS)) {
  for (const [how, what] of Object.entries(WAYS)) {
    test(`${name}: any message ${what}`, async (t) => {
      for (let at = 1; ; at++) {
        const struck = await fails(flow, at, /** @type {Fate} */ (how)).catch((error) => {
          error.message = `message ${at}: ${error.message}`;
          throw error;
        });
        if (struck) continue;
        assert.ok(at > 3, `${at} messages`);
        t.diagnostic(`${at - 1} faults`);
        break;
      }
    });
  }
}

/** A translator whose model is `a` and whose worker has just ended. @param {File} [file] of the model */
async function crashed(file = new File(['a'], 'config.json')) {
  const translator = new Translator({ worker });
  await settled([translator.load('https://example.org/a/', { files: [file], store: false })]);
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  messages = 0;
  fault = { at: 1, how: 'ends' };
  assert.deepEqual((await settled([seen(translator, 'Gone.')])).map(valueOf), ['EngineCrashed']);
  fault = { at: 0, how: 'arrives' };
  return translator;
}
const ask = async (/** @type {any} */ translator) => valueOf((await settled([seen(translator, 'Still.')]))[0]).translated;

test('after a crash, a load that fails or is given up leaves the model that was there', async () => {
  const translator = await crashed();
  assert.deepEqual((await settled([load(translator, 'refused')])).map(valueOf), ['ConfigInvalid']);
  assert.equal(await ask(translator), 'a: Still.');
  translator.terminate();

  const other = await crashed();
  const loading = load(other, 'b');
  other.cancel('load');
  assert.deepEqual((await settled([loading])).map(valueOf), [{ kind: 'cancelled' }]);
  assert.equal(await ask(other), 'a: Still.');
  other.terminate();
});

test('while the model is restored after a crash, another load neither ends that nor takes its place before it is there', async () => {
  const translator = await crashed();
  const [text, refused] = await settled([seen(translator, 'One.'), load(translator, 'refused')]);
  assert.deepEqual([valueOf(text).translated, valueOf(refused)], ['a: One.', 'ConfigInvalid']);
  assert.equal(await ask(translator), 'a: Still.');
  translator.terminate();

  const other = await crashed();
  const texts = [seen(other, 'One.')];
  other.cancel('load');
  texts.push(load(other, 'b').then(({ model }) => model.label));
  assert.deepEqual((await settled(texts)).map(valueOf).map((value) => value.translated ?? value), ['a: One.', 'b']);
  assert.equal(await ask(other), 'b: Still.');
  other.terminate();
});

test('a model that could not be restored is restored by the next request', async () => {
  const file = new File(['a'], 'config.json');
  const translator = await crashed(file);
  Object.assign(file, { arrayBuffer: async () => Promise.reject(new Error('out of reach')) });
  assert.deepEqual((await settled([seen(translator, 'One.')])).map(valueOf), ['ModelMissing']);
  delete (/** @type {any} */ (file).arrayBuffer);
  assert.equal(await ask(translator), 'a: Still.');
  translator.terminate();
});

test('a pool whose messages fail says so, and translates the document when asked again', async (t) => {
  const text = Array.from({ length: 4 }, (_, i) => `${'A long line of text. '.repeat(70)}${i}`).join('\n');
  let faults = 0;
  for (const how of Object.keys(WAYS)) {
    for (let at = 1, struck = true; struck; at++) {
      const pool = new TranslatorPool({ workers: 2, worker });
      await settled([load(pool, 'a')]);
      messages = 0;
      fault = { at, how: /** @type {Fate} */ (how) };
      const [first] = await settled([pool.translate(text)]);
      struck = messages >= at;
      fault = { at: 0, how: 'arrives' };
      faults += struck ? 1 : 0;
      const [again] = await settled([pool.translate(text)]);
      const lines = text.split('\n').map((line) => `a: ${line}`).join('\n');
      if (first.status === 'fulfilled') assert.equal(first.value.text, lines);
      else assert.ok(ENGINE.includes(first.reason.code), first.reason.stack);
      assert.equal(valueOf(again).text, lines, `message ${at} ${how}`);
      pool.terminate();
    }
  }
  t.diagnostic(`${faults} faults`);
});
