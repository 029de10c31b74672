/** My words as a dialog: pairs of a word and its translation, added and removed. Loaded when first opened. */

/** @import { Store } from '../../app/store.js' */
/** @import { DocumentControl } from '../../app/document.js' */
/** @import * as P from '../../engine/protocol' */
import { byId, el, setText } from '../../ui/dom.js';
import { languageName } from '../../app/language.js';
import { changeWords, withWord, withoutWord } from '../../app/words.js';

/** @type {ReturnType<typeof create>|undefined} */
let made;

/**
 * @param {Store} store
 * @param {Pick<DocumentControl, 'again'>} session
 */
export const wordsDialog = (store, session) => (made ??= create(store, session));

/**
 * @param {Store} store
 * @param {Pick<DocumentControl, 'again'>} session
 */
function create(store, session) {
  const dialog = /** @type {HTMLDialogElement} */ (byId('words'));
  const says = el('p', { class: 'quiet' });
  const note = el('p', { role: 'status', class: 'quiet' });
  const list = el('ul', { class: 'model-list', id: 'words-list' });
  const source = el('input', { type: 'text', class: 'line-field', id: 'words-source', autocomplete: 'off', maxlength: 60, required: true });
  const target = el('input', { type: 'text', class: 'line-field', id: 'words-target', autocomplete: 'off', maxlength: 60, required: true });
  const names = [el('span'), el('span')];
  const form = el('form', { class: 'word-form' }, el('label', {}, names[0], source), el('label', {}, names[1], target), el('button', { type: 'submit', id: 'words-add', text: 'Add' }));
  dialog.append(
    el('header', {}, el('h2', { id: 'words-title', text: 'My words' }), el('button', { type: 'button', class: 'square', id: 'words-close', 'aria-label': 'Close', text: '✕', onclick: () => dialog.close() })),
    says,
    form,
    note,
    list,
  );
  const apply = (/** @type {(terms: P.Term[]) => P.Term[]} */ change) => {
    setText(note, changeWords(store, session, change) ? '' : 'This browser stores nothing: the words hold until you leave the page.');
    show();
  };
  const show = () => {
    const { model, terms } = store.get();
    const [from, to] = [languageName(model?.sourceLanguage ?? '') || 'the source', languageName(model?.targetLanguage ?? '') || 'the translation'];
    setText(says, `Where a text holds the word in ${from}, its translation holds yours. The model may add an ending. The list stays on this device.`);
    setText(names[0], from);
    setText(names[1], to);
    source.lang = model?.sourceLanguage ?? '';
    target.lang = model?.targetLanguage ?? '';
    list.replaceChildren(
      ...terms.map((term) =>
        el('li', {},
          el('span', { class: 'word-pair' }, el('b', { lang: source.lang, text: term.source }), ' → ', el('b', { lang: target.lang, text: term.target })),
          el('button', { type: 'button', class: 'plain', text: 'Remove', 'aria-label': `Remove ${term.source}`, onclick: () => { apply((all) => withoutWord(all, term.source)); source.focus(); } }),
        ),
      ),
    );
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    apply((all) => withWord(all, { source: source.value, target: target.value }));
    form.reset();
    source.focus();
  });
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  store.watch(['terms', 'model'], () => dialog.open && show());
  return {
    open() {
      show();
      if (!dialog.open) dialog.showModal();
    },
    /** Adds a pair. @param {P.Term} term */
    add: (term) => apply((all) => withWord(all, term)),
  };
}
