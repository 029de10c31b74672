/** The heads of the shown layer as a row of buttons: one to be shown, or several for the line view, each with its hue. */

/** @import { State } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
import { stackOf } from '../../app/maps.js';
import { roleOf } from '../../app/roles.js';
import { el, rove, setAttribute, setProperty } from '../../ui/dom.js';
import { holdHead, preview } from '../../app/hold.js';
import { headHues } from '../../draw/ink.js';
import { sameHead, shownHead } from '../../app/select.js';
import { setBundle, showOneHead } from '../../app/settings.js';

/** @param {Store} store */
export function headBar(store) {
  const node = el('div', { class: 'head-bar', role: 'group' });
  /** @type {HTMLButtonElement[]} */
  let buttons = [];
  rove(node, () => buttons);

  const several = (/** @type {State} */ state) => state.form === 'lines' && state.heads === 'all';
  const refOf = (/** @type {number} */ head) => ({ ...shownHead({ ...store.get(), preview: { ...store.get().preview, head: null } }), head });

  /** @param {number} head takes the head's lines in, or leaves them out */
  function toggle(head) {
    const all = buttons.map((_, i) => i);
    const bundle = store.get().bundle ?? all;
    const next = bundle.includes(head) ? bundle.filter((h) => h !== head) : [...bundle, head].sort((a, b) => a - b);
    setBundle(store, next.length === all.length || next.length === 0 ? null : next);
  }

  /** @param {number} head shows this head alone */
  function alone(head) {
    showOneHead(store);
    const ref = refOf(head);
    if (!sameHead(store.get().held.head, ref)) holdHead(store, ref);
  }

  function build(/** @type {number} */ count) {
    buttons = Array.from({ length: count }, (_, head) =>
      el('button', {
        type: 'button',
        text: String(head + 1),
        tabindex: head === 0 ? '0' : '-1',
        data: { bar: head },
        onclick: () => (several(store.get()) ? toggle(head) : alone(head)),
        ondblclick: () => alone(head),
        onpointerenter: (/** @type {PointerEvent} */ event) => {
          if (event.pointerType !== 'touch' && !several(store.get())) preview(store, { head: refOf(head) });
        },
        onpointerleave: () => preview(store, null),
      }),
    );
    node.replaceChildren(el('span', { class: 'bar-name', text: 'heads' }), ...buttons);
  }

  store.watch(['model', 'observation', 'held', 'preview', 'layers', 'form', 'heads', 'bundle', 'redraw'], (state) => {
    const count = state.model ? stackOf(state.model.config, shownHead(state).kind).nHeads : 0;
    setProperty(node, 'hidden', !state.observation || count === 0 || state.heads === 'mean' || state.heads === 'layers');
    if (node.hidden) return;
    if (buttons.length !== count) build(count);
    const many = several(state);
    const shown = shownHead(state);
    const hues = many ? headHues(count) : [];
    node.classList.toggle('hued', many);
    setAttribute(node, 'aria-label', many ? 'Heads whose lines are drawn; double-click for one alone' : 'Head that is shown');
    buttons.forEach((button, head) => {
      const on = many ? (state.bundle?.includes(head) ?? true) : head === shown.head;
      const role = roleOf(state.model, { ...shown, head })?.role;
      setAttribute(button, 'aria-pressed', String(on));
      setAttribute(button, 'aria-label', `Head ${head + 1}${role ? `, ${role}` : ''}`);
      setAttribute(button, 'title', `${role ? `${role} head` : `head ${head + 1}`}${many ? '; double-click: this one alone' : ''}`);
      if (many) button.style.setProperty('--hue', hues[head]);
    });
  });
  return node;
}
