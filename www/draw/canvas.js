/** Sizing canvases in device pixels, so that a cell's edge falls on a pixel's edge. */

/** Device pixels per CSS pixel. */
export const pixelRatio = () => Math.max(1, window.devicePixelRatio || 1);

/**
 * Device pixels for a block of columns, as many for each: scaling is left to the browser, as a block with more
 * columns than the screen has pixels would else show stripes that are not in it.
 * @param {number} cols
 * @param {number} width in CSS pixels
 */
export const wholeColumns = (cols, width) => Math.max(1, Math.ceil((width * pixelRatio()) / Math.max(1, cols))) * Math.max(1, cols);

/**
 * Gives a canvas whole pixels for every column of a block.
 * @param {HTMLCanvasElement} canvas
 * @param {number} cols
 * @param {number} width in CSS pixels
 * @param {number} height
 */
export function fitColumns(canvas, cols, width, height) {
  const whole = wholeColumns(cols, width);
  const h = Math.max(1, Math.round(height * pixelRatio()));
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
  const ratio = pixelRatio();
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

/** @type {CanvasRenderingContext2D|null} */
let rulerContext = null;

/** What texts are measured with; nothing is drawn on it. */
export function ruler() {
  rulerContext ??= /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d'));
  return rulerContext;
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
  const ratio = pixelRatio();
  const w = Math.max(1, Math.round(width * ratio));
  const h = Math.max(1, Math.round(height * ratio));
  handOver(canvas, w, h, (ctx) => draw(ctx, ratio, { w, h }));
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
}

/**
 * Shows an image at a place of its own, as large as it is wanted there: making every pixel of it large is the browser's
 * work, and it does that while this thread is free.
 * @param {HTMLCanvasElement} canvas never drawn on in another way
 * @param {ImageData} image
 * @param {{left: number, top: number, width: number, height: number}} place in CSS pixels
 */
export function showImage(canvas, image, { left, top, width, height }) {
  handOver(canvas, image.width, image.height, (ctx) => ctx.putImageData(image, 0, 0));
  Object.assign(canvas.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {number} w in device pixels
 * @param {number} h
 * @param {(ctx: CanvasRenderingContext2D) => void} draw
 */
function handOver(canvas, w, h, draw) {
  sheet ??= new OffscreenCanvas(w, h);
  // Also makes it empty.
  Object.assign(sheet, { width: w, height: h });
  // The same methods; only what belongs to the DOM is missing.
  const ctx = /** @type {CanvasRenderingContext2D|null} */ (/** @type {unknown} */ (sheet.getContext('2d')));
  const shown = canvas.getContext('bitmaprenderer');
  if (!ctx || !shown) throw new Error('this browser gives no canvas');
  draw(ctx);
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  shown.transferFromImageBitmap(sheet.transferToImageBitmap());
}

/** @param {HTMLCanvasElement} canvas whose still picture is taken away */
export function clearStill(canvas) {
  canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(null);
}
