/** Style sheets of views that are loaded when they are first opened. */

import { el } from './dom.js';

/** @param {URL} address of a style sheet; a view stands without it rather than not at all */
export function styled(address) {
  return new Promise((done) => {
    document.head.append(el('link', { rel: 'stylesheet', href: address.href, onload: done, onerror: done }));
  });
}
