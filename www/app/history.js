/** The history of translations: off until the reader switches it on, on this device, cleared at once. */

/** @import { Store } from './store.js' */
/** @import { ModelInfo } from '../engine/protocol' */
import { wholeText } from './select.js';

/** @typedef {{ source: string, target: string, languages: string, at: number }} Entry `at`: milliseconds since 1970 */

/** Sites below other paths of the same host have histories of their own. */
const key = () => `translucent.history ${location.pathname}`;

/** Most translations, and the longest text that is kept. */
const MOST = 100;
export const LONGEST = 5000;
/** Milliseconds for which a text stands unchanged before it is kept. */
const PAUSE = 1500;

/** The languages of a model, as an entry names them. @param {Pick<ModelInfo, 'sourceLanguage'|'targetLanguage'>} model */
export const languagesOf = ({ sourceLanguage, targetLanguage }) => `${sourceLanguage} → ${targetLanguage}`;

/** @returns {Entry[]|null} the newest first; null: no history is kept */
export function readHistory() {
  try {
    const stored = JSON.parse(localStorage.getItem(key()) ?? 'null');
    return Array.isArray(stored) ? stored.filter((entry) => typeof entry?.source === 'string' && typeof entry?.target === 'string') : null;
  } catch {
    return null;
  }
}

/** @param {Entry[]|null} entries null: no history is kept, and what was kept is gone */
export function writeHistory(entries) {
  try {
    if (entries === null) localStorage.removeItem(key());
    else localStorage.setItem(key(), JSON.stringify(entries));
  } catch {
    // Without storage, or room in it, nothing is kept.
  }
}

/**
 * A history with one more translation. A text that was typed on, or corrected at its end, replaces what it began as.
 * @param {Entry[]} entries
 * @param {Entry} entry
 * @param {string|null} begun the text that this one was typed on from
 */
export function withEntry(entries, entry, begun) {
  return [entry, ...entries.filter(({ source, languages }) => languages !== entry.languages || (source !== entry.source && source !== begun))].slice(0, MOST);
}

/**
 * Keeps translations while the history is on.
 * @param {Store} store
 * @param {() => string | null} example the text that the page began with, which no reader typed
 */
export function keepHistory(store, example) {
  let timer = 0;
  /** The text that was kept last and is being typed on. @type {string|null} */
  let begun = null;
  const keep = () => {
    const state = store.get();
    const { doc, text, model, failure } = state;
    const entries = readHistory();
    if (!entries || !model || failure?.retry === 'translate' || doc.running || doc.recorded || doc.text !== text || text.trim() === '' || text.length > LONGEST) return;
    // Another text may begin with the same letters: only one that keeps more than half is a correction.
    const typedOn = begun !== null && (text.startsWith(begun) || (begun.startsWith(text) && 2 * text.length > begun.length));
    writeHistory(withEntry(entries, { source: text, target: wholeText(state), languages: languagesOf(model), at: Date.now() }, typedOn ? begun : null));
    begun = text;
  };
  store.watch(['doc', 'text'], ({ doc, text }) => {
    clearTimeout(timer);
    if (text.trim() === '') begun = null;
    if (!doc.running && text !== example() && readHistory()) timer = window.setTimeout(keep, PAUSE);
  });
  addEventListener('pagehide', () => store.get().text !== example() && keep());
}
