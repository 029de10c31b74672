/** Queries to the engine beside the translation: the arithmetic of a weight, and what else could be decoded. */

/** @import { State } from './state.js' */
/** @import { Store } from './store.js' */
/** @import { Translator } from '../engine/translator.js' */
/** @import * as P from '../engine/protocol' */
import { fail } from './failure.js';
import { searchOptions } from './search.js';
import { createSlot, oneAtATime } from './requests.js';
import { arithmeticCell, samePieces, sentenceText } from './select.js';

/** @typedef {ReturnType<typeof createQueries>} Queries */

/** @type {WeakMap<Store, Queries>} */
const made = new WeakMap();

/**
 * The queries of a page: several tabs share them.
 * @param {Store} store
 * @param {Translator} engine
 */
export function queriesOf(store, engine) {
  const queries = made.get(store) ?? createQueries(store, engine);
  made.set(store, queries);
  return queries;
}

/**
 * A sentence decoded once more, under other conditions, beside what stands on the page.
 * @typedef {object} Steered
 * @property {'arithmetic'|'heads'|'alternatives'} from the requesting view
 * @property {string} what was changed, in words
 * @property {string} source the sentence
 * @property {string} oldText
 * @property {string} text
 * @property {P.Piece[]} target
 * @property {number} logprob ln P of `text` under the change
 * @property {P.Comparison|null} comparison of the old translation with and without the change
 * @property {P.Intervention} [intervention]
 * @property {number} [step] at which another piece was chosen
 */

/**
 * A target of the reader's own under forced decoding; `modelLogprob` is ln P of the model's translation.
 * @typedef {{source: string, text: string, target: P.Piece[], scored: P.Scored, steps: P.StepAlternatives[], modelLogprob: number}} Forced
 */

/**
 * A sentence with its translation, pinned for comparison. `trace` has the attention weights alone.
 * @typedef {{source: string, text: string, sourcePieces: P.Piece[], target: P.Piece[], logprob: number, trace: P.Trace}} Compared
 */

/**
 * Translation A and what it is compared with. `crossed` holds ln P of A's translation for B's sentence and of B's for A's.
 * @typedef {{a: Compared, b: Compared|null, crossed: {aForB: number, bForA: number}|null}} Pinned
 */

/**
 * The tree of one search, as far as it has grown.
 * @typedef {{source: string, beam: number, nodes: P.BeamNode[], nBest: P.Hypothesis[], done: boolean}} Tree
 */

/**
 * Another translation of the same sentence that the page can show, under an intervention or none.
 * @typedef {{what: string, text: string, target: P.Piece[], intervention?: P.Intervention}} Variant
 */

/**
 * The observed sentence as requests name it; null until its translation is whole. `own` is the model's own translation,
 * which differs from the shown one where the reader chose another.
 * @param {State} state
 * @returns {{source: string, target: P.Piece[], text: string, own: {target: P.Piece[], text: string}}|null}
 */
export function observedSentence({ doc, observation, phase, text }) {
  if (phase !== 'ready' || !observation?.final || doc.text !== text || doc.recorded) return null;
  const sentence = doc.sentences[observation.sentence];
  // While an edited text is on its way the observation is still that of the old one.
  if (!sentence || !samePieces(sentence.source, observation.source)) return null;
  const output = doc.outputs[observation.sentence];
  const shown = { target: observation.target, text: output?.text ?? '' };
  const original = output?.variant?.original;
  return {
    source: sentenceText(doc, observation.sentence),
    ...shown,
    own: original?.target ? { target: original.target, text: original.text } : shown,
  };
}

/** @param {P.Piece[]} pieces */
const idsOf = (pieces) => pieces.map((piece) => piece.id);

/**
 * @param {Store} store
 * @param {Translator} engine
 */
function createQueries(store, engine) {
  /** The newest query about a weight, so that it is sent once. */
  let sent = '';
  /** The model that it was for: one in training has other weights at the same address. @type {State['model']} */
  let sentModel = null;
  const sendArithmetic = oneAtATime(
    (/** @type {Parameters<Translator['arithmetic']>[0]} */ query) => engine.arithmetic(query),
    (arithmetic) => store.set({ arithmetic }),
    (error) => {
      sent = '';
      fail(store, error);
    },
  );

  /** @typedef {NonNullable<State['pendingQuery']>} Kind */
  const slots = { arithmetic: createSlot(), heads: createSlot(), alternatives: createSlot(), target: createSlot(), compare: createSlot(), beam: createSlot() };

  /**
   * Sends a query of a view that steers, and says meanwhile that it is pending; a newer one of its kind supersedes it.
   * @param {Kind} kind
   * @param {(at: NonNullable<ReturnType<typeof observedSentence>>, state: State, signal: AbortSignal) => Promise<Partial<State>|null>} query
   */
  async function send(kind, query) {
    const state = store.get();
    const at = observedSentence(state);
    if (!at) return;
    const signal = slots[kind].next();
    store.set({ pendingQuery: kind });
    try {
      const answer = await query(at, state, signal);
      const now = store.get();
      if (!signal.aborted && answer && now.model === state.model && observedSentence(now)?.source === at.source) store.set(answer);
    } catch (error) {
      fail(store, error, { signal });
    } finally {
      if (!signal.aborted && store.get().pendingQuery === kind) store.set({ pendingQuery: null });
    }
  }

  /**
   * Decodes the observed sentence once more.
   * @param {P.SearchOptions} options
   * @param {Pick<Steered, 'from'|'what'|'step'>} note
   */
  function steer(options, note) {
    return send(note.from, async (at, state, signal) => {
      // A search under an intervention compares with the search without it; a branch, with what it branches from.
      const old = options.intervention ? at.own : at;
      const answer = await engine.translateSentence(at.source, {
        ...searchOptions(state),
        ...options,
        terms: state.terms,
        compare: idsOf(old.target),
        signal,
      });
      if (answer.kind !== 'translated') return null;
      const { text, target, comparison } = answer;
      /** @type {Steered} */
      const steered = { ...note, intervention: options.intervention, source: at.source, oldText: old.text, text, target, logprob: answer.logprob, comparison: comparison ?? null };
      return note.from === 'alternatives' ? { branch: steered } : { interventionResult: steered };
    });
  }

  /**
   * The observed sentence, to be compared.
   * @param {NonNullable<ReturnType<typeof observedSentence>>} at
   * @param {State} state
   * @param {AbortSignal} signal
   * @returns {Promise<Compared>}
   */
  async function toCompare({ source, text, target }, { observation }, signal) {
    const { logprob } = await engine.score(source, { target: idsOf(target), signal });
    return { source, text, sourcePieces: observation?.source ?? [], target, logprob, trace: observation?.trace ?? {} };
  }

  return {
    /** Requests the arithmetic of the selected weight, unless that was the last query. */
    arithmetic() {
      const state = store.get();
      const at = observedSentence(state);
      const cell = arithmeticCell(state);
      if (!at || !cell) return;
      const query = { source: at.source, target: idsOf(at.target), cell, intervention: state.intervention };
      const key = JSON.stringify([state.address, query]);
      if (key === sent && state.model === sentModel) return;
      sent = key;
      sentModel = state.model;
      sendArithmetic(query);
    },
    /** The translation under the intervention that a view has set. @param {'arithmetic'|'heads'} from @param {string} what */
    intervene(from, what) {
      const { intervention, headChanges } = store.get();
      return steer({ intervention: from === 'arithmetic' ? intervention : { heads: headChanges } }, { from, what });
    },
    /** Continues decoding from another piece at a step. @param {number} step @param {{id: number, text: string}} piece */
    choose(step, piece) {
      const at = observedSentence(store.get());
      if (!at) return;
      const prefix = [...idsOf(at.target.slice(0, step)), piece.id];
      return steer({ prefix }, { from: 'alternatives', what: piece.text, step });
    },
    /** Scores a target of the reader's own. @param {string} text */
    force(text) {
      return send('target', async (at, _, signal) => {
        // The shown translation keeps the pieces that it was decoded in: encoded anew, its text may have others.
        const shown = text === at.text.trim();
        const { observed, ...scored } = await engine.score(at.source, { target: shown ? idsOf(at.target) : text, alternatives: 1, signal });
        const own = await engine.score(at.source, { target: idsOf(at.own.target), signal });
        const target = shown ? at.target : observed.target;
        return { forced: { source: at.source, text, target, scored, steps: observed.steps, modelLogprob: own.logprob } };
      });
    },
    /** Pins the sentence on the page as A. */
    pin: () => send('compare', async (at, state, signal) => ({ pinned: { a: await toCompare(at, state, signal), b: null, crossed: null } })),
    /** Takes the sentence on the page as B, and scores each translation for the other's sentence. */
    comparePinned() {
      return send('compare', async (at, state, signal) => {
        const a = state.pinned?.a;
        if (!a || a.source === at.source) return null;
        const b = await toCompare(at, state, signal);
        const aForB = (await engine.score(b.source, { target: idsOf(a.target), signal })).logprob;
        const bForA = (await engine.score(a.source, { target: idsOf(b.target), signal })).logprob;
        return store.get().pinned?.a === a ? { pinned: { a, b, crossed: { aForB, bForA } } } : null;
      });
    },
    /** Repeats the search and stores its tree as it grows. */
    searchTree() {
      return send('beam', async (at, state, signal) => {
        const search = searchOptions(state);
        /** @type {P.BeamNode[]} */
        const nodes = [];
        /** @param {P.Hypothesis[]} nBest @param {boolean} done @returns {Tree} */
        const tree = (nBest, done) => ({ source: at.source, beam: search.beam, nodes: nodes.slice(), nBest, done });
        const answer = await engine.translateSentence(at.source, {
          ...search,
          terms: state.terms,
          tree: true,
          signal,
          onEvent(event) {
            if (event.kind !== 'nodes') return;
            nodes.push(...event.nodes);
            store.set({ tree: tree([], false) });
          },
        });
        return answer.kind === 'translated' ? { tree: tree(answer.nBest, true) } : null;
      });
    },
    /** @param {number[]} dK */
    async randomProducts(dK) {
      try {
        return await engine.randomProducts({ dK });
      } catch (error) {
        fail(store, error);
        return null;
      }
    },
  };
}
