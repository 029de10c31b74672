/** Offers the new version of the page that the service worker has stored. The text survives the reload. */

import { notice } from '../../ui/notice.js';

export function mountUpdate() {
  navigator.serviceWorker?.addEventListener('message', ({ data }) => {
    if (data?.type !== 'updated') return;
    notice('update', 'A new version is ready.', [{ text: 'Reload', id: 'update-reload', title: 'Your text stays', act: () => location.reload() }]);
  });
}
