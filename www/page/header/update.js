/** Offers the new version of the page that the service worker has stored. The text survives the reload. */

export function mountUpdate() {
  navigator.serviceWorker?.addEventListener('message', async ({ data }) => {
    if (data?.type !== 'updated') return;
    const { notice } = await import('../../ui/notice.js');
    notice('update', 'A new version is ready.', [{ text: 'Reload', id: 'update-reload', title: 'Your text stays', act: () => location.reload() }]);
  });
}
