// Says which colours the style sheet takes, before the first paint: the chosen theme, else the system's. A classic script,
// because modules run after it; `page/header` does the same when a choice or the system changes.
(() => {
  // A sandboxed frame has no origin: modules, workers and storage are closed to it.
  if (self.origin === 'null') document.documentElement.dataset.sandboxed = '';
  const chosen = new URLSearchParams(location.hash.slice(1)).get('theme') ?? '';
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const forced = matchMedia('(forced-colors: active)').matches;
  document.documentElement.dataset.theme = !forced && ['light', 'dark'].includes(chosen) ? chosen : system;
})();
