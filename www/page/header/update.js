/** Offers the new version of the page that the service worker has stored. The text survives the reload. */

import { el } from '../../ui/dom.js';

export function mountUpdate() {
  navigator.serviceWorker?.addEventListener('message', ({ data }) => {
    if (data?.type === 'updated') offer();
  });
}

function offer() {
  if (document.getElementById('update')) return;
  const says = el('p', { role: 'status' });
  const note = el(
    'section',
    { class: 'update', id: 'update', 'aria-label': 'Update' },
    says,
    el('button', { type: 'button', id: 'update-reload', text: 'Reload', title: 'Your text stays', onclick: () => location.reload() }),
    el('button', { type: 'button', class: 'plain square', text: '✕', 'aria-label': 'Not now', onclick: () => note.remove() }),
  );
  document.body.append(note);
  // A live region speaks when its words change, not when it appears with them; a page in the background has no frames.
  setTimeout(() => (says.textContent = 'A new version is ready.'), 100);
}
