/** The state of the page, its types and its initial value. */

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
 * What the reader points at, or holds.
 * @typedef {{head: HeadRef|null, token: TokenRef|null, cell: Cell|null}} Marks
 */

/**
 * The translation of one sentence as far as it has come.
 * @typedef {object} Output
 * @property {string} text
 * @property {number} stableLength of the prefix that is final
 * @property {P.Piece[]|null} target pieces; null while it is being decoded
 * @property {boolean} stale shows an older text's translation until the new one begins
 * @property {{what: string, intervention?: P.Intervention, original: Output}} [variant] chosen instead of the model's own, `original`
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
 * The trace of one sentence's translation.
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
 * @property {Observation} observation
 * @property {'pieces'|'words'} unit
 * @property {P.TraceView|null} each every head; null: as observed
 * @property {P.TraceView|null} mean the mean of each layer's heads, or of all layers' heads; null: not requested
 */

/**
 * What a prediction depends on: signed shares, of which the largest is 1, of the source's pieces and of those that the
 * decoder has read; `input` null: not asked.
 * @typedef {{observation: Observation, source: Float32Array, input: Float32Array|null}} Dependence
 */

/**
 * Positional encodings; the recorded example's come without wavelengths.
 * @typedef {{sinusoidal: P.Tensor, wavelengths: Float32Array|null, learned?: P.Tensor}} PositionTable
 */

/**
 * @typedef {object} State
 * @property {'starting'|'consent'|'loading'|'ready'|'failed'} phase of the model; consent: the reader is asked before megabytes are fetched
 * @property {{stage: string, loaded: number, total: number}|null} progress
 * @property {P.ModelInfo|null} model
 * @property {string|null} address of the folder of the model that translates
 * @property {boolean} modelStored false: this device has no room for it, and it is downloaded again at the next visit
 * @property {string|null} pendingModel address of the model that is being loaded; another one may translate meanwhile
 * @property {import('./models.js').Shipped[]} shipped models that the site ships, the one that the page begins with first; none until its index is read
 * @property {{title: string, why: string, remedy: string, retry: 'load'|'translate'|'switch'}|null} failure
 * @property {boolean} offline
 * @property {string} text as it stands in the source field
 * @property {string[]} textsBefore texts of the reader's in whose place others were put, the last one first
 * @property {boolean} exampleSettled the recorded example is shown, or cannot be
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
 * @property {HeadRef|null} alignmentHead the head that marks words in the texts
 * @property {boolean} allLayers
 * @property {boolean} inspectorOpen over the page, on small screens
 * @property {string} tab id of the inspector's open tab
 * @property {string} learning task and settings of the Learning tab, as a link carries them; empty: the defaults
 * @property {'translating'|'training'} mode one step at a time, or all rows at once under the mask, as in training
 * @property {(P.Scored & {observation: Observation})|null} scored how the translation fares under forced decoding; in training view
 * @property {'map'|'lines'} form how the Attention tab draws a head
 * @property {'one'|'all'|'mean'|'layers'} heads what the Attention tab shows of a layer: the head at hand; all, as lines;
 *   their mean; the mean over all layers
 * @property {number[]|null} bundle heads whose lines are drawn together; null: all of them
 * @property {'weight'|'norm'} measure the weights, or the value-weighted norms ‖α·v·W^O‖
 * @property {'pieces'|'words'} unit of rows and columns of a map
 * @property {'shown'|'hidden'} specialTokens start symbol and end mark
 * @property {Views|null} views the observation as `unit`, `specialTokens` and `heads` ask for it; null: as observed
 * @property {import('./scenes.js').Lesson|null} lesson the scenes that are being stepped through
 * @property {string|null} lessonSource where they come from: 'tour', an address, or 'own:' and a number; null: opened from a file
 * @property {number} scene which of them
 * @property {'page'|'present'|'embed'} layout the whole page, large for a projector, or one view for a frame
 * @property {'tab'|'figure'} presented what is large while presenting
 * @property {string} arithmeticStep the step of the arithmetic that is shown while presenting
 * @property {'alternatives'|'target'|'heads'|'compare'|'beam'|'sampling'} steerView what the Alternatives & beam tab shows
 * @property {P.Term[]} terms the reader's own words for this pair of languages
 * @property {number|null} beam beam size of the search; null: the model's
 * @property {number|null} alpha α of its length penalty; null likewise
 * @property {number} temperature of the Sampling view, as are the next three
 * @property {number} topK 0: all
 * @property {number} topP
 * @property {number} seed
 * @property {P.Arithmetic|null} arithmetic of the shown weight, once it has arrived
 * @property {P.Intervention} intervention set in the Arithmetic tab
 * @property {P.HeadChange[]} headChanges heads that are switched off, uniform or alone
 * @property {HeadRef|null} headToFocus the head whose switch gets the focus once it is on the page
 * @property {Steered['from']|'target'|'compare'|'beam'|null} pendingQuery the query that the engine is answering
 * @property {Steered|null} interventionResult the translation under `intervention` or `headChanges`
 * @property {Steered|null} branch the translation that continues from another piece
 * @property {Forced|null} forced the reader's own target
 * @property {Pinned|null} pinned translation A, to be compared with what follows
 * @property {Tree|null} tree of the search
 * @property {NonNullable<Output['variant']>|null} variant of the observed sentence
 * @property {Dependence|null} dependence marks the texts instead of what is read
 * @property {'linear'|'sqrt'|'log'} scale
 * @property {'auto'|'light'|'dark'} theme
 * @property {number} redraw incremented on changes of theme and size: canvases are drawn again
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
    modelStored: true,
    pendingModel: null,
    shipped: [],
    failure: null,
    offline: false,
    text: '',
    textsBefore: [],
    exampleSettled: false,
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
    alignmentHead: null,
    allLayers: false,
    inspectorOpen: false,
    lesson: null,
    lessonSource: null,
    scene: 0,
    layout: 'page',
    presented: 'tab',
    arithmeticStep: 'project',
    tab: 'attention',
    learning: '',
    mode: 'translating',
    scored: null,
    form: 'map',
    heads: 'one',
    bundle: null,
    measure: 'weight',
    unit: 'pieces',
    specialTokens: 'shown',
    views: null,
    steerView: 'alternatives',
    terms: [],
    beam: null,
    alpha: null,
    temperature: 1,
    topK: 0,
    topP: 1,
    seed: 1,
    arithmetic: null,
    intervention: {},
    headChanges: [],
    headToFocus: null,
    pendingQuery: null,
    interventionResult: null,
    branch: null,
    forced: null,
    pinned: null,
    tree: null,
    variant: null,
    dependence: null,
    scale: 'linear',
    theme: 'auto',
    redraw: 0,
  };
}

/**
 * The state without a text's translation and without answers of a model.
 * @returns {Partial<State>}
 */
export function withoutAnswers() {
  const { doc, sentence, observation, views, scored, variant, positions, alignmentHead, playing, step, stepChosen, layers, layersChosen, held, preview } = initialState();
  const { arithmetic, intervention, headChanges, bundle, interventionResult, branch, forced, pinned, tree } = initialState();
  const queries = { arithmetic, intervention, headChanges, bundle, interventionResult, branch, forced, pinned, tree };
  return { ...queries, doc, sentence, observation, views, scored, variant, positions, alignmentHead, playing, step, stepChosen, layers, layersChosen, held, preview };
}
