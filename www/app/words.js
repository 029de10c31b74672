/** My words: how the reader wants words translated, by pair of languages, on this device. */

/** @import { State } from './state.js' */
/** @import { Store } from './store.js' */
/** @import { DocumentControl } from './document.js' */
/** @import * as P from '../engine/protocol' */
import { setTerms } from './settings.js';

/** Sites below other paths of the same host have lists of their own. */
const key = () => `translucent.words ${location.pathname}`;

/** Most pairs of a list, and the longest that one side of a pair may be. */
const MOST = 200;
const LONGEST = 60;

/** The pair of languages of a model; of models without languages the name. @param {State['model']} model */
export const pairOf = (model) => (model?.targetLanguage ? `${model.sourceLanguage}-${model.targetLanguage}` : (model?.name ?? ''));

/** @returns {Record<string, P.Term[]>} */
function readAll() {
  try {
    const stored = JSON.parse(localStorage.getItem(key()) ?? '{}');
    const isTerm = (/** @type {any} */ term) => typeof term?.source === 'string' && typeof term?.target === 'string';
    return Object.fromEntries(Object.entries(stored).map(([pair, list]) => [pair, Array.isArray(list) ? list.filter(isTerm).map(({ source, target }) => ({ source, target })) : []]));
  } catch {
    return {};
  }
}

/** Whether this device stores the lists; otherwise they last as long as the page. */
let stores = true;

/**
 * Changes the list of the present pair of languages, and translates the text with it.
 * @param {Store} store
 * @param {Pick<DocumentControl, 'again'>} session
 * @param {(terms: P.Term[]) => P.Term[]} change
 * @returns {boolean} whether this device stores it
 */
export function changeWords(store, session, change) {
  const pair = pairOf(store.get().model);
  // Another tab may have changed the stored list.
  const lists = readAll();
  const terms = change(stores ? (lists[pair] ?? []) : store.get().terms);
  setTerms(store, terms);
  session.again();
  try {
    localStorage.setItem(key(), JSON.stringify({ ...lists, [pair]: terms }));
    stores = true;
  } catch {
    stores = false;
  }
  return stores;
}

/**
 * A list with one more pair, the newest first; a word has one translation.
 * @param {P.Term[]} terms
 * @param {P.Term} term
 * @returns {P.Term[]} the same list where the pair says nothing
 */
export function withWord(terms, term) {
  const [source, target] = [term.source, term.target].map((text) => text.trim().replace(/\s+/g, ' ').slice(0, LONGEST));
  if (!source || !target) return terms;
  return [{ source, target }, ...terms.filter((other) => other.source.toLowerCase() !== source.toLowerCase())].slice(0, MOST);
}

/**
 * A list without the pair of a word.
 * @param {P.Term[]} terms
 * @param {string} source
 */
export const withoutWord = (terms, source) => terms.filter((term) => term.source !== source);

/**
 * Has every model translate with the list of its languages, as this tab or another one stored it.
 * @param {Store} store
 * @param {Pick<DocumentControl, 'again'>} session
 */
export function applyWords(store, session) {
  let pair = '';
  store.watch(['model'], ({ model, terms: before }) => {
    if (pairOf(model) === pair) return;
    pair = pairOf(model);
    const terms = readAll()[pair] ?? [];
    if (terms.length + before.length === 0) return;
    setTerms(store, terms);
    session.again();
  });
  addEventListener('storage', (event) => {
    // Without a key: all was cleared.
    if (event.key !== key() && event.key !== null) return;
    setTerms(store, readAll()[pair] ?? []);
    session.again();
  });
}
