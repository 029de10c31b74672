/** Plays scenes: sets the text, waits for its translation, looks at a sentence, then holds what the scene holds. */

/** @import { State } from './state.js' */
/** @import { Store } from './store.js' */
/** @import { Lesson, Scene } from './scenes.js' */
import { isOwn, newSource } from './scenes.js';
import { NO_MARKS } from './state.js';
import { matrixOf, stepCount } from './select.js';

/**
 * @param {Store} store
 * @param {object} page
 * @param {(text: string) => void} page.type as if the reader had typed it
 * @param {(at: number) => void} page.moveCaret to where the sentence begins that is to be observed
 * @param {(address: string) => void} page.switchTo has another model translate, for the time being
 */
export function createPlayer(store, { type, moveCaret, switchTo }) {
  /** @type {Pick<Scene, 'text'|'sentence'|'held'|'step'>|null} the scene whose translation is not there yet */
  let pendingScene = null;
  /** Whether its sentence was asked for. */
  let asked = false;
  /** @type {{ before: string, during: string }|null} the reader's model, and the one that replaces it for the scenes */
  let replaced = null;

  const settle = () => {
    const { text, doc, observation, pendingModel } = store.get();
    // A pending model translates the text again when it has loaded.
    if (!pendingScene || pendingModel) return;
    if (text !== pendingScene.text) {
      // The reader types on: the scene is left.
      pendingScene = null;
      return;
    }
    if (doc.text !== text || doc.running || doc.recorded || !observation?.final) return;
    const scene = pendingScene;
    const at = sentenceOf(scene, doc);
    if (observation.sentence !== at && doc.outputs[at]?.target) {
      if (!asked) moveCaret(doc.sentences[at].range[0]);
      asked = true;
      return;
    }
    pendingScene = null;
    // Where the inspector is a sheet, it opens for what is held, or for a caption that speaks of what it shows.
    const { lesson, inspectorOpen } = store.get();
    const looks = lesson !== null || scene.held !== NO_MARKS || scene.step !== null;
    store.set({ ...marksFor(store.get(), scene), inspectorOpen: looks || inspectorOpen });
  };
  store.watch(['text', 'doc', 'observation', 'pendingModel'], settle);

  /** @param {number} to */
  function go(to) {
    const { lesson } = store.get();
    const scene = lesson?.scenes[to];
    if (!scene) return;
    store.set({ ...scene.view, scene: to, playing: false, held: NO_MARKS, preview: NO_MARKS, stepChosen: false });
    play(scene);
  }

  /** @param {Pick<Scene, 'text'|'sentence'|'held'|'step'>} scene */
  function play(scene) {
    pendingScene = scene;
    asked = false;
    if (store.get().text !== scene.text) type(scene.text);
    settle();
  }

  /** Loads the model that a scene was made with, if it is another one that ships. */
  function fit() {
    const { lesson, scene, address, pendingModel } = store.get();
    const own = lesson && madeWith(store.get(), lesson.scenes[scene]);
    const now = pendingModel ?? address;
    if (!own || own.address === now) return;
    if (now) replaced = { before: replaced?.before ?? now, during: own.address };
    switchTo(own.address);
  }

  return {
    go,
    fit,
    /**
     * Shows what a link names: its text, then what it holds.
     * @param {Pick<Scene, 'text'|'sentence'|'held'|'step'>} named
     */
    show: play,
    /**
     * @param {Lesson} lesson
     * @param {object} [from]
     * @param {string|null} [from.source] where the scenes come from
     * @param {number} [from.at] the scene to begin with
     * @param {boolean} [from.play] false: the scene's words are shown, and what the reader made of its text stays
     */
    open(lesson, { source = null, at = 0, play = true } = {}) {
      const scene = Math.min(at, lesson.scenes.length - 1);
      store.set({ lesson, lessonSource: source, scene });
      fit();
      if (play) go(scene);
    },
    close() {
      pendingScene = null;
      store.set({ lesson: null, lessonSource: null, scene: 0, inspectorOpen: false });
      const { address, pendingModel } = store.get();
      // A model that the reader has chosen since stays.
      if (replaced && (pendingModel ?? address) === replaced.during) switchTo(replaced.before);
      replaced = null;
    },
    /** @param {string} title of the list */
    rename(title) {
      const { lesson } = store.get();
      if (lesson) store.set({ lesson: { ...lesson, title } });
    },
    /** @param {Lesson} lesson the same list, changed; the scene at `scene` is shown already */
    edit(lesson, scene = store.get().scene) {
      const { lessonSource } = store.get();
      const own = isOwn(lessonSource);
      // What comes from elsewhere becomes a list of the reader's with its first change.
      const title = own ? lesson.title : `${lesson.title || 'Scenes'}, changed`;
      store.set({ lesson: { ...lesson, title }, lessonSource: own ? lessonSource : newSource(), scene: Math.max(0, Math.min(lesson.scenes.length - 1, scene)) });
    },
  };
}

/**
 * The sentence that a scene looks at: the last one, where there are not so many.
 * @param {Pick<Scene, 'sentence'>} scene
 * @param {{ sentences: unknown[] }} text
 */
export const sentenceOf = ({ sentence }, { sentences }) => Math.min(sentence, sentences.length - 1);

/**
 * The shipped model with whose weights a scene was made, if others translate.
 * @param {State} state
 * @param {Scene} scene
 */
export function madeWith({ model, shipped }, scene) {
  if (!scene.model || scene.model === model?.hash) return undefined;
  return shipped.find(({ hash }) => hash === scene.model);
}

/**
 * What a scene holds, as far as this model and this translation have it.
 * @param {State} state
 * @param {Pick<Scene, 'held'|'step'>} scene
 * @returns {Partial<State>}
 */
function marksFor({ observation, layers, layersChosen }, { held, step }) {
  if (!observation) return {};
  const matrix = held.head && matrixOf(observation, held.head);
  const head = matrix ? held.head : null;
  const pieces = held.token?.side === 'source' ? observation.source : observation.target;
  const token = held.token && held.token.index < pieces.length ? held.token : null;
  const cell = matrix && held.cell && held.cell.row < matrix.rows && held.cell.col < matrix.cols ? held.cell : null;
  const at = step ?? (token?.side === 'target' ? token.index : null);
  const open = head && { ...layers, [head.kind === 'encoderSelf' ? 'encoder' : 'decoder']: head.layer };
  return {
    held: { head, token, cell },
    ...(at !== null && at < stepCount(observation) ? { step: at, stepChosen: true } : {}),
    ...(open ? { layers: open, layersChosen: true } : { layersChosen }),
  };
}
