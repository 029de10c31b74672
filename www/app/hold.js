/** What a reader can do: hover previews, click holds, Esc frees; the step t. The same few moves for every view. */

/** @import { Marks, HeadRef, TokenRef, Cell } from './state.js' */
/** @import { Store } from './store.js' */
import { onceDrawn } from '../ui/dom.js';
import { NO_MARKS } from './state.js';
import { sameHead, sameMarks, shownHead, stepCount } from './select.js';

/**
 * @param {Store} store
 * @param {Partial<Marks>|null} marks null: points at nothing any more
 */
export function preview(store, marks) {
  const next = marks ? { ...NO_MARKS, ...marks } : NO_MARKS;
  if (!sameMarks(next, store.get().preview)) store.set({ preview: next });
}

/**
 * Holds a head, or frees it when it was held already.
 * @param {Store} store
 * @param {HeadRef} head
 */
export function holdHead(store, head) {
  const { held } = store.get();
  if (sameHead(held.head, head)) {
    store.set({ held: { ...held, head: null, cell: null }, inspectorOpen: false });
    return;
  }
  const cell = held.head?.kind === head.kind ? held.cell : null;
  // The arithmetic is that of the held head: it is not left for another one.
  const tab = store.get().tab === 'arithmetic' ? 'arithmetic' : 'attention';
  store.set({ held: { ...held, head, cell }, inspectorOpen: true, tab });
}

/**
 * Holds a piece; a target piece sets the step that predicts it.
 * @param {Store} store
 * @param {TokenRef} token
 */
export function holdToken(store, token) {
  const { held } = store.get();
  const again = held.token?.side === token.side && held.token.index === token.index;
  store.set({ held: { ...held, token: again ? null : token, cell: null } });
  if (token.side === 'target') setStep(store, token.index, !again);
}

/**
 * Holds one weight of the shown head: its row (a step, for the decoder) and its column.
 * @param {Store} store
 * @param {Cell} cell
 */
export function holdCell(store, cell) {
  const state = store.get();
  const head = shownHead(state);
  /** @type {TokenRef} */
  const token = { side: head.kind === 'encoderSelf' ? 'source' : 'target', index: cell.row };
  store.set({ held: { head, token, cell } });
  if (token.side === 'target') setStep(store, cell.row, true);
}

/**
 * Goes to where heads are changed, with this one switched off. The button that was pressed goes with its tab: the focus
 * goes to the head's own switch.
 * @param {Store} store
 * @param {HeadRef} head
 */
export function switchOff(store, head) {
  const others = store.get().headChanges.filter((change) => !sameHead(/** @type {HeadRef} */ (change), head));
  store.set({ tab: 'alternatives', steerView: 'heads', inspectorOpen: true, headChanges: [...others, { ...head, change: 'off' }], headToFocus: head, interventionResult: null });
}

/**
 * Frees what is held.
 * @param {Store} store
 */
export function free(store) {
  store.set({ held: NO_MARKS, preview: NO_MARKS, stepChosen: false, inspectorOpen: false, playing: false });
}

/**
 * Frees what is held from a button that goes with it: the focus goes back to the square of the head that was held.
 * @param {Store} store
 * @param {HTMLElement} otherwise what gets the focus where the figure does not show that head
 */
export function letGo(store, otherwise) {
  const { head } = store.get().held;
  const square = head && document.querySelector(`[data-head="${head.kind}-${head.layer}-${head.head}"]`);
  const to = square instanceof HTMLElement ? square : otherwise;
  to.focus();
  free(store);
  // On small screens the sheet that lay over the page goes too.
  onceDrawn(() => to.scrollIntoView({ block: 'nearest' }));
}

/**
 * Goes to step `t` (clamped); `chosen` draws the later steps paler.
 * @param {Store} store
 * @param {number} t
 * @param {boolean} chosen
 */
export function setStep(store, t, chosen) {
  const { observation, held } = store.get();
  const step = Math.max(0, Math.min(stepCount(observation) - 1, t));
  const patch = { step, stepChosen: chosen };
  // A held piece of the translation names the step: it moves along, or the page would say two things.
  if (held.token?.side === 'target' && held.token.index !== step) {
    store.set({ ...patch, held: { ...held, token: { side: 'target', index: step }, cell: null } });
  } else store.set(patch);
}
