/** Settings in the URL's fragment. It holds the text only when the reader shares it. */

/** @import { State } from './state.js' */
import { initialState } from './state.js';

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
  steerView: ['alternatives', 'target', 'heads', 'compare', 'beam'],
  scale: ['linear', 'sqrt', 'log'],
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
export const RANGES = { beam: [1, 8, 1], alpha: [0, 2, 0.1] };

/** What an address without settings means. @returns {Partial<State>} */
export function defaultSettings() {
  const { beam, alpha, allLayers, layout } = initialState();
  return { ...Object.fromEntries(Object.entries(CHOICES).map(([key, [first]]) => [key, first])), beam, alpha, allLayers, layout };
}

/** Settings of the Learning tab are read up to this length. */
const MOST_LEARNING = 400;

/**
 * Reads settings, and the text of a shared link, from a fragment; ignores anything else.
 * @param {string} fragment
 * @returns {{settings: Partial<State>, text: string|null}}
 */
export function readFragment(fragment) {
  const params = new URLSearchParams(fragment.replace(/^#/, ''));
  /** @type {any} */
  const settings = {};
  for (const [key, allowed] of Object.entries(CHOICES)) {
    const value = params.get(settingName(key));
    if (value && allowed.includes(value)) settings[key] = value;
  }
  for (const [key, [least, most]] of Object.entries(RANGES)) {
    const value = Number(params.get(key) ?? NaN);
    if (value >= least && value <= most) settings[key] = key === 'beam' ? Math.round(value) : value;
  }
  if (params.get('layers') === 'all') settings.allLayers = true;
  const learning = params.get('learning');
  if (learning && learning.length <= MOST_LEARNING) settings.learning = learning;
  settings.layout = params.has('present') ? 'present' : params.has('embed') ? 'embed' : 'page';
  return { settings, text: params.get('text') };
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
  if (text !== undefined) params.set('text', text);
  return params.toString();
}
