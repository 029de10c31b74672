/** Arrow keys that walk over a picture's cells: one tab stop for a whole map, row or column. */

/** Cells that an arrow goes with Shift. */
const STRIDE = 16;

/**
 * @typedef {object} Cursor
 * @property {() => {row: number, col: number}} at −1: nowhere yet
 * @property {() => {rows: number, cols: number}} size
 * @property {(to: {row: number, col: number}) => void} go to a cell that exists
 * @property {() => void} [hold] Enter or space
 * @property {() => boolean} [free] Escape; whether there was something to free
 */

/**
 * @param {HTMLElement} node
 * @param {Cursor} cursor
 */
export function cursorKeys(node, { at, size, go, hold, free }) {
  node.addEventListener('keydown', (event) => {
    const { rows, cols } = size();
    if (rows < 1 || cols < 1 || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Escape') {
      // The picture's own Escape: what is held elsewhere stays held.
      if (free?.()) event.stopPropagation();
      return;
    }
    if (hold && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      hold();
      return;
    }
    const { row, col } = at();
    const by = event.shiftKey ? STRIDE : 1;
    /** @type {Record<string, [number, number]>} */
    const across = { ArrowRight: [row, col + by], ArrowLeft: [row, col - by], Home: [row, 0], End: [row, cols - 1] };
    /** @type {Record<string, [number, number]>} */
    const down = { ArrowDown: [row + by, col], ArrowUp: [row - by, col] };
    const moves = cols === 1 ? { ...down, Home: [0, col], End: [rows - 1, col] } : rows === 1 ? across : { ...across, ...down };
    const to = /** @type {Record<string, [number, number]>} */ (moves)[event.key];
    if (!to) return;
    event.preventDefault();
    const clamp = (/** @type {number} */ v, /** @type {number} */ count) => Math.max(0, Math.min(count - 1, v));
    go({ row: clamp(to[0], rows), col: clamp(to[1], cols) });
  });
}
