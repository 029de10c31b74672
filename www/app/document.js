/** The document: from the text that is typed, over the engine, to the translation in the store. */

/** @import { Observer } from './observation.js' */
/** @import { Doc, Output } from './state.js' */
/** @import { Store } from './store.js' */
/** @import { Translator } from '../engine/translator.js' */
/** @import * as P from '../engine/protocol' */
import { knownOutputs, ownOutput, withOwn, withShown, withoutOutdated } from './chosen.js';
import { searchOptions } from './search.js';
import { fail } from './failure.js';
import { modelLabel } from './models.js';
import { ALTERNATIVES, traceRequest } from './observation.js';
import { createPacer } from './pacing.js';
import { createSlot } from './requests.js';
import { createSpeed } from './speed.js';
import { EMPTY_DOC, NO_MARKS, withoutAnswers } from './state.js';

/** @typedef {ReturnType<typeof createDocument>} DocumentControl */

/** Milliseconds without a key before the text is sent; the engine drops a superseded request at its next step. */
const PAUSE = 50;

/** Characters from which the browser's own layout of the field fills a frame. */
const LONG = 48_000;

/** @type {Output} */
const NOTHING_YET = Object.freeze({ text: '', stableLength: 0, target: null, stale: false });

/**
 * @param {Store} store
 * @param {Translator} engine
 * @param {object} models
 * @param {string} models.home address of the page's default model
 * @param {string | null} models.chosen address of the model that the reader chose at an earlier visit
 * @param {import('../boot.js').Begun | null} models.begun the load that began before the page's modules
 * @param {Observer} observer
 */
export function createDocument(store, engine, { home, chosen, begun }, observer) {
  let timer = 0;
  const speedOf = createSpeed();
  /** Whether the reader has typed: then the recorded example is not shown. */
  let touched = false;
  let caret = 0;
  /** What the last translation was made with. @type {import('./chosen.js').Conditions} */
  let conditions = store.get();
  /** The chosen model, if it could not be loaded. */
  let missing = '';
  const translating = createSlot();
  const loading = createSlot();
  /** The document as it grows. */
  const growing = createPacer((/** @type {Doc} */ doc) => store.set({ doc: withShown(doc, store.get().doc) }));

  /** Loads the model, then translates the text in the field. */
  async function load() {
    store.set({ phase: 'loading', failure: null });
    try {
      const result = await fetchModel(chosen ?? home);
      if (result.kind !== 'loaded') return;
      // The recorded example is the work of the page's own model: the live translation replaces it without a change.
      if (!chosen) store.set({ phase: 'ready', model: result.model, address: result.address, modelStored: result.stored });
      else begin(result);
      observer.loadPositions();
      translate();
    } catch (error) {
      if (chosen) {
        missing = chosen;
        chosen = null;
        await load();
        if (store.get().phase === 'ready') sayMissing(error);
      } else {
        store.set({ phase: 'failed' });
        fail(store, error, { retry: 'load' });
      }
    }
  }

  /** @param {unknown} error */
  const sayMissing = (error) => fail(store, error, { retry: 'load', about: { what: modelLabel(store.get(), missing), stays: 'The default model translates.' } });

  /**
   * Makes another model the current one; the present one serves until then, and stays if the other fails.
   * @param {string} address
   * @param {{ files?: File[], quantize?: boolean }} options
   * @param {(progress: P.Progress) => void} [onProgress]
   * @returns {Promise<string | null>} address of the model; null if a newer request superseded this one
   */
  async function use(address, options, onProgress) {
    const result = await fetchModel(address, options, onProgress).catch((error) => {
      // It took the place of the first one, which was still on its way.
      if (store.get().phase === 'loading') load();
      throw error;
    });
    if (result.kind !== 'loaded') return null;
    begin(result);
    store.set({ beam: null, alpha: null });
    observer.loadPositions();
    translate();
    return result.address;
  }

  /**
   * Takes over the newest weights of a model in training.
   * @param {string} address that names it; nothing is stored or fetched there
   * @param {File[]} files of its folder
   * @returns {Promise<boolean>} false if another model was asked for meanwhile
   */
  async function follow(address, files) {
    const result = await engine.load(address, { files, store: false });
    if (result.kind !== 'loaded') return false;
    if (store.get().address !== result.address) {
      begin({ ...result, stored: true });
      observer.loadPositions();
    } else store.set({ model: result.model });
    translate();
    return true;
  }

  /** @param {string} address @param {{ files?: File[], quantize?: boolean }} [options] @param {(progress: P.Progress) => void} [onProgress] */
  async function fetchModel(address, options, onProgress) {
    const signal = loading.next();
    store.set({ pendingModel: address, progress: null });
    const report = (/** @type {P.Progress} */ progress) => {
      const { stage, loaded, total } = progress;
      if (!signal.aborted) store.set({ progress: { stage, loaded, total } });
      onProgress?.(progress);
    };
    const early = begun?.address === address && !options ? begun : null;
    begun = null;
    try {
      return await (early ? early.listen(report) : engine.load(address, { ...options, onProgress: report }));
    } finally {
      if (!signal.aborted) store.set({ pendingModel: null, progress: null });
    }
  }

  /** Resets everything but the reader's text and settings for another model. @param {P.Loaded} result */
  function begin({ model, address, stored }) {
    translating.cancel();
    growing.drop();
    observer.cancel();
    observer.forget();
    store.set({ ...withoutAnswers(), phase: 'ready', failure: null, model, address, modelStored: stored });
  }

  /** The reader's text changed. @param {string} given */
  function typed(given) {
    // As the field has them: links, files and other pages may write line ends in other ways.
    const text = given.replace(/\r\n?/g, '\n');
    const ready = store.get().phase === 'ready';
    touched = true;
    store.set({ text, queued: !ready && text.trim() !== '' }, text.length > LONG);
    clearTimeout(timer);
    if (!ready) return;
    // Nothing to wait for when there is nothing to translate.
    if (text.trim() === '') translate();
    else timer = window.setTimeout(translate, PAUSE);
  }

  /** Translates the text in the field; what was under way is superseded. */
  async function translate() {
    clearTimeout(timer);
    // Of a document that is superseded nothing more is drawn.
    growing.drop();
    const state = store.get();
    const { text } = state;
    observer.cancel();
    const doc = withoutOutdated(state.doc, conditions, state);
    conditions = state;
    store.set({ queued: false, failure: state.failure?.retry === 'load' ? state.failure : null, doc });
    if (text.trim() === '') {
      translating.cancel();
      observer.forget();
      store.set({ doc: EMPTY_DOC, observation: null, views: null, scored: null, sentence: 0, step: 0, stepChosen: false, held: NO_MARKS, preview: NO_MARKS, playing: false });
      return;
    }
    const signal = translating.next();
    // The same text again, after a failure or with other words, is not done until the engine says so.
    if (doc.text === text) store.set({ doc: { ...doc, running: true } });
    const sentence = sentenceAtCaret(text, doc.sentences);
    try {
      const result = await engine.translate(text, {
        // The other hypotheses are requested by the view that shows them; here they would come with every sentence.
        ...searchOptions(store.get()),
        nBest: 1,
        terms: store.get().terms,
        signal,
        observe: { sentence, request: traceRequest(store.get()), alternatives: ALTERNATIVES },
        onEvent: (event) => receive(text, event),
        onTrace(trace) {
          growing.now();
          // The trace is of the model's own translation: a chosen one is observed below.
          if (!store.get().doc.outputs[trace.sentence]?.variant) observer.receive(trace, trace.sentence);
        },
      });
      if (result.kind !== 'translated') return;
      growing.now();
      const now = store.get();
      store.set({
        doc: {
          ...now.doc,
          running: false,
          speed:
            result.tokens > 0
              ? { tokensPerSecond: speedOf(result.tokens, result.totalMs), firstTokenMs: result.firstTokenMs }
              : now.doc.speed,
        },
      });
      // The caret's sentence was guessed before the text was split: another one is observed now, unless the reader chose one.
      const at = sentenceAtCaret(text, now.doc.sentences);
      const isChosen = now.observation !== state.observation && now.sentence !== sentence && observer.has(now.sentence);
      if (!isChosen && !observer.has(at)) observer.observe(at);
    } catch (error) {
      if (signal.aborted) return;
      growing.now();
      store.set({ doc: { ...store.get().doc, running: false } });
      fail(store, error);
    }
  }

  /** The sentence in which the caret stands, by the sentences known so far. @param {string} text @param {P.SentenceInfo[]} sentences */
  function sentenceAtCaret(text, sentences) {
    const at = Math.min(caret, text.length);
    return Math.max(0, sentences.findLastIndex(({ range }) => range[0] <= at));
  }

  /** @param {string} text @param {P.TranslateEvent} event */
  function receive(text, event) {
    if (event.kind === 'nodes') return;
    if (event.kind === 'sentences') {
      growing.give(startDoc(text, event.sentences));
      growing.now();
      return;
    }
    const doc = growing.newest() ?? store.get().doc;
    const before = doc.outputs[event.sentence] ?? NOTHING_YET;
    // It was known when the document began.
    if (event.kind === 'sentence' && ownOutput(before).target === event.target) return;
    /** @type {Output} */
    const own =
      event.kind === 'partial'
        ? { text: event.text, stableLength: event.stableLength, target: null, stale: false }
        : { text: event.text, stableLength: event.text.length, target: event.target, stale: false };
    const outputs = doc.outputs.slice();
    outputs[event.sentence] = withOwn(before, own);
    growing.give({ ...doc, outputs });
  }

  /**
   * The document before its translation: unchanged sentences have theirs, others show the old one.
   * @param {string} text
   * @param {P.SentenceInfo[]} sentences
   */
  function startDoc(text, sentences) {
    const { doc } = store.get();
    const outputs = knownOutputs(doc, text, sentences).map((same, i) => {
      if (same?.target && !same.stale) return same;
      const old = doc.outputs[i];
      return old ? { ...old, stale: true, variant: undefined } : NOTHING_YET;
    });
    return { text, sentences, outputs, running: true, recorded: false, speed: doc.recorded ? null : doc.speed };
  }

  /**
   * Shows answers that were recorded when the page was built, unless the reader was faster.
   * @param {P.Recorded} example
   * @returns {boolean} whether the example is there now
   */
  function showRecorded(example) {
    if (touched) return false;
    if (store.get().phase === 'ready') {
      // The model was faster (a second visit): the same example, live.
      typed(example.text);
      return true;
    }
    store.set({ text: example.text, model: example.model, positions: { sinusoidal: example.positions, wavelengths: null } });
    for (const answer of example.answers) {
      if (answer.type === 'event') receive(example.text, answer.event);
      else if (answer.type === 'trace') observer.receive(answer, answer.sentence);
    }
    growing.now();
    const { doc } = store.get();
    store.set({ doc: { ...doc, running: false, recorded: true } });
    return true;
  }

  return {
    load,
    use,
    follow,
    /** Gives up the model that is being loaded; the present one stays. */
    stay: () => engine.cancel('load'),
    typed,
    /** Translates the text once more, e.g. with other words. */
    again: () => store.get().phase === 'ready' && translate(),
    showRecorded,
    /** @param {number} at */
    caretMoved(at) {
      caret = at;
      const { doc, text, phase } = store.get();
      if (doc.text === text && !doc.running && phase === 'ready') observer.observe(sentenceAtCaret(text, doc.sentences));
    },
    /** @param {number} at where the text will be typed next */
    setCaret(at) {
      caret = at;
    },
    retry() {
      const { failure, phase } = store.get();
      if (failure?.retry === 'translate') translate();
      else if (phase === 'ready') use(missing, {}).catch(sayMissing);
      else load();
    },
  };
}
