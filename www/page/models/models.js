/** The Models dialog: which models are on this device, which one translates, and adding another: files, folder, address. */

/** @import { Store } from '../../app/store.js' */
/** @import { Progress } from '../../engine/protocol' */
/** @import { StoredFolder } from '../../engine/models/store.js' */
/** @import { Shipped } from '../../app/models.js' */
import { chosenModel, rememberModel } from '../../app/chosen-model.js';
import { byId, el, setText } from '../../ui/dom.js';
import { chosenFiles, modelFolder } from './dropped.js';
import { languageName } from '../../app/language.js';
import { folderName } from '../../engine/models/cache.js';
import { deleteFolder, folderUrl, localUrl, readFolder, storedFolders } from '../../engine/models/store.js';
import { megabytes } from '../../ui/numbers.js';
import { knownSection } from './known.js';
import { variantsSection } from './variants.js';

/**
 * @typedef {object} ModelActions
 * @property {(address: string, options: { files?: File[], quantize?: boolean }, onProgress: (progress: Progress) => void) => Promise<string | null>} use
 * @property {string} own address of the page's own model
 * @property {() => Promise<void>} refresh has the state's list of shipped models read again
 * @property {() => Promise<Shipped[]>} variants models that were trained another way
 */

/**
 * How a model stands in the list.
 * @typedef {{ title: (string|Node)[], says: (string|Node)[], bytes: number }} Words `bytes`: of all its files, where that is known before they are here
 */

/** @type {ReturnType<typeof create> | undefined} */
let made;

/**
 * @param {Store} store
 * @param {ModelActions} actions
 */
export const modelsDialog = (store, actions) => (made ??= create(store, actions));

/**
 * @param {Store} store
 * @param {ModelActions} actions
 */
function create(store, actions) {
  const dialog = /** @type {HTMLDialogElement} */ (byId('models'));
  const button = byId('models-button');
  const list = el('ul', { class: 'model-list', id: 'model-list' });
  const failure = el('div', { class: 'failure', id: 'models-failure', role: 'alert', hidden: true });
  const work = el('div', { class: 'model-work', id: 'models-work', hidden: true });
  const fill = el('div', { class: 'fill' });
  const says = el('p', { role: 'status' });
  work.append(says, el('div', { class: 'bar' }, fill));
  const quantize = el('input', { type: 'checkbox', id: 'models-int8' });
  const { own } = actions;
  /** The model that was asked for last, until it is there or has failed. @type {symbol | null} */
  let busy = null;
  const variants = variantsSection(row);
  const known = knownSection(row, folderUrl);

  const folderInput = el('input', { type: 'file', id: 'models-folder', class: 'unseen', webkitdirectory: true, tabindex: -1, 'aria-hidden': 'true' });
  const filesInput = el('input', { type: 'file', id: 'models-files', class: 'unseen', multiple: true, tabindex: -1, 'aria-hidden': 'true' });
  for (const input of [folderInput, filesInput]) {
    input.addEventListener('change', () => {
      give(chosenFiles(input.files));
      input.value = '';
    });
  }
  const address = el('input', { type: 'text', class: 'line-field', inputmode: 'url', id: 'models-url', autocomplete: 'off', spellcheck: 'false', placeholder: 'https://huggingface.co/Helsinki-NLP/opus-mt-en-fr', 'aria-label': 'Address of a model folder' });
  const form = el('form', { class: 'model-address' }, address, el('button', { type: 'submit', id: 'models-fetch', text: 'Download' }));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const url = folderUrl(address.value.trim());
    if (url) use(url.href, folderName(url), {});
    else complain({ title: 'This is not an address', why: address.value.trim() ? `“${address.value.trim()}” names no folder of a model.` : 'The field is empty.', remedy: 'Type https:// and the folder that holds config.json.' });
  });

  dialog.append(
    el('header', {}, el('h2', { id: 'models-title', text: 'Models' }), el('button', { type: 'button', class: 'square', id: 'models-close', 'aria-label': 'Close', text: '✕', onclick: () => dialog.close() })),
    failure,
    work,
    list,
    known.node,
    variants.node,
    el('section', { class: 'model-add', 'aria-labelledby': 'models-add' },
      el('h3', { id: 'models-add', text: 'Add any opus-mt model' }),
      el('p', { class: 'quiet', text: 'From Hugging Face: config.json, model.safetensors or pytorch_model.bin, source.spm, target.spm, vocab.json. The files stay on this device.' }),
      el('div', { class: 'drop-zone', id: 'models-drop' },
        el('p', { text: 'Drop the folder or its files anywhere on the page' }),
        el('div', {},
          el('button', { type: 'button', text: 'Choose a folder', onclick: () => folderInput.click() }),
          el('button', { type: 'button', text: 'Choose files', onclick: () => filesInput.click() }),
        ),
      ),
      el('p', { class: 'quiet', text: 'or download it from an address; the page asks no other host' }),
      form,
      el('label', { class: 'model-int8' }, quantize, el('span', { text: 'Store as 8-bit integers: a quarter of the size, almost the same translations' })),
    ),
    folderInput,
    filesInput,
  );

  // A click on the backdrop hits the dialog itself.
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());

  /** @param {import('./dropped.js').Found[]} found */
  function give(found) {
    const folder = modelFolder(found);
    if ('files' in folder) use(localUrl(folder.name), folder.name, { files: folder.files });
    else complain({ title: 'No model found', why: folder.problem, remedy: 'Choose the folder of one model, or all of its files.' });
  }

  /**
   * Makes a model the current one.
   * @param {string} url
   * @param {string} name
   * @param {{ files?: File[], keep?: boolean }} options `keep`: as it is stored
   */
  async function use(url, name, { files, keep = false }) {
    const asked = (busy = Symbol(name));
    failure.hidden = true;
    showWork(name, null);
    showList();
    const wanted = { files, quantize: !keep && quantize.checked };
    try {
      const found = await actions.use(url, wanted, (progress) => busy === asked && showWork(name, progress));
      if (found === null) return;
      rememberModel(found === own ? null : found);
    } catch (error) {
      const said = await saidOf(error, name);
      if (busy === asked) complain(said);
    } finally {
      if (busy === asked) busy = null;
      work.hidden = busy === null;
      setText(button, 'Models');
      showList();
    }
  }

  /**
   * What to say of a failure.
   * @param {unknown} error
   * @param {string} name of what was to be loaded
   */
  async function saidOf(error, name) {
    const { modelFailure } = await import('./failure.js');
    const { phase, model } = store.get();
    return modelFailure(error, { name, kept: phase === 'ready' ? model?.name ?? '' : '' });
  }

  /**
   * @param {string} name
   * @param {Progress | null} progress
   */
  function showWork(name, progress) {
    work.hidden = false;
    const known = progress?.stage === 'weights' && progress.total > 0;
    const part = known ? progress.loaded / progress.total : progress?.stage === 'prepare' ? 1 : 0.02;
    fill.style.setProperty('--part', String(Math.min(1, part)));
    const bytes = progress?.stage === 'weights' ? `, ${megabytes(progress.loaded)}${known ? ` of ${megabytes(progress.total)}` : ''}` : '';
    setText(says, progress?.stage === 'prepare' ? `${name}: preparing` : `${name}: reading${bytes}`);
    setText(button, known ? `Models · ${Math.floor(100 * part)} %` : 'Models · …');
  }

  /** @param {{ title: string, why: string, remedy: string }} what */
  function complain({ title, why, remedy }) {
    failure.hidden = false;
    failure.replaceChildren(el('p', {}, el('strong', { text: title })), el('p', { text: why }), el('p', { text: remedy }));
    if (!dialog.open) dialog.showModal();
    failure.scrollIntoView({ block: 'nearest' });
  }

  async function showList() {
    if (!dialog.open) return;
    const storing = storedFolders().catch((error) => {
      complain(storeFault('The stored models cannot be listed', error));
      return [];
    });
    const [stored, others] = await Promise.all([storing, actions.variants()]);
    const shipped = store.get().shipped.map(({ address: url, name }) => ({ url, name }));
    if (!shipped.some(({ url }) => url === own)) shipped.unshift({ url: own, name: folderName(own) });
    const asStored = (/** @type {{ url: string, name: string }} */ { url, name }) => stored.find((folder) => folder.url === url) ?? { url, name, local: false, bytes: 0 };
    const listed = new Set([...shipped.map(({ url }) => url), ...others.map(({ address: url }) => url)]);
    const focused = document.activeElement?.closest('.model-list li');
    list.replaceChildren(...[...shipped.map(asStored), ...stored.filter(({ url }) => !listed.has(url))].map((folder) => row(folder, describe(folder))));
    variants.show(others, asStored);
    known.show(stored.map(({ url }) => url), store.get().model?.sourceLanguage ?? '');
    if (focused instanceof HTMLElement) refocus(focused.dataset.name ?? '');
  }

  /**
   * @param {StoredFolder} folder
   * @returns {Words}
   */
  function describe({ url, name, local }) {
    const shipped = store.get().shipped.find(({ address }) => address === url);
    const languages = shipped && `${languageName(shipped.source)} to ${languageName(shipped.target)}`;
    const from = shipped || url === own ? 'comes with this page' : local ? 'from this device' : new URL(url).host;
    return { title: [name], says: [[languages, from].filter(Boolean).join(' · ')], bytes: shipped?.bytes ?? 0 };
  }

  /**
   * Moves the focus from a row that was rebuilt to the first button of its successor.
   * @param {string} name
   */
  function refocus(name) {
    const next = dialog.querySelector(`.model-list li[data-name="${CSS.escape(name)}"] button:enabled`) ?? byId('models-close');
    if (next instanceof HTMLElement) next.focus();
  }

  /**
   * @param {StoredFolder} folder
   * @param {Words} words
   */
  function row(folder, { title, says, bytes: whole }) {
    const { url, name, bytes } = folder;
    const isCurrent = url === store.get().address;
    const size = bytes > 0 ? megabytes(bytes) : whole > 0 ? `${known.has(url) ? 'about ' : ''}${megabytes(whole)} to download` : '';
    return el('li', { class: isCurrent ? 'current' : '', data: { name } },
      el('div', { class: 'model-name' }, el('strong', {}, ...title), el('span', { class: 'quiet' }, ...says, size && ` · ${size}`)),
      el('div', { class: 'model-actions' },
        isCurrent
          ? el('span', { class: 'badge', text: 'in use' })
          : el('button', { type: 'button', class: 'use', text: 'Use', 'aria-label': `Use ${name}`, disabled: busy !== null, onclick: () => use(url, name, { keep: true }) }),
        goesOn(folder) && el('button', { type: 'button', class: 'plain then', text: 'Then', title: 'Translates the translation: both stay on the page', 'aria-label': `Translate the translation with ${name}`, onclick: () => second(folder) }),
        bytes > 0 && el('button', { type: 'button', class: 'plain save', text: 'Save', 'aria-label': `Save ${name} as a zip file`, onclick: (/** @type {Event} */ event) => save(folder, /** @type {HTMLButtonElement} */ (event.currentTarget)) }),
        url !== own && bytes > 0 && !isCurrent && el('button', { type: 'button', class: 'plain delete', text: 'Delete', 'aria-label': `Delete ${name} from this device`, disabled: busy !== null, onclick: () => remove(url) }),
      ),
    );
  }

  /** Whether a model reads what the present one writes, and writes another language than that one reads. @param {StoredFolder} folder */
  function goesOn({ url, name }) {
    const { model, shipped } = store.get();
    const [, from, to] = /([a-z]{2,3})-([a-z]{2,3})(?: int8)?$/.exec(name) ?? [];
    const languages = shipped.find(({ address }) => address === url) ?? { source: from, target: to };
    return !!model?.targetLanguage && languages.source === model.targetLanguage && languages.target !== model.sourceLanguage;
  }

  /** @param {StoredFolder} folder */
  async function second(folder) {
    dialog.close();
    const { secondStep } = await import('../texts/second.js');
    secondStep(store).begin(folder);
  }

  /** @param {string} url */
  async function remove(url) {
    try {
      await deleteFolder(url);
    } catch (error) {
      complain(storeFault(`${folderName(url)} could not be deleted`, error));
      return;
    }
    if (chosenModel() === url) rememberModel(null);
    await actions.refresh();
    await showList();
    byId('models-close').focus();
  }

  /**
   * @param {StoredFolder} folder
   * @param {HTMLButtonElement} pressed
   */
  async function save({ url, name }, pressed) {
    pressed.disabled = true;
    setText(pressed, 'Packing…');
    try {
      const [{ zip }, { download }] = await Promise.all([import('../../ui/zip.js'), import('../../ui/save.js')]);
      const files = [...(await readFolder(url))].map(([file, blob]) => /** @type {[string, Blob]} */ ([`${name}/${file}`, blob]));
      download(`${name}.zip`, await zip(new Map(files)));
    } catch (error) {
      complain(storeFault(`${name} could not be saved`, error));
    } finally {
      pressed.disabled = false;
      setText(pressed, 'Save');
    }
  }

  store.watch(['address', 'shipped'], () => showList());
  const open = () => {
    if (!dialog.open) dialog.showModal();
    showList();
  };
  return {
    open,
    /** @param {Promise<import('./dropped.js').Found[]>} reading what was dropped on the page */
    async take(reading) {
      open();
      try {
        give(await reading);
      } catch (error) {
        complain(await saidOf(error, 'Dropped files'));
      }
    },
  };
}

/**
 * @param {string} title
 * @param {unknown} error
 */
const storeFault = (title, error) => ({ title, why: `The browser’s store says: ${error instanceof Error ? error.message : error}`, remedy: 'Try again; if that fails too, start the browser anew.' });
