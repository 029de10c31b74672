/** The scene bar: where one is in a tour, its caption, the question with its hidden answer; the keys that step, and presenting. */

/** @import { State } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
/** @import { createPlayer } from '../../app/player.js' */
import { byId, el, onceDrawn, setIdle, setText } from '../../ui/dom.js';
import { prose } from '../../ui/math.js';
import { once, sayMissing } from '../../ui/part.js';
import { goToStep } from '../../app/hold.js';
import { setLayout, setPresented } from '../../app/settings.js';
import { languageName } from '../../app/language.js';
import { madeWith } from '../../app/player.js';
import { loadTour } from '../../app/scenes.js';

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
 * @param {import('../../engine/translator.js').Translator} engine
 */
export function mountScenes(store, player, engine) {
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
  const hidden = el('details', { class: 'scene-answer' }, el('summary', { text: 'Answer', title: 'Space, while presenting' }), answer);
  const asked = el('div', {}, question, hidden);
  const previous = el('button', { type: 'button', id: 'scene-previous', text: '‹ Back', title: 'PageUp', onclick: () => player.go(store.get().scene - 1) });
  const next = el('button', { type: 'button', id: 'scene-next', text: 'Next ›', title: 'PageDown', onclick: () => (store.get().lesson ? player.go(store.get().scene + 1) : begin()) });
  const listRoom = el('div', { id: 'scene-list', hidden: true });
  const edit = el('button', { type: 'button', id: 'scene-edit', text: 'List', 'aria-expanded': 'false', 'aria-controls': 'scene-list', onclick: () => openList(listRoom.hidden) });
  const close = el('button', { type: 'button', id: 'scene-close', class: 'square', text: '✕', 'aria-label': 'End the tour', onclick: () => end() });
  const leave = el('button', { type: 'button', id: 'present-end', text: 'End', title: 'Esc', onclick: () => present(false) });
  const swap = () => setPresented(store, store.get().presented === 'figure' ? 'tab' : 'figure');
  const figure = el('button', { type: 'button', id: 'present-figure', text: 'Figure 1', title: 'F', onclick: swap });
  const buttons = el('div', { class: 'scene-buttons' }, previous, next, edit, close, figure, leave);
  store.watch(['presented'], ({ presented }) => figure.setAttribute('aria-pressed', String(presented === 'figure')));
  bar.append(el('div', { class: 'scene-head' }, title, count, keys, buttons), caption, other, asked, listRoom);

  const openList = (/** @type {boolean} */ yes) => {
    listRoom.hidden = !yes;
    edit.setAttribute('aria-expanded', String(yes));
    if (yes) withList().catch(sayMissing);
  };
  const tour = byId('tour');
  // The list to be rearranged comes with the first scenes.
  const withList = once(async () => listRoom.append((await import('./scene-list.js')).sceneList(store, player, engine)));
  const withExercise = once(async () => asked.append((await import('./exercise.js')).exerciseView(store)));
  const present = (/** @type {boolean} */ yes) => {
    setLayout(store, yes ? 'present' : 'page');
    // The button that was pressed goes with its layout.
    onceDrawn(() => (yes ? title : byId('present')).focus());
  };
  byId('present').addEventListener('click', () => present(true));
  const end = () => {
    player.close();
    openList(false);
    tour.focus();
  };
  const begin = () =>
    Promise.all([loadTour(), withList()]).then(([lesson]) => {
      player.open(lesson, { source: 'tour' });
      // The bar is shown in the next frame; after its title the tab key reaches its buttons.
      onceDrawn(() => title.focus());
    }, sayMissing);
  tour.addEventListener('click', () => (store.get().lesson ? end() : begin()));
  addEventListener('keydown', (event) => {
    // What covers the page has its own keys; there PageDown scrolls.
    if ('sheet' in document.documentElement.dataset || document.querySelector('dialog[open]')) return;
    const { lesson, layout, scene } = store.get();
    const presenting = layout === 'present';
    if (event.altKey && event.code === 'KeyP' && layout === 'page') {
      event.preventDefault();
      present(true);
    }
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    const page = event.key === 'PageDown' ? 1 : event.key === 'PageUp' ? -1 : 0;
    if (page !== 0 && (lesson || presenting)) {
      event.preventDefault();
      if (lesson) player.go(scene + page);
      else if (page > 0) begin();
      return;
    }
    const at = /** @type {Element} */ (event.target);
    if (!presenting || at.closest('input, textarea, select')) return;
    // Where the other keys have a meaning of their own they keep it.
    if (event.key !== 'Escape' && at.closest('[role="application"], #translation')) return;
    const across = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const along = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.key === 'Escape') present(false);
    else if (event.key.toLowerCase() === 'f') swap();
    else if (event.key.toLowerCase() === 'w') byId('walk-open').click();
    else if ([' ', 'Enter'].includes(event.key) && lesson && !at.closest('button, summary')) {
      hidden.open = !hidden.open;
      answer.scrollIntoView({ block: 'nearest' });
    }
    else if (across !== 0 && lesson) player.go(scene + across);
    else if (across + along !== 0) goToStep(store, store.get().step + across + along);
    else return;
    event.preventDefault();
  });

  // Where the inspector is a sheet it covers the lower part: the caption goes to the top.
  const narrow = matchMedia('(max-width: 1120px)');
  store.watch(['lesson', 'scene'], ({ lesson, layout }) => {
    if (!lesson || !narrow.matches || layout !== 'page') return;
    onceDrawn(() => {
      bar.scrollIntoView({ block: 'start' });
      // The header, where a scene is chosen, is off the screen now.
      if (document.activeElement?.closest('header')) title.focus({ preventScroll: true });
    });
  });

  // A pointer that lies still while scenes pass under it points at nothing.
  let [x, y] = [-1, -1];
  for (const type of ['pointerover', 'pointerenter', 'pointermove']) {
    addEventListener(
      type,
      (event) => {
        const { clientX, clientY } = /** @type {PointerEvent} */ (event);
        if (store.get().layout === 'present' && clientX === x && clientY === y) event.stopPropagation();
        [x, y] = [clientX, clientY];
      },
      true,
    );
  }

  store.watch(['lesson', 'scene', 'model', 'address', 'shipped', 'pendingModel', 'layout'], (/** @type {State} */ state) => {
    const { lesson, scene: at, model, pendingModel, layout } = state;
    bar.hidden = !lesson && layout !== 'present';
    tour.setAttribute('aria-pressed', String(!!lesson));
    const scene = lesson?.scenes[at];
    for (const part of [count, previous, edit, close]) part.hidden = !scene;
    if (!lesson || !scene) {
      setText(title, 'Presenting');
      setProse(caption, 'Next, or PageDown, begins the tour. Arrow keys go from step to step of the decoder; F shows Figure 1, W walks through it. Esc ends.');
      caption.hidden = false;
      other.hidden = asked.hidden = true;
      setIdle(next, false);
      return;
    }
    // Where it cannot be had now, its button says so.
    withList().catch(() => {});
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
    asked.hidden = scene.question === '' && !scene.exercise;
    setProse(question, scene.question);
    setProse(answer, scene.answer);
    hidden.hidden = scene.answer === '';
    hidden.open = false;
    if (scene.exercise) withExercise().catch(sayMissing);
    setIdle(previous, at === 0);
    setIdle(next, at === lesson.scenes.length - 1);
  });
}
