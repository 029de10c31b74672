/** The inspector's tabs in their order. A tab is its folder and one line here: module and style sheet are loaded when it is first opened. */

/** @import { Store } from '../app/store.js' */
/** @import { DocumentControl } from '../app/document.js' */
/** @import { Observer } from '../app/observation.js' */
/** @import { Translator } from '../engine/translator.js' */

/**
 * What a tab may use.
 * @typedef {object} TabContext
 * @property {Store} store
 * @property {Translator} engine
 * @property {Observer} observer
 * @property {DocumentControl} session
 */

/**
 * @typedef {object} TabEntry
 * @property {string} id as in `#tab-ID`, `#panel-ID` and in links
 * @property {string} title
 * @property {URL} style
 * @property {() => Promise<{mount: (panel: HTMLElement, context: TabContext) => void}>} load
 */

/** @type {TabEntry[]} */
export const TABS = [
  { id: 'attention', title: 'Attention', style: new URL('./attention/attention.css', import.meta.url), load: () => import('./attention/attention.js') },
  { id: 'arithmetic', title: 'Arithmetic', style: new URL('./arithmetic/arithmetic.css', import.meta.url), load: () => import('./arithmetic/arithmetic.js') },
  { id: 'alternatives', title: 'Alternatives & beam', style: new URL('./alternatives/alternatives.css', import.meta.url), load: () => import('./alternatives/alternatives.js') },
  { id: 'positions', title: 'Positions', style: new URL('./positions/positions.css', import.meta.url), load: () => import('./positions/positions.js') },
  { id: 'why', title: 'Why self-attention', style: new URL('./why/why.css', import.meta.url), load: () => import('./why/why.js') },
  { id: 'learning', title: 'Learning', style: new URL('./learning/learning.css', import.meta.url), load: () => import('./learning/learning.js') },
  { id: 'model', title: 'Model', style: new URL('./model/model.css', import.meta.url), load: () => import('./model/model.js') },
];
