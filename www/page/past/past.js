/** The history of translations as a dialog: switched on and off, looked through, cleared at once. Loaded when first opened. */

/** @import { Store } from '../../app/store.js' */
/** @import { DocumentControl } from '../../app/document.js' */
import { byId, el, setText } from '../../ui/dom.js';
import { readPast, writePast } from '../../app/past.js';

/** @type {ReturnType<typeof create>|undefined} */
let made;

/**
 * @param {Store} store
 * @param {Pick<DocumentControl, 'typed'>} session
 */
export const pastDialog = (store, session) => (made ??= create(store, session));

/**
 * @param {Store} store
 * @param {Pick<DocumentControl, 'typed'>} session
 */
function create(store, session) {
  const dialog = /** @type {HTMLDialogElement} */ (byId('past'));
  const list = el('ul', { class: 'model-list past-list', id: 'past-list' });
  const keep = el('input', { type: 'checkbox', id: 'past-keep' });
  const says = el('p', { class: 'quiet', role: 'status' });
  const clear = el('button', { type: 'button', id: 'past-clear', text: 'Clear all' });
  dialog.append(
    el('header', {}, el('h2', { id: 'past-title', text: 'History' }), el('button', { type: 'button', class: 'square', id: 'past-close', 'aria-label': 'Close', text: '✕', onclick: () => dialog.close() })),
    el('div', { class: 'settings' }, el('label', { class: 'model-int8' }, keep, el('span', { text: 'Keep my translations on this device' })), clear),
    says,
    list,
  );
  const show = () => {
    const entries = readPast();
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
          el('button', { type: 'button', class: 'plain past-entry', onclick: use },
            el('span', { class: 'past-source', text: source.length > 160 ? `${source.slice(0, 160)}…` : source }),
            el('span', { class: 'past-target', text: target.length > 160 ? `${target.slice(0, 160)}…` : target }),
            el('small', { text: `${languages} · ${new Date(at).toLocaleString()}` }),
          ),
        );
      }),
    );
  };
  keep.addEventListener('change', () => {
    writePast(keep.checked ? [] : null);
    show();
  });
  clear.addEventListener('click', () => {
    writePast([]);
    show();
    byId('past-close').focus();
  });
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  return {
    open() {
      show();
      if (!dialog.open) dialog.showModal();
    },
  };
}
