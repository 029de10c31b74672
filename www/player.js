/** Plays scenes: sets the text, waits for its translation, then holds what the scene holds. */

/** @import { Store, State } from './state.js' */
/** @import { Lesson, Scene } from './scenes.js' */
import { NO_MARKS } from './state.js';
import { matrixOf, stepCount } from './select.js';

/**
 * @param {Store} store
 * @param {(text: string) => void} type as if the reader had typed it
 */
export function createPlayer(store, type) {
  /** @type {Scene|null} the scene whose translation is waited for */
  let wanted = null;

  const settle = () => {
    const { text, doc, observation } = store.get();
    if (!wanted) return;
    if (text !== wanted.text) {
      // The reader types on: the scene is left.
      wanted = null;
      return;
    }
    if (doc.text !== text || doc.running || doc.recorded || !observation?.final) return;
    const scene = wanted;
    wanted = null;
    store.set(marksFor(store.get(), scene));
  };
  store.watch(['text', 'doc', 'observation'], settle);

  /** @param {number} to */
  function go(to) {
    const { lesson } = store.get();
    const scene = lesson?.scenes[to];
    if (!scene) return;
    store.set({ ...scene.view, scene: to, playing: false, held: NO_MARKS, preview: NO_MARKS, stepChosen: false });
    wanted = scene;
    if (store.get().text !== scene.text) type(scene.text);
    settle();
  }

  return {
    go,
    /** @param {Lesson} lesson */
    open(lesson, at = 0) {
      store.set({ lesson, scene: at });
      go(at);
    },
    close() {
      wanted = null;
      store.set({ lesson: null, scene: 0 });
    },
    /** @param {Lesson} lesson the same list, rearranged; the scene at `scene` is shown already */
    edit(lesson, scene = store.get().scene) {
      store.set({ lesson, scene: Math.max(0, Math.min(lesson.scenes.length - 1, scene)) });
    },
  };
}

/**
 * What a scene holds, as far as this model and this translation have it.
 * @param {State} state
 * @param {Scene} scene
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
