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
/** Milliseconds for which ⇄ waits for a translation that is under way. */
const PATIENCE = 1000;

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
  /** Address of the model that was left last by either button: of several for its direction, that one is meant. @type {string|null} */
  let left = null;
  const modelFor = (/** @type {string} */ from, /** @type {string} */ into) => {
    const { shipped } = store.get();
    const before = shipped.filter(({ address }) => address === left);
    return directionTo(before, from, into) ?? directionTo(shipped, from, into);
  };
  const reverse = () => {
    const { model } = store.get();
    return model && modelFor(model.targetLanguage, model.sourceLanguage);
  };

  async function change(/** @type {string} */ to) {
    const { address } = store.get();
    const changed = await switching.to(to);
    if (changed) left = address;
    return changed;
  }

  /** Waits a moment for the translation of what was typed just now. */
  function finished() {
    const whole = () => {
      const { text, doc } = store.get();
      return text.trim() === '' || (doc.text === text && !doc.running);
    };
    return new Promise((/** @type {(done?: void) => void} */ done) => {
      const until = performance.now() + PATIENCE;
      const look = () => (whole() || performance.now() > until ? done() : setTimeout(look, 16));
      look();
    });
  }

  button.addEventListener('click', async ({ detail }) => {
    const { text } = store.get();
    const model = reverse();
    if (!model) return;
    await finished();
    const { doc } = store.get();
    // Half of a translation, or another text's, does not take the text's place.
    const translated = doc.text === text && !doc.running ? wholeText(store.get()) : '';
    if (!(await change(model.address))) return;
    // What was typed in the meantime is not replaced.
    if (translated === '' || store.get().text !== text) return;
    replace(translated);
    // A press of a key: the next one is for ⇄ too.
    if (detail === 0) button.focus();
  });
  offer.addEventListener('click', () => change(offer.dataset.address ?? ''));

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
    const { model } = store.get();
    const isForeign = language !== null && model !== null && language !== model.sourceLanguage;
    const note = byId('source-foreign');
    offer.hidden = true;
    if (!isForeign) return setText(note, '');
    const other = modelFor(language, model.sourceLanguage) ?? modelFor(language, model.targetLanguage);
    offer.hidden = other === null;
    offer.dataset.address = other?.address ?? '';
    setText(offer, `Translate from ${languageName(language)}`);
    const reads = languageName(model.sourceLanguage);
    setText(note, `This looks like ${languageName(language)}.${other || !reads ? '' : ` The model reads ${reads}.`}`);
  }
}
