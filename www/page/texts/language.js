/** The heading over the translation: its language, and where models for several ship, the switch to another. */

/** @import { State } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
/** @import { Switching } from '../../app/models.js' */
import { byId, el, icon, setText } from '../../ui/dom.js';
import { languageName } from '../../app/language.js';
import { comingLanguage } from '../../app/models.js';
import { megabytes } from '../../ui/numbers.js';

/** The entry that opens the list of known models. */
const MORE = 'more';

/**
 * @param {Store} store
 * @param {Switching} switching
 */
export function mountLanguage(store, switching) {
  const name = el('span', { class: 'language', text: byId('target-language').textContent });
  // The list lies over the name, invisible: the name sets its width, the options hold more.
  const select = el('select', { id: 'language', 'aria-label': 'Translate into' });
  select.addEventListener('change', () => {
    if (select.value !== MORE) return switching.to(select.value);
    select.value = store.get().pendingModel ?? presentOf(store.get());
    byId('models-button').click();
  });
  const caret = icon('M2.5 5h11L8 12z');
  byId('target-language').replaceChildren(name, caret, select);

  store.watch(['model', 'address', 'pendingModel', 'shipped'], (state) => {
    const { model, shipped } = state;
    const several = shipped.length > 1;
    const heading = byId('target-language');
    heading.classList.toggle('switch', several);
    heading.classList.toggle('coming', comingLanguage(state) !== '');
    select.hidden = !several;
    caret.toggleAttribute('hidden', !several);
    if (model) setText(name, [languageName(model.targetLanguage) || 'Translation', comingLanguage(state)].filter(Boolean).join(' → '));
    // A screen reader reads the list, so the name is hidden from it.
    if (several) name.setAttribute('aria-hidden', 'true');
    else name.removeAttribute('aria-hidden');
    if (!several) return;
    const options = optionsOf(state);
    const key = JSON.stringify(options);
    if (select.dataset.key !== key) {
      select.dataset.key = key;
      select.replaceChildren(...options.map(({ value, text }) => el('option', { value, text })), el('option', { value: MORE, text: 'More languages…' }));
    }
    select.value = options.find(({ value }) => value === state.pendingModel)?.value ?? presentOf(state);
  });
}

/**
 * The address of the model whose translation is shown: before any has arrived, of the one that made the recorded example.
 * @param {State} state
 */
function presentOf({ address, model, shipped }) {
  return address ?? shipped.find(({ target }) => target === model?.targetLanguage)?.address ?? shipped[0].address;
}

/**
 * @param {State} state
 * @returns {{value: string, text: string}[]}
 */
function optionsOf(state) {
  const { model, address, shipped } = state;
  const present = presentOf(state);
  const options = shipped.map(({ address: value, name, source, target, bytes, stored }) => {
    const namesakes = shipped.filter((other) => other.target === target && other.source === source).length > 1;
    const where = value === present ? '' : stored ? 'on this device' : megabytes(bytes);
    const from = model && source !== model.sourceLanguage ? `${languageName(target)} from ${languageName(source)}` : languageName(target);
    return { value, text: [from, namesakes && name, where].filter(Boolean).join(' · ') };
  });
  // A model that the reader added is listed while it translates.
  if (!address || !model || shipped.some((one) => one.address === address)) return options;
  return [...options, { value: address, text: [languageName(model.targetLanguage), model.name].filter(Boolean).join(' · ') }];
}
