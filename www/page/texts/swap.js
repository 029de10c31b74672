/** ⇄ and its offer: the other direction, where a model for it ships. */

/** @import { Store } from '../../app/store.js' */
/** @import { Switching } from '../../app/models.js' */
import { byId, setText } from '../../ui/dom.js';
import { languageName } from '../../app/language.js';
import { directionTo } from '../../app/models.js';
import { createSlot } from '../../app/requests.js';
import { wholeText } from '../../app/select.js';

/** Characters by which a text's language is known. */
const LOOKED_AT = 4000;

/**
 * @typedef {object} SwapActions
 * @property {(text: string) => void} replace puts a text into the source field, as typing does
 * @property {(options: {text: string, signal: AbortSignal}) => Promise<{language: string|null}>} detectLanguage
 */

/**
 * @param {Store} store
 * @param {Switching} switching
 * @param {SwapActions} actions
 */
export function mountSwap(store, switching, { replace, detectLanguage }) {
  const button = byId('swap');
  const offer = byId('source-switch');
  const detecting = createSlot();
  /** Address of the model that the last swap left: of several for its direction, the next one leads back to it. @type {string|null} */
  let left = null;
  const reverse = () => {
    const { shipped, model } = store.get();
    if (!model) return null;
    const before = shipped.filter(({ address }) => address === left);
    return directionTo(before, model.targetLanguage, model.sourceLanguage) ?? directionTo(shipped, model.targetLanguage, model.sourceLanguage);
  };

  button.addEventListener('click', async ({ detail }) => {
    const { text, address } = store.get();
    const translated = wholeText(store.get());
    const model = reverse();
    if (!model || !(await switching.to(model.address))) return;
    left = address;
    // What was typed in the meantime is not replaced.
    if (translated === '' || store.get().text !== text) return;
    replace(translated);
    // A press of a key: the next one is for ⇄ too.
    if (detail === 0) button.focus();
  });
  offer.addEventListener('click', () => switching.to(offer.dataset.address ?? ''));

  store.watch(['model', 'shipped'], ({ model }) => {
    button.hidden = !reverse();
    if (model) button.title = `Swap: ${languageName(model.targetLanguage)} to ${languageName(model.sourceLanguage)}`;
  });
  store.watch(['text', 'address', 'shipped'], async ({ text, address }) => {
    const signal = detecting.next();
    // Before a model is there, the text waits.
    if (address === null) return;
    const found = text.trim() === '' ? null : await detectLanguage({ text: text.slice(0, LOOKED_AT), signal }).catch(() => null);
    if (!signal.aborted) say(found?.language ?? null);
  });

  /** @param {string|null} language of the text; null: not plain */
  function say(language) {
    const { model, shipped } = store.get();
    const isForeign = language !== null && model !== null && language !== model.sourceLanguage;
    const note = byId('source-foreign');
    offer.hidden = true;
    if (!isForeign) return setText(note, '');
    const other = directionTo(shipped, language, model.sourceLanguage) ?? directionTo(shipped, language, model.targetLanguage);
    offer.hidden = other === null;
    offer.dataset.address = other?.address ?? '';
    setText(offer, `Translate from ${languageName(language)}`);
    const reads = languageName(model.sourceLanguage);
    setText(note, `This looks like ${languageName(language)}.${other || !reads ? '' : ` The model reads ${reads}.`}`);
  }
}
