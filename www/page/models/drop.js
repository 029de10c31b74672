/** Files that are dropped anywhere on the page: a document to translate, or a model. */

/** @import { Found } from './dropped.js' */

/**
 * @param {object} takers
 * @param {(file: File) => Promise<boolean>} takers.file translates a document, if the file is one
 * @param {(found: Found[]) => void} takers.model
 */
export function watchDrops({ file, model }) {
  const over = (/** @type {boolean} */ yes) => document.body.classList.toggle('dropping', yes);
  addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    over(true);
  });
  addEventListener('dragleave', (event) => event.relatedTarget === null && over(false));
  addEventListener('drop', async (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    over(false);
    // Afterwards the browser forgets the items.
    const entries = [...event.dataTransfer.items].filter((item) => item.kind === 'file').map((item) => item.webkitGetAsEntry());
    const { filesOf } = await import('./dropped.js');
    const found = await filesOf(entries);
    if (found.length !== 1 || !(await file(found[0].file))) model(found);
  });
}
