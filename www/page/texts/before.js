/** The reader's text, when a scene, an example, a link or the history put another in its place: one button brings it back. */

/** @import { Store } from '../../app/store.js' */
import { byId } from '../../ui/dom.js';

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
  /** @type {string[]} the last one first */
  let kept = [];
  /** @type {string|null} what the reader made of the field last */
  let typed = null;
  let shown = store.get().text;
  let own = shown !== example();

  // Before the field's own listener, which changes the store.
  area.addEventListener('input', () => (typed = area.value), { capture: true });
  button.addEventListener('click', () => replace(kept[0]));
  store.watch(['text'], ({ text }) => {
    if (text === shown) return;
    const before = shown;
    shown = text;
    if (text !== typed && own && before.trim() !== '') kept = [before, ...kept];
    own = text === typed;
    kept = kept.filter((one, i) => one !== text && kept.indexOf(one) === i).slice(0, MOST);
    button.hidden = kept.length === 0;
    button.title = kept.length === 0 ? '' : excerpt(kept[0]);
  });
}

/** @param {string} text its beginning, on one line */
function excerpt(text) {
  const line = text.slice(0, 100).replace(/\s+/g, ' ').trim();
  return text.length > 100 ? `${line}…` : line;
}
