/** What a reload brings back: the text, those in whose place it was put, and the place in a list of scenes, in this tab's session storage, never in the address. */

/** @import { State } from './state.js' */
/** @import { Store } from './store.js' */

/**
 * @typedef {object} BeforeReload
 * @property {string} text empty: the page begins with its example
 * @property {string[]} textsBefore
 * @property {string|null} lessonSource
 * @property {number} scene
 */

/** Sites below other paths of the same host have a place of their own. */
const key = () => `translucent.reload ${location.pathname}`;

/** Milliseconds without a change before the text is written: a page that crashes loses no more than that. */
const PAUSE = 500;

/** @returns {BeforeReload|null} null: a new visit, or no session storage */
export function readBeforeReload() {
  try {
    const stored = JSON.parse(sessionStorage.getItem(key()) ?? 'null');
    if (typeof stored?.text !== 'string') return null;
    const { text, textsBefore, lessonSource, scene } = stored;
    const texts = Array.isArray(textsBefore) ? textsBefore.filter((one) => typeof one === 'string') : [];
    return { text, textsBefore: texts, lessonSource: typeof lessonSource === 'string' ? lessonSource : null, scene: Number.isInteger(scene) && scene >= 0 ? scene : 0 };
  } catch {
    return null;
  }
}

/**
 * Writes what a reload brings back, whenever it has changed.
 * @param {Store} store
 * @param {() => string|null} example the text that the page began with by itself: it is not stored
 */
export function storeForReload(store, example) {
  let timer = 0;
  const write = () => {
    clearTimeout(timer);
    const { text: shown, textsBefore, lesson, lessonSource, scene } = store.get();
    const text = shown === example() && !lesson ? '' : shown;
    try {
      if (text === '' && textsBefore.length === 0) sessionStorage.removeItem(key());
      else sessionStorage.setItem(key(), JSON.stringify({ text, textsBefore, lessonSource: lesson && lessonSource, scene }));
    } catch {
      // Without storage, or for a text that it has no room for, a reload begins anew.
    }
  };
  /** @type {unknown[]} */
  let before = [];
  store.watch(['text', 'textsBefore', 'lesson', 'scene'], (/** @type {State} */ { text, textsBefore, lesson, scene }) => {
    const now = [text, textsBefore, lesson, scene];
    const first = before.length === 0;
    if (now.every((value, i) => value === before[i])) return;
    before = now;
    clearTimeout(timer);
    if (!first) timer = window.setTimeout(write, PAUSE);
  });
  addEventListener('pagehide', write);
}
