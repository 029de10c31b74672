/** The pieces at the foot of a stack: the inputs, and the outputs shifted right (§3.1). */

/** @import { Marker } from '../../ui/marks.js' */
/** @import { State } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
import { el, rove, setAttribute } from '../../ui/dom.js';
import { hoverable } from '../../ui/hoverable.js';
import { MARKS, createMarker } from '../../ui/marks.js';
import { holdToken, preview, goToStep } from '../../app/hold.js';
import { isInner, reading } from '../../app/select.js';
import { START_LABEL, pieceLabel } from '../../app/maps.js';
import { watchInSight } from '../../ui/in-sight.js';

/**
 * @param {Store} store
 * @param {HTMLElement} foot
 * @param {'source'|'target'} side
 */
export function mountChips(store, foot, side) {
  const title = side === 'source' ? 'Inputs' : 'Outputs (shifted right)';
  // Firefox makes a row that scrolls a tab stop, which moves the focus when the row grows.
  const row = el('div', { class: `chips ${side}`, role: 'group', tabindex: '-1', 'aria-label': `${title}; arrow keys move, Enter holds` });
  foot.append(el('div', { class: 'chip-room' }, row, el('p', { class: 'part', text: title })));
  rove(row, () => /** @type {HTMLElement[]} */ ([...row.children]));

  // The chip of input t stands for step t, which reads it: on the target side that is the step's own piece one place on.
  hoverable(
    row,
    (index) => preview(store, index === null ? null : { token: { side, index } }),
    (index) => (side === 'source' ? holdToken(store, { side, index }) : goToStep(store, index)),
  );

  const marker = createMarker({ current: 'current', later: 'later', pointed: 'pointed', held: 'held' });
  let drawn = '';
  store.watch(['observation', 'model'], (state) => {
    const labels = chipLabels(state, side);
    const next = JSON.stringify(labels);
    if (next === drawn) return;
    drawn = next;
    const lang = side === 'source' ? state.model?.sourceLanguage : state.model?.targetLanguage;
    labels.forEach(({ text, inner }, index) => {
      const old = /** @type {HTMLElement|undefined} */ (row.children[index]);
      if (old?.textContent === text && old.classList.contains('inner') === inner) return;
      const chip = el('button', { type: 'button', class: inner ? 'chip inner' : 'chip', text, lang, tabindex: index === 0 ? '0' : '-1', data: { index, side } });
      if (old) old.replaceWith(chip);
      else row.append(chip);
    });
    while (row.children.length > labels.length) row.lastElementChild?.remove();
    marker.take(/** @type {HTMLElement[]} */ ([...row.children]), (chip) => (chip.classList.contains('inner') ? 'chip inner' : 'chip'));
  });
  watchInSight(store, row, ['observation', 'views', 'heads', 'measure', 'mode', 'step', 'stepChosen', 'held'], (state) => markChips(marker, state, side));
  // Only with the step itself: asking for places while the pointer moves would lay the page out each time.
  store.watch(['observation', 'step'], ({ step }) => {
    const chip = side === 'target' ? /** @type {HTMLElement|undefined} */ (row.children[step]) : undefined;
    if (chip) keepInView(row, chip);
  });
}

/**
 * @param {State} state
 * @param {'source'|'target'} side
 */
function chipLabels({ observation }, side) {
  if (!observation) return [];
  const pieces = side === 'source' ? observation.source : observation.target.slice(0, -1);
  const chips = pieces.map((piece) => ({ text: pieceLabel(piece).replace(/^·/, ''), inner: isInner(piece) && /^[\p{L}\p{N}]/u.test(piece.text) }));
  return side === 'source' ? chips : [{ text: START_LABEL, inner: false }, ...chips];
}

/**
 * @param {Marker} marker
 * @param {State} state
 * @param {'source'|'target'} side
 */
function markChips(marker, state, side) {
  const { preview: pointed, held, step, stepChosen } = state;
  const read = reading(state);
  const weights = read?.side === side ? read.weights : null;
  const asks = read?.ref.kind === 'encoderSelf' ? read.row : -1;
  const current = side === 'source' ? asks : asks < 0 && read ? read.row : step;
  const over = pointed.token?.side === side ? pointed.token.index : -1;
  const kept = held.token?.side === side ? held.token.index : -1;
  const chosen = side === 'target' && stepChosen ? step : -1;
  const later = chosen >= 0 && state.mode === 'translating' ? step : Infinity;
  marker.mark(
    (i) => (i === current ? MARKS.current : 0) | (i > later ? MARKS.later : 0) | (i === over ? MARKS.pointed : 0) | (i === kept || i === chosen ? MARKS.held : 0),
    (i) => weights?.[i] ?? 0,
    (chip, marks) => setAttribute(chip, 'aria-pressed', String((marks & MARKS.held) !== 0)),
  );
}

/**
 * Scrolls a long row of chips, never the page, to a chip.
 * @param {HTMLElement} row
 * @param {HTMLElement} chip
 */
function keepInView(row, chip) {
  const top = chip.offsetTop - row.offsetTop;
  if (top < row.scrollTop || top + chip.offsetHeight > row.scrollTop + row.clientHeight) row.scrollTop = top - row.clientHeight / 2;
}
