// Sets a chosen theme before the first paint; a classic script, because modules run after it.
(() => {
  const theme = new URLSearchParams(location.hash.slice(1)).get('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
})();
