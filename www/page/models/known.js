/** Known opus-mt models: found by a language's name, fetched when they are asked for. The list ships with the page. */

/** @import { StoredFolder } from '../../engine/models/store.js' */
/** @import { Words } from './models.js' */
import { el, setText } from '../../ui/dom.js';
import { languageName } from '../../app/language.js';

/**
 * A known model. `megabytes`: about what is downloaded.
 * @typedef {{ name: string, address: string, source: string, target: string, megabytes: number }} Known
 */

/** @type {Promise<Known[]>|null} */
let reading = null;

/** @param {(folder: string) => URL|null} addressOf @returns {Promise<Known[]>} */
function knownModels(addressOf) {
  reading ??= read(addressOf).catch((error) => {
    reading = null;
    throw error;
  });
  return reading;
}

/** @param {(folder: string) => URL|null} addressOf */
async function read(addressOf) {
  const response = await fetch(new URL('./known.json', import.meta.url));
  if (!response.ok) throw new Error(`known.json: the server answered ${response.status}`);
  const { host, megabytes, models } = await response.json();
  return models.map((/** @type {Omit<Known, 'address' | 'megabytes'>} */ model) => ({ ...model, megabytes, address: addressOf(host + model.name)?.href ?? '' }));
}

/** @param {Pick<Known, 'source' | 'target'>} model */
const languages = ({ source, target }) => `${languageName(source)} to ${languageName(target)}`;

/**
 * The section of the dialog.
 * @param {(folder: StoredFolder, words: Words) => HTMLElement} row
 * @param {(folder: string) => URL|null} addressOf the folder that a model's page stands for
 */
export function knownSection(row, addressOf) {
  const wanted = el('input', { type: 'search', class: 'line-field', id: 'known-search', autocomplete: 'off', placeholder: 'A language', 'aria-label': 'Find a language' });
  const list = el('ul', { class: 'model-list', id: 'known-list', 'aria-label': 'Known models' });
  const says = el('p', { class: 'quiet', role: 'status' });
  const node = el('section', { class: 'model-known', 'aria-labelledby': 'models-known' },
    el('h3', { id: 'models-known', text: 'More languages' }),
    el('p', { class: 'quiet', text: 'Models of the University of Helsinki (opus-mt), from huggingface.co when you press Use, about 300 MB each; kept on this device until you delete them. Their licences are free, Apache 2.0 or CC BY 4.0: each model’s page there names its own.' }),
    wanted,
    list,
    says,
  );
  /** @type {{ models: Known[], stored: Set<string>, source: string }} */
  let now = { models: [], stored: new Set(), source: '' };
  const show = () => {
    const words = wanted.value.trim().toLowerCase();
    // Without a word: those that read the language that is typed.
    const fits = (/** @type {Known} */ model) => (words ? languages(model).toLowerCase().includes(words) || model.name.includes(words) : model.source === now.source);
    const found = now.models.filter((model) => !now.stored.has(model.address) && fits(model));
    list.replaceChildren(
      ...found.map(({ name, address, megabytes, ...model }) =>
        row({ url: address, name, local: false, bytes: 0 }, { title: [languages(model)], says: [name], bytes: megabytes * 1e6 }),
      ),
    );
    setText(says, found.length > 0 ? `${found.length} of ${now.models.length}` : `None of ${now.models.length}: type another language, or the address of a model below.`);
  };
  wanted.addEventListener('input', show);
  return {
    node,
    /** Whether the size of a model is only about known. @param {string} address */
    has: (address) => now.models.some((model) => model.address === address),
    /**
     * @param {string[]} stored addresses of models that are on this device already
     * @param {string} source language that the present model reads
     */
    async show(stored, source) {
      try {
        now = { models: await knownModels(addressOf), stored: new Set(stored), source };
        show();
      } catch (error) {
        setText(says, `The list could not be loaded: ${error instanceof Error ? error.message : error}.`);
      }
    },
  };
}
