/** Switches from one shipped model to another, for the language list or a tour. After a failure the present model stays. */

/** @import { Store } from './store.js' */
/** @import { DocumentControl } from './document.js' */
import { rememberModel } from './chosen-model.js';
import { failureOf } from './failure.js';
import { languageName } from './language.js';
import { modelLabel } from './models.js';

/** @typedef {ReturnType<typeof createSwitching>} Switching */

/**
 * @param {Store} store
 * @param {Pick<DocumentControl, 'use' | 'stay'>} session
 * @param {string} home address of the page's default model
 */
export function createSwitching(store, session, home) {
  /** The last request, for trying again. */
  let last = { address: home, lasting: true };

  /**
   * @param {string} address
   * @param {{ lasting?: boolean }} [options] `lasting`: for the next visit too
   */
  async function to(address, { lasting = true } = {}) {
    last = { address, lasting };
    const { model, address: present } = store.get();
    store.set({ failure: null });
    try {
      if (address === present) session.stay();
      else if ((await session.use(address, {})) === null) return;
      if (lasting) rememberModel(address === home ? null : address);
    } catch (error) {
      const { title, why, remedy } = failureOf(error, 'load');
      const stays = store.get().phase === 'ready' && model ? ` Still translating to ${languageName(model.targetLanguage) || model.name}.` : '';
      store.set({ failure: { title: `${modelLabel(store.get(), address)}: ${title[0].toLowerCase()}${title.slice(1)}`, why, remedy: remedy + stays, retry: 'switch' } });
    }
  }

  return { to, again: () => to(last.address, last) };
}
