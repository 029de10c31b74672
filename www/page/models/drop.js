/** Files that are dropped anywhere on the page: a document to translate, or a model. */

import { sayMissing } from '../../ui/part.js';

/** @param {import('./dropped.js').Dialogs} dialogs that take them */
export function watchDrops(dialogs) {
  const over = (/** @type {boolean} */ yes) => document.body.classList.toggle('dropping', yes);
  // Coming to another element, the browser asks with `dragenter` alone.
  for (const type of /** @type {const} */ (['dragenter', 'dragover'])) {
    addEventListener(type, (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      over(true);
    });
  }
  addEventListener('dragleave', (event) => event.relatedTarget === null && over(false));
  addEventListener('drop', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    over(false);
    // Afterwards the browser forgets the items.
    const entries = [...event.dataTransfer.items].filter((item) => item.kind === 'file').map((item) => item.webkitGetAsEntry());
    import('./dropped.js').then(({ give }) => give(entries, dialogs)).catch(sayMissing);
  });
}
