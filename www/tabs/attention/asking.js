/** What is asked of a piece: what it reads, or what it depends on. */

/** @import { Store } from '../../app/store.js' */
import { segmented } from '../../ui/dom.js';

/**
 * @param {HTMLElement} panel of the tab
 * @param {HTMLElement} box for the choice
 * @param {Store} store
 */
export function mountAsking(panel, box, store) {
  // Its code comes with the first wish.
  /** @type {ReturnType<typeof import('./depends.js').dependsView> | null} */
  let depends = null;
  const choice = segmented(
    'What is asked of a piece',
    [
      { value: 'reads', text: 'reads' },
      { value: 'depends', text: 'depends on', title: 'what the prediction would change with: gradients, and leaving pieces out' },
    ],
    async (value) => {
      choice.show(value);
      const on = value === 'depends';
      if (on && !depends) {
        const { dependsView } = await import('./depends.js');
        if (!depends) panel.append((depends = dependsView(store)).node);
      }
      panel.classList.toggle('depending', on);
      depends?.show(on);
    },
  );
  choice.show('reads');
  box.append(choice.node);
}
