/** The scene bar: where one is in a tour, its caption, the question with its hidden answer; PageUp and PageDown step. */

/** @import { State } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
/** @import { createPlayer } from '../../app/player.js' */
import { byId, el, onceDrawn, setIdle, setText } from '../../ui/dom.js';
import { prose } from '../../ui/math.js';
import { languageName } from '../../app/language.js';
import { madeWith } from '../../app/player.js';
import { loadTour } from '../../app/scenes.js';
import { sceneList } from './scene-list.js';

/**
 * Sets a text with its symbols in type; a live region stays quiet where nothing changed.
 * @param {HTMLElement} node
 * @param {string} text
 */
function setProse(node, text) {
  if (node.dataset.text === text) return;
  node.dataset.text = text;
  node.replaceChildren(...prose(text));
}

/**
 * @param {Store} store
 * @param {ReturnType<typeof createPlayer>} player
 */
export function mountScenes(store, player) {
  const bar = byId('scenes');
  const title = el('h2', { id: 'scene-title', tabindex: '-1' });
  const count = el('p', { class: 'scene-count', id: 'scene-count' });
  const keys = el('p', { class: 'scene-keys', text: 'PageUp, PageDown' });
  const caption = el('p', { class: 'scene-caption', id: 'scene-caption', 'aria-live': 'polite' });
  const otherSays = el('span', { role: 'status' });
  const fetchOwn = el('button', { type: 'button', id: 'scene-fit', onclick: () => player.fit() });
  const other = el('p', { class: 'scene-note', id: 'scene-note', hidden: true }, otherSays, fetchOwn);
  const question = el('p', { class: 'scene-question' });
  const answer = el('p', { id: 'scene-answer' });
  const hidden = el('details', { class: 'scene-answer' }, el('summary', { text: 'Answer' }), answer);
  const asked = el('div', {}, question, hidden);
  const previous = el('button', { type: 'button', id: 'scene-previous', text: '‹ Back', title: 'PageUp', onclick: () => player.go(store.get().scene - 1) });
  const next = el('button', { type: 'button', id: 'scene-next', text: 'Next ›', title: 'PageDown', onclick: () => player.go(store.get().scene + 1) });
  const list = sceneList(store, player);
  const edit = el('button', { type: 'button', id: 'scene-edit', text: 'List', 'aria-expanded': 'false', 'aria-controls': 'scene-list', onclick: () => openList(list.node.hidden) });
  const close = el('button', { type: 'button', id: 'scene-close', class: 'square', text: '✕', 'aria-label': 'End the tour', onclick: () => end() });
  bar.append(el('div', { class: 'scene-head' }, title, count, keys, el('div', { class: 'scene-buttons' }, previous, next, edit, close)), caption, other, asked, list.node);

  const openList = (/** @type {boolean} */ yes) => {
    list.node.hidden = !yes;
    edit.setAttribute('aria-expanded', String(yes));
  };
  const tour = byId('tour');
  const end = () => {
    player.close();
    openList(false);
    tour.focus();
  };
  const begin = async () => {
    try {
      player.open(await loadTour(), { source: 'tour' });
      // The bar is shown in the next frame; after its title the tab key reaches its buttons.
      onceDrawn(() => title.focus());
    } catch (error) {
      console.warn('tour:', error);
      setText(tour, 'The tour could not be loaded');
    }
  };
  tour.addEventListener('click', () => (store.get().lesson ? end() : begin()));
  addEventListener('keydown', (event) => {
    const by = event.key === 'PageDown' ? 1 : event.key === 'PageUp' ? -1 : 0;
    const { lesson, layout, scene } = store.get();
    // A projector shows no Tour button: the key begins it, too.
    if (by === 0 || (!lesson && layout !== 'present') || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (lesson) player.go(scene + by);
    else if (by > 0) begin();
  });

  store.watch(['lesson', 'scene', 'model', 'address', 'shipped', 'pendingModel'], (/** @type {State} */ state) => {
    const { lesson, scene: at, model, pendingModel } = state;
    bar.hidden = !lesson;
    tour.setAttribute('aria-pressed', String(!!lesson));
    const scene = lesson?.scenes[at];
    if (!lesson || !scene) return;
    title.replaceChildren(...prose(scene.title || 'Untitled'));
    setText(count, `${lesson.title || 'Scenes'}, ${at + 1} of ${lesson.scenes.length}`);
    setProse(caption, scene.caption);
    caption.hidden = scene.caption === '';
    const own = madeWith(state, scene);
    const arrives = own !== undefined && own.address === pendingModel;
    other.hidden = !scene.model || !model?.hash || scene.model === model.hash;
    if (!other.hidden) setText(otherSays, arrives ? `These scenes need the model for ${languageName(own.target)}. It is loading.` : 'Made with other weights: numbers may differ.');
    fetchOwn.hidden = !own || arrives;
    if (own) setText(fetchOwn, `Load the model for ${languageName(own.target)}`);
    asked.hidden = scene.question === '';
    setProse(question, scene.question);
    setProse(answer, scene.answer);
    hidden.hidden = scene.answer === '';
    hidden.open = false;
    setIdle(previous, at === 0);
    setIdle(next, at === lesson.scenes.length - 1);
  });
}
