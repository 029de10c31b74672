// The engines and observations that the elements of a page share: one worker for each model, one observation of each text.

import { EngineError } from '../engine/error.js';
import { Translator } from '../engine/translator.js';

/** @import * as P from '../engine/protocol' */

/**
 * What is known of the first sentence of a text and its translation.
 * @typedef {object} Explained
 * @property {string} text
 * @property {string} translation of the whole text
 * @property {P.ModelInfo} model
 * @property {P.Observation & {source: P.Piece[]}} observation
 * @property {P.BeamNode[]} nodes of the search tree
 */
/** @typedef {{ translator: Translator, model: P.ModelInfo }} Engine */

/** @type {Map<string, Promise<Engine>>} */
const engines = new Map();
/** Observations by model, beam and text; the oldest is dropped first. @type {Map<string, Promise<Explained>>} */
const explained = new Map();
const MOST_EXPLAINED = 8;

/** @typedef {{ model: string, worker: string | null }} Origin Addresses of the model and, where it does not lie beside the engine, of `worker.js`. */

/**
 * The engine with the model at an address; a failure is not kept.
 * @param {Origin} origin
 * @returns {Promise<Engine>}
 */
export function engineFor({ model, worker }) {
  const url = new URL(model, document.baseURI).href;
  return kept(engines, url, async () => {
    const translator = new Translator(worker ? { worker } : {});
    try {
      const loaded = await translator.load(url);
      if (loaded.kind === 'cancelled') throw new EngineError('ModelMissing', 'Loading the model was cancelled.');
      return { translator, model: loaded.model };
    } catch (error) {
      translator.terminate();
      throw error;
    }
  });
}

/**
 * Translates a text and observes its first sentence: all attentions and the search tree.
 * @param {Origin} origin
 * @param {string} text
 * @param {number} beam
 * @returns {Promise<Explained>}
 */
export function explain(origin, text, beam) {
  const made = kept(explained, JSON.stringify([origin.model, beam, text]), async () => {
    const { translator, model } = await engineFor(origin);
    /** @type {P.BeamNode[]} */
    const nodes = [];
    /** @type {P.Piece[]} */
    let source = [];
    /** @type {P.Observation | undefined} */
    let observation;
    const result = await translator.translate(text, {
      beam,
      observe: { sentence: 0, request: { encoderSelf: true, decoderSelf: true, cross: true }, tree: true },
      onEvent(event) {
        if (event.kind === 'sentences') source = event.sentences[0]?.source ?? [];
        else if (event.kind === 'nodes') nodes.push(...event.nodes);
      },
      onTrace: (observed) => (observation = observed),
    });
    if (result.kind === 'cancelled' || !observation) throw new EngineError('RequestInvalid', 'There is no sentence to look at.');
    return { text, translation: result.text, model, observation: { ...observation, source }, nodes };
  });
  if (explained.size > MOST_EXPLAINED) explained.delete([...explained.keys()][0] ?? '');
  return made;
}

/**
 * @template T
 * @param {Map<string, Promise<T>>} map
 * @param {string} key
 * @param {() => Promise<T>} make
 * @returns {Promise<T>}
 */
function kept(map, key, make) {
  const known = map.get(key);
  if (known) return known;
  const made = make();
  map.set(key, made);
  made.catch(() => map.delete(key));
  return made;
}
