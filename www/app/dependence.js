/** What the shown prediction depends on, as marks in the texts. */

/** @import { Dependence } from './state.js' */
/** @import { Store } from './store.js' */

/** @param {Store} store @param {Dependence|null} dependence null: the texts are marked by what is read */
export const setDependence = (store, dependence) => store.set({ dependence });
