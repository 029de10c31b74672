/** Reads the translation aloud, where the browser has a voice on this device for its language. */

/** @import { Store } from '../../app/store.js' */
import { byId, el, setText } from '../../ui/dom.js';
import { wholeText } from '../../app/select.js';

/** @param {Store} store */
export function mountSpeak(store) {
  const speech = globalThis.speechSynthesis;
  if (!speech) return;
  const button = el('button', { type: 'button', class: 'plain', id: 'speak', text: 'Speak', hidden: true, onclick: () => (speech.speaking ? speech.cancel() : speak()) });
  byId('copy').before(button);
  // A voice of a server would be given the text.
  const voiceOf = (/** @type {string} */ language) => speech.getVoices().find(({ lang, localService }) => localService && lang.toLowerCase().split(/[-_]/)[0] === language);
  const idle = () => setText(button, 'Speak');
  function speak() {
    const language = store.get().model?.targetLanguage ?? '';
    const said = new SpeechSynthesisUtterance(wholeText(store.get()));
    said.lang = language;
    said.voice = voiceOf(language) ?? null;
    said.onend = said.onerror = idle;
    setText(button, 'Stop');
    speech.speak(said);
  }
  const show = () => {
    const { model, doc, text } = store.get();
    button.hidden = !model || !voiceOf(model.targetLanguage) || doc.text !== text || !doc.outputs.some((output) => output.text.trim() !== '');
  };
  store.watch(['model', 'doc', 'text'], show);
  // Browsers find their voices by and by.
  speech.addEventListener?.('voiceschanged', show);
  addEventListener('pagehide', () => speech.cancel());
}
