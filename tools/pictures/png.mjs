// A screenshot as a PNG of 256 colours: a page has few more, and the file is a third as large.

import { deflateSync } from 'node:zlib';
import { crc32 } from '../../www/ui/zip.js';

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];

/**
 * @param {import('puppeteer-core').Page} page which reads the picture: a browser knows how
 * @param {string} picture base64 of a PNG
 * @returns {Promise<Buffer>}
 */
export async function fewColours(page, picture) {
  const { width, height, palette, pixels } = await page.evaluate(paletted, picture);
  const rows = Buffer.from(pixels, 'base64');
  // Every row begins with its filter: none.
  const filtered = Buffer.concat(Array.from({ length: height }, (_, y) => Buffer.concat([Buffer.from([0]), rows.subarray(y * width, (y + 1) * width)])));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits for each pixel, which are an index of the palette.
  header.set([8, 3, 0, 0, 0], 8);
  const chunks = [chunk('IHDR', header), chunk('PLTE', Buffer.from(palette)), chunk('IDAT', deflateSync(filtered, { level: 9 })), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from(SIGNATURE), ...(await Promise.all(chunks))]);
}

/**
 * @param {string} name
 * @param {Buffer} data
 */
async function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(await crc32(new Blob([body])), 4);
  return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)]);
}

/**
 * In the page: the picture's most frequent colours, and for every pixel the nearest of them.
 * @param {string} picture
 */
async function paletted(picture) {
  const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const { width, height } = bitmap;
  const ctx = new OffscreenCanvas(width, height).getContext('2d');
  ctx.drawImage(bitmap, 0, 0);
  const colours = new Uint32Array(ctx.getImageData(0, 0, width, height).data.buffer);
  const rgb = (/** @type {number} */ colour) => [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255];
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const frequent = [...counts].sort((a, b) => b[1] - a[1]);
  // The most frequent, but none that is hardly told from one before it.
  /** @type {number[][]} */
  const palette = [];
  const distance = (/** @type {number[]} */ a, /** @type {number[]} */ b) => (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
  for (const [colour] of frequent) {
    if (palette.length === 256) break;
    const one = rgb(colour);
    if (palette.every((other) => distance(one, other) >= 60)) palette.push(one);
  }
  /** @type {Map<number, number>} */
  const nearest = new Map();
  for (const [colour] of frequent) {
    const one = rgb(colour);
    let best = 0;
    palette.forEach((other, i) => {
      if (distance(one, other) < distance(one, palette[best])) best = i;
    });
    nearest.set(colour, best);
  }
  const out = Uint8Array.from(colours, (colour) => nearest.get(colour) ?? 0);
  let text = '';
  for (let i = 0; i < out.length; i += 8192) text += String.fromCharCode(...out.subarray(i, i + 8192));
  return { width, height, palette: palette.flat(), pixels: btoa(text) };
}
