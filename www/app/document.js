/** One visit: from what the reader types, over the worker, to what the store holds. */

/** @import { Look } from './queries.js' */
/** @import { Doc, Output, Observation, Views } from './state.js' */
/** @import { Store } from './store.js' */
/** @import { createViewing } from './trace-views.js' */
/** @import { Translator } from '../engine/translator.js' */
/** @import * as P from '../engine/protocol' */
import { RANGES } from './fragment.js';
import { searchOptions } from './queries.js';
import { failureOf } from './failure.js';
import { EMPTY_DOC, NO_MARKS } from './state.js';
import { stepCount } from './select.js';
import { keepBlocks, lastWord, samePieces, tellingLayers } from './observation.js';
import { createPacer } from './pacing.js';
import { createSpeed } from './speed.js';
import { ALTERNATIVES, needsViews, observed, sentenceText } from './trace-views.js';
import { findAligner } from './roles.js';

/** Milliseconds without a key before the text is sent; the engine drops a superseded request at its next step. */
const PAUSE = 50;

/** Positions in the Positions tab; more are asked for when a sentence is longer. */
const POSITIONS = 96;

/** @type {Output} */
const NOTHING_YET = Object.freeze({ text: '', stableLength: 0, target: null, stale: false });

/**
 * @param {Store} store
 * @param {Translator} engine
 * @param {object} models
 * @param {string} models.own address of the page's own model folder
 * @param {string | null} models.chosen address of the one that the reader chose at an earlier visit
 * @param {import('../boot.js').Begun | null} models.begun what is on its way already
 * @param {ReturnType<typeof createViewing>} viewing
 */
export function createSession(store, engine, { own, chosen, begun }, viewing) {
  let timer = 0;
  const speedOf = createSpeed();
  /** Whether the reader has typed: then no example may come in between. */
  let touched = false;
  let caret = 0;
  /** What was asked of the engine last; answers to anything older are ignored. */
  let current = 0;
  /** Counts the models that were asked for: only the newest one is said to be coming. */
  let wanted = 0;
  /** @type {Observation|null} the newest observation; the store has it once its views are there */
  let seen = null;
  /** The document as it grows. */
  const growing = createPacer((/** @type {Doc} */ doc) => store.set({ doc }));

  /** Fetches the model, then translates whatever stands in the field. */
  async function load() {
    store.set({ phase: 'loading', failure: null });
    try {
      const result = await fetchModel(chosen ?? own);
      if (result.kind !== 'loaded') return;
      // The recorded example is the work of the page's own model: it passes into the live one without a seam.
      if (!chosen) store.set({ phase: 'ready', model: result.model, address: result.address });
      else begin(result);
      positions(POSITIONS);
      translate();
    } catch (error) {
      if (chosen) {
        // It is no longer there: the page's own is better than none.
        console.warn('chosen model:', error);
        chosen = null;
        load();
      } else store.set({ phase: 'failed', failure: failureOf(error, 'load') });
    }
  }

  /**
   * Makes another model the current one; the present one serves until then, and stays if the other fails.
   * @param {string} address
   * @param {{ files?: File[], quantize?: boolean }} options
   * @param {(progress: import('../engine/protocol').Progress) => void} [onProgress]
   * @returns {Promise<string | null>} where the model is found again; null if something newer came between
   */
  async function use(address, options, onProgress) {
    const result = await fetchModel(address, options, onProgress).catch((error) => {
      // It took the place of the first one, which was still on its way.
      if (store.get().phase === 'loading') load();
      throw error;
    });
    if (result.kind !== 'loaded') return null;
    begin(result);
    store.set({ beam: Math.min(RANGES.beam[1], result.model.search?.beam ?? 4) });
    positions(POSITIONS);
    translate();
    return result.address;
  }

  /**
   * Fetches a model, and says how far it is.
   * @param {string} address
   * @param {{ files?: File[], quantize?: boolean }} [options]
   * @param {(progress: import('../engine/protocol').Progress) => void} [onProgress]
   */
  async function fetchModel(address, options, onProgress) {
    const mine = ++wanted;
    store.set({ pendingModel: address, progress: null });
    const tell = (/** @type {import('../engine/protocol').Progress} */ progress) => {
      const { stage, loaded, total } = progress;
      if (mine === wanted) store.set({ progress: { stage, loaded, total } });
      onProgress?.(progress);
    };
    const coming = begun?.address === address && !options ? begun : null;
    begun = null;
    try {
      return await (coming ? coming.heard(tell) : engine.load(address, { ...options, onProgress: tell }));
    } finally {
      if (mine === wanted) store.set({ pendingModel: null, progress: null });
    }
  }

  /**
   * Begins anew with another model: of what the last one said only the reader's text and settings stay.
   * @param {import('../engine/protocol').Loaded} result
   */
  function begin({ model, address }) {
    current += 1;
    growing.drop();
    seen = null;
    const none = { observation: null, views: null, scored: null, variant: null, positions: null, aligner: null, playing: false, stepChosen: false, layersChosen: false };
    const unasked = { arithmetic: null, change: {}, headChanges: [], bundle: null, intervened: null, branch: null, forced: null, pinned: null, tree: null };
    store.set({ ...none, ...unasked, phase: 'ready', failure: null, model, address, doc: EMPTY_DOC, sentence: 0, step: 0, layers: { encoder: 0, decoder: 0 }, held: NO_MARKS, preview: NO_MARKS });
  }

  /**
   * Asks for positional encodings, unless as many are there.
   * @param {number} length
   */
  async function positions(length) {
    const { positions: known, phase } = store.get();
    if (phase !== 'ready' || (known?.wavelengths && known.sinusoidal.shape[0] >= length)) return;
    try {
      store.set({ positions: await engine.positions({ length }) });
    } catch (error) {
      // The strips stay empty; whatever is wrong shows itself, with its remedy, in the translation.
      console.warn('positions:', error);
    }
  }

  /**
   * The reader's text changed.
   * @param {string} text
   */
  function typed(text) {
    const ready = store.get().phase === 'ready';
    touched = true;
    store.set({ text, queued: !ready && text.trim() !== '' });
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
    const { text, doc } = store.get();
    const mine = ++current;
    store.set({ queued: false, failure: null, variant: null });
    if (text.trim() === '') {
      engine.cancel();
      seen = null;
      store.set({ doc: EMPTY_DOC, observation: null, views: null, scored: null, sentence: 0, step: 0, stepChosen: false, held: NO_MARKS, preview: NO_MARKS, playing: false });
      return;
    }
    const sentence = sentenceAtCaret(text, doc.sentences);
    try {
      const result = await engine.translate(text, {
        // The beam's others are asked for where they are shown; here they would come with every sentence of the text.
        ...searchOptions(store.get()),
        nBest: 1,
        supersede: true,
        observe: { sentence, request: observed(store.get()), alternatives: ALTERNATIVES },
        onEvent: (event) => mine === current && hear(text, event),
        onTrace(trace) {
          if (mine !== current) return;
          growing.now();
          see(trace, trace.sentence);
        },
      });
      if (mine !== current || result.kind !== 'translated') return;
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
      // The caret's sentence was guessed before the text was split: if it is another one, it is observed now.
      const wanted = sentenceAtCaret(text, now.doc.sentences);
      if (!seen?.final || seen.sentence !== wanted) observe(wanted);
    } catch (error) {
      if (mine !== current) return;
      growing.now();
      store.set({ doc: { ...store.get().doc, running: false }, failure: failureOf(error, 'translate') });
    }
  }

  /**
   * The sentence in which the caret stands, by the sentences known so far.
   * @param {string} text
   * @param {P.SentenceInfo[]} sentences
   */
  function sentenceAtCaret(text, sentences) {
    const at = Math.min(caret, text.length);
    let found = 0;
    sentences.forEach((sentence, i) => {
      if (sentence.range[0] <= at) found = i;
    });
    return found;
  }

  /**
   * @param {string} text
   * @param {P.TranslateEvent} event
   */
  function hear(text, event) {
    if (event.kind === 'nodes') return;
    if (event.kind === 'sentences') {
      growing.give(startDoc(text, event.sentences));
      growing.now();
      return;
    }
    const doc = growing.newest() ?? store.get().doc;
    const outputs = doc.outputs.slice();
    outputs[event.sentence] =
      event.kind === 'partial'
        ? { text: event.text, stableLength: event.agreedLength, target: null, stale: false }
        : { text: event.text, stableLength: event.text.length, target: event.target, stale: false };
    growing.give({ ...doc, outputs });
  }

  /**
   * A document that begins: sentences that did not change keep their translation, others show the old one until theirs begins.
   * @param {string} text
   * @param {P.SentenceInfo[]} sentences
   */
  function startDoc(text, sentences) {
    const { doc } = store.get();
    const words = (/** @type {string} */ whole, /** @type {P.SentenceInfo} */ s) => whole.slice(s.range[0], s.range[1]);
    const known = new Map(doc.sentences.map((s, i) => [words(doc.text, s), doc.outputs[i]]));
    const outputs = sentences.map((s, i) => {
      const same = known.get(words(text, s));
      if (same?.target && !same.stale) return same;
      const old = doc.outputs[i];
      return old ? { ...old, stale: true } : NOTHING_YET;
    });
    return { text, sentences, outputs, running: true, recorded: false, speed: doc.recorded ? null : doc.speed };
  }

  /**
   * Takes an observation over. While a sentence grows the step follows its end; once it is whole the
   * step rests on the last word, unless the reader holds one.
   * @param {P.Observation} trace
   * @param {number} sentence
   * @returns {Promise<unknown>|undefined} where the core is asked for more before it is shown
   */
  function see(trace, sentence) {
    const state = store.get();
    const info = state.doc.sentences[sentence];
    if (!info) return undefined;
    const before = seen;
    const observation = {
      sentence,
      source: info.source,
      target: trace.target,
      steps: trace.steps,
      trace: keepBlocks(trace.trace, before?.sentence === sentence && !before.final ? before.trace : null),
      final: trace.final,
    };
    seen = observation;
    const { unit, specialTokens, heads, measure } = state;
    if (!needsViews(state)) {
      show(observation, null);
      return undefined;
    }
    const mine = current;
    return viewing.viewsOf(observation, { unit, specialTokens, heads, measure }).then(
      (views) => mine === current && show(observation, views),
      (error) => mine === current && store.set({ failure: failureOf(error, 'translate') }),
    );
  }

  /**
   * @param {Observation} observation
   * @param {Views|null} views
   */
  function show(observation, views) {
    const state = store.get();
    const before = state.observation;
    const { sentence, source, target, final } = observation;
    const count = stepCount(observation);
    const same = before?.sentence === sentence && samePieces(before.source, source);
    const keeps = same && (state.stepChosen || state.playing) && state.step < count;
    if (final) positions(Math.max(POSITIONS, source.length, target.length));
    // Which head points best is only known of a whole sentence; till then the last one's is kept.
    const alignmentHead = final || !state.alignmentHead ? findAligner(state.model, observation, state.alignmentHead) : state.alignmentHead;
    store.set({
      observation,
      views,
      sentence,
      alignmentHead,
      ...(state.layersChosen ? {} : { layers: tellingLayers(state.model, alignmentHead) }),
      step: keeps ? state.step : final ? lastWord(target) : Math.max(0, count - 1),
      stepChosen: keeps && state.stepChosen,
      // Pieces of another text must not stay held; a held head does.
      ...(same ? {} : { held: { ...NO_MARKS, head: state.held.head }, preview: NO_MARKS, playing: false }),
    });
    // The settings changed while this was under way.
    const stale = needsViews(state) !== (views !== null) || (state.measure === 'norm' && !observation.trace.crossNorms);
    if (final && stale && state.phase === 'ready') viewing.look({});
  }

  /**
   * Observes a sentence whose translation is there already.
   * @param {number} sentence
   * @param {number} [step] to be held
   */
  async function observe(sentence, step) {
    const { doc, observation, phase } = store.get();
    const info = doc.sentences[sentence];
    const target = doc.outputs[sentence]?.target;
    if (!info || !target || phase !== 'ready' || doc.text !== store.get().text) return;
    if (observation?.sentence === sentence && observation.final) {
      if (step !== undefined) store.set({ step, stepChosen: true });
      return;
    }
    const mine = current;
    try {
      const { observed: trace } = await engine.score(sentenceText(doc, sentence), { target: target.map((p) => p.id), request: observed(store.get()), alternatives: ALTERNATIVES });
      if (mine !== current) return;
      // Offsets of the scored text are the sentence's own; the document's pieces carry the right ones.
      await see({ ...trace, target, final: true }, sentence);
      if (step !== undefined) store.set({ step, stepChosen: true, held: { ...store.get().held, token: { side: 'target', index: step } } });
    } catch (error) {
      if (mine === current) store.set({ failure: failureOf(error, 'translate') });
    }
  }

  /**
   * Puts other pieces in the place of the observed sentence's translation, with their attention, and says so
   * (`variant`); null brings the model's own translation back.
   * @param {Look|null} shown
   */
  async function present(shown) {
    const { doc, observation, variant } = store.get();
    const sentence = observation?.sentence ?? 0;
    const info = doc.sentences[sentence];
    const own = variant?.own ?? doc.outputs[sentence];
    const target = shown?.target ?? own?.target;
    if (!info || !own || !target) return;
    const mine = current;
    try {
      const { observed: trace } = await engine.score(sentenceText(doc, sentence), { target: target.map((p) => p.id), request: observed(store.get()), alternatives: ALTERNATIVES, intervention: shown?.intervention });
      if (mine !== current) return;
      const outputs = doc.outputs.slice();
      outputs[sentence] = shown ? { text: shown.text, stableLength: shown.text.length, target, stale: false } : own;
      store.set({ doc: { ...doc, outputs }, variant: shown && { sentence, what: shown.what, own } });
      await see({ ...trace, target, final: true }, sentence);
    } catch (error) {
      if (mine === current) store.set({ failure: failureOf(error, 'translate') });
    }
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
      if (answer.type === 'event') hear(example.text, answer.event);
      else if (answer.type === 'trace') see(answer, answer.sentence);
    }
    growing.now();
    const { doc } = store.get();
    store.set({ doc: { ...doc, running: false, recorded: true } });
    return true;
  }

  return {
    load,
    use,
    /** Leaves it at the model that translates: the one on its way is given up. */
    stay: () => engine.cancel('load'),
    typed,
    translate,
    observe,
    present,
    showRecorded,
    /** @param {number} at */
    caretMoved(at) {
      caret = at;
      const { doc, text, phase } = store.get();
      if (doc.text === text && !doc.running && phase === 'ready') observe(sentenceAtCaret(text, doc.sentences));
    },
    /** @param {number} at where the text will be typed next */
    setCaret(at) {
      caret = at;
    },
    retry() {
      if (store.get().failure?.retry === 'translate') translate();
      else load();
    },
  };
}
