/** Asking the core for what the views want beside the bare observation: words, hidden specials, means, norms, losses. */

/** @import { State, Observation, Views, Doc } from './state.js' */
/** @import { Store } from './store.js' */
/** @import { Translator } from '../engine/translator.js' */
/** @import * as P from '../engine/protocol' */
import { failureOf } from './failure.js';

/** How many alternatives every step tells: more than the figure has room for, as the reader may choose among them. */
export const ALTERNATIVES = 10;

/**
 * What the core is to observe: everything that the figure draws.
 * @param {Pick<State, 'measure'>} settings
 * @returns {P.TraceRequest}
 */
export const observed = ({ measure }) => ({ encoderSelf: true, decoderSelf: true, cross: true, hidden: true, ...(measure === 'norm' && { norms: true }) });

/** @typedef {Pick<State, 'unit'|'specialTokens'|'heads'|'measure'>} Settings */

/**
 * The text of a sentence as the engine takes it.
 * @param {Doc} doc
 * @param {number} sentence
 */
export function sentenceText(doc, sentence) {
  const { range, cutAt, source } = doc.sentences[sentence];
  // A first piece without a place is the line's language code, which stands before an earlier sentence.
  const code = source.length > 1 && !source[0].range ? source[0].text : '';
  return code + doc.text.slice(range[0], cutAt ?? range[1]);
}

/**
 * Whether the blocks as they were observed are not enough.
 * @param {Settings} settings
 */
export const needsViews = ({ unit, specialTokens, heads }) => unit !== 'pieces' || specialTokens !== 'shown' || heads === 'mean' || heads === 'layers';

/**
 * @param {Store} store
 * @param {Translator} engine
 */
export function createViewing(store, engine) {
  /** Counts what was asked for; only the newest is shown. */
  let asked = 0;

  /**
   * What the core makes of an observation for these settings.
   * @param {Observation} observation
   * @param {Settings} settings
   * @returns {Promise<Views|null>}
   */
  async function viewsOf(observation, { unit, specialTokens, heads, measure }) {
    if (!needsViews({ unit, specialTokens, heads, measure })) return null;
    const { encoderSelf, decoderSelf, cross, encoderSelfNorms, decoderSelfNorms, crossNorms } = observation.trace;
    const trace = measure === 'norm' ? { encoderSelfNorms, decoderSelfNorms, crossNorms } : { encoderSelf, decoderSelf, cross };
    const view = (/** @type {P.ViewOptions} */ options) => engine.viewTrace({ trace, source: observation.source, target: observation.target, by: unit, special: specialTokens, ...options });
    const [each, mean] = await Promise.all([
      unit === 'pieces' && specialTokens === 'shown' ? null : view({}),
      heads === 'mean' ? view({ heads: 'mean' }) : heads === 'layers' ? view({ heads: 'mean', layers: 'mean' }) : null,
    ]);
    return { observation, unit, each, mean };
  }

  /**
   * Changes what the maps show. Settings and numbers change in the same frame.
   * @param {Partial<Settings> & Partial<State>} patch
   */
  async function look(patch) {
    const mine = ++asked;
    const state = store.get();
    const before = state.observation;
    try {
      const settings = { ...state, ...patch };
      const observation = before && settings.measure === 'norm' && !before.trace.crossNorms ? await withNorms(state.doc, before) : before;
      const views = observation && (await viewsOf(observation, settings));
      if (mine !== asked) return;
      // The sentence was translated anew meanwhile: the same for that one.
      if (store.get().observation !== before) await look(patch);
      else store.set({ ...patch, observation, views });
    } catch (error) {
      if (mine === asked) store.set({ failure: failureOf(error, 'translate') });
    }
  }

  /**
   * The observation again, with the value-weighted norms.
   * @param {Doc} doc
   * @param {Observation} before
   * @returns {Promise<Observation>}
   */
  async function withNorms(doc, before) {
    const { observed: again } = await engine.score(sentenceText(doc, before.sentence), { target: before.target.map(({ id }) => id), request: observed({ measure: 'norm' }) });
    return { ...before, trace: { ...before.trace, ...again.trace } };
  }

  // Training view: the losses of the translation at hand.
  store.watch(['mode', 'observation', 'phase'], async ({ mode, observation, phase, scored, doc }) => {
    if (mode !== 'training' || !observation?.final || scored?.observation === observation || phase !== 'ready') return;
    try {
      const { observed: _, ...losses } = await engine.score(sentenceText(doc, observation.sentence), { target: observation.target.map(({ id }) => id) });
      if (store.get().observation === observation) store.set({ scored: { ...losses, observation } });
    } catch (error) {
      store.set({ failure: failureOf(error, 'translate') });
    }
  });

  return { viewsOf, look };
}
