/** Opens what an address names: a list of scenes, what is held, the model. */

/** @import { Store } from '../../app/store.js' */
/** @import { Link } from '../../app/fragment.js' */
/** @import { createPlayer } from '../../app/player.js' */
/** @import { Switching } from '../../app/models.js' */
import { foreignHost, lessonFrom } from '../../app/scene-link.js';
import { checkSize } from '../../app/scene-file.js';
import { isOwn } from '../../app/scenes.js';
import { notice } from '../../ui/notice.js';

/**
 * Opens a list of scenes. One from another host is fetched only when the reader agrees.
 * @param {ReturnType<typeof createPlayer>} player
 * @param {string} named the list's source, or an address relative to the page
 * @param {number} at
 * @param {string|null} text what the reader made of the scene's text before a reload
 */
export async function openScenes(player, named, at, text = null) {
  try {
    const source = named === 'tour' || named === 'exercises' || isOwn(named) ? named : new URL(named, location.href).href;
    const host = foreignHost(source);
    const open = async () => {
      const lesson = await lessonFrom(source);
      if (!isOwn(source)) checkSize(lesson);
      const scene = lesson.scenes[Math.min(at, lesson.scenes.length - 1)];
      player.open(lesson, { source, at, play: text === null || text === scene.text });
    };
    if (!host) await open();
    else notice('scenes-link', `This link opens scenes from ${host}.`, [{ text: 'Open them', id: 'scenes-open', act: () => open().catch(refuse) }]);
  } catch (error) {
    refuse(error);
  }
}

/** @param {unknown} error */
function refuse(error) {
  notice('scenes-link', `The scenes were not opened: ${error instanceof Error ? error.message : error}.`);
}

/**
 * Has the model translate that a link was made with, if the site ships it.
 * @param {Store} store
 * @param {Switching} switching
 * @param {NonNullable<Link['model']>} wanted
 * @param {() => void} switched
 */
export function useModel(store, switching, wanted, switched) {
  let settled = false;
  store.watch(['shipped', 'model', 'address'], ({ shipped, model, address }) => {
    if (settled || shipped.length === 0 || !address || !model) return;
    settled = true;
    if (model.hash?.startsWith(wanted.hash)) return;
    const same = shipped.find(({ hash }) => hash.startsWith(wanted.hash));
    if (same) switching.to(same.address, { lasting: false }).then((done) => done && switched());
    else notice('model-link', `This link was made with the model ${wanted.name}, which is not here. Numbers may differ.`);
  });
}
