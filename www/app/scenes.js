/** Scenes: a text with a view, held marks and a caption; a list of them is a tour, an exercise, a lecture. */

/** @import { AttentionKind, Marks } from './state.js' */

/**
 * @typedef {object} Scene
 * @property {string} title
 * @property {string} text
 * @property {string|null} model SHA-256 of the weights that it was made with
 * @property {Record<string, any>} view settings of the state: all but the theme, which is the reader's
 * @property {number} sentence the one that is looked at, from 0
 * @property {Marks} held in that sentence
 * @property {number|null} step decoding step, from 0; null: as the page chooses
 * @property {string} caption
 * @property {string} question
 * @property {string} answer hidden until the reader opens it
 * @property {Exercise|null} [exercise] a question that the page checks
 */
/**
 * What the reader is to choose: the heaviest cell or word of a row, the head that gives a cell most, or a number.
 * @typedef {object} Exercise
 * @property {'cell'|'head'|'word'|'number'} choose
 * @property {AttentionKind} kind
 * @property {number} row in pieces, from 0
 * @property {number} col
 * @property {'weight'|'sum'|'columns'|'probability'} what the number is
 */
/** @typedef {{title: string, scenes: Scene[]}} Lesson */

/** The source of a list of the reader's that begins now. */
export const newSource = () => `own:${crypto.randomUUID()}`;

/** Whether a list is the reader's own, stored on this device. @param {string|null} source */
export const isOwn = (source) => source?.startsWith('own:') ?? false;

/** Lists that ship, by their source, each fetched once; a failure is tried again. @type {Map<string, Promise<Lesson>>} */
const fetched = new Map();

/** A list that ships. @param {'tour'|'exercises'} name */
export function loadShipped(name) {
  const lesson = fetched.get(name) ?? fetchShipped(name);
  fetched.set(name, lesson);
  lesson.catch(() => fetched.delete(name));
  return lesson;
}

export const loadTour = () => loadShipped('tour');

/** @param {string} name */
async function fetchShipped(name) {
  const response = await fetch(new URL(`../page/scenes/${name}.json`, import.meta.url));
  if (!response.ok) throw new Error(`scenes/${name}.json: the server answered ${response.status}`);
  const { parseLesson } = await import('./scene-file.js');
  return parseLesson(await response.text());
}
