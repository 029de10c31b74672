/** The inspector: a button and a panel for each tab, which is loaded when it is first opened; on small screens a sheet over the page. */

/** @import { TabContext, TabEntry } from '../../tabs/list.js' */
import { byId, el } from '../../ui/dom.js';
import { free, squareOf } from '../../app/hold.js';
import { openTab } from '../../app/settings.js';
import { moveFocus } from '../../ui/focus.js';
import { styled } from '../../ui/styled.js';

/**
 * Where the row of tabs is too long for its room, it scrolls to the chosen one; the page stays where it is.
 * @param {HTMLElement} button
 */
function inRow(button) {
  const row = /** @type {HTMLElement} */ (button.parentElement);
  row.scrollLeft = button.offsetLeft - row.offsetLeft - (row.clientWidth - button.offsetWidth) / 2;
}

/**
 * @param {TabEntry[]} tabs
 * @param {TabContext} context
 */
export function mountInspector(tabs, context) {
  const { store } = context;
  const zone = byId('inspector');
  const open = (/** @type {number} */ i) => openTab(store, tabs[i].id);
  const buttons = tabs.map(({ id, title }, i) =>
    el('button', { type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': `panel-${id}`, text: title, onclick: () => open(i) }),
  );
  const panels = tabs.map(({ id }) => el('div', { role: 'tabpanel', id: `panel-${id}`, 'aria-labelledby': `tab-${id}`, hidden: true }));
  byId('tab-list').append(...buttons);
  zone.append(...panels);
  byId('tab-list').addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    if (step === 0 || at < 0) return;
    event.preventDefault();
    const next = (at + step + tabs.length) % tabs.length;
    open(next);
    buttons[next].focus();
  });
  byId('sheet-close').addEventListener('click', () => {
    moveFocus(squareOf(store.get().held.head), zone);
    free(store);
  });

  /** @type {Set<string>} */
  const loaded = new Set();
  store.watch(['tab'], ({ tab }) => {
    // The focus does not go with a panel that is hidden.
    const left = panels.find((panel, i) => tabs[i].id !== tab && panel.contains(document.activeElement));
    tabs.forEach((entry, i) => {
      const chosen = entry.id === tab;
      buttons[i].setAttribute('aria-selected', String(chosen));
      buttons[i].tabIndex = chosen ? 0 : -1;
      panels[i].hidden = !chosen;
      if (!chosen) return;
      inRow(buttons[i]);
      if (left) buttons[i].focus();
      if (loaded.has(tab)) return;
      loaded.add(tab);
      load(entry, panels[i], context).catch((error) => {
        // The next opening tries again.
        loaded.delete(tab);
        panels[i].replaceChildren(el('p', { class: 'says', text: `This tab could not be loaded: ${error instanceof Error ? error.message : error}. Reload the page to try again.` }));
      });
    });
  });
  // Presented, it has a place of its own.
  store.watch(['inspectorOpen', 'layout'], ({ inspectorOpen, layout }) => {
    zone.classList.toggle('sheet', inspectorOpen && layout !== 'present');
  });
}

/**
 * Mounts a tab once its module and its style sheet are there, so that it never appears without its style.
 * @param {TabEntry} entry
 * @param {HTMLElement} panel
 * @param {TabContext} context
 */
async function load({ style, load }, panel, context) {
  panel.setAttribute('aria-busy', 'true');
  const [module] = await Promise.all([load(), styled(style)]).finally(() => panel.removeAttribute('aria-busy'));
  panel.replaceChildren();
  module.mount(panel, context);
}
