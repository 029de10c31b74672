/** The inspector: tabs, and on small screens a sheet over the page. */

/** @import { Store } from '../../app/state.js' */
import { byId } from '../../ui/dom.js';
import { letGo } from '../../app/hold.js';
import { TABS } from '../../app/state.js';

/**
 * Where the row of tabs is too long for its room, it scrolls to the chosen one; the page stays where it is.
 * @param {HTMLElement} tab
 */
function inRow(tab) {
  const row = /** @type {HTMLElement} */ (tab.parentElement);
  row.scrollLeft = tab.offsetLeft - row.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
}

/** @param {Store} store */
export function mountInspector(store) {
  const zone = byId('inspector');
  const tabs = TABS.map((name) => byId(`tab-${name}`));
  tabs.forEach((tab, i) => {
    tab.addEventListener('click', () => store.set({ tab: TABS[i] }));
    tab.addEventListener('keydown', (event) => {
      const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
      if (step === 0) return;
      event.preventDefault();
      const next = (i + step + TABS.length) % TABS.length;
      store.set({ tab: TABS[next] });
      tabs[next].focus();
    });
  });
  byId('sheet-close').addEventListener('click', () => letGo(store, zone));

  store.watch(['tab'], ({ tab }) => {
    TABS.forEach((name, i) => {
      const chosen = name === tab;
      tabs[i].setAttribute('aria-selected', String(chosen));
      tabs[i].tabIndex = chosen ? 0 : -1;
      byId(`panel-${name}`).hidden = !chosen;
      if (chosen) inRow(tabs[i]);
    });
  });
  store.watch(['sheet'], ({ sheet }) => {
    zone.classList.toggle('sheet', sheet);
  });
}
