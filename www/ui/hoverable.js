/** The page's one rule for pieces: pointing or focus previews, a click (or Enter on a button) holds. */

/**
 * Watches the pieces in a box, those with `data-index`.
 * @param {HTMLElement} box
 * @param {(index: number|null) => void} preview null once none is pointed at
 * @param {(index: number) => void} hold
 */
export function hoverable(box, preview, hold) {
  const indexOf = (/** @type {Event} */ event) => {
    const piece = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest('[data-index]'));
    return piece ? Number(piece.dataset.index) : null;
  };
  for (const type of ['pointerover', 'focusin']) box.addEventListener(type, (event) => preview(indexOf(event)));
  for (const type of ['pointerleave', 'focusout']) box.addEventListener(type, () => preview(null));
  box.addEventListener('click', (event) => {
    const index = indexOf(event);
    if (index !== null) hold(index);
  });
}
