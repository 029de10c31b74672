/** Lists of scenes by where they come from: the lists that ship, a list on this device, an address. */

/** @import { Lesson } from './scenes.js' */
import { ownList } from './own-scenes.js';
import { readText } from './read-text.js';
import { parseLesson } from './scene-file.js';
import { isOwn, loadShipped } from './scenes.js';

/** Largest file of scenes that is fetched or opened at all, in bytes. */
export const MOST_BYTES = 8_000_000;

/**
 * The host that a list would be fetched from; nothing where it is this site's or the device's own.
 * @param {string} source
 */
export function foreignHost(source) {
  if (source === 'tour' || source === 'exercises' || isOwn(source)) return '';
  const { origin, host } = new URL(source, location.href);
  return origin === location.origin ? '' : host;
}

/**
 * @param {string} source
 * @returns {Promise<Lesson>}
 */
export async function lessonFrom(source) {
  if (source === 'tour' || source === 'exercises') return loadShipped(source);
  if (isOwn(source)) return ownList(source);
  const address = new URL(source, location.href);
  if (address.protocol !== 'https:' && address.origin !== location.origin) throw new Error('scenes are fetched over https only');
  const response = await fetch(address, { credentials: 'omit', referrerPolicy: 'no-referrer' });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return parseLesson(await readText(response, MOST_BYTES));
}
