/** The menu by which a view is saved: pictures as PNG or SVG, numbers as CSV or JSON; one for every view. */

/** @import { Savable } from './save.js' */
import { el, rove } from './dom.js';
import { dropdown } from './dropdown.js';

/**
 * A *Save* button with its menu.
 * @param {() => Savable|null} what called when the menu opens; null where there is nothing to save
 * @param {string} [id]
 */
export function saveMenu(what, id) {
  const button = el('button', { type: 'button', id, class: 'save', text: 'Save', 'aria-haspopup': 'menu', 'aria-expanded': 'false' });
  const menu = el('div', { class: 'menu compact', role: 'menu', hidden: true });
  const anchor = el('div', { class: 'menu-anchor' }, button, menu);
  const items = () => /** @type {HTMLElement[]} */ ([...menu.children]);
  rove(menu, items, 'down');
  const close = dropdown(button, menu, async () => {
    const { choicesOf } = await import('./save.js');
    const savable = what();
    const choices = savable ? choicesOf(savable) : [];
    const pick = (/** @type {() => void} */ act) => () => {
      close();
      act();
    };
    menu.replaceChildren(
      ...(choices.length > 0 ? choices : [{ text: 'Nothing to save yet', act: () => {} }]).map(({ text, act }) =>
        el('button', { type: 'button', role: 'menuitem', class: 'plain', tabindex: '-1', text, onclick: pick(act) }),
      ),
    );
  });
  return anchor;
}
