/** The menu by which a view is saved: pictures as PNG or SVG, numbers as CSV or JSON; one for every view. */

import { el, rove } from './dom.js';
import { dropdown } from './dropdown.js';

/**
 * A picture: layers drawn over each other, each by a function that draws in CSS pixels after
 * `setTransform(ratio, 0, 0, ratio, 0, 0)`.
 * @typedef {object} Picture
 * @property {number} width in CSS pixels
 * @property {number} height
 * @property {((ctx: CanvasRenderingContext2D, ratio: number) => void)[]} layers
 */

/**
 * Numbers with names for their rows and columns; `data` is row-major.
 * @typedef {object} Numbers
 * @property {string[]} rows
 * @property {string[]} cols
 * @property {ArrayLike<number>} data
 * @property {Record<string, unknown>} about what the numbers are: goes into the JSON file
 */

/**
 * @typedef {object} Savable
 * @property {string} name of the file, without its ending
 * @property {Picture} [picture]
 * @property {Numbers} [numbers]
 */

/**
 * A *Save* button with its menu.
 * @param {() => Savable|null} what called when the menu opens; null where there is nothing to save
 * @param {string} [id]
 */
export function saveMenu(what, id) {
  const button = el('button', { type: 'button', id, class: 'save', text: 'Save', 'aria-haspopup': 'menu', 'aria-expanded': 'false' });
  const menu = el('div', { class: 'menu compact', role: 'menu', hidden: true });
  const anchor = el('div', { class: 'menu-anchor' }, button, menu);
  const items = () => /** @type {HTMLElement[]} */ ([...menu.children]);
  rove(menu, items, 'down');
  const close = dropdown(button, menu, () => {
    const savable = what();
    const choices = savable ? choicesOf(savable) : [];
    const pick = (/** @type {() => void} */ act) => () => {
      close();
      act();
    };
    menu.replaceChildren(
      ...(choices.length > 0 ? choices : [{ text: 'Nothing to save yet', act: () => {} }]).map(({ text, act }) =>
        el('button', { type: 'button', role: 'menuitem', class: 'plain', tabindex: '-1', text, onclick: pick(act) }),
      ),
    );
  });
  return anchor;
}

/**
 * @param {Savable} savable
 * @returns {{text: string, act: () => void}[]}
 */
function choicesOf({ name, picture, numbers }) {
  const choices = [];
  if (picture) {
    choices.push({ text: 'Picture, PNG', act: save(`${name}.png`, '', ({ png }) => png(picture)) });
    choices.push({ text: 'Picture, SVG', act: save(`${name}.svg`, 'image/svg+xml', ({ svgText }) => svgText(picture)) });
  }
  if (numbers) {
    choices.push({ text: 'Numbers, CSV', act: save(`${name}.csv`, 'text/csv', ({ csv }) => csv(numbers)) });
    choices.push({ text: 'Numbers, JSON', act: save(`${name}.json`, 'application/json', ({ json }) => json(numbers)) });
  }
  return choices;
}

/**
 * @param {string} name of the file
 * @param {string} type of a content that is text
 * @param {(made: typeof import('./save.js')) => string | Promise<Blob>} make
 */
function save(name, type, make) {
  return async () => {
    const made = await import('./save.js');
    const content = await make(made);
    made.download(name, content instanceof Blob ? content : new Blob([content], { type }));
  };
}
