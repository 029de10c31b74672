/**
 * Files of scenes: what comes from others is read here field by field, so that nothing of it can run or load anything.
 * Loaded with the first list.
 */

/** @import { State, AttentionKind, Marks } from './state.js' */
/** @import { Exercise, Lesson, Scene } from './scenes.js' */
import { CHOICES, settingName } from './fragment.js';
import { NO_MARKS } from './state.js';

/** Most scenes of a list; most characters of a field. */
const MOST = { scenes: 300, text: 20_000, caption: 4_000, title: 200 };
/** Most characters of the fields that are written in the list. */
export const MOST_WRITTEN = { title: MOST.title, caption: MOST.caption, question: MOST.caption, answer: MOST.caption };
const MOST_INDEX = 100_000;
/** @type {AttentionKind[]} */
const KINDS = ['encoderSelf', 'decoderSelf', 'cross'];
const SETTINGS = Object.keys(CHOICES).filter((key) => key !== 'theme');

/**
 * Reads a file of scenes.
 * @param {string} json
 * @returns {Lesson}
 * @throws {Error} saying what is wrong with it
 */
export function parseLesson(json) {
  /** @type {any} */
  let file;
  try {
    file = JSON.parse(json);
  } catch (error) {
    throw new Error(`the file is no JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (!isObject(file) || file.format !== 1) throw new Error('the file says no "format": 1, which files of scenes begin with');
  if (!Array.isArray(file.scenes) || file.scenes.length === 0) throw new Error('the file has no list "scenes"');
  return { title: string(file, 'title'), scenes: file.scenes.map(sceneOf) };
}

/**
 * Refuses a list that is too large. Not for reading a list on this device: the reader would lose it.
 * @param {Lesson} lesson
 * @throws {Error} saying what is too large
 */
export function checkSize({ title, scenes }) {
  if (scenes.length > MOST.scenes) throw new Error(`there are ${scenes.length} scenes, at most ${MOST.scenes} are allowed`);
  checkLength('title of the list', title, MOST.title);
  for (const [i, scene] of scenes.entries()) {
    const name = (/** @type {string} */ key) => `scene ${i + 1}: ${key}`;
    checkLength(name('text'), scene.text, MOST.text);
    for (const key of /** @type {(keyof typeof MOST_WRITTEN)[]} */ (Object.keys(MOST_WRITTEN))) checkLength(name(key), scene[key], MOST_WRITTEN[key]);
  }
}

/**
 * @param {string} name
 * @param {string} value
 * @param {number} most
 */
function checkLength(name, value, most) {
  if (value.length > most) throw new Error(`${name} has ${value.length} characters, at most ${most} are allowed`);
}

/**
 * @param {any} value
 * @param {number} i
 * @returns {Scene}
 */
function sceneOf(value, i) {
  try {
    if (!isObject(value)) throw new Error('is no object');
    // As the field has line ends: what a scene holds waits for this very text.
    const text = string(value, 'text').replace(/\r\n?/g, '\n');
    if (text.trim() === '') throw new Error('text is empty');
    const model = string(value, 'model');
    if (model !== '' && !/^[0-9a-f]{64}$/.test(model)) throw new Error('model is no SHA-256 in hexadecimal');
    const view = isObject(value.view) ? value.view : {};
    return {
      title: string(value, 'title'),
      text,
      model: model || null,
      view: { ...Object.fromEntries(SETTINGS.map((key) => [key, choice(view, settingName(key), CHOICES[key])])), allLayers: view.allLayers === true },
      sentence: value.sentence === null || value.sentence === undefined ? 0 : index(value, 'sentence'),
      held: marksOf(value.held),
      step: value.step === null || value.step === undefined ? null : index(value, 'step'),
      caption: string(value, 'caption'),
      question: string(value, 'question'),
      answer: string(value, 'answer'),
      exercise: exerciseOf(value.exercise),
    };
  } catch (error) {
    throw new Error(`scene ${i + 1}: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * @param {any} held
 * @returns {Marks}
 */
function marksOf(held) {
  if (!isObject(held)) return NO_MARKS;
  const { head, token, cell } = held;
  return {
    head: isObject(head) ? { kind: choice(head, 'kind', KINDS), layer: index(head, 'layer'), head: index(head, 'head') } : null,
    token: isObject(token) ? { side: choice(token, 'side', ['source', 'target']), index: index(token, 'index') } : null,
    cell: isObject(cell) ? { row: index(cell, 'row'), col: index(cell, 'col') } : null,
  };
}

/**
 * @param {any} value
 * @returns {Exercise|null}
 */
function exerciseOf(value) {
  if (value === undefined || value === null) return null;
  if (!isObject(value)) throw new Error('exercise is no object');
  const at = (/** @type {string} */ key) => (value[key] === undefined ? 0 : index(value, key));
  return { choose: choice(value, 'choose', ['cell', 'head', 'word', 'number']), kind: choice(value, 'kind', KINDS), row: at('row'), col: at('col'), what: choice(value, 'what', ['weight', 'sum', 'columns', 'probability']) };
}

/** @param {unknown} value @returns {value is Record<string, any>} */
const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/**
 * @param {Record<string, any>} from
 * @param {string} key
 */
function string(from, key) {
  const value = from[key];
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw new Error(`${key} is no text`);
  return value;
}

/**
 * One of some values, the first where none is given.
 * @template {string} T
 * @param {Record<string, any>} from
 * @param {string} key
 * @param {T[]} allowed
 * @returns {T}
 */
function choice(from, key, allowed) {
  const value = from[key] ?? allowed[0];
  if (!allowed.includes(value)) throw new Error(`${key} is none of ${allowed.join(', ')}`);
  return value;
}

/**
 * @param {Record<string, any>} from
 * @param {string} key
 */
function index(from, key) {
  const value = from[key];
  if (!Number.isInteger(value) || value < 0 || value > MOST_INDEX) throw new Error(`${key} is no whole number from 0 to ${MOST_INDEX}`);
  return value;
}

/**
 * The file of a list of scenes.
 * @param {Lesson} lesson
 */
export function writeLesson({ title, scenes }) {
  const named = scenes.map((scene) => ({ ...scene, view: Object.fromEntries(Object.entries(scene.view).map(([key, value]) => [settingName(key), value])) }));
  return `${JSON.stringify({ format: 1, title, scenes: named }, null, 1)}\n`;
}

/**
 * The present page as a scene without title and caption.
 * @param {State} state
 * @returns {Scene}
 */
export function sceneNow(state) {
  return {
    title: '',
    text: state.text,
    model: state.model?.hash ?? null,
    view: { ...Object.fromEntries(SETTINGS.map((key) => [key, /** @type {any} */ (state)[key]])), allLayers: state.allLayers },
    sentence: state.observation?.sentence ?? 0,
    held: state.held,
    step: state.stepChosen ? state.step : null,
    caption: '',
    question: '',
    answer: '',
    exercise: null,
  };
}
