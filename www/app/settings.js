/** Actions of the reader that change settings of the page: one named function for each. */

/** @import * as P from '../engine/protocol' */
/** @import { State } from './state.js' */
/** @import { Store } from './store.js' */
import { defaultSettings } from './fragment.js';

/** @param {Store} store @param {string} tab */
export const openTab = (store, tab) => store.set({ tab });

/** Opens a tab from outside the inspector, which on small screens lies over the page then. @param {Store} store @param {string} tab */
export const openInspector = (store, tab) => store.set({ tab, inspectorOpen: true });

/** Task and settings of the Learning tab, for links. @param {Store} store @param {string} learning */
export const setLearning = (store, learning) => store.set({ learning });

/** @param {Store} store @param {State['steerView']} steerView */
export const setSteerView = (store, steerView) => store.set({ steerView });

/** @param {Store} store @param {State['mode']} mode */
export const setMode = (store, mode) => store.set({ mode, playing: false });

/** @param {Store} store @param {State['layout']} layout */
export const setLayout = (store, layout) => store.set({ layout, inspectorOpen: false });

/** @param {Store} store @param {string[]} textsBefore */
export const setTextsBefore = (store, textsBefore) => store.set({ textsBefore });

/** @param {Store} store @param {State['presented']} presented */
export const setPresented = (store, presented) => store.set({ presented });

/** @param {Store} store @param {string} arithmeticStep */
export const setArithmeticStep = (store, arithmeticStep) => store.set({ arithmeticStep });

/** Takes over what an address says; what it leaves out has its default. @param {Store} store @param {Partial<State>} settings */
export const followFragment = (store, settings) => store.set({ ...defaultSettings(), ...settings });

/** @param {Store} store @param {State['theme']} theme */
export const setTheme = (store, theme) => store.set({ theme });

/** @param {Store} store @param {State['scale']} scale */
export const setScale = (store, scale) => store.set({ scale });

/** @param {Store} store @param {State['form']} form */
export function setForm(store, form) {
  const { heads, held } = store.get();
  // Lines compare heads, unless the reader holds one.
  store.set({ form, ...(form === 'lines' && heads === 'one' && !held.head ? { heads: 'all' } : {}) });
}

/** Shows one head instead of several. @param {Store} store */
export const showOneHead = (store) => store.set({ heads: 'one', bundle: null });

/** Draws the lines of these heads only. @param {Store} store @param {number[]|null} bundle null: of all */
export const setBundle = (store, bundle) => store.set({ bundle });

/** @param {Store} store */
export const toggleAllLayers = (store) => store.set({ allLayers: !store.get().allLayers });

/**
 * Opens a layer in the figure; a held head of that stack moves along, so that inspector and figure show the same layer.
 * @param {Store} store
 * @param {'encoder'|'decoder'} stack
 * @param {number} layer
 */
export function openLayer(store, stack, layer) {
  const { layers, held } = store.get();
  const moves = held.head && (held.head.kind === 'encoderSelf') === (stack === 'encoder');
  store.set({
    layers: { ...layers, [stack]: layer },
    layersChosen: true,
    allLayers: false,
    ...(moves && held.head ? { held: { ...held, head: { ...held.head, layer } } } : {}),
  });
}

/** @param {Store} store @param {'beam'|'alpha'|'temperature'|'topK'|'topP'|'seed'} key @param {number} value */
export const setSearch = (store, key, value) => store.set({ [key]: value });

/** @param {Store} store @param {P.Intervention} intervention of the Arithmetic tab */
export const setIntervention = (store, intervention) => store.set({ intervention, interventionResult: null });

/** @param {Store} store @param {P.HeadChange[]} headChanges of the Alternatives & beam tab */
export const setHeadChanges = (store, headChanges) => store.set({ headChanges, interventionResult: null });

/** The switch of `headToFocus` has the focus. @param {Store} store */
export const clearHeadToFocus = (store) => store.set({ headToFocus: null });

/** Forgets translation A of a comparison. @param {Store} store */
export const unpin = (store) => store.set({ pinned: null });

/** Removes results about other sentences than the observed one. @param {Store} store @param {string} source the observed sentence */
export function removeOutdated(store, source) {
  const { branch, interventionResult, forced } = store.get();
  const current = (/** @type {{source: string}|null} */ result) => result?.source === source;
  store.set({ branch: current(branch) ? branch : null, interventionResult: current(interventionResult) ? interventionResult : null, forced: current(forced) ? forced : null });
}

/** @param {Store} store @param {boolean} offline */
export const setOffline = (store, offline) => store.set({ offline });

/** @param {Store} store @param {P.Term[]} terms */
export const setTerms = (store, terms) => store.set({ terms });

/** Redraws all canvases after colours or sizes have changed. @param {Store} store */
export const redrawAll = (store) => store.set({ redraw: store.get().redraw + 1 });

/** The page begins with what it has: the recorded example is shown, or cannot be. @param {Store} store */
export const settleExample = (store) => store.set({ exampleSettled: true });

/** Leaves it to the reader whether megabytes are fetched. @param {Store} store */
export const askConsent = (store) => store.set({ phase: 'consent' });
