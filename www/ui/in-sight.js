/** What the pointer previews is marked everywhere, but only where somebody sees it: the rest waits until it comes into sight. */

/** @import { State } from '../app/state.js' */
/** @import { Store } from '../app/store.js' */

/** How near to the window something counts as seen, so that scrolling finds it marked. */
const NEAR = '120px';

/**
 * Watches the state for a part of the page; a mere preview reaches it only while it is in sight.
 * @param {Store} store
 * @param {Element} node
 * @param {(keyof State)[]} keys what it always hears of
 * @param {(state: State) => void} view
 */
export function watchInSight(store, node, keys, view) {
  let seen = true;
  let late = false;
  store.watch(keys, view);
  store.watch(['preview'], (state) => {
    if (seen) view(state);
    else late = true;
  });
  new IntersectionObserver(
    (entries) => {
      seen = entries[entries.length - 1].isIntersecting;
      if (!seen || !late) return;
      late = false;
      view(store.get());
    },
    { rootMargin: NEAR },
  ).observe(node);
}
