/** Training view: the loss of every piece as a bar, all at once; the true pieces are given, none is waited for (§3.1, §5.4). */

/** @import { Store } from '../state.js' */
import { el, rove, setAttribute, setText } from '../dom.js';
import { holdToken, preview } from '../act.js';
import { pieceLabel, shownStep } from '../select.js';

/**
 * @param {Store} store
 * @param {HTMLElement} box
 */
export function mountLosses(store, box) {
  const list = el('ol', { class: 'loss-bars', 'aria-label': 'Loss of each piece; arrow keys move, Enter holds' });
  const title = el('p', { class: 'part' });
  const node = el('div', { class: 'losses', id: 'losses', hidden: true }, list, title);
  box.append(node);
  const buttons = () => /** @type {HTMLElement[]} */ ([...list.querySelectorAll('button')]);
  rove(list, buttons);
  const indexOf = (/** @type {Event} */ event) => {
    const bar = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest('button'));
    return bar ? Number(bar.dataset.index) : null;
  };
  const point = (/** @type {Event} */ event) => {
    const index = indexOf(event);
    preview(store, index === null ? null : { token: { side: 'target', index } });
  };
  const leave = () => preview(store, null);
  for (const type of ['pointerover', 'focusin']) list.addEventListener(type, point);
  for (const type of ['pointerleave', 'focusout']) list.addEventListener(type, leave);
  list.addEventListener('click', (event) => {
    const index = indexOf(event);
    if (index !== null) holdToken(store, { side: 'target', index });
  });

  /** @type {import('../state.js').State['scored']} */
  let drawn = null;
  store.watch(['mode', 'scored', 'observation'], ({ mode, scored, observation }) => {
    const now = scored && scored.of === observation ? scored : null;
    node.hidden = mode !== 'training';
    if (node.hidden || now === drawn) return;
    drawn = now;
    setText(title, now ? `Loss per piece · mean ${now.loss.toFixed(2)} nats · perplexity ${now.perplexity.toFixed(2)}` : 'Loss per piece');
    // The largest loss fills the height, but a target that is easy throughout should look easy.
    const most = Math.max(4, ...(now?.scores.map(({ loss }) => loss) ?? []));
    const target = now?.of.target ?? [];
    list.replaceChildren(
      ...(now?.scores ?? []).map(({ loss, probability, rank }, index) => {
        const text = `“${pieceLabel(target[index])}”: loss ${loss.toFixed(2)} nats, P = ${probability.toFixed(3)}, rank ${rank}`;
        const bar = el('button', { type: 'button', class: 'loss', tabindex: index === 0 ? '0' : '-1', title: text, 'aria-label': text, data: { index } }, el('span', { class: 'fill' }));
        /** @type {HTMLElement} */ (bar.firstElementChild).style.setProperty('--part', String(loss / most));
        return el('li', {}, bar);
      }),
    );
  });
  store.watch(['mode', 'scored', 'step', 'preview', 'held', 'observation'], (state) => {
    if (state.mode !== 'training') return;
    const step = shownStep(state);
    buttons().forEach((bar, index) => setAttribute(bar, 'aria-pressed', String(index === step)));
  });
}
