/** The Examples menu in the page's head. What it offers is loaded when it first opens. */

/** @import { createPlayer } from '../../app/player.js' */
import { byId, el } from '../../ui/dom.js';
import { dropdown } from '../../ui/dropdown.js';
import { once } from '../../ui/part.js';

/** @param {ReturnType<typeof createPlayer>} player */
export function mountExamplesMenu(player) {
  const menu = byId('examples-menu');
  const wrong = el('p', { text: 'The examples could not be loaded.' });
  const content = once(async () => (await import('./examples-menu.js')).fillExamples(player, menu, () => close()));
  const close = dropdown(byId('examples-button'), menu, async () => {
    wrong.remove();
    try {
      const offer = await content();
      await offer();
    } catch (error) {
      console.warn('examples:', error);
      menu.prepend(wrong);
    }
  });
}
