/** The history of translations as a dialog: switched on and off, looked through, cleared at once. Loaded when first opened. */

/** @import { Store } from '../../app/store.js' */
/** @import { DocumentControl } from '../../app/document.js' */
import { byId, el, setText } from '../../ui/dom.js';
import { readHistory, writeHistory } from '../../app/history.js';

/** @type {ReturnType<typeof create>|undefined} */
let made;

/**
 * @param {Store} store
 * @param {Pick<DocumentControl, 'typed'>} session
 */
export const historyDialog = (store, session) => (made ??= create(store, session));

/**
 * @param {Store} store
 * @param {Pick<DocumentControl, 'typed'>} session
 */
function create(store, session) {
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
  const show = () => {
    const entries = readHistory();
    keep.checked = entries !== null;
    clear.hidden = !entries?.length;
    setText(says, !entries ? 'Off: nothing is kept. Switching it off again deletes what was kept.' : entries.length === 0 ? 'What you translate from now on is listed here.' : `${entries.length} kept, on this device only.`);
    list.replaceChildren(
      ...(entries ?? []).map(({ source, target, languages, at }) => {
        const use = () => {
          session.typed(source);
          dialog.close();
        };
        return el('li', {},
          el('button', { type: 'button', class: 'plain history-entry', onclick: use },
            el('span', { class: 'history-source', text: source.length > 160 ? `${source.slice(0, 160)}…` : source }),
            el('span', { class: 'history-target', text: target.length > 160 ? `${target.slice(0, 160)}…` : target }),
            el('small', { text: `${languages} · ${new Date(at).toLocaleString()}` }),
          ),
        );
      }),
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
