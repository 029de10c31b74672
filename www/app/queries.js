/** Questions to the engine beside the translation: the arithmetic of a weight, and what else could be decoded. */

/** @import { State } from './state.js' */
/** @import { Store } from './store.js' */
/** @import { Translator } from '../engine/translator.js' */
/** @import * as P from '../engine/protocol' */
import { failureOf } from './failure.js';
import { latest } from './latest.js';
import { samePieces } from './observation.js';
import { arithmeticCell } from './select.js';
import { sentenceText } from './trace-views.js';

/** @typedef {ReturnType<typeof createAsking>} Asking */

/**
 * A sentence decoded once more, under other conditions, beside what stands on the page.
 * @typedef {object} Steered
 * @property {'arithmetic'|'heads'|'alternatives'} from the view that asked
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
 * A target of the reader's own under forced decoding; `own` is ln P of the model's own translation.
 * @typedef {{source: string, text: string, target: P.Piece[], scored: P.Scored, steps: P.StepAlternatives[], own: number}} Forced
 */

/**
 * A sentence with its translation, kept for comparison. `trace` has the attention weights alone.
 * @typedef {{source: string, text: string, sourcePieces: P.Piece[], target: P.Piece[], logprob: number, trace: P.Trace}} Kept
 */

/**
 * Translation A and what it is compared with. `crossed` holds ln P of A's translation for B's sentence and of B's for A's.
 * @typedef {{a: Kept, b: Kept|null, crossed: {aForB: number, bForA: number}|null}} Pinned
 */

/**
 * The tree of one search, as far as it has grown.
 * @typedef {{source: string, beam: number, alpha: number, nodes: P.BeamNode[], nBest: P.Hypothesis[], done: boolean}} Tree
 */

/**
 * What the page can be made to show: other pieces of the same sentence, under an intervention or none.
 * @typedef {{what: string, text: string, target: P.Piece[], intervention?: P.Intervention}} Look
 */

/**
 * The sentence that is observed, as the engine is asked about it; null until its translation is whole.
 * @param {State} state
 * @returns {{source: string, target: P.Piece[], text: string}|null}
 */
export function askable({ doc, observation, phase, text }) {
  if (phase !== 'ready' || !observation?.final || doc.text !== text || doc.recorded) return null;
  const sentence = doc.sentences[observation.sentence];
  // While an edited text is on its way the observation is still that of the old one.
  if (!sentence || !samePieces(sentence.source, observation.source)) return null;
  return {
    source: sentenceText(doc, observation.sentence),
    target: observation.target,
    text: doc.outputs[observation.sentence]?.text ?? '',
  };
}

/** @param {P.Piece[]} pieces */
const idsOf = (pieces) => pieces.map((piece) => piece.id);

/**
 * @param {Store} store
 * @param {Translator} engine
 */
export function createAsking(store, engine) {
  /** Says what went wrong where the page says such things. @param {unknown} error */
  const fail = (error) => store.set({ failure: failureOf(error, 'translate') });

  /** @type {string} the last question about a weight */
  let worked = '';
  const workOut = latest(
    (/** @type {Parameters<Translator['arithmetic']>[0]} */ question) => engine.arithmetic(question),
    (arithmetic) => store.set({ arithmetic }),
    (error) => {
      worked = '';
      fail(error);
    },
  );

  /** Questions under way; the newest one tells when there is none any more. */
  let asked = 0;

  /**
   * Asks one question of the views that steer, and says meanwhile that it is under way.
   * @param {NonNullable<State['pendingQuery']>} from
   * @param {(at: NonNullable<ReturnType<typeof askable>>, state: State) => Promise<Partial<State>|null>} question
   */
  async function ask(from, question) {
    const state = store.get();
    const at = askable(state);
    if (!at) return;
    const mine = ++asked;
    store.set({ pendingQuery: from });
    try {
      const answer = await question(at, state);
      if (answer && askable(store.get())?.source === at.source) store.set(answer);
    } catch (error) {
      fail(error);
    } finally {
      if (mine === asked) store.set({ pendingQuery: null });
    }
  }

  /**
   * Decodes the observed sentence once more.
   * @param {P.SearchOptions} options
   * @param {Pick<Steered, 'from'|'what'|'step'>} note
   */
  function steer(options, note) {
    return ask(note.from, async (at, state) => {
      const answer = await engine.translateSentence(at.source, {
        ...searchOptions(state),
        ...options,
        compare: idsOf(at.target),
        supersede: true,
      });
      if (answer.kind !== 'translated') return null;
      const { text, target, comparison } = answer;
      /** @type {Steered} */
      const steered = { ...note, intervention: options.intervention, source: at.source, oldText: at.text, text, target, logprob: answer.logprob, comparison: comparison ?? null };
      return note.from === 'alternatives' ? { branch: steered } : { interventionResult: steered };
    });
  }

  /**
   * The observed sentence, to be compared.
   * @param {NonNullable<ReturnType<typeof askable>>} at
   * @param {State} state
   * @returns {Promise<Kept>}
   */
  async function keep({ source, text, target }, { observation }) {
    const { logprob } = await engine.score(source, { target: idsOf(target) });
    return { source, text, sourcePieces: observation?.source ?? [], target, logprob, trace: observation?.trace ?? {} };
  }

  return {
    /** The arithmetic of the shown weight, unless it was the last thing asked. */
    arithmetic() {
      const state = store.get();
      const at = askable(state);
      const cell = arithmeticCell(state);
      if (!at || !cell) return;
      const question = { source: at.source, target: idsOf(at.target), cell, intervention: state.intervention };
      const key = JSON.stringify([state.address, question]);
      if (key === worked) return;
      worked = key;
      workOut(question);
    },
    /** The translation under the intervention that a view has set. @param {'arithmetic'|'heads'} from @param {string} what */
    intervene(from, what) {
      const { intervention, headChanges } = store.get();
      return steer({ intervention: from === 'arithmetic' ? intervention : { heads: headChanges } }, { from, what });
    },
    /** Goes on from another piece at a step. @param {number} step @param {{id: number, text: string}} piece */
    choose(step, piece) {
      const at = askable(store.get());
      if (!at) return;
      const prefix = [...idsOf(at.target.slice(0, step)), piece.id];
      return steer({ prefix }, { from: 'alternatives', what: piece.text, step });
    },
    /** Scores a target of the reader's own. @param {string} text */
    force(text) {
      return ask('target', async (at) => {
        const { observed, ...scored } = await engine.score(at.source, { target: text, alternatives: 1 });
        const own = await engine.score(at.source, { target: idsOf(at.target) });
        return { forced: { source: at.source, text, target: observed.target, scored, steps: observed.steps, own: own.logprob } };
      });
    },
    /** Keeps the sentence on the page as A. */
    pin: () => ask('compare', async (at, state) => ({ pinned: { a: await keep(at, state), b: null, crossed: null } })),
    /** Takes the sentence on the page as B, and scores each translation for the other's sentence. */
    comparePinned() {
      return ask('compare', async (at, state) => {
        const a = state.pinned?.a;
        if (!a || a.source === at.source) return null;
        const b = await keep(at, state);
        const aForB = (await engine.score(b.source, { target: idsOf(a.target) })).logprob;
        const bForA = (await engine.score(a.source, { target: idsOf(b.target) })).logprob;
        return store.get().pinned?.a === a ? { pinned: { a, b, crossed: { aForB, bForA } } } : null;
      });
    },
    /** Searches once more and keeps the tree, as it grows. */
    searchTree() {
      return ask('beam', async (at, state) => {
        const { beam, alpha } = state;
        /** @type {P.BeamNode[]} */
        const nodes = [];
        /** @param {P.Hypothesis[]} nBest @param {boolean} done @returns {Tree} */
        const tree = (nBest, done) => ({ source: at.source, beam, alpha, nodes: nodes.slice(), nBest, done });
        const answer = await engine.translateSentence(at.source, {
          ...searchOptions(state),
          tree: true,
          supersede: true,
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
        fail(error);
        return null;
      }
    },
  };
}

/** @param {State} state @returns {P.SearchOptions} */
export const searchOptions = ({ beam, alpha, model }) => {
  // A model of `transformers` is scored as its folder asks for.
  const folder = model?.search?.scoring;
  return { beam, nBest: beam, scoring: folder?.kind === 'hf' ? folder : { kind: 'wu', alpha } };
};
