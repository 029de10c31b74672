/** Where the focus goes when the element that has it disappears. */

import { onceDrawn } from './dom.js';

/**
 * Moves the focus to the first element that matches, or to `otherwise`, and scrolls it into view once the page is drawn.
 * @param {string|null} selector
 * @param {HTMLElement} otherwise
 */
export function moveFocus(selector, otherwise) {
  const found = selector && document.querySelector(selector);
  const to = found instanceof HTMLElement ? found : otherwise;
  to.focus();
  onceDrawn(() => to.scrollIntoView({ block: 'nearest' }));
}
