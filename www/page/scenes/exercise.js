/** The exercise of a scene: what the reader has chosen, a field for a number, and the result of the check. */

/** @import { State } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
/** @import { Scene } from '../../app/scenes.js' */
import { chosenOf, placeOf, verdict } from '../../app/exercise.js';
import { sentenceOf } from '../../app/player.js';
import { el, setProperty, setText } from '../../ui/dom.js';

/** @type {Record<string, string>} */
const HOW = {
  cell: 'Hold a cell of the map.',
  head: 'Hold a head in Figure 1.',
  word: 'Hold a word of the source.',
  number: '',
};

const OTHER = 'The exercise is about another sentence, or that one is not translated yet.';

/**
 * Whether the page looks at the sentence of a scene, not at another one of its text.
 * @param {Scene} scene
 * @param {State} state
 */
const isLookedAt = (scene, { doc, observation }) => doc.text === scene.text && (!observation || observation.sentence === sentenceOf(scene, doc));

/** @param {Store} store */
export function exerciseView(store) {
  const place = el('p', { class: 'exercise-place', id: 'exercise-place' });
  const chosen = el('span', { id: 'exercise-chosen' });
  const field = el('input', { type: 'text', inputmode: 'decimal', id: 'exercise-number', class: 'line-field', autocomplete: 'off' });
  const number = el('label', {}, 'Your answer ', field);
  const press = el('button', { type: 'submit', id: 'exercise-check', text: 'Check' });
  const says = el('p', { class: 'exercise-says', id: 'exercise-says', role: 'status' });
  const form = el('form', { class: 'exercise-form' }, chosen, number, press);
  const node = el('div', { class: 'exercise', hidden: true }, place, form, says);
  /** @type {Scene|null} */
  let shown = null;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!shown?.exercise) return;
    const found = isLookedAt(shown, store.get()) ? verdict(shown.exercise, shown, store.get(), field.value) : { right: false, says: OTHER };
    says.dataset.right = String(found.right);
    setText(says, found.says);
  });
  store.watch(['lesson', 'scene', 'held', 'observation', 'doc'], (state) => {
    const scene = state.lesson?.scenes[state.scene] ?? null;
    node.hidden = !scene?.exercise;
    if (scene !== shown) {
      shown = scene;
      field.value = '';
      says.textContent = '';
    }
    if (!scene?.exercise) return;
    const { exercise } = scene;
    const settled = state.observation?.final && isLookedAt(scene, state);
    setText(place, settled ? placeOf(exercise, scene, state.observation) : '');
    number.hidden = exercise.choose !== 'number';
    setProperty(chosen, 'hidden', !number.hidden);
    const own = settled ? chosenOf(exercise, state) : '';
    setText(chosen, own ? `Your choice: ${own}` : HOW[exercise.choose]);
  });
  return node;
}
