/** Files that are dropped anywhere on the page: a document to translate, or a model. */

/** @param {import('./dropped.js').Takers} takers */
export function watchDrops(takers) {
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
  addEventListener('drop', async (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    over(false);
    // Afterwards the browser forgets the items.
    const entries = [...event.dataTransfer.items].filter((item) => item.kind === 'file').map((item) => item.webkitGetAsEntry());
    (await import('./dropped.js')).give(entries, takers);
  });
}
