// Where the image of a model lies (`image.js`), for the worker and the page.

/**
 * The file of a folder's image.
 * @param {string} folder
 */
export function fileName(folder) {
  // Names of files are short; whether it is of this folder stands inside.
  let [high, low] = [0x2545f491, 0x811c9dc5];
  for (const byte of new TextEncoder().encode(folder)) {
    low = Math.imul(low ^ byte, 0x01000193);
    high = Math.imul(high ^ byte, 0x85ebca6b) + (low >>> 15);
  }
  return `translucent-${[high, low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')}.image`;
}

/** Where images lie; null where the browser has no such place. */
export const directory = async () => (await globalThis.navigator?.storage?.getDirectory?.().catch(() => undefined)) ?? null;

/**
 * The bytes of a folder's image; 0 where there is none.
 * @param {string} folder
 */
export async function imageBytes(folder) {
  try {
    const handle = await (await directory())?.getFileHandle(fileName(folder));
    return (await handle?.getFile())?.size ?? 0;
  } catch {
    return 0;
  }
}

/**
 * Deletes a folder's image, where there is one.
 * @param {string} folder
 */
export async function deleteImage(folder) {
  await (await directory())?.removeEntry(fileName(folder)).catch(() => {});
}
