/** Making DOM nodes: text only ever enters as text, so nothing a reader types can become markup. */

const SVG = 'http://www.w3.org/2000/svg';

/**
 * @typedef {Record<string, any>} Props `class`, `text`, `data` (an object), `onclick`-like listeners; anything else is an attribute.
 */

/**
 * @param {Element} node
 * @param {Props} props
 */
function apply(node, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'text') node.textContent = value;
    else if (name === 'data') for (const [k, v] of Object.entries(value)) /** @type {any} */ (node).dataset[k] = String(v);
    else if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : String(value));
  }
}

/**
 * An HTML element with properties and children.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Props} [props]
 * @param {...(Node|string|null|undefined|false)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  apply(node, props);
  for (const child of children) if (child) node.append(child);
  return node;
}

/**
 * An SVG element with attributes and children.
 * @param {string} tag
 * @param {Props} [props]
 * @param {...Node} children
 * @returns {SVGElement}
 */
export function svg(tag, props = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  apply(node, props);
  node.append(...children);
  return /** @type {SVGElement} */ (node);
}

/**
 * A 16 × 16 icon drawn with one path.
 * @param {string} path
 * @param {boolean} [filled]
 */
export function icon(path, filled = true) {
  return svg(
    'svg',
    { class: filled ? 'icon' : 'icon line', viewBox: '0 0 16 16', 'aria-hidden': 'true', focusable: 'false' },
    svg('path', { d: path }),
  );
}

/**
 * The element with this id; the page's skeleton is static, so a missing one is a fault of the page.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function byId(id) {
  const node = document.getElementById(id);
  if (!node) throw new Error(`index.html has no element #${id}`);
  return /** @type {T} */ (node);
}

/** @param {() => void} act once what was set in the state is drawn */
export const onceDrawn = (act) => requestAnimationFrame(() => requestAnimationFrame(act));

/**
 * Sets a node's text only where it differs, so that live regions stay quiet and layout is not redone.
 * @param {Element} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Sets a node's classes where they differ: hundreds of pieces are compared with every move of the pointer, few change.
 * @param {Element} node
 * @param {string} classes
 */
export function setClass(node, classes) {
  if (node.className !== classes) node.className = classes;
}

/** @type {WeakMap<HTMLElement, string>} */
const shades = new WeakMap();

/**
 * How strongly a piece is marked (`--w`, −1..1). Written only where it differs: a hundred pieces are
 * marked with every move of the pointer.
 * @param {HTMLElement} node
 * @param {number} weight
 */
export function shade(node, weight) {
  // The root lets small weights be seen; what is next to nothing leaves no mark.
  const size = Math.abs(weight);
  const value = size < 0.03 ? '0' : (Math.sign(weight) * Math.sqrt(size)).toFixed(2);
  if ((shades.get(node) ?? '0') === value) return;
  shades.set(node, value);
  node.style.setProperty('--w', value);
}

/**
 * Sets an attribute where it differs.
 * @param {Element} node
 * @param {string} name
 * @param {string} value
 */
export function setAttribute(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

/**
 * Sets a property (`hidden`, `lang`, `title`) where it differs: even an equal value makes the browser compute the
 * node's style again, with every move of the pointer.
 * @template {HTMLElement} T
 * @template {keyof T} K
 * @param {T} node
 * @param {K} name
 * @param {T[K]} value
 */
export function setProperty(node, name, value) {
  if (node[name] !== value) node[name] = value;
}

/**
 * Marks a button whose press would do nothing just now. It is not `disabled`, which would take the focus from a reader
 * who has just pressed it for the last time.
 * @param {Element} button
 * @param {boolean} idle
 */
export function setIdle(button, idle) {
  setAttribute(button, 'aria-disabled', String(idle));
}

/**
 * A row of buttons of which one is pressed.
 * @param {string} label what the row chooses
 * @param {{value: string, text: string|Node, title?: string}[]} options
 * @param {(value: string) => void} choose
 */
export function segmented(label, options, choose) {
  const buttons = options.map(({ value, text, title }) =>
    el('button', { type: 'button', title, data: { value }, onclick: () => choose(value) }, text),
  );
  const node = el('div', { class: 'segmented', role: 'group', 'aria-label': label }, ...buttons);
  return {
    node,
    /** @param {string} value */
    show(value) {
      for (const button of buttons) setAttribute(button, 'aria-pressed', String(button.dataset.value === value));
    },
    /**
     * @param {string} value
     * @param {boolean} possible
     */
    enable(value, possible) {
      for (const button of buttons) if (button.dataset.value === value) button.disabled = !possible;
    },
  };
}

/**
 * Makes a list of elements one tab stop with arrow keys inside (two arrows, Home/End).
 * @param {HTMLElement} list
 * @param {() => HTMLElement[]} items
 * @param {'across'|'down'} [direction] in which the items follow one another
 */
export function rove(list, items, direction = 'across') {
  const [back, on] = direction === 'across' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
  list.addEventListener('keydown', (event) => {
    const all = items();
    const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    /** @type {Record<string, number>} */
    const jumps = { [on]: at + 1, [back]: at - 1, Home: 0, End: all.length - 1 };
    const to = jumps[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    const next = all[Math.max(0, Math.min(all.length - 1, to))];
    for (const item of all) item.tabIndex = item === next ? 0 : -1;
    next.focus();
  });
}
