/** Where the pieces of a text lie, measured once for many moves of the pointer. */

/**
 * @param {HTMLElement} box whose pieces lie in it, with the same corner as what the pointer is over
 */
export function createPlaces(box) {
  /** @type {{index: number, left: number, right: number, top: number, bottom: number}[]|null} */
  let places = null;

  const measure = () => {
    const { left, top } = box.getBoundingClientRect();
    return [.../** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll('.piece'))].flatMap((piece) =>
      [...piece.getClientRects()].map((rect) => ({
        index: Number(piece.dataset.index),
        left: rect.left - left,
        right: rect.right - left,
        top: rect.top - top,
        bottom: rect.bottom - top,
      })),
    );
  };

  return {
    /** The text or its width changed. */
    forget() {
      places = null;
    },
    /**
     * The piece at a point of the box; null beside them.
     * @param {number} x
     * @param {number} y
     * @returns {number|null}
     */
    at(x, y) {
      places ??= measure();
      return places.find((place) => x >= place.left && x < place.right && y >= place.top && y < place.bottom)?.index ?? null;
    },
  };
}
