/** Actions of every view: hover previews, click holds, Esc frees; the step t. */

/** @import { Marks, HeadRef, TokenRef, Cell } from './state.js' */
/** @import { Store } from './store.js' */
import { NO_MARKS } from './state.js';
import { arithmeticCell, axes, sameHead, sameMarks, shownHead, stepCount } from './select.js';

/**
 * @param {Store} store
 * @param {Partial<Marks>|null} marks null: none
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
 * Holds another head, query or key of the Arithmetic tab; the rest stays.
 * @param {Store} store
 * @param {{head?: HeadRef, row?: number, col?: number}} change
 */
export function holdWeight(store, { head, row, col }) {
  const state = store.get();
  const shown = arithmeticCell(state);
  if (!shown || !state.observation) return;
  const ref = head ?? { kind: shown.kind, layer: shown.layer, head: shown.head };
  const { rows, cols } = axes(state.observation, ref.kind);
  const cell = { row: Math.min(row ?? shown.query, rows.length - 1), col: Math.min(col ?? shown.key, cols.length - 1) };
  const onTarget = ref.kind !== 'encoderSelf';
  store.set({
    held: { head: ref, token: { side: onTarget ? 'target' : 'source', index: cell.row }, cell },
    preview: NO_MARKS,
    ...(onTarget ? { step: cell.row, stepChosen: true } : {}),
  });
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

/**
 * Goes to step `t` and stops playing.
 * @param {Store} store
 * @param {number} t
 */
export function goToStep(store, t) {
  pause(store);
  setStep(store, t, true);
}

/** @param {Store} store */
export const pause = (store) => store.set({ playing: false });

/** Plays the steps; from the last one it starts over. @param {Store} store */
export function play(store) {
  const { step, observation } = store.get();
  setStep(store, step >= stepCount(observation) - 1 ? 0 : step, true);
  store.set({ playing: true });
}

/** The CSS selector of a head's square in the figure. @param {HeadRef|null} head */
export const squareOf = (head) => head && `[data-head="${head.kind}-${head.layer}-${head.head}"]`;
