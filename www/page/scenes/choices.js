/** The scenes that ship as a list to choose from. Loaded with the first of them. */

/** @import { createPlayer } from '../../app/player.js' */
import { byId, el, rove } from '../../ui/dom.js';
import { prose } from '../../ui/math.js';
import { loadTour } from '../../app/scenes.js';

/** Scenes that are offered where there is no text. */
const SUGGESTED = 3;

/**
 * @param {ReturnType<typeof createPlayer>} player
 * @param {() => void} chosen what follows when a scene has been chosen
 * @param {number} [most]
 */
export async function sceneChoices(player, chosen, most = Infinity) {
  const lesson = await loadTour();
  const node = el('ul', { class: 'examples' });
  rove(node, () => /** @type {HTMLElement[]} */ ([...node.querySelectorAll('button')]), 'down');
  node.append(
    ...lesson.scenes.slice(0, most).map(({ title, text }, at) => {
      const play = () => {
        player.open(lesson, { source: 'tour', at });
        chosen();
      };
      const button = el('button', { type: 'button', tabindex: at === 0 ? '0' : '-1', onclick: play }, el('span', { lang: 'en', text }), el('small', {}, ...prose(title)));
      return el('li', {}, button);
    }),
  );
  return node;
}

/**
 * Offers the first few where there is no text.
 * @param {ReturnType<typeof createPlayer>} player
 * @param {HTMLElement} box
 */
export async function suggestScenes(player, box) {
  const choices = await sceneChoices(player, () => byId('source').focus(), SUGGESTED);
  box.replaceChildren(el('p', { text: 'Type a sentence, or try one of these:' }), choices);
}
