/** A note over the page that offers something: one at a time for each id. */

import { el } from './dom.js';

/**
 * @param {string} id
 * @param {string} text
 * @param {{ text: string, id?: string, title?: string, act: () => void }[]} [actions]
 */
export function notice(id, text, actions = []) {
  document.getElementById(id)?.remove();
  const says = el('p', { role: 'status' });
  const button = (/** @type {typeof actions[number]} */ { text: name, id: own, title, act }) =>
    el('button', {
      type: 'button',
      id: own,
      title,
      text: name,
      onclick: () => {
        note.remove();
        act();
      },
    });
  const note = el(
    'section',
    { class: 'notice', id, 'aria-label': 'Note' },
    says,
    ...actions.map(button),
    el('button', { type: 'button', class: 'plain square', text: '✕', 'aria-label': 'Dismiss', onclick: () => note.remove() }),
  );
  document.body.append(note);
  // A live region speaks when its words change, not when it appears with them; a page in the background has no frames.
  setTimeout(() => (says.textContent = text), 100);
}
