/** Settings in the URL's fragment. It holds the text only when the reader shares it. */

/** @import { AttentionKind, Marks, State } from './state.js' */
import { NO_MARKS, initialState } from './state.js';

/**
 * What a link names beside settings.
 * @typedef {object} Link
 * @property {string|null} text
 * @property {string|null} scenes 'tour', or the address of a file of scenes
 * @property {number} scene from 0
 * @property {Marks|null} held
 * @property {number} sentence the one that is looked at, from 0
 * @property {number|null} step from 0
 * @property {{name: string, hash: string}|null} model `hash`: the beginning of its weights' SHA-256
 */

/** @type {AttentionKind[]} */
const KINDS = ['encoderSelf', 'decoderSelf', 'cross'];
/** As many digits of a model's hash as tell it from others. */
const HASH = 16;

/**
 * Settings with their values, the default first.
 * @type {{[key: string]: string[]}}
 */
export const CHOICES = {
  tab: ['attention'],
  mode: ['translating', 'training'],
  form: ['map', 'lines'],
  heads: ['one', 'all', 'mean', 'layers'],
  measure: ['weight', 'norm'],
  unit: ['pieces', 'words'],
  specialTokens: ['shown', 'hidden'],
  steerView: ['alternatives', 'target', 'heads', 'compare', 'beam', 'sampling'],
  scale: ['linear', 'sqrt', 'log'],
  presented: ['tab', 'figure'],
  arithmeticStep: ['project', 'product', 'scale', 'mask', 'softmax', 'values', 'output', 'norm-attention', 'forward', 'norm-forward'],
  theme: ['auto', 'light', 'dark'],
};

/** @param {string[]} ids of the tabs that links and scenes may name, the default one first */
export function registerTabs(ids) {
  CHOICES.tab = ids;
}

/** Names in links and in files of scenes that differ from the state's: both are published. @type {{[key: string]: string}} */
const NAMES = { unit: 'by', specialTokens: 'special', steerView: 'steer' };

/** @param {string} key */
export const settingName = (key) => NAMES[key] ?? key;

/** Settings that are numbers: least, most and step. @type {{[key: string]: [number, number, number]}} */
export const RANGES = { beam: [1, 8, 1], alpha: [0, 2, 0.1], temperature: [0.1, 2, 0.1], topK: [0, 50, 1], topP: [0.05, 1, 0.05], seed: [0, 9999, 1] };

/** What an address without settings means. @returns {Partial<State>} */
export function defaultSettings() {
  const { allLayers, layout, ...initial } = initialState();
  const numbers = Object.keys(RANGES).map((key) => [key, /** @type {any} */ (initial)[key]]);
  return { ...Object.fromEntries(Object.entries(CHOICES).map(([key, [first]]) => [key, first])), ...Object.fromEntries(numbers), allLayers, layout };
}

/** Settings of the Learning tab are read up to this length. */
const MOST_LEARNING = 400;

/**
 * Reads settings, and what a shared link names, from a fragment; ignores anything else.
 * @param {string} fragment
 * @returns {{settings: Partial<State>, link: Link}}
 */
export function readFragment(fragment) {
  const params = new URLSearchParams(fragment.replace(/^#/, ''));
  /** @type {any} */
  const settings = {};
  for (const [key, allowed] of Object.entries(CHOICES)) {
    const value = params.get(settingName(key));
    if (value && allowed.includes(value)) settings[key] = value;
  }
  for (const [key, [least, most, step]] of Object.entries(RANGES)) {
    const value = Number(params.get(key) ?? NaN);
    if (value >= least && value <= most) settings[key] = step === 1 ? Math.round(value) : value;
  }
  if (params.get('layers') === 'all') settings.allLayers = true;
  const learning = params.get('learning');
  if (learning && learning.length <= MOST_LEARNING) settings.learning = learning;
  settings.layout = params.has('present') ? 'present' : params.has('embed') ? 'embed' : 'page';
  return { settings, link: { text: params.get('text')?.replace(/\r\n?/g, '\n') ?? null, scenes: params.get('scenes'), scene: numberOf(params.get('scene')) ?? 0, sentence: numberOf(params.get('sentence')) ?? 0, step: numberOf(params.get('step')), held: heldIn(params), model: modelIn(params) } };
}

/**
 * A number as links give it, from 1, counted from 0.
 * @param {string|null|undefined} given
 */
function numberOf(given) {
  return /^[1-9]\d{0,4}$/.test(given ?? '') ? Number(given) - 1 : null;
}

/**
 * @param {URLSearchParams} params
 * @returns {Marks|null}
 */
function heldIn(params) {
  const [kind, layer, head] = (params.get('head') ?? '').split('.');
  const [side, index] = (params.get('piece') ?? '').split('.');
  const [row, col] = (params.get('cell') ?? '').split('.').map(numberOf);
  const at = { layer: numberOf(layer), head: numberOf(head), index: numberOf(index) };
  const known = KINDS.find((one) => one === kind);
  const held = {
    head: known && at.layer !== null && at.head !== null ? { kind: known, layer: at.layer, head: at.head } : null,
    token: (side === 'source' || side === 'target') && at.index !== null ? { side: /** @type {'source'|'target'} */ (side), index: at.index } : null,
    cell: row !== null && col !== null && row !== undefined && col !== undefined ? { row, col } : null,
  };
  return held.head || held.token || held.cell ? held : null;
}

/** @param {URLSearchParams} params */
function modelIn(params) {
  const [, name, hash] = /^(.{1,100})@([0-9a-f]{8,64})$/.exec(params.get('model') ?? '') ?? [];
  return hash ? { name, hash } : null;
}

/**
 * @param {State} state
 * @param {string} [text] only when the reader shares it
 */
export function writeFragment(state, text) {
  const defaults = initialState();
  const params = new URLSearchParams();
  for (const key of [...Object.keys(CHOICES), ...Object.keys(RANGES)]) {
    const value = String(/** @type {any} */ (state)[key]);
    if (value !== String(/** @type {any} */ (defaults)[key])) params.set(settingName(key), value);
  }
  if (state.allLayers) params.set('layers', 'all');
  if (state.tab === 'learning' && state.learning) params.set('learning', state.learning);
  if (state.layout !== 'page') params.set(state.layout, '');
  // Lists on this device, or from a file, have no address that others could open.
  if (state.lesson && state.lessonSource && (['tour', 'exercises'].includes(state.lessonSource) || state.lessonSource.startsWith('http'))) {
    params.set('scenes', state.lessonSource);
    params.set('scene', String(state.scene + 1));
  }
  if (text !== undefined) share(params, state, text);
  return params.toString();
}

/**
 * What only a shared link holds: the text, the sentence that is looked at, what is held in it, the step, the model.
 * @param {URLSearchParams} params
 * @param {State} state
 * @param {string} text
 */
function share(params, { observation, held = NO_MARKS, step, stepChosen, model }, text) {
  const { head, token, cell } = held;
  if (observation && observation.sentence > 0) params.set('sentence', String(observation.sentence + 1));
  if (head) params.set('head', `${head.kind}.${head.layer + 1}.${head.head + 1}`);
  if (token) params.set('piece', `${token.side}.${token.index + 1}`);
  if (cell) params.set('cell', `${cell.row + 1}.${cell.col + 1}`);
  if (stepChosen) params.set('step', String(step + 1));
  if (model?.hash) params.set('model', `${model.name}@${model.hash.slice(0, HASH)}`);
  params.set('text', text);
}
