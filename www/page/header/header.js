/** The page's head: theme, Share, offline; and the changes of look after which canvases are drawn again. */

/** @import { Store } from '../../app/store.js' */
import { byId, icon, setText } from '../../ui/dom.js';
import { forgetInks } from '../../draw/ink.js';
import { writeFragment } from '../../app/fragment.js';
import { redrawAll, setOffline, setTheme } from '../../app/settings.js';
import { sayMissing } from '../../ui/part.js';

/** @type {Record<import('../../app/state.js').State['theme'], import('../../app/state.js').State['theme']>} */
const NEXT = { auto: 'light', light: 'dark', dark: 'auto' };
const THEME_NAMES = { auto: 'as the system', light: 'light', dark: 'dark' };
const ICONS = {
  auto: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zm0 1.6v9.8a4.9 4.9 0 0 1 0-9.8z',
  light: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM7.3 1h1.4v2.4H7.3zM7.3 12.6h1.4V15H7.3zM1 7.3h2.4v1.4H1zM12.6 7.3H15v1.4h-2.4zM2.5 3.5l1-1 1.7 1.7-1 1zM10.8 11.8l1-1 1.7 1.7-1 1zM2.5 12.5l1.7-1.7 1 1-1.7 1.7zM10.8 4.2l1.7-1.7 1 1-1.7 1.7z',
  dark: 'M6.2 1.8a6.3 6.3 0 1 0 8 8A5.4 5.4 0 0 1 6.2 1.8z',
};

/** @param {Store} store */
export function mountPage(store) {
  const relook = () => {
    forgetInks();
    redrawAll(store);
  };
  const theme = byId('theme');
  theme.addEventListener('click', () => setTheme(store, NEXT[store.get().theme]));
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const forced = matchMedia('(forced-colors: active)');
  const paint = () => {
    const { theme: chosen } = store.get();
    // Forced colours are the system's: the canvases, which draw their own, fit them only in the system's theme.
    document.documentElement.dataset.theme = chosen === 'auto' || forced.matches ? (dark.matches ? 'dark' : 'light') : chosen;
    relook();
  };
  for (const query of [dark, forced]) query.addEventListener('change', paint);
  store.watch(['theme'], ({ theme: chosen }) => {
    theme.replaceChildren(icon(ICONS[chosen]));
    theme.setAttribute('aria-label', `Theme: ${THEME_NAMES[chosen]}; press for ${THEME_NAMES[NEXT[chosen]]}`);
    theme.title = `Theme: ${THEME_NAMES[chosen]}`;
    paint();
  });
  watchPixelRatio(relook);
  mountPlain(store, relook);
  addEventListener('beforeprint', () => {
    for (const part of [byId('stage'), byId('inspector')]) part.style.setProperty('--screen-width', String(part.offsetWidth));
  });

  // Not a link: the fragment belongs to the settings.
  byId('skip').addEventListener('click', () => byId('source').focus());

  store.watch(['layout', 'presented'], ({ layout, presented }) => {
    Object.assign(document.documentElement.dataset, { layout, presented });
    relook();
  });

  byId('save-page').addEventListener('click', () => import('./page-file.js').then(({ savePage }) => savePage(store.get()), sayMissing));

  const share = byId('share');
  share.addEventListener('click', async () => {
    const state = store.get();
    const link = `${location.origin}${location.pathname}#${writeFragment(state, state.text)}`;
    try {
      await navigator.clipboard.writeText(link);
      setText(share, 'Link with your text copied');
    } catch {
      // Without permission the link goes where it can be copied by hand.
      history.replaceState(history.state, '', link);
      setText(share, 'The address bar now holds your text');
    }
    setTimeout(() => setText(share, 'Share'), 2400);
  });

  addEventListener('online', () => setOffline(store, false));
  addEventListener('offline', () => setOffline(store, true));
}

/**
 * The layout for those who only translate: two buttons in the head, the figure folded away. The choice is remembered.
 * @param {Store} store
 * @param {() => void} relook
 */
function mountPlain(store, relook) {
  const root = document.documentElement;
  const button = byId('plain');
  const more = byId('more');
  const menu = (/** @type {boolean} */ open) => more.setAttribute('aria-expanded', String(open));
  const show = (/** @type {boolean} */ plain) => {
    root.toggleAttribute('data-plain', plain);
    setText(button, plain ? 'Show the model' : 'Only translate');
    menu(false);
    relook();
  };
  show(root.hasAttribute('data-plain'));
  button.addEventListener('click', () => {
    const plain = !root.hasAttribute('data-plain');
    show(plain);
    try {
      localStorage.setItem(`translucent.plain ${location.pathname}`, plain ? 'yes' : 'no');
    } catch {
      // Without storage the choice holds for this visit.
    }
  });
  more.addEventListener('click', () => menu(more.getAttribute('aria-expanded') !== 'true'));
  addEventListener('pointerdown', ({ target }) => byId('more-menu').contains(/** @type {Node} */ (target)) || target === more || menu(false));
  byId('more-menu').addEventListener('click', () => menu(false));
  byId('more-menu').addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    menu(false);
    more.focus();
  });
  // Scenes speak of what the figure shows.
  store.watch(['lesson'], ({ lesson }) => lesson && root.hasAttribute('data-plain') && show(false));
}

/**
 * Calls back whenever the device pixel ratio changes (zoom, another screen).
 * @param {() => void} changed
 */
function watchPixelRatio(changed) {
  matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener(
    'change',
    () => {
      changed();
      watchPixelRatio(changed);
    },
    { once: true },
  );
}
