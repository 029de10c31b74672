/** The settings of the next run: a select for each, with what it means and why its default is what it is. */

/** @import { Settings } from './protocol' */
import { el, setText } from '../../ui/dom.js';
import { math, prose } from '../../ui/math.js';
import { KINDS, NUMBERS } from './choices.js';

/** @param {(change: Partial<Settings>) => void} onchange */
export function settingsForm(onchange) {
  const why = el('p', { class: 'readout learning-why', id: 'learning-why' });
  const explain = (/** @type {string} */ text) => {
    if (why.dataset.says === text) return;
    why.dataset.says = text;
    why.replaceChildren(...prose(text));
  };
  /** @type {Map<string, HTMLSelectElement>} */
  const selects = new Map();
  const field = (/** @type {string} */ key, /** @type {string} */ name, /** @type {[string, string][]} */ values, /** @type {string} */ text, /** @type {(value: string) => any} */ read) => {
    const id = `learning-${key}`;
    const select = el('select', { id, 'aria-describedby': why.id, onchange: () => onchange({ [key]: read(select.value) }), onfocus: () => explain(text) }, ...values.map(([value, label]) => el('option', { value, text: label })));
    selects.set(key, select);
    return el('div', { class: 'learning-setting', onpointerenter: () => explain(text) }, el('label', { for: id }, name.includes('_') ? math(name) : name), select);
  };
  const fields = [
    ...NUMBERS.map(({ key, name, values, why: text }) =>
      field(key, name, values.map((value) => [String(value), key === 'neighbourhood' && value === 0 ? 'unrestricted' : String(value)]), text, (value) => (key === 'neighbourhood' && value === '0' ? null : Number(value))),
    ),
    ...KINDS.map(({ key, name, values, why: text }) => field(key, name, values, text, (value) => value)),
  ];
  const memory = el('p', { class: 'readout', id: 'learning-memory' });
  const fault = el('p', { class: 'intervened', role: 'alert', id: 'learning-fault', hidden: true });
  const node = el('section', { class: 'learning-settings', 'aria-label': 'Settings of the next run' }, el('h3', { class: 'sub', text: 'Settings' }), el('div', { class: 'learning-grid' }, ...fields), why, memory, fault);
  explain('Choose a setting to read what it means.');
  return {
    node,
    /** @param {Settings} settings */
    show(settings) {
      for (const [key, select] of selects) {
        const value = String(/** @type {any} */ (settings)[key] ?? 0);
        // A stored run may have a value that is not among the choices.
        if (![...select.options].some((option) => option.value === value)) select.append(el('option', { value, text: value }));
        select.value = value;
      }
    },
    /** @param {string} text */
    showMemory: (text) => setText(memory, text),
    /** @param {string} text empty: the settings fit together */
    showFault(text) {
      fault.hidden = text === '';
      setText(fault, text);
    },
  };
}
