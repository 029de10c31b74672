/** The reader's text, when a scene, an example, a link or the history put another in its place: one button brings it back. */

/** @import { Store } from '../../app/store.js' */
import { byId } from '../../ui/dom.js';
import { setTextsBefore } from '../../app/settings.js';

/** Texts that are kept, the oldest left out. */
const MOST = 20;

/**
 * @param {Store} store
 * @param {{replace: (text: string) => void, example: () => string|null}} options `replace` puts a text into the source field, as typing does;
 *   `example`: the text that the page began with by itself
 */
export function mountTextBefore(store, { replace, example }) {
  const button = byId('text-before');
  const area = /** @type {HTMLTextAreaElement} */ (byId('source'));
  /** @type {string|null} what the reader made of the field last */
  let typed = null;
  let shown = store.get().text;
  /** Whether that is the reader's: typed, or what an empty field began with but for the example. */
  let own = true;
  /** What the reader cleared last. */
  let cleared = '';

  // Before the field's own listener, which changes the store.
  area.addEventListener('input', () => (typed = area.value), { capture: true });
  button.addEventListener('click', () => replace(store.get().textsBefore[0]));
  store.watch(['text'], ({ text, lesson, textsBefore }) => {
    if (text === shown) return;
    const before = own ? shown : '';
    const byReader = text === typed;
    const left = byReader ? '' : before || cleared;
    // A text deleted letter by letter leaves one letter: that is none.
    cleared = byReader && text === '' && before.length > 1 ? before : '';
    own = byReader || (shown === '' && !lesson && text !== example());
    shown = text;
    const kept = [...(left.trim() === '' ? [] : [left]), ...textsBefore].filter((one, i, all) => one !== text && all.indexOf(one) === i);
    setTextsBefore(store, kept.slice(0, MOST));
  });
  store.watch(['textsBefore'], ({ textsBefore: [last] }) => {
    button.hidden = last === undefined;
    button.title = excerpt(last ?? '');
  });
}

/** @param {string} text its beginning, on one line */
function excerpt(text) {
  const line = text.slice(0, 100).replace(/\s+/g, ' ').trim();
  return text.length > 100 ? `${line}…` : line;
}
