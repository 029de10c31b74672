// Says which colours and which layout the style sheets take, before the first paint: the chosen theme, else the system's. A classic script,
// because modules run after it; `page/header` does the same when a choice or the system changes.
(() => {
  // A sandboxed frame has no origin: modules, workers and storage are closed to it.
  if (self.origin === 'null') document.documentElement.dataset.sandboxed = '';
  const chosen = new URLSearchParams(location.hash.slice(1)).get('theme') ?? '';
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const forced = matchMedia('(forced-colors: active)').matches;
  // The layout for those who only translate: as chosen, else on a phone; a link that names a view shows the whole page.
  let wish = null;
  try {
    wish = localStorage.getItem(`translucent.plain ${location.pathname}`);
  } catch {
    // Without storage the width decides.
  }
  const reloaded = /** @type {PerformanceNavigationTiming | undefined} */ (performance.getEntriesByType('navigation')[0])?.type === 'reload';
  const named = !reloaded && /[#&](tab|scenes|head|piece|cell|step|steer|present|embed)\b/.test(location.hash);
  if (!named && (wish ? wish === 'yes' : innerWidth <= 480)) document.documentElement.dataset.plain = '';
  document.documentElement.dataset.theme = !forced && ['light', 'dark'].includes(chosen) ? chosen : system;
})();
