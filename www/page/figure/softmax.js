/** The top of the decoder: Linear, Softmax and the real probabilities of the next piece at step t. */

/** @import { Store } from '../../app/store.js' */
import { el, setProperty, setText } from '../../ui/dom.js';
import { shownStep } from '../../app/select.js';
import { pieceLabel } from '../../app/maps.js';
import { watchInSight } from '../../ui/in-sight.js';
import { term } from '../../ui/term.js';

/** Pieces shown; their room is kept when there are fewer, so that nothing jumps. */
const SHOWN = 5;

/**
 * @param {Store} store
 * @param {HTMLElement} box
 */
export function mountSoftmax(store, box) {
  const rows = Array.from({ length: SHOWN }, () => {
    const name = el('span', { class: 'name' });
    const fill = el('span', { class: 'fill' });
    const value = el('span', { class: 'value' });
    const row = el('li', {}, name, el('span', { class: 'track' }, fill), value);
    return { row, name, fill, value };
  });
  const list = el('ol', { class: 'probabilities', 'aria-label': 'Output probabilities' }, ...rows.map((r) => r.row));
  box.append(
    el('div', { class: 'box linear' }, term('logits', 'Linear')),
    el('div', { class: 'box softmax' }, term('softmax', 'Softmax')),
    el('p', { class: 'part', text: 'Output probabilities' }),
    list,
  );

  watchInSight(store, list, ['observation', 'step', 'held', 'model'], (state) => {
    const step = shownStep(state);
    const pieces = state.observation?.steps[step]?.pieces ?? [];
    const chosen = state.observation?.target[step];
    if (state.model) setProperty(list, 'lang', state.model.targetLanguage);
    rows.forEach(({ row, name, fill, value }, i) => {
      const piece = pieces[i];
      row.classList.toggle('none', !piece);
      row.classList.toggle('chosen', !!piece && piece.id === chosen?.id);
      setText(name, piece ? pieceLabel(piece) : '');
      setText(value, piece ? piece.probability.toFixed(2) : '');
      const p = String(piece?.probability ?? 0);
      if (fill.style.getPropertyValue('--p') !== p) fill.style.setProperty('--p', p);
    });
  });
}
