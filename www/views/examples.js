/** Three sentences, each chosen because a head does something worth seeing in its translation. */

import { byId, el } from '../dom.js';

/** @type {{text: string, see: string}[]} */
export const EXAMPLES = [
  { text: 'The animal did not cross the street because it was too tired.', see: 'what “it” reads' },
  { text: 'A man in a red shirt is playing the guitar in the park.', see: 'words that stand alike' },
  { text: 'I did not know that you could speak German.', see: 'verbs that change places' },
];

/**
 * @param {(text: string) => void} choose
 */
export function examplesList(choose) {
  return el(
    'ul',
    { class: 'examples' },
    ...EXAMPLES.map(({ text, see }) =>
      el('li', {}, el('button', { type: 'button', onclick: () => choose(text) }, el('span', { lang: 'en', text }), el('small', { text: see }))),
    ),
  );
}

/**
 * The menu in the page's head.
 * @param {(text: string) => void} choose
 */
export function mountExamplesMenu(choose) {
  const button = byId('examples-button');
  const menu = byId('examples-menu');
  const open = (/** @type {boolean} */ yes) => {
    menu.hidden = !yes;
    button.setAttribute('aria-expanded', String(yes));
  };
  menu.append(
    examplesList((text) => {
      open(false);
      button.focus();
      choose(text);
    }),
  );
  button.addEventListener('click', () => open(menu.hasAttribute('hidden')));
  document.addEventListener('pointerdown', (event) => {
    if (!menu.hidden && !button.parentElement?.contains(/** @type {Node} */ (event.target))) open(false);
  });
  button.parentElement?.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || menu.hidden) return;
    open(false);
    button.focus();
  });
  button.parentElement?.addEventListener('focusout', (event) => {
    const to = /** @type {Node|null} */ (event.relatedTarget);
    if (to && !button.parentElement?.contains(to)) open(false);
  });
}
