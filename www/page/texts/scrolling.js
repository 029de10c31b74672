/** Linked scrolling: where the source stands at a sentence, the translation stands at the same one. */

/**
 * @param {HTMLElement} one
 * @param {HTMLElement} other
 */
export function linkScrolling(one, other) {
  /** @type {HTMLElement|null} the side that follows just now, whose own scroll event is no command */
  let follower = null;
  const link = (/** @type {HTMLElement} */ from, /** @type {HTMLElement} */ to) =>
    from.addEventListener('scroll', () => {
      if (follower === from) {
        follower = null;
        return;
      }
      const room = from.scrollHeight - from.clientHeight;
      const part = room > 0 ? from.scrollTop / room : 0;
      const top = Math.round(part * (to.scrollHeight - to.clientHeight));
      if (Math.abs(to.scrollTop - top) < 1) return;
      follower = to;
      to.scrollTop = top;
    });
  link(one, other);
  link(other, one);
}
