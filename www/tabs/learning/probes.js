/** Three inputs that the model in training is asked again and again, each with its answer and the maps of all heads. */

/** @import { Answered } from './protocol' */
import { el } from '../../ui/dom.js';
import { headsView } from './heads.js';

const NAMES = ['Your own input', 'A second input', 'A third input'];

/**
 * @param {(texts: string[]) => void} onchange
 */
export function probesView(onchange) {
  const texts = () => inputs.map((input) => input.value.trim());
  const inputs = NAMES.map((_, i) =>
    el('input', { type: 'text', class: 'line-field', id: i === 0 ? 'learning-input' : `learning-input-${i + 1}`, autocomplete: 'off', spellcheck: 'false', maxlength: '60', oninput: () => onchange(texts()) }),
  );
  const views = inputs.map((_, i) => headsView(i === 0 ? '' : `-${i + 1}`, i === 0 ? 'large' : 'small', NAMES[i]));
  /** Run B's answers. */
  const seconds = inputs.map((_, i) => headsView(`-b${i === 0 ? '' : `-${i + 1}`}`, 'small', `${NAMES[i]}, run B`));
  const name = (/** @type {string} */ text) => el('h3', { class: 'sub', text });
  const sides = inputs.map((_, i) => ({ nameA: name('A'), boxB: el('div', { hidden: true }, name('B'), seconds[i].node) }));
  const node = el(
    'div',
    { class: 'learning-probes' },
    ...inputs.map((input, i) => {
      const label = el('label', { for: input.id, text: NAMES[i] });
      const { nameA, boxB } = sides[i];
      return el('section', {}, el('div', { class: 'learning-try' }, label, input), el('div', { class: 'learning-beside' }, el('div', {}, nameA, views[i].node), boxB));
    }),
  );
  return {
    node,
    texts,
    /** @param {string[]} values */
    write(values) {
      for (const [i, input] of inputs.entries()) input.value = values[i] ?? '';
    },
    /** @param {Answered[]} answers null: as it was */
    show(answers) {
      for (const [i, answer] of answers.entries()) views[i]?.show(answer);
    },
    /** @param {Answered[] | null} answers of run B; null: there is none */
    showSecond(answers) {
      views[0].resize(answers ? 'small' : 'large');
      for (const [i, { nameA, boxB }] of sides.entries()) {
        nameA.hidden = boxB.hidden = answers === null;
        const answer = answers?.[i];
        if (answer) seconds[i].show(answer);
      }
    },
    draw() {
      for (const view of [...views, ...seconds]) view.draw();
    },
  };
}
