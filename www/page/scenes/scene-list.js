/** The list of scenes to be rearranged: add what is shown, write its words, reorder, export and import as JSON; the reader's own lists. */

/** @import { State } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
/** @import { createPlayer } from '../../app/player.js' */
/** @import { Lesson, Scene } from '../../app/scenes.js' */
import { el, onceDrawn, setText } from '../../ui/dom.js';
import { sayMissing } from '../../ui/part.js';
import { download } from '../../ui/save.js';
import { MOST_WRITTEN, checkSize, parseLesson, sceneNow, writeLesson } from '../../app/scene-file.js';
import { isOwn, newSource } from '../../app/scenes.js';
import { deleteList, ownLists, storeLists } from '../../app/own-scenes.js';
import { readText } from '../../app/read-text.js';
import { MOST_BYTES, lessonFrom } from '../../app/scene-link.js';

/** @type {['title'|'caption'|'question'|'answer', string][]} */
const WORDS = [
  ['title', 'Title'],
  ['caption', 'Caption'],
  ['question', 'Question'],
  ['answer', 'Answer, hidden'],
];

/**
 * @param {Store} store
 * @param {ReturnType<typeof createPlayer>} player
 * @param {import('../../engine/translator.js').Translator} engine
 */
export function sceneList(store, player, engine) {
  const rows = el('ol', { class: 'scene-rows' });
  const says = el('p', { class: 'readout', id: 'scene-says', 'aria-live': 'polite' });
  const fields = WORDS.map(([key, name]) => {
    const field = key === 'title' ? el('input', { type: 'text', class: 'line-field', maxlength: MOST_WRITTEN.title }) : el('textarea', { class: 'line-field', rows: '2', maxlength: MOST_WRITTEN[key] });
    field.addEventListener('input', () => change((scenes, at) => scenes.with(at, { ...scenes[at], [key]: field.value })));
    return { key, field, node: el('label', {}, el('span', { text: name }), field) };
  });
  const file = el('input', { type: 'file', accept: 'application/json,.json', id: 'scene-import', 'aria-label': 'Import scenes', class: 'unseen', tabindex: '-1' });
  const add = el('button', { type: 'button', id: 'scene-add', text: 'Add what is shown now', onclick: () => addScene() });
  const save = el('button', { type: 'button', id: 'scene-export', text: 'Export', onclick: () => exportScenes() });
  const open = el('button', { type: 'button', text: 'Import…', onclick: () => file.click() });
  const print = () => {
    const { lesson } = store.get();
    if (lesson) import('./sheet.js').then(({ openSheet }) => openSheet(store, engine, lesson)).catch(sayMissing);
  };
  const sheet = el('button', { type: 'button', id: 'scene-sheet', text: 'Sheet to print', onclick: print });
  const lists = el('select', { id: 'scene-lists', onchange: () => openList(lists.value) });
  const name = el('input', { type: 'text', class: 'line-field', id: 'scene-list-title', maxlength: MOST_WRITTEN.title, 'aria-label': 'Title of the list' });
  name.addEventListener('input', () => {
    const { lesson } = store.get();
    if (lesson) player.rename(name.value);
  });
  const begin = el('button', { type: 'button', id: 'scene-list-new', text: 'New list', title: 'Begins with what is shown now', onclick: () => newList() });
  const drop = el('button', { type: 'button', class: 'plain', id: 'scene-list-delete', text: 'Delete this list', onclick: () => deleteOwn() });
  const which = el('div', { class: 'settings' }, el('label', {}, 'List ', lists), name, begin, drop);
  const node = el('div', { class: 'scene-list' }, which, rows, el('div', { class: 'scene-words' }, ...fields.map((f) => f.node)), el('div', { class: 'settings' }, add, save, open, sheet, file), says);

  /** @param {(scenes: Scene[], at: number) => Scene[]} edit */
  const change = (edit, to = store.get().scene) => {
    const { lesson, scene } = store.get();
    if (lesson) player.edit({ ...lesson, scenes: edit(lesson.scenes, scene) }, to);
  };
  /** Whether the present page can be added to these scenes; if not, says why. */
  const addable = (/** @type {Scene[]} */ scenes) => {
    const scene = sceneNow(store.get());
    if (scene.text.trim() === '') {
      setText(says, 'Type a text first.');
      return false;
    }
    try {
      checkSize({ title: '', scenes: [...scenes, scene] });
    } catch (error) {
      setText(says, `Nothing was added: ${error instanceof Error ? error.message : error}.`);
      return false;
    }
    return true;
  };
  const addScene = () => {
    const { lesson, scene } = store.get();
    if (!lesson || !addable(lesson.scenes)) return;
    change((scenes) => scenes.toSpliced(scene + 1, 0, sceneNow(store.get())), scene + 1);
    setText(says, `Added as scene ${scene + 2}. Write its caption; the list is stored on this device as you make it.`);
    fields[0].field.focus();
  };
  const exportScenes = () => {
    const { lesson } = store.get();
    if (lesson) download('scenes.json', new Blob([writeLesson(lesson)], { type: 'application/json' }));
  };
  file.addEventListener('change', async () => {
    const [chosen] = file.files ?? [];
    file.value = '';
    if (!chosen) return;
    try {
      const lesson = parseLesson(await readText(chosen, MOST_BYTES));
      checkSize(lesson);
      player.open(lesson, { source: newSource() });
      setText(says, `${lesson.scenes.length} scenes imported.`);
    } catch (error) {
      setText(says, `${chosen.name} was not imported: ${error instanceof Error ? error.message : error}.`);
    }
  });
  const newList = () => {
    if (addable([])) player.open({ title: 'My scenes', scenes: [sceneNow(store.get())] }, { source: newSource(), play: false });
  };
  /** @returns {Promise<boolean>} whether it is open now */
  const openList = async (/** @type {string} */ source) => {
    try {
      player.open(await lessonFrom(source), { source });
      return true;
    } catch (error) {
      setText(says, `The list was not opened: ${error instanceof Error ? error.message : error}.`);
      lists.value = store.get().lessonSource ?? '';
      return false;
    }
  };
  const deleteOwn = async () => {
    const { lessonSource, lesson } = store.get();
    if (!lesson || !lessonSource || !isOwn(lessonSource)) return;
    if (!(await openList('tour'))) return;
    try {
      await deleteList(lessonSource);
      setText(says, `“${lesson.title}” was deleted.`);
    } catch (error) {
      setText(says, `“${lesson.title}” was not deleted: ${error instanceof Error ? error.message : error}.`);
    }
    offerLists();
  };
  /** Offers the tour, the reader's lists, and what is open. */
  const offerLists = async () => {
    const own = await ownLists().catch(() => []);
    const { lesson, lessonSource } = store.get();
    const options = [{ source: 'tour', title: 'Guided tour', scenes: 0 }, { source: 'exercises', title: 'Exercises', scenes: 0 }, ...own];
    if (lesson && !options.some(({ source }) => source === lessonSource)) options.push({ source: lessonSource ?? '', title: lesson.title || 'Scenes', scenes: lesson.scenes.length });
    lists.replaceChildren(...options.map(({ source, title, scenes }) => el('option', { value: source, text: scenes ? `${title || 'Untitled'} (${scenes})` : title })));
    lists.value = lessonSource ?? '';
  };
  storeLists(store, (error) => {
    if (error) setText(says, 'This browser did not store the list: export it to keep it.');
    else offerLists();
  });
  const swap = (/** @type {number} */ i, /** @type {number} */ j) => {
    const { scene } = store.get();
    const to = scene === i ? j : scene === j ? i : scene;
    change((scenes) => scenes.with(i, scenes[j]).with(j, scenes[i]), to);
    // The list was rebuilt: focus the scene at its new place.
    onceDrawn(() => /** @type {HTMLElement|undefined} */ (rows.children[j]?.querySelector('button'))?.focus());
  };
  const remove = (/** @type {number} */ i) => {
    const { lesson, scene } = store.get();
    if (!lesson || lesson.scenes.length === 1) return;
    change((scenes) => scenes.toSpliced(i, 1), scene > i ? scene - 1 : scene);
    // The text on the page is still the removed scene's.
    if (i === scene) player.go(store.get().scene);
  };

  store.watch(['lessonSource'], offerLists);
  store.watch(['lesson', 'lessonSource', 'scene'], (/** @type {State} */ { lesson, lessonSource, scene: at }) => {
    if (!lesson) return;
    drop.hidden = name.hidden = !isOwn(lessonSource);
    if (name.value !== lesson.title) name.value = lesson.title;
    const last = lesson.scenes.length - 1;
    const key = JSON.stringify([at, lesson.scenes.map(({ title, text }) => title || text)]);
    if (rows.dataset.key !== key) {
      rows.dataset.key = key;
      rows.replaceChildren(...lesson.scenes.map(row(at, last)));
    }
    for (const { key: name, field } of fields) if (field.value !== lesson.scenes[at]?.[name]) field.value = lesson.scenes[at]?.[name] ?? '';
  });

  /**
   * @param {number} at
   * @param {number} last
   * @returns {(scene: Scene, i: number) => HTMLElement}
   */
  function row(at, last) {
    return (scene, i) => {
      const name = scene.title || scene.text.slice(0, 60);
      const tool = (/** @type {string} */ text, /** @type {string} */ label, /** @type {() => void} */ act, /** @type {boolean} */ off) =>
        el('button', { type: 'button', class: 'plain square', text, 'aria-label': `${label}: ${name}`, disabled: off, onclick: act });
      return el(
        'li',
        {},
        el('button', { type: 'button', class: 'plain go', text: name, 'aria-current': i === at ? 'true' : null, onclick: () => player.go(i) }),
        tool('↑', 'Move up', () => swap(i, i - 1), i === 0),
        tool('↓', 'Move down', () => swap(i, i + 1), i === last),
        tool('✕', 'Remove', () => remove(i), last === 0),
      );
    };
  }
  return node;
}
