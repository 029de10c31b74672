/** The reader's own pairs: typed, pasted or read from a file. */

/** @import { TaskChoice } from './protocol' */
import { readText } from '../../app/read-text.js';
import { el } from '../../ui/dom.js';

/** The largest file of pairs that is read. */
const MOST_PAIRS = 5_000_000;

/**
 * Pairs with a tab in each line. The Tab key leaves a field, so a typed pair may have `=` in its place, or the arrow with which the page writes pairs.
 * @param {string} text
 */
export const tabbed = (text) => text.replaceAll(/^([^\t\n]*?)[ ]*[=→][ ]*([^\t\n]*)$/gm, '$1\t$2');

/**
 * @param {(task: TaskChoice) => void} use
 * @param {(text: string) => void} says
 */
export function ownPairs(use, says) {
  const text = el('textarea', { id: 'learning-pairs', class: 'line-field', rows: '6', spellcheck: 'false', placeholder: 'source = target, a pair a line' });
  const words = el('input', { type: 'checkbox', id: 'learning-words' });
  const file = el('input', { type: 'file', id: 'learning-file', accept: '.tsv,.txt,text/*' });
  const node = el(
    'div',
    { class: 'learning-own', hidden: true },
    el('label', { for: text.id, text: 'Your pairs: ten to ten thousand lines, source and target separated by = or a tab. One in eight is held out. They stay on this device.' }),
    text,
    el(
      'div',
      { class: 'settings' },
      el('label', {}, words, ' pieces are words'),
      el('label', { for: file.id, class: 'setting-name', text: 'or a file' }),
      file,
      el('button', { type: 'button', text: 'Use these pairs', id: 'learning-use-pairs', onclick: () => use({ pairs: tabbed(text.value), words: words.checked }) }),
    ),
  );
  file.addEventListener('change', async () => {
    const chosen = file.files?.[0];
    if (!chosen) return;
    try {
      text.value = await readText(chosen, MOST_PAIRS);
    } catch (error) {
      says(`${chosen.name} was not read: ${error instanceof Error ? error.message : error}.`);
    }
  });
  return {
    node,
    /** @param {TaskChoice} task a task with pairs opens the form with them */
    show(task) {
      node.hidden = typeof task === 'string';
      if (typeof task === 'string') return;
      text.value = task.pairs;
      words.checked = task.words;
    },
    /** Opens the form for the reader to fill. */
    open() {
      node.hidden = false;
      text.focus();
    },
  };
}
