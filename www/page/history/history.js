/** The history of translations as a dialog: switched on and off, looked through, cleared at once. Loaded when first opened. */

/** @import { Store } from '../../app/store.js' */
/** @import { DocumentControl } from '../../app/document.js' */
/** @import { Switching } from '../../app/models.js' */
import { byId, el, setText } from '../../ui/dom.js';
import { LONGEST, languagesOf, readHistory, writeHistory } from '../../app/history.js';

/** @type {ReturnType<typeof create>|undefined} */
let made;

/**
 * @param {Store} store
 * @param {Pick<DocumentControl, 'typed'>} session
 * @param {Pick<Switching, 'to'>} switching
 */
export const historyDialog = (store, session, switching) => (made ??= create(store, session, switching));

/**
 * @param {Store} store
 * @param {Pick<DocumentControl, 'typed'>} session
 * @param {Pick<Switching, 'to'>} switching
 */
function create(store, session, switching) {
  const dialog = /** @type {HTMLDialogElement} */ (byId('history'));
  const list = el('ul', { class: 'model-list history-list', id: 'history-list' });
  const keep = el('input', { type: 'checkbox', id: 'history-keep' });
  const says = el('p', { class: 'quiet', role: 'status' });
  const clear = el('button', { type: 'button', id: 'history-clear', text: 'Clear all' });
  dialog.append(
    el('header', {}, el('h2', { id: 'history-title', text: 'History' }), el('button', { type: 'button', class: 'square', id: 'history-close', 'aria-label': 'Close', text: '✕', onclick: () => dialog.close() })),
    el('div', { class: 'settings' }, el('label', { class: 'model-int8' }, keep, el('span', { text: 'Keep my translations on this device' })), clear),
    says,
    list,
  );
  /** Translates an entry's text once more, in its own direction where a model for it ships. @param {string} source @param {string} languages */
  async function use(source, languages) {
    dialog.close();
    const { model, shipped, text } = store.get();
    const other = model && languagesOf(model) !== languages && shipped.find((each) => languagesOf({ sourceLanguage: each.source, targetLanguage: each.target }) === languages);
    if (other && !(await switching.to(other.address))) return;
    // What was typed in the meantime is not replaced.
    if (store.get().text === text) session.typed(source);
  }

  const show = () => {
    const entries = readHistory();
    keep.checked = entries !== null;
    clear.hidden = !entries?.length;
    const kept = entries?.length ? `${entries.length} kept, on this device only.` : 'What you translate from now on is listed here.';
    setText(says, entries ? `${kept} Texts longer than ${LONGEST} characters are not kept.` : 'Off: nothing is kept. Switching it off again deletes what was kept.');
    list.replaceChildren(
      ...(entries ?? []).map(({ source, target, languages, at }) =>
        el('li', {},
          el('button', { type: 'button', class: 'plain history-entry', onclick: () => use(source, languages) },
            el('span', { class: 'history-source', text: source.length > 160 ? `${source.slice(0, 160)}…` : source }),
            el('span', { class: 'history-target', text: target.length > 160 ? `${target.slice(0, 160)}…` : target }),
            el('small', { text: `${languages} · ${new Date(at).toLocaleString()}` }),
          ),
        ),
      ),
    );
  };
  keep.addEventListener('change', () => {
    writeHistory(keep.checked ? [] : null);
    show();
  });
  clear.addEventListener('click', () => {
    writeHistory([]);
    show();
    byId('history-close').focus();
  });
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  return {
    open() {
      show();
      if (!dialog.open) dialog.showModal();
    },
  };
}
