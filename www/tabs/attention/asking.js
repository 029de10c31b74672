/** What is asked of a piece: what it reads, or what it depends on. */

/** @import { Store } from '../../app/store.js' */
import { segmented } from '../../ui/dom.js';
import { once, sayMissing } from '../../ui/part.js';

/**
 * @param {HTMLElement} panel of the tab
 * @param {HTMLElement} box for the choice
 * @param {Store} store
 */
export function mountAsking(panel, box, store) {
  /** The choice may have changed again when the code of its view arrives. */
  let asked = 'reads';
  /** @type {ReturnType<typeof import('./depends.js').dependsView> | null} */
  let depends = null;
  const withDepends = once(async () => {
    depends = (await import('./depends.js')).dependsView(store);
    panel.append(depends.node);
  });
  const ask = (/** @type {string} */ value) => {
    asked = value;
    choice.show(value);
  };
  const choice = segmented(
    'What is asked of a piece',
    [
      { value: 'reads', text: 'reads' },
      { value: 'depends', text: 'depends on', title: 'what the prediction would change with: gradients, and leaving pieces out' },
    ],
    async (value) => {
      ask(value);
      try {
        if (value === 'depends') await withDepends();
      } catch (error) {
        ask('reads');
        sayMissing(error);
      }
      panel.classList.toggle('depending', asked === 'depends');
      depends?.show(asked === 'depends');
    },
  );
  ask('reads');
  box.append(choice.node);
}
