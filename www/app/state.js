/** The page's one store: what is known, what is held, what is set. Views watch it and never change each other. */

/** @import * as P from '../engine/protocol' */
/** @import { Forced, Pinned, Steered, Tree } from './queries.js' */

/**
 * One head of one of the three attentions (§3.2.3); layers and heads count from 0.
 * @typedef {'encoderSelf'|'decoderSelf'|'cross'} AttentionKind
 * @typedef {{kind: AttentionKind, layer: number, head: number}} HeadRef
 * A piece of the observed sentence; on the target side the step that predicts it.
 * @typedef {{side: 'source'|'target', index: number}} TokenRef
 * One weight of the head that is shown.
 * @typedef {{row: number, col: number}} Cell
 * What the reader points at, or keeps.
 * @typedef {{head: HeadRef|null, token: TokenRef|null, cell: Cell|null}} Marks
 */

/**
 * The translation of one sentence as far as it has come.
 * @typedef {object} Output
 * @property {string} text
 * @property {number} agreed length of the part that is final
 * @property {P.Piece[]|null} target pieces; null while it is being decoded
 * @property {boolean} stale shows an older text's translation until the new one begins
 */

/**
 * The document whose translation is on the page.
 * @typedef {object} Doc
 * @property {string} text the source text that `sentences` cuts up
 * @property {P.SentenceInfo[]} sentences
 * @property {Output[]} outputs
 * @property {boolean} running
 * @property {boolean} recorded from the recorded example, not decoded on this device
 * @property {{tokensPerSecond: number|null, firstTokenMs: number}|null} speed
 */

/**
 * What was seen of one sentence's translation.
 * @typedef {object} Observation
 * @property {number} sentence
 * @property {P.Piece[]} source
 * @property {P.Piece[]} target
 * @property {P.StepAlternatives[]} steps
 * @property {P.Trace} trace
 * @property {boolean} final
 */

/**
 * An observation as the core summed it up: words, special pieces hidden, means over heads and layers.
 * @typedef {object} Views
 * @property {Observation} of
 * @property {'pieces'|'words'} by
 * @property {P.TraceView|null} each every head; null: as observed
 * @property {P.TraceView|null} mean the mean of each layer's heads, or of all layers' heads; null: not asked for
 */

/**
 * Positional encodings; the recorded example's come without wavelengths.
 * @typedef {{sinusoidal: P.Tensor, wavelengths: Float32Array|null, learned?: P.Tensor}} PositionTable
 */

/**
 * @typedef {object} State
 * @property {'starting'|'asking'|'loading'|'ready'|'failed'} phase of the model
 * @property {{stage: string, loaded: number, total: number}|null} progress
 * @property {P.ModelInfo|null} model
 * @property {string|null} address where the folder of the model that translates is found again
 * @property {string|null} coming address of the model that is on its way, whether or not another one translates meanwhile
 * @property {import('./models.js').Shipped[]} shipped models that the site ships, the default one first; none until its index is read
 * @property {{title: string, why: string, remedy: string, retry: 'load'|'translate'|'switch'}|null} failure
 * @property {boolean} offline
 * @property {string} text as it stands in the source field
 * @property {boolean} greeted whether it is settled what the page begins with: the recorded example, or nothing
 * @property {boolean} queued typed before the model could translate it
 * @property {Doc} doc
 * @property {number} sentence the sentence that is observed
 * @property {Observation|null} observation
 * @property {PositionTable|null} positions
 * @property {number} step decoding step t, counted from 0
 * @property {boolean} stepChosen the reader chose the step: later ones are drawn paler
 * @property {boolean} playing
 * @property {Marks} held
 * @property {Marks} preview
 * @property {{encoder: number, decoder: number}} layers open in the figure
 * @property {boolean} layersChosen the reader opened a layer; until then the figure opens telling ones
 * @property {HeadRef|null} aligner the head that marks words in the texts
 * @property {boolean} allLayers
 * @property {boolean} sheet the inspector lies over the page (small screens)
 * @property {string} tab id of the inspector's open tab
 * @property {'translating'|'training'} mode one step at a time, or all rows at once under the mask, as in training
 * @property {(P.Scored & {of: Observation})|null} scored how the translation fares under forced decoding; in training view
 * @property {'map'|'lines'} form how the Attention tab draws a head
 * @property {'one'|'all'|'mean'|'layers'} heads what the Attention tab shows of a layer: the head at hand; all, as lines;
 *   their mean; the mean over all layers
 * @property {number[]|null} bundle heads whose lines are drawn together; null: all of them
 * @property {'weight'|'norm'} measure the weights, or the value-weighted norms ‖α·v·W^O‖
 * @property {'pieces'|'words'} by what a row and a column of a map is
 * @property {'shown'|'hidden'} special start symbol and end mark
 * @property {Views|null} views the observation as `by`, `special` and `heads` want it; null: as observed
 * @property {import('./scenes.js').Lesson|null} lesson the scenes that are being stepped through
 * @property {number} scene which of them
 * @property {'page'|'present'|'embed'} layout the whole page, large for a projector, or one view for a frame
 * @property {'alternatives'|'target'|'heads'|'compare'|'beam'} steer what the Alternatives & beam tab shows
 * @property {number} beam hypotheses that the search keeps
 * @property {number} alpha α of its length penalty
 * @property {P.Arithmetic|null} arithmetic of the shown weight, once it has been asked for
 * @property {P.Intervention} change the arithmetic's switches
 * @property {P.HeadChange[]} headChanges heads that are switched off, uniform or alone
 * @property {HeadRef|null} headToFocus the head whose switch gets the focus once it is on the page
 * @property {Steered['from']|'target'|'compare'|'beam'|null} asking which question to the engine is under way
 * @property {Steered|null} intervened the translation under `change` or `headChanges`
 * @property {Steered|null} branch the translation that goes on from another piece
 * @property {Forced|null} forced the reader's own target
 * @property {Pinned|null} pinned translation A, to be compared with what follows
 * @property {Tree|null} tree of the search
 * @property {{sentence: number, what: string, own: Output}|null} variant stands in the place of the model's own translation
 * @property {'linear'|'sqrt'|'log'} scale
 * @property {'auto'|'light'|'dark'} theme
 * @property {number} look counts changes of theme and size, so that canvases are drawn again
 */

/** @type {Marks} */
export const NO_MARKS = Object.freeze({ head: null, token: null, cell: null });

/** @type {Doc} */
export const EMPTY_DOC = Object.freeze({ text: '', sentences: [], outputs: [], running: false, recorded: false, speed: null });

/** @returns {State} */
export function initialState() {
  return {
    phase: 'starting',
    progress: null,
    model: null,
    address: null,
    coming: null,
    shipped: [],
    failure: null,
    offline: false,
    text: '',
    greeted: false,
    queued: false,
    doc: EMPTY_DOC,
    sentence: 0,
    observation: null,
    positions: null,
    step: 0,
    stepChosen: false,
    playing: false,
    held: NO_MARKS,
    preview: NO_MARKS,
    layers: { encoder: 0, decoder: 0 },
    layersChosen: false,
    aligner: null,
    allLayers: false,
    sheet: false,
    lesson: null,
    scene: 0,
    layout: 'page',
    tab: 'attention',
    mode: 'translating',
    scored: null,
    form: 'map',
    heads: 'one',
    bundle: null,
    measure: 'weight',
    by: 'pieces',
    special: 'shown',
    views: null,
    steer: 'alternatives',
    beam: 4,
    alpha: 0.6,
    arithmetic: null,
    change: {},
    headChanges: [],
    headToFocus: null,
    asking: null,
    intervened: null,
    branch: null,
    forced: null,
    pinned: null,
    tree: null,
    variant: null,
    scale: 'linear',
    theme: 'auto',
    look: 0,
  };
}

/**
 * @typedef {object} Store
 * @property {() => State} get
 * @property {(patch: Partial<State>) => void} set
 * @property {(keys: (keyof State)[], view: (state: State) => void) => void} watch
 */

/**
 * A store that tells its watchers at most once per frame, however often it is set.
 * @param {State} initial
 * @returns {Store}
 */
export function createStore(initial) {
  let state = initial;
  /** @type {{keys: (keyof State)[], view: (state: State) => void}[]} */
  const watchers = [];
  /** @type {Set<keyof State>} */
  let changed = new Set();

  function flush() {
    const now = changed;
    changed = new Set();
    for (const { keys, view } of watchers) if (keys.some((key) => now.has(key))) view(state);
  }

  return {
    get: () => state,
    set(patch) {
      const fresh = /** @type {(keyof State)[]} */ (Object.keys(patch)).filter((key) => !Object.is(patch[key], state[key]));
      if (fresh.length === 0) return;
      state = { ...state, ...patch };
      if (changed.size === 0) requestAnimationFrame(flush);
      for (const key of fresh) changed.add(key);
    },
    watch(keys, view) {
      watchers.push({ keys, view });
      view(state);
    },
  };
}

// ── Settings in the fragment ───────────────────────────────────────────────
// The fragment never holds the text, unless the reader shares it.

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
  by: ['pieces', 'words'],
  special: ['shown', 'hidden'],
  steer: ['alternatives', 'target', 'heads', 'compare', 'beam'],
  scale: ['linear', 'sqrt', 'log'],
  theme: ['auto', 'light', 'dark'],
};

/** @param {string[]} ids of the tabs that links and scenes may name, the default one first */
export function registerTabs(ids) {
  CHOICES.tab = ids;
}

/** Settings that are numbers: least, most and step. @type {{[key: string]: [number, number, number]}} */
export const RANGES = { beam: [1, 8, 1], alpha: [0, 2, 0.1] };

/**
 * Reads settings, and the text of a shared link, from a fragment; what it does not know it ignores.
 * @param {string} fragment
 * @returns {{settings: Partial<State>, text: string|null}}
 */
export function readFragment(fragment) {
  const params = new URLSearchParams(fragment.replace(/^#/, ''));
  /** @type {any} */
  const settings = {};
  for (const [key, allowed] of Object.entries(CHOICES)) {
    const value = params.get(key);
    if (value && allowed.includes(value)) settings[key] = value;
  }
  for (const [key, [least, most]] of Object.entries(RANGES)) {
    const value = Number(params.get(key) ?? NaN);
    if (value >= least && value <= most) settings[key] = key === 'beam' ? Math.round(value) : value;
  }
  if (params.get('layers') === 'all') settings.allLayers = true;
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
    if (value !== String(/** @type {any} */ (defaults)[key])) params.set(key, value);
  }
  if (state.allLayers) params.set('layers', 'all');
  if (state.layout !== 'page') params.set(state.layout, '');
  if (text !== undefined) params.set('text', text);
  return params.toString();
}
