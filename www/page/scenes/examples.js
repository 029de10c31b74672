/** The scenes that ship as a list to choose from: all of them in the page's head, the first few where there is no text. */

/** @import { createPlayer } from '../../app/player.js' */
import { byId, el, rove } from '../../ui/dom.js';
import { dropdown } from '../../ui/dropdown.js';
import { prose } from '../../ui/math.js';
import { loadTour } from '../../app/scenes.js';

/**
 * An empty list, and how it is filled.
 * @param {ReturnType<typeof createPlayer>} player
 * @param {() => void} chosen what follows when a scene has been chosen
 * @param {number} [most]
 */
export function sceneChoices(player, chosen, most = Infinity) {
  const node = el('ul', { class: 'examples' });
  rove(node, () => /** @type {HTMLElement[]} */ ([...node.querySelectorAll('button')]), 'down');
  return {
    node,
    /** Fetches the scenes; once they are there, asking again changes nothing. */
    async fill() {
      const lesson = await loadTour();
      if (node.children.length > 0) return;
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
    },
  };
}

/**
 * The menu in the page's head.
 * @param {ReturnType<typeof createPlayer>} player
 */
export function mountExamplesMenu(player) {
  const menu = byId('examples-menu');
  const choices = sceneChoices(player, () => close());
  menu.append(choices.node);
  const exercises = async () => {
    const { openScenes } = await import('./link.js');
    await openScenes(player, 'exercises', 0);
    close();
  };
  const more = el('ul', { class: 'examples more-scenes' }, el('li', {}, el('button', { type: 'button', id: 'exercises', onclick: exercises }, el('span', { text: 'Exercises' }), el('small', { text: 'questions that the page checks' }))));
  menu.append(more);
  const own = el('ul', { class: 'examples', 'aria-label': 'Your scenes' });
  const offerOwn = async () => {
    const [{ ownLists }, { openScenes }] = await Promise.all([import('../../app/own-scenes.js'), import('./link.js')]);
    const lists = await ownLists().catch(() => []);
    own.replaceChildren(
      ...lists.map(({ source, title, scenes }) => {
        const play = async () => {
          await openScenes(player, source, 0);
          close();
        };
        return el('li', {}, el('button', { type: 'button', onclick: play }, el('span', { text: title || 'Untitled' }), el('small', { text: `your scenes, ${scenes}` })));
      }),
    );
    // One's own first: the list of examples is long.
    if (lists.length > 0) choices.node.before(own);
    else own.remove();
  };
  const close = dropdown(byId('examples-button'), menu, async () => {
    try {
      await choices.fill();
      await offerOwn();
    } catch (error) {
      console.warn('examples:', error);
      menu.replaceChildren(el('p', { text: 'The examples could not be loaded.' }));
    }
  });
}
