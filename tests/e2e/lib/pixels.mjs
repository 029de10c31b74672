// What is really drawn: screenshots as numbers.

/**
 * The pixels of a part of the page as they are on the screen.
 * @param {import('puppeteer-core').Page} page
 * @param {{ x: number, y: number, width: number, height: number }} clip in CSS pixels
 * @returns {Promise<{ width: number, height: number, rows: number[], luminance: number[] }>} `rows`: how many pixels of each row
 *   differ from the corner's colour; `luminance` of the distinct colours that cover at least a hundredth, sorted
 */
export async function drawnPixels(page, clip) {
  const shot = await page.screenshot({ clip, encoding: 'base64' });
  return page.evaluate(async (data) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (char) => char.charCodeAt(0))], { type: 'image/png' }));
    const { width, height } = bitmap;
    const ctx = new OffscreenCanvas(width, height).getContext('2d');
    ctx.drawImage(bitmap, 0, 0);
    const words = new Uint32Array(ctx.getImageData(0, 0, width, height).data.buffer);
    const rows = Array.from({ length: height }, (_, y) => words.subarray(y * width, (y + 1) * width).filter((word) => word !== words[0]).length);
    const counts = new Map();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    const linear = (c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
    const luminance = [...counts]
      .filter(([, count]) => count >= words.length / 100)
      .map(([word]) => 0.2126 * linear(word & 255) + 0.7152 * linear((word >> 8) & 255) + 0.0722 * linear((word >> 16) & 255))
      .sort((a, b) => a - b);
    return { width, height, rows, luminance };
  }, shot);
}
