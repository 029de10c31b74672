/** A slider of a number of the search that stands in the page's state and in its links. */

/** @import { Store } from '../../app/store.js' */
import { RANGES } from '../../app/fragment.js';
import { searchOptions } from '../../app/search.js';
import { setSearch } from '../../app/settings.js';
import { el, setText } from '../../ui/dom.js';

/** @typedef {'beam'|'alpha'|'temperature'|'topK'|'topP'|'seed'} SearchNumber */

/**
 * @param {Store} store
 * @param {SearchNumber} key
 * @param {string} name
 * @param {() => void} changed what follows when the reader has moved it
 * @param {(value: number) => string} [shown] the value in words
 */
export function slider(store, key, name, changed, shown = String) {
  const [min, max, step] = RANGES[key];
  const value = el('output', { class: 'range-value', for: `set-${key}` });
  const input = el('input', {
    type: 'range',
    id: `set-${key}`,
    min: String(min),
    max: String(max),
    step: String(step),
    oninput: () => {
      setSearch(store, key, Number(input.value));
      changed();
    },
  });
  store.watch([key, 'model'], (state) => {
    const { beam, scoring } = searchOptions(state);
    const number = { ...state, beam, alpha: scoring.kind === 'wu' ? scoring.alpha : 0 }[key];
    input.value = String(number);
    setText(value, shown(number));
    input.setAttribute('aria-valuetext', shown(number));
  });
  return el('div', { class: 'setting' }, el('label', { class: 'setting-name', for: `set-${key}`, text: name }), input, value);
}
