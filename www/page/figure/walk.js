/** A walk through Figure 1: one decoding step box by box, each with what it does and its shapes. */

/** @import { Store } from '../../app/store.js' */
import { setPresented, toggleAllLayers } from '../../app/settings.js';
import { byId, el, onceDrawn, setText } from '../../ui/dom.js';
import { prose } from '../../ui/math.js';
import { styled } from '../../ui/styled.js';
import { transport } from '../../ui/transport.js';
import { stopsOf } from './walk-stops.js';

/** How fast a caption is read: words a second, and the time to find the box. */
const WORDS_A_SECOND = 3;
const LOOK_MS = 1500;

/**
 * @param {Store} store
 * @param {HTMLElement} opener the button that begins the walk
 */
export async function mountWalk(store, opener) {
  await styled(new URL('./walk.css', import.meta.url));
  const stage = byId('stage');
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  let at = 0;
  let stops = stopsOf(store.get());
  const title = el('h3', { class: 'walk-title', id: 'walk-title', tabindex: '-1' });
  const says = el('p', { class: 'walk-says', id: 'walk-says' });
  const shapes = el('p', { class: 'walk-shapes', id: 'walk-shapes' });
  const player = transport({
    id: 'walk',
    label: 'Boxes',
    names: { first: 'First box', previous: 'Previous box', next: 'Next box', last: 'Last box' },
    go: (to) => {
      at = to;
      show(true);
    },
    where: () => ({ at, last: stops.length - 1 }),
    pace: () => LOOK_MS + (1000 * `${stops[at].says} ${stops[at].shapes}`.split(' ').length) / WORDS_A_SECOND,
  });
  const close = el('button', { type: 'button', class: 'square', id: 'walk-close', text: '✕', 'aria-label': 'End the walk', onclick: () => end() });
  const node = el(
    'section',
    { class: 'walk', id: 'walk', 'aria-label': 'One step, box by box', hidden: true },
    el('div', { class: 'walk-caption', 'aria-live': 'polite' }, title, says, shapes),
    el('div', { class: 'walk-controls' }, player.node, close),
  );
  const ring = el('div', { class: 'walk-ring' });
  const labels = el('div', { class: 'walk-labels' });
  const overlay = el('div', { class: 'walk-overlay', 'aria-hidden': 'true', hidden: true }, ring, labels);
  stage.append(overlay);

  /** The box of a stop: of several that a selector finds, the one whose number stands behind it. @param {string} selector */
  const boxOf = (selector) => {
    const [own, which = '0'] = selector.split(' >> ');
    return stage.querySelectorAll(own)[Number(which)] ?? null;
  };
  const rect = (/** @type {Element} */ box) => {
    const [origin, own] = [stage.getBoundingClientRect(), box.getBoundingClientRect()];
    return { left: own.left - origin.left, top: own.top - origin.top, width: own.width, height: own.height };
  };
  const place = (/** @type {HTMLElement} */ node, /** @type {Record<string, number>} */ place) => {
    for (const [side, value] of Object.entries(place)) node.style.setProperty(side, `${value}px`);
  };

  /** @param {boolean} moved to another box, which is brought into sight */
  function show(moved) {
    if (node.hidden) return;
    stops = stopsOf(store.get());
    at = Math.min(at, stops.length - 1);
    const stop = stops[at];
    setText(title, `${at + 1}/${stops.length} · ${stop.title}`);
    // What stays the same is not announced again.
    if (says.dataset.text !== stop.says) says.replaceChildren(...prose((says.dataset.text = stop.says)));
    setText(shapes, stop.shapes);
    const box = boxOf(stop.at);
    if (box) {
      const { left, top, width, height } = rect(box);
      place(ring, { left: left - 4, top: top - 4, width: width + 8, height: height + 8 });
      if (moved) box.scrollIntoView({ block: 'center', behavior: still.matches ? 'auto' : 'smooth' });
    }
    labels.replaceChildren(
      ...stops.flatMap(({ at: selector, out }, i) => {
        const own = out && boxOf(selector);
        if (!own) return [];
        const label = el('span', { class: i === at ? 'shape now' : i < at ? 'shape past' : 'shape', text: out });
        const { left, top, width } = rect(own);
        place(label, { left: left + width, top });
        return [label];
      }),
    );
    player.refresh();
  }
  const begin = () => {
    if (store.get().allLayers) toggleAllLayers(store);
    if (store.get().layout === 'present') setPresented(store, 'figure');
    node.hidden = overlay.hidden = false;
    opener.setAttribute('aria-pressed', 'true');
    at = 0;
    settle();
    // Boxes of a layer that was opened just now stand where they belong in the next frame.
    onceDrawn(() => {
      show(true);
      title.focus({ preventScroll: true });
    });
  };
  const end = () => {
    player.stop();
    node.hidden = overlay.hidden = true;
    opener.setAttribute('aria-pressed', 'false');
    // While presenting there is a key in the button's place.
    (opener.checkVisibility() ? opener : byId('scene-title')).focus();
  };
  /** On a projector the caption stands where captions stand. */
  const settle = () => {
    if (store.get().layout === 'present') byId('scenes').prepend(node);
    else byId('steps').after(node);
  };
  node.addEventListener('keydown', (event) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (event.key !== 'Escape' && by === 0) return;
    // Here Esc ends the walk, and nothing else.
    event.stopPropagation();
    event.preventDefault();
    if (by === 0) return end();
    player.stop();
    at = Math.max(0, Math.min(stops.length - 1, at + by));
    show(true);
  });
  store.watch(['layout'], () => {
    settle();
    onceDrawn(() => show(false));
  });
  store.watch(['observation', 'step', 'mode', 'model', 'layers', 'redraw', 'allLayers'], () => onceDrawn(() => show(false)));
  new ResizeObserver(() => show(false)).observe(stage);
  return { toggle: () => (node.hidden ? begin() : end()) };
}
