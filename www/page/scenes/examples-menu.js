/** What the Examples menu offers: the reader's own lists, the scenes that ship, the exercises. Loaded when it first opens. */

/** @import { createPlayer } from '../../app/player.js' */
import { el } from '../../ui/dom.js';
import { once } from '../../ui/part.js';
import { ownLists } from '../../app/own-scenes.js';
import { sceneChoices } from './choices.js';
import { openScenes } from './link.js';

/**
 * @param {ReturnType<typeof createPlayer>} player
 * @param {HTMLElement} menu
 * @param {() => void} close
 * @returns {() => Promise<void>} brings the lists up to date each time the menu opens; rejects where the examples cannot be had
 */
export function fillExamples(player, menu, close) {
  const item = (/** @type {string} */ source, /** @type {string} */ title, /** @type {string} */ about) => {
    const play = async () => {
      await openScenes(player, source, 0);
      close();
    };
    return el('li', {}, el('button', { type: 'button', id: source === 'exercises' ? source : null, onclick: play }, el('span', { text: title }), el('small', { text: about })));
  };
  // One's own first: the list of examples is long.
  const own = el('ul', { class: 'examples', 'aria-label': 'Your scenes' });
  const more = el('ul', { class: 'examples more-scenes' }, item('exercises', 'Exercises', 'questions that the page checks'));
  menu.append(own, more);
  const shipped = once(async () => more.before(await sceneChoices(player, close)));
  return async () => {
    const lists = await ownLists().catch(() => []);
    own.hidden = lists.length === 0;
    own.replaceChildren(...lists.map(({ source, title, scenes }) => item(source, title || 'Untitled', `your scenes, ${scenes}`)));
    await shipped();
  };
}
