/**
 * What the page in a frame (`#embed`) says to the page around it, and hears from it, by `postMessage`: version 1 of
 * `{ translucent: 1, type, … }`. The size goes to any page. Text and what is held go only to the origin that the frame's address names
 * (`#embed&origin=https://example.org`), and text is taken only from there.
 */

/** @import { Store } from '../../app/store.js' */
/** @import { State } from '../../app/state.js' */
import { wholeText } from '../../app/select.js';

const VERSION = 1;
/** Longer texts are not taken: a page may send anything. */
const MOST_TEXT = 100_000;

/**
 * @param {Store} store
 * @param {{origin: string|null, play: (text: string) => void}} options `origin` as the address names it
 */
export function mountEmbed(store, { origin: named, play }) {
  const origin = named && URL.canParse(named) ? new URL(named).origin : null;
  const send = (/** @type {{type: string, [field: string]: unknown}} */ message, /** @type {string|null} */ to) => {
    if (to && to !== 'null') parent.postMessage({ translucent: VERSION, ...message }, to);
  };
  const main = document.querySelector('main') ?? document.body;
  let height = 0;
  new ResizeObserver(() => {
    const now = Math.ceil(main.getBoundingClientRect().bottom + scrollY);
    if (now === height) return;
    height = now;
    send({ type: 'size', height }, '*');
  }).observe(main);
  store.watch(['held', 'sentence'], ({ held, sentence }) => send({ type: 'held', sentence: sentence + 1, held: fromOne(held) }, origin));
  store.watch(['doc'], ({ doc }) => {
    if (!doc.running && doc.text) send({ type: 'text', text: doc.text, translation: wholeText({ doc }) }, origin);
  });
  addEventListener('message', ({ source, origin: from, data }) => {
    if (source !== parent || from !== origin || data?.translucent !== VERSION) return;
    if (data.type === 'text' && typeof data.text === 'string' && data.text.length <= MOST_TEXT) play(data.text);
  });
}

/**
 * Held items counted from 1, as links and the command have them.
 * @param {State['held']} held
 */
function fromOne({ head, token, cell }) {
  return {
    head: head && { kind: head.kind, layer: head.layer + 1, head: head.head + 1 },
    piece: token && { side: token.side, index: token.index + 1 },
    cell: cell && { row: cell.row + 1, col: cell.col + 1 },
  };
}
