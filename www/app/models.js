/** The models that the site ships, as its index lists them; which of them are stored on this device; and switching to one. */

/** @import { State } from './state.js' */
/** @import { Store } from './store.js' */
/** @import { DocumentControl } from './document.js' */
/** @import { ModelIndex } from '../engine/protocol' */
import { rememberModel } from './chosen-model.js';
import { fail } from './failure.js';
import { languageName } from './language.js';
import { readIndex } from '../engine/models/index.js';
import { fileUrl, folderName, openCache } from '../engine/models/cache.js';

/**
 * @typedef {object} Shipped
 * @property {string} name
 * @property {string} address of its folder
 * @property {string} source
 * @property {string} target
 * @property {number} bytes of all its files
 * @property {string} hash SHA-256 of the weights
 * @property {boolean} stored whether all its files are on this device
 */

/**
 * A function that lists models: it reads the index once, and each time which of them are stored.
 * @param {URL} index
 * @returns {() => Promise<Shipped[]>} none where the site has no such index, or where it cannot be had now
 */
export function shippedModels(index) {
  /** @type {Promise<ModelIndex> | null} */
  let reading = null;
  return async () => {
    const cache = await openCache();
    reading ??= readIndex(index, cache).then((list) => list ?? { models: [] });
    const { models } = await reading.catch((error) => {
      console.warn('models:', error);
      reading = null;
      return { models: [] };
    });
    const here = new Set(((await cache?.keys()) ?? []).map(({ url }) => url));
    return models.map(({ name, source, target, bytes, files }) => {
      const address = new URL(`${name}/`, index).href;
      const hash = files.find((file) => file.name === 'model.safetensors')?.sha256 ?? '';
      return { name, address, source, target, bytes, hash, stored: files.every((file) => here.has(fileUrl(address, file).href)) };
    });
  };
}

/**
 * Keeps the state's list up to date.
 * @param {Store} store
 * @param {URL} index
 * @returns {() => Promise<void>} reads it again, after something was deleted
 */
export function watchShipped(store, index) {
  const read = shippedModels(index);
  const refresh = async () => store.set({ shipped: await read() });
  // A model that was loaded is stored now; an index that could not be read offline can be read now.
  store.watch(['address', 'offline'], refresh);
  return refresh;
}

/**
 * The language of the pending model, if it differs from the present one's; otherwise ''.
 * @param {Pick<State, 'shipped' | 'pendingModel' | 'model'>} state
 */
export function comingLanguage({ shipped, pendingModel, model }) {
  const target = shipped.find(({ address }) => address === pendingModel)?.target;
  return target && model && target !== model.targetLanguage ? languageName(target) : '';
}

/**
 * The shipped model for a direction.
 * @param {Shipped[]} shipped
 * @param {string} source
 * @param {string} target
 * @returns {Shipped | null}
 */
export function directionTo(shipped, source, target) {
  return shipped.find((model) => model.source === source && model.target === target) ?? null;
}

/**
 * What a model is called: a shipped one by the language that it translates into.
 * @param {Pick<State, 'shipped'>} state
 * @param {string} address
 */
export function modelLabel({ shipped }, address) {
  const model = shipped.find((each) => each.address === address);
  return (model && languageName(model.target)) || folderName(address);
}

/** @typedef {ReturnType<typeof createSwitching>} Switching */

/**
 * Switches from one shipped model to another, for the language list or a tour. After a failure the present model stays.
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
   * @returns {Promise<boolean>} whether it translates now
   */
  async function to(address, { lasting = true } = {}) {
    last = { address, lasting };
    store.set({ failure: null });
    try {
      if (address === store.get().address) session.stay();
      else if ((await session.use(address, {})) === null) return false;
      if (lasting) rememberModel(address === home ? null : address);
      return true;
    } catch (error) {
      const { phase, model } = store.get();
      const stays = phase === 'ready' && model ? `Still translating to ${languageName(model.targetLanguage) || model.name}.` : '';
      fail(store, error, { retry: 'switch', about: { what: modelLabel(store.get(), address), stays } });
      return false;
    }
  }

  return { to, again: () => to(last.address, last) };
}
