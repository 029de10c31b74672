/** The observation of one sentence: received as it grows, requested again when needed, and viewed in words, means and norms. */

/** @import { Doc, HeadRef, Observation, State, Views } from './state.js' */
/** @import { Variant } from './queries.js' */
/** @import { Store } from './store.js' */
/** @import { Translator } from '../engine/translator.js' */
/** @import * as P from '../engine/protocol' */
import { ownOutput } from './chosen.js';
import { fail } from './failure.js';
import { createSlot } from './requests.js';
import { findAligner } from './roles.js';
import { samePieces, sentenceText, stepCount } from './select.js';
import { NO_MARKS } from './state.js';

/** Positions in the Positions tab; more are requested when a sentence is longer. */
const POSITIONS = 96;

/** Alternatives of each step: more than the figure has room for, as the reader may choose among them. */
export const ALTERNATIVES = 10;

/** What the core observes: everything that the figure draws. @param {Pick<State, 'measure'>} settings @returns {P.TraceRequest} */
export const traceRequest = ({ measure }) => ({ encoderSelf: true, decoderSelf: true, cross: true, hidden: true, ...(measure === 'norm' && { norms: true }) });

/** @typedef {Pick<State, 'unit'|'specialTokens'|'heads'|'measure'>} Settings */

/** Whether views are needed beside the blocks as they were observed. @param {Settings} settings */
const needsViews = ({ unit, specialTokens, heads }) => unit !== 'pieces' || specialTokens !== 'shown' || heads === 'mean' || heads === 'layers';

/** The settings that an observation's view depends on, as a string to compare. @param {Settings} settings */
function viewKey(settings) {
  const { unit, specialTokens, heads, measure } = settings;
  return needsViews(settings) ? [unit, specialTokens, heads === 'mean' || heads === 'layers' ? heads : 'each', measure].join() : measure;
}

/** @typedef {ReturnType<typeof createObserver>} Observer */

/** @param {Store} store @param {Translator} engine */
export function createObserver(store, engine) {
  /** The newest observation; the store has it once its views are there. @type {Observation|null} */
  let newest = null;
  /** Key of the view in the store. */
  let shown = '';
  /** Settings whose views are not there yet. @type {Partial<State>} */
  let wanted = {};
  const observing = createSlot();
  const viewing = createSlot();
  const scoring = createSlot();
  const positioning = createSlot();
  /** Aborted with the present text or model. */
  let epoch = new AbortController();

  /**
   * What the core makes of an observation for these settings; null where its blocks are enough.
   * @param {Observation} observation
   * @param {Settings} settings
   * @param {AbortSignal} signal
   * @returns {Promise<Views|null>}
   */
  async function viewsOf(observation, { unit, specialTokens, heads, measure }, signal) {
    if (!needsViews({ unit, specialTokens, heads, measure })) return null;
    const { encoderSelf, decoderSelf, cross, encoderSelfNorms, decoderSelfNorms, crossNorms } = observation.trace;
    const trace = measure === 'norm' ? { encoderSelfNorms, decoderSelfNorms, crossNorms } : { encoderSelf, decoderSelf, cross };
    const view = (/** @type {P.ViewOptions} */ options) =>
      engine.viewTrace({ trace, source: observation.source, target: observation.target, unit, specialTokens, signal, ...options });
    const [each, mean] = await Promise.all([
      unit === 'pieces' && specialTokens === 'shown' ? null : view({}),
      heads === 'mean' ? view({ heads: 'mean' }) : heads === 'layers' ? view({ heads: 'mean', layers: 'mean' }) : null,
    ]);
    return { observation, unit, each, mean };
  }

  /**
   * Changes which view of the observation the maps show. Settings and numbers change in the same frame.
   * @param {Partial<State>} patch
   * @returns {Promise<void>}
   */
  async function setView(patch) {
    const signal = viewing.next();
    wanted = { ...wanted, ...patch };
    const state = store.get();
    const before = state.observation;
    try {
      const settings = { ...state, ...wanted };
      const observation = before && settings.measure === 'norm' && !before.trace.crossNorms ? await withNorms(before, settings, signal) : before;
      const views = observation && (await viewsOf(observation, settings, signal));
      if (signal.aborted) return;
      // The sentence was translated again meanwhile: observe that translation.
      if (store.get().observation !== before) await setView({});
      else {
        shown = viewKey(settings);
        store.set({ ...wanted, observation, views });
        wanted = {};
      }
    } catch (error) {
      if (signal.aborted) return;
      wanted = {};
      fail(store, error);
    }
  }

  /**
   * Observes a given translation of a sentence of the document.
   * @param {number} sentence
   * @param {P.Piece[]} target
   * @param {AbortSignal} signal
   * @param {P.Intervention} [intervention]
   * @param {State} [state]
   */
  async function scored(sentence, target, signal, intervention, state = store.get()) {
    const options = { target: target.map(({ id }) => id), request: traceRequest(state), alternatives: ALTERNATIVES, intervention, signal };
    const { observed } = await engine.score(sentenceText(state.doc, sentence), options);
    // Offsets of the scored text are the sentence's own; the document's pieces carry the right ones.
    return { ...observed, target, final: true };
  }

  /** The observation again, with the norms that these settings ask for. @param {Observation} before @param {State} state @param {AbortSignal} signal */
  async function withNorms(before, state, signal) {
    const { trace } = await scored(before.sentence, before.target, signal, state.doc.outputs[before.sentence]?.variant?.intervention, state);
    return { ...before, trace: { ...before.trace, ...trace } };
  }

  /** Asks for positional encodings, unless as many are there. @param {number} [length] */
  async function loadPositions(length = POSITIONS) {
    const { positions, phase } = store.get();
    if (phase !== 'ready' || (positions?.wavelengths && positions.sinusoidal.shape[0] >= length)) return;
    const signal = positioning.next();
    try {
      store.set({ positions: await engine.positions({ length, signal }) });
    } catch (error) {
      // The strips stay empty; whatever is wrong shows itself, with its remedy, in the translation.
      if (!signal.aborted) console.warn('positions:', error);
    }
  }

  /**
   * Takes an observation over. While a sentence grows the step follows its end; once it is whole the
   * step rests on the last word, unless the reader holds one.
   * @param {P.Observation} trace
   * @param {number} sentence
   */
  async function receive(trace, sentence) {
    const state = store.get();
    const info = state.doc.sentences[sentence];
    if (!info) return;
    const growing = newest?.sentence === sentence && !newest.final ? newest.trace : null;
    /** @type {Observation} */
    const observation = { sentence, source: info.source, target: trace.target, steps: trace.steps, trace: mergeBlocks(trace.trace, growing), final: trace.final };
    newest = observation;
    const key = viewKey(state);
    if (!needsViews(state)) {
      publish(observation, null, key);
      return;
    }
    const { signal } = epoch;
    try {
      const views = await viewsOf(observation, state, signal);
      if (!signal.aborted) publish(observation, views, key);
    } catch (error) {
      fail(store, error, { signal });
    }
  }

  /** @param {Observation} observation @param {Views|null} views @param {string} key of the settings that they were made for */
  function publish(observation, views, key) {
    shown = key;
    const state = store.get();
    const before = state.observation;
    const { sentence, source, target, final } = observation;
    const count = stepCount(observation);
    const same = before?.sentence === sentence && samePieces(before.source, source);
    const keepsStep = same && (state.stepChosen || state.playing) && state.step < count;
    if (final) loadPositions(Math.max(POSITIONS, source.length, target.length));
    // Which head aligns best is only known of a whole sentence; till then the last one's stays.
    const alignmentHead = final || !state.alignmentHead ? findAligner(state.model, observation, state.alignmentHead) : state.alignmentHead;
    store.set({
      observation,
      views,
      sentence,
      alignmentHead,
      ...(state.layersChosen ? {} : { layers: defaultLayers(state.model, alignmentHead) }),
      step: keepsStep ? state.step : final ? lastWord(target) : Math.max(0, count - 1),
      stepChosen: keepsStep && state.stepChosen,
      // Pieces of another text must not stay held; a held head does.
      ...(same ? {} : { held: { ...NO_MARKS, head: state.held.head }, preview: NO_MARKS, playing: false }),
    });
    // The settings changed while this was under way.
    const outdated = viewKey(state) !== key || (state.measure === 'norm' && !observation.trace.crossNorms);
    if (final && outdated && state.phase === 'ready') setView({});
  }

  /**
   * Whether an observation is the sentence's whole one, and not of the one that stood there before an edit.
   * @param {Observation|null} observation
   * @param {number} sentence
   */
  const isWholeOf = (observation, sentence) => observation?.final === true && observation.sentence === sentence && observation.source === store.get().doc.sentences[sentence]?.source;

  /** Observes a sentence whose translation is there already. @param {number} sentence @param {number} [step] to be held */
  async function observe(sentence, step) {
    const { doc, observation, phase, text } = store.get();
    const { target, variant } = doc.outputs[sentence] ?? {};
    if (!doc.sentences[sentence] || !target || phase !== 'ready' || doc.text !== text) return;
    if (isWholeOf(observation, sentence)) {
      if (step !== undefined) store.set({ step, stepChosen: true });
      return;
    }
    const signal = observing.next();
    try {
      await receive(await scored(sentence, target, signal, variant?.intervention), sentence);
      if (step !== undefined && !signal.aborted) store.set({ step, stepChosen: true, held: { ...store.get().held, token: { side: 'target', index: step } } });
    } catch (error) {
      fail(store, error, { signal });
    }
  }

  /**
   * Puts another translation in the place of a sentence's, with its attention, and says so (`variant`); null brings the
   * model's own back.
   * @param {Variant|null} other
   * @param {number} [sentence] the observed one if left out
   */
  async function present(other, sentence = store.get().observation?.sentence ?? 0) {
    const { sentences, outputs: before } = store.get().doc;
    const target = other?.target ?? (before[sentence] && ownOutput(before[sentence]).target);
    if (!sentences[sentence] || !target) return;
    const signal = observing.next();
    try {
      const trace = await scored(sentence, target, signal, other?.intervention);
      if (signal.aborted) return;
      // Other sentences may have been translated meanwhile.
      const { doc } = store.get();
      const outputs = doc.outputs.slice();
      const original = ownOutput(outputs[sentence]);
      outputs[sentence] = other
        ? { text: other.text, stableLength: other.text.length, target, stale: false, variant: { what: other.what, intervention: other.intervention, original } }
        : original;
      store.set({ doc: { ...doc, outputs } });
      await receive(trace, sentence);
    } catch (error) {
      fail(store, error, { signal });
    }
  }

  // Scenes and addresses change these settings by themselves.
  store.watch(['unit', 'specialTokens', 'heads', 'measure'], (state) => {
    if (state.phase === 'ready' && state.observation?.final && viewKey(state) !== shown) setView({});
  });
  store.watch(['doc', 'sentence'], ({ doc, sentence }) => store.set({ variant: doc.outputs[sentence]?.variant ?? null }));

  // Training view: the losses of the present translation.
  store.watch(['mode', 'observation', 'phase'], async ({ mode, observation, phase, scored: known, doc }) => {
    if (mode !== 'training' || !observation?.final || known?.observation === observation || phase !== 'ready') return;
    const signal = scoring.next();
    try {
      const target = observation.target.map(({ id }) => id);
      const { intervention } = doc.outputs[observation.sentence]?.variant ?? {};
      const { observed: _, ...losses } = await engine.score(sentenceText(doc, observation.sentence), { target, intervention, signal });
      store.set({ scored: { ...losses, observation } });
    } catch (error) {
      fail(store, error, { signal });
    }
  });

  return {
    receive,
    observe,
    present,
    setView,
    loadPositions,
    /** Whether the sentence is observed whole. @param {number} sentence */
    has: (sentence) => isWholeOf(newest, sentence),
    /** Cancels requests about the previous text. */
    cancel() {
      epoch.abort();
      epoch = new AbortController();
      observing.cancel();
    },
    /** Forgets the observation of the text that was. */
    forget() {
      newest = null;
    },
  };
}

/** The step that predicts the last piece with letters: what follows, full stop and end mark, reads little. @param {P.Piece[]} target */
function lastWord(target) {
  const at = target.findLastIndex((piece) => piece.id !== 0 && /[\p{L}\p{N}]/u.test(piece.text));
  return Math.max(0, at);
}

/**
 * The layers that the figure opens by itself: the decoder's with the head that aligns, the encoder's in the middle,
 * where heads read neighbours as well as meaning.
 * @param {P.ModelInfo|null} model
 * @param {HeadRef|null} aligner
 */
function defaultLayers(model, aligner) {
  return { encoder: Math.floor((model?.config.encoderLayers ?? 1) / 2), decoder: aligner?.layer ?? 0 };
}

/**
 * Fills in the blocks that a growing observation leaves out because they cannot change (the encoder's).
 * @param {P.Trace} fresh
 * @param {P.Trace|null} before
 * @returns {P.Trace}
 */
function mergeBlocks(fresh, before) {
  return before ? { ...before, ...Object.fromEntries(Object.entries(fresh).filter(([, block]) => block)) } : fresh;
}
