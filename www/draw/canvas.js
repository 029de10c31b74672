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

/** @type {OffscreenCanvas|null} what still pictures are drawn on, one after another */
let sheet = null;

/**
 * Draws what stays as it is while the pointer moves. A canvas that is drawn on the browser hands to the screen again with
 * every frame in which anything on the page changes; one that shows a finished picture it leaves alone.
 * @param {HTMLCanvasElement} canvas never drawn on in another way
 * @param {number} width in CSS pixels
 * @param {number} height
 * @param {(ctx: CanvasRenderingContext2D, ratio: number, size: {w: number, h: number}) => void} draw on an empty sheet, in device pixels
 */
export function drawStill(canvas, width, height, draw) {
  const ratio = Math.max(1, window.devicePixelRatio || 1);
  const w = Math.max(1, Math.round(width * ratio));
  const h = Math.max(1, Math.round(height * ratio));
  sheet ??= new OffscreenCanvas(w, h);
  // Also makes it empty.
  Object.assign(sheet, { width: w, height: h });
  // The same methods; only what belongs to the DOM is missing.
  const ctx = /** @type {CanvasRenderingContext2D|null} */ (/** @type {unknown} */ (sheet.getContext('2d')));
  const shown = canvas.getContext('bitmaprenderer');
  if (!ctx || !shown) throw new Error('this browser gives no canvas');
  draw(ctx, ratio, { w, h });
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  shown.transferFromImageBitmap(sheet.transferToImageBitmap());
}

/** @param {HTMLCanvasElement} canvas whose still picture is taken away */
export function clearStill(canvas) {
  canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(null);
}
