/** Sizing canvases in device pixels, so that a cell's edge falls on a pixel's edge. */

/**
 * Gives a canvas whole pixels for every column of a block, and leaves scaling to the browser: a block with
 * more columns than the screen has pixels would else show stripes that are not in it.
 * @param {HTMLCanvasElement} canvas
 * @param {number} cols
 * @param {number} width in CSS pixels
 * @param {number} height
 */
export function fitColumns(canvas, cols, width, height) {
  const ratio = Math.max(1, window.devicePixelRatio || 1);
  const whole = Math.max(1, Math.ceil((width * ratio) / cols)) * cols;
  const h = Math.max(1, Math.round(height * ratio));
  if (canvas.width !== whole || canvas.height !== h) {
    canvas.width = whole;
    canvas.height = h;
  }
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const ctx = canvas.getContext('2d');
  if (!ctx) throw new Error('this browser gives no 2d canvas');
  return { ctx, w: whole, h };
}

/**
 * Gives a canvas this size in CSS pixels and returns its context and scale.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 */
export function fit(canvas, width, height) {
  const ratio = Math.max(1, window.devicePixelRatio || 1);
  const w = Math.max(1, Math.round(width * ratio));
  const h = Math.max(1, Math.round(height * ratio));
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const ctx = canvas.getContext('2d');
  if (!ctx) throw new Error('this browser gives no 2d canvas');
  return { ctx, ratio, w, h };
}
