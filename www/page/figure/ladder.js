/** The ladder of layers 1…N beside a stack: the open one is pressed, any other can be opened. */

/** @import { Store } from '../../app/store.js' */
import { el } from '../../ui/dom.js';
import { openLayer } from '../../app/settings.js';

/**
 * @param {Store} store
 * @param {HTMLElement} box
 * @param {'encoder'|'decoder'} stack
 * @param {number} count
 */
export function ladder(store, box, stack, count) {
  const { layers, allLayers } = store.get();
  const focused = box.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.layer : undefined;
  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', `Layers of the ${stack}; arrow keys move, Enter opens`);
  box.replaceChildren(
    ...Array.from({ length: count }, (_, layer) =>
      el('button', {
        type: 'button',
        class: 'rung',
        text: String(layer + 1),
        title: `Open layer ${layer + 1} of the ${stack}`,
        'aria-label': `Layer ${layer + 1} of the ${stack}`,
        tabindex: layers[stack] === layer ? '0' : '-1',
        'aria-pressed': String(!allLayers && layers[stack] === layer),
        data: { layer, stack },
        onclick: () => openLayer(store, stack, layer),
      }),
    ),
    el('span', { class: 'times', text: `${count}×`, title: `N = ${count} layers`, 'aria-hidden': 'true' }),
  );
  if (focused !== undefined) /** @type {HTMLElement|null} */ (box.querySelector(`[data-layer="${focused}"]`))?.focus();
}
