/** A menu under a button: opened by it, closed by Escape, by a press outside, and when the focus leaves. */

import { setAttribute } from './dom.js';

/** Distance from the edge of the window, in px. */
const EDGE = 8;

/**
 * Moves a menu that reaches beyond the left edge of the window back into it.
 * @param {HTMLElement} menu
 */
function keepInside(menu) {
  menu.style.translate = '';
  const { left } = menu.getBoundingClientRect();
  if (left < EDGE) menu.style.translate = `${EDGE - left}px`;
}

/**
 * @param {HTMLElement} button
 * @param {HTMLElement} menu beside the button in a `.menu-anchor`, hidden
 * @param {() => void|Promise<void>} fill makes the menu's buttons, each time it opens
 * @returns {() => void} closes the menu and gives the button the focus
 */
export function dropdown(button, menu, fill) {
  const anchor = /** @type {HTMLElement} */ (menu.parentElement);
  const show = (/** @type {boolean} */ open) => {
    menu.hidden = !open;
    if (open) keepInside(menu);
    setAttribute(button, 'aria-expanded', String(open));
  };
  const close = () => {
    if (menu.contains(document.activeElement)) button.focus();
    show(false);
  };
  button.addEventListener('click', async () => {
    if (!menu.hidden) return show(false);
    await fill();
    show(true);
    menu.querySelector('button')?.focus();
  });
  anchor.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || menu.hidden) return;
    // The menu's own Escape: what is held stays held.
    event.stopPropagation();
    close();
  });
  const leave = (/** @type {EventTarget|null} */ to) => {
    if (!menu.hidden && to && !anchor.contains(/** @type {Node} */ (to))) show(false);
  };
  anchor.addEventListener('focusout', (event) => leave(event.relatedTarget));
  document.addEventListener('pointerdown', (event) => leave(event.target));
  return close;
}
