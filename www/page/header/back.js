/**
 * Entries of the browser's history: Back closes what was opened last (a sheet, a dialog, presenting), returns to the tab
 * that was open before, or to the text in whose place a link put another. The address holds the settings.
 */

/** @import { Link } from '../../app/fragment.js' */
/** @import { Store } from '../../app/store.js' */
import { byId } from '../../ui/dom.js';
import { free } from '../../app/hold.js';
import { readFragment, writeFragment } from '../../app/fragment.js';
import { followFragment, openInspector, openTab, setLayout } from '../../app/settings.js';

/**
 * Something that lies over the page, and that Back closes.
 * @typedef {{ name: string, isOpen: () => boolean, open: () => void, close: () => void }} Layer
 * What an entry says: the layers that were opened, one entry each, the tab, and when the link to its text was followed.
 * @typedef {{ opened: string[], tab: string, followed: number }} Entry
 */

/**
 * @param {Store} store
 * @param {{openLink: (link: Link) => void, play: (text: string) => void}} actions `openLink` shows what an address names beside settings
 */
export function mountBack(store, { openLink, play }) {
  // Beside the figure the inspector is no sheet.
  const narrow = matchMedia('(max-width: 1120px)');
  const dialogs = ['models', 'file', 'words', 'history'].map((id) => /** @type {HTMLDialogElement} */ (byId(id)));
  /** @type {Layer[]} */
  const layers = [
    { name: 'present', isOpen: () => store.get().layout === 'present', open: () => setLayout(store, 'present'), close: () => setLayout(store, 'page') },
    { name: 'sheet', isOpen: () => store.get().inspectorOpen && narrow.matches && store.get().layout === 'page', open: () => openInspector(store, store.get().tab), close: () => free(store) },
    ...dialogs.map((dialog, i) => ({ name: dialog.id, isOpen: () => dialog.open, open: () => byId(['models-button', 'open-file', 'words-button', 'history-button'][i]).click(), close: () => dialog.close() })),
  ];
  /** What was open when the page was: no entry of this page's is closed by closing it. */
  const initial = new Set(layers.filter((layer) => layer.isOpen()).map(({ name }) => name));
  let started = false;
  /** Whether `history.go` is under way: its popstate writes. */
  let leaving = false;
  /** @type {unknown} */
  let place = null;
  /** When the link to the present text was followed, as `Date.now()`; 0: there was none. @type {number} */
  let followed = history.state?.followed ?? 0;
  /** Text that was left by a link, by Back or by Forward. @type {Map<number, string>} */
  const texts = new Map();

  /** @returns {string[]} in the order in which they were opened */
  function openLayers(/** @type {string[]} */ before) {
    for (const { name, isOpen } of layers) if (!isOpen()) initial.delete(name);
    const open = layers.filter(({ name, isOpen }) => isOpen() && !initial.has(name)).map(({ name }) => name);
    return [...before.filter((name) => open.includes(name)), ...open.filter((name) => !before.includes(name))];
  }

  /** @param {boolean} [only] whether the present entry is written, and no other */
  function write(only = false) {
    if (leaving) return;
    const state = store.get();
    const fragment = writeFragment(state);
    const address = fragment ? `#${fragment}` : location.pathname + location.search;
    /** @type {Entry} */
    const before = (started && history.state) || { opened: [], tab: state.tab, followed };
    started = true;
    const opened = openLayers(before.opened);
    // Scenes bring their own tab: a step of a tour is no entry.
    const scene = state.lesson && `${state.lessonSource} ${state.scene}`;
    const stepped = scene !== place;
    place = scene;
    const closed = before.opened.filter((name) => !opened.includes(name)).length;
    const tab = state.tab;
    if (closed > 0 && !only) {
      leaving = true;
      history.go(-closed);
    } else if (only || (opened.length === before.opened.length && (tab === before.tab || stepped || opened.length > 0))) {
      history.replaceState({ opened, tab, followed }, '', address);
    } else if (opened.length === before.opened.length) {
      history.pushState({ opened, tab, followed }, '', address);
    } else {
      for (let count = before.opened.length + 1; count <= opened.length; count++) history.pushState({ opened: opened.slice(0, count), tab, followed }, '', address);
    }
  }

  /** Leaves the present text for that of another entry. */
  function leaveText(/** @type {number} */ other) {
    texts.set(followed, store.get().text);
    followed = other;
  }

  addEventListener('popstate', ({ state: entry }) => {
    if (leaving) {
      leaving = false;
      write(true);
    } else if (entry) {
      for (const { name, isOpen, open, close } of layers) {
        const wanted = entry.opened.includes(name);
        if (wanted && !isOpen()) open();
        else if (!wanted && isOpen() && !initial.has(name)) close();
      }
      if (entry.tab !== store.get().tab) openTab(store, entry.tab);
      if (entry.followed !== followed) {
        leaveText(entry.followed);
        // A reload forgets them: the text stays as it is then.
        const text = texts.get(followed);
        if (text !== undefined) play(text);
      }
      write(true);
    }
  });
  // What closes moves the focus, and the page with it: the browser must not scroll back. A reload still may.
  history.scrollRestoration = 'manual';
  addEventListener('pagehide', () => (history.scrollRestoration = 'auto'));
  addEventListener('pageshow', () => (history.scrollRestoration = 'manual'));
  // An address that the reader changed by hand, or a link to this very page, is an entry without a state.
  addEventListener('hashchange', () => {
    if (history.state) return;
    const { settings, link } = readFragment(location.hash);
    followFragment(store, settings);
    if (link.text !== null) leaveText(Date.now());
    openLink(link);
    write(true);
  });
  for (const dialog of dialogs) new MutationObserver(() => write()).observe(dialog, { attributeFilter: ['open'] });
  store.watch(['tab', 'steerView', 'beam', 'alpha', 'temperature', 'topK', 'topP', 'seed', 'mode', 'form', 'heads', 'measure', 'unit', 'specialTokens', 'scale', 'theme', 'allLayers', 'layout', 'inspectorOpen', 'lesson', 'scene', 'learning', 'presented', 'arithmeticStep'], () => write());
}
