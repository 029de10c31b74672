/** The glossary: terms on the page that explain themselves on hover and focus, and the list of them all. */

/** @import { Store } from '../../app/store.js' */
import { byId, el } from '../../ui/dom.js';
import { GLOSSARY } from './terms.js';
import { math, prose } from '../../ui/math.js';
import { hideTip, showTip } from '../../ui/tip.js';

/** @param {Store} store */
export function mountGlossary(store) {
  const list = el('dl', { class: 'glossary-list' });
  const box = el('details', { class: 'glossary', id: 'glossary' }, el('summary', { text: 'Glossary: the paper’s terms and symbols' }), list);
  byId('glossary-room').append(box);
  const values = Object.entries(GLOSSARY).map(([id, { name, section, means, here }]) => {
    const value = el('span', { class: 'glossary-value' });
    list.append(
      el('dt', { id: `glossary-${id}`, tabindex: '-1' }, math(name), section && el('small', { text: section })),
      el('dd', {}, ...prose(means), ' ', value),
    );
    return { value, here };
  });
  store.watch(['model'], ({ model }) => {
    if (model) for (const { value, here } of values) value.replaceChildren(...(here ? ['In this model: ', math(here(model.config)), '.'] : []));
  });

  const termOf = (/** @type {Event} */ event) => {
    const node = event.target instanceof Element ? event.target.closest('.term') : null;
    return node instanceof HTMLElement ? node : null;
  };
  const explain = (/** @type {Event} */ event) => {
    const node = termOf(event);
    const entry = node && GLOSSARY[String(node.dataset.term)];
    if (!node || !entry) return;
    const text = `${entry.means} ${entry.section}`.trim();
    showTip(node, text);
    byId('tip').replaceChildren(...prose(text));
  };
  const leave = (/** @type {Event} */ event) => {
    if (termOf(event)) hideTip();
  };
  for (const type of ['pointerover', 'focusin']) document.addEventListener(type, explain);
  for (const type of ['pointerout', 'focusout']) document.addEventListener(type, leave);
  document.addEventListener('click', (event) => {
    const node = termOf(event);
    if (!node) return;
    hideTip();
    box.open = true;
    byId(`glossary-${node.dataset.term}`).focus();
  });
}
