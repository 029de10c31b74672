/** The dialog that translates a file: progress, pause, cancel, and the result to be saved. Loaded when first opened. */

/** @import { State } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
/** @import { Translator } from '../../engine/translator.js' */
import { byId, el, setText } from '../../ui/dom.js';
import { download } from '../../ui/save.js';
import { languageName } from '../../app/language.js';
import { clearProgress, readProgress, writeProgress } from '../../app/file-progress.js';
import { searchOptions } from '../../app/search.js';
import { ACCEPT, openFile } from './formats.js';
import { translateTexts } from './translate.js';

/** Texts that are translated in one request: between two requests the reader's own typing has its turn. */
const AT_ONCE = 8;

/**
 * What a file is translated with, from its first line to its last: the reader may choose another model meanwhile.
 * @param {State} state
 */
const setupOf = (state) => ({ address: state.address, model: state.model, terms: state.terms, search: searchOptions(state) });

/**
 * A file that is being translated.
 * @typedef {object} Work
 * @property {File} file
 * @property {Awaited<ReturnType<typeof openFile>>} opened
 * @property {ReturnType<typeof setupOf>} setup
 * @property {string[]} translations those so far
 */

/** Names the work in the stored progress. @param {Work} work */
const idOf = ({ file, opened, setup }) => JSON.stringify([file.name, file.size, file.lastModified, opened.texts.length, setup.address, setup.terms]);

/** @param {State['model']} model */
const modelName = (model) => (model?.sourceLanguage && model.targetLanguage ? `${languageName(model.sourceLanguage)} to ${languageName(model.targetLanguage)}` : (model?.name ?? ''));

/** @type {ReturnType<typeof create>|null} */
let made = null;

/**
 * @param {Store} store
 * @param {Translator} engine
 */
export function filesDialog(store, engine) {
  made ??= create(store, engine);
  return made;
}

/**
 * @param {Store} store
 * @param {Translator} engine
 */
function create(store, engine) {
  const dialog = /** @type {HTMLDialogElement} */ (byId('file'));
  const input = el('input', { type: 'file', id: 'file-input', accept: ACCEPT, class: 'unseen', tabindex: -1, 'aria-hidden': 'true' });
  const says = el('p', { role: 'status', id: 'file-says' });
  const refusal = el('p', { role: 'status', id: 'file-refusal' });
  const fill = el('div', { class: 'fill' });
  const bar = el('div', { class: 'bar', role: 'progressbar', 'aria-label': 'Translating the file' }, fill);
  const choose = el('button', { type: 'button', id: 'file-choose', text: 'Choose a file', onclick: () => input.click() });
  const pause = el('button', { type: 'button', id: 'file-pause', text: 'Pause', onclick: () => (paused ? resume() : stop()) });
  const again = el('button', { type: 'button', id: 'file-again', text: 'Start again', onclick: () => restart() });
  const cancel = el('button', { type: 'button', id: 'file-cancel', text: 'Cancel', onclick: () => giveUp() });
  const save = el('button', { type: 'button', id: 'file-save', text: 'Save the translation', onclick: () => saveResult() });
  const instead = el('button', { type: 'button', id: 'file-instead', text: 'Discard it and open the other file', hidden: true, onclick: () => openInstead() });
  dialog.append(
    el('header', {}, el('h2', { id: 'file-title', text: 'Translate a file' }), el('button', { type: 'button', class: 'square', id: 'file-close', 'aria-label': 'Close', text: '✕', onclick: () => dialog.close() })),
    el('p', { class: 'quiet', text: 'Text, Markdown, subtitles (srt), HTML, Word (docx). The file stays on this device; its structure stays as it is, and so do bold words, links and pictures in its sentences. If the page is closed halfway, choose the file again: the translation is resumed.' }),
    says,
    bar,
    refusal,
    el('div', { class: 'settings' }, choose, pause, again, cancel, save, instead),
    input,
  );

  /** @type {Work|null} */
  let work = null;
  /** @type {{ name: string, blob: Blob }|null} */
  let result = null;
  let saved = false;
  /** Another file, which would take the place of a result that is not saved. @type {File|null} */
  let refused = null;
  let paused = false;
  let run = new AbortController();
  let opening = new AbortController();

  /** Whether the page translates with another model than the one that the file was begun with. */
  const isOtherModel = () => work !== null && work.setup.address !== store.get().address;
  const show = () => {
    const running = work !== null && result === null;
    pause.hidden = !running || isOtherModel();
    again.hidden = !running || !isOtherModel();
    cancel.hidden = !running;
    bar.hidden = work === null;
    save.hidden = result === null;
    choose.hidden = running;
    setText(pause, paused ? 'Resume' : 'Pause');
    if (!work) return;
    const { file, opened, setup, translations } = work;
    const part = opened.texts.length === 0 ? 1 : translations.length / opened.texts.length;
    fill.style.setProperty('--part', String(part));
    bar.setAttribute('aria-valuenow', String(Math.round(100 * part)));
    const done = result ? `${file.name} is translated: ${translations.length} paragraphs or lines.` : `${file.name}: ${translations.length} of ${opened.texts.length}${paused ? ', paused' : ''}`;
    const other = running && isOtherModel() ? `: the page now translates with another model. To resume, choose ${modelName(setup.model)} on the page. “Start again” translates the file with the present model.` : '';
    const encoding = opened.encoding === 'utf-8' ? '' : `${result || other ? '' : '.'} The file was read as ${opened.encoding}; its translation is in UTF-8.`;
    setText(says, done + other + encoding);
  };
  const reset = (/** @type {string} */ text) => {
    run.abort();
    work = result = null;
    paused = false;
    refuse(text);
    show();
  };
  /** Says why a file is not opened; what is there stays. @param {string} text @param {File|null} [file] that may be opened all the same */
  const refuse = (text, file = null) => {
    refused = file;
    instead.hidden = !file;
    setText(work ? refusal : says, text);
    if (!work) setText(refusal, '');
  };
  const openInstead = () => {
    if (refused) begin(refused);
    // The button is hidden now.
    byId('file-close').focus();
  };
  const saveResult = () => {
    if (!result) return;
    download(result.name, result.blob);
    saved = true;
    refuse('');
  };
  const giveUp = () => {
    clearProgress();
    reset('Cancelled. Choose a file.');
  };
  const stop = () => {
    paused = true;
    run.abort();
    show();
  };
  const resume = async () => {
    const current = work;
    if (!current) return;
    if (isOtherModel()) return stop();
    paused = false;
    run = new AbortController();
    const { signal } = run;
    show();
    try {
      const { file, opened, setup, translations } = current;
      while (translations.length < opened.texts.length) {
        const texts = opened.texts.slice(translations.length, translations.length + AT_ONCE);
        const found = await translateTexts(engine, setup, texts, signal);
        signal.throwIfAborted();
        // The store's watchers wait for a frame, which a hidden page does not draw.
        if (isOtherModel()) return stop();
        translations.push(...found);
        show();
        await writeProgress({ id: idOf(current), translations });
      }
      const language = setup.model?.targetLanguage;
      const blob = await opened.build(translations, language);
      if (work !== current) return;
      saved = false;
      result = { name: file.name.replace(/(\.[^.]+)$/, `.${language || 'translated'}$1`), blob };
      // What was refused meanwhile may be opened now.
      refuse('');
      show();
      await clearProgress();
    } catch (error) {
      if (signal.aborted) return;
      if (isOtherModel()) stop();
      else reset(`${current.file.name} was not translated: ${error instanceof Error ? error.message : error}.`);
    }
  };
  const restart = () => {
    if (!work) return;
    work = { ...work, setup: setupOf(store.get()), translations: [] };
    resume();
  };
  const take = (/** @type {File} */ file) => {
    if (work && !result) return refuse(`${file.name} was not opened: ${work.file.name} is still being translated. Cancel that first, or wait until it is done.`);
    if (work && !saved) return refuse(`${file.name} was not opened: the translation of ${work.file.name} is not saved yet.`, file);
    return begin(file);
  };
  /** Begins with a file. What was there before stays until this one is read. @param {File} file */
  const begin = async (file) => {
    // Another file may be chosen before this one is read.
    opening.abort();
    opening = new AbortController();
    const { signal } = opening;
    if (store.get().phase !== 'ready') return refuse('The model is still loading. Choose the file again when it is here.');
    refuse(`Reading ${file.name}…`);
    try {
      const opened = await openFile(file);
      signal.throwIfAborted();
      if (opened.texts.length === 0) return refuse(`${file.name} holds no text.`);
      /** @type {Work} */
      const begun = { file, opened, setup: setupOf(store.get()), translations: [] };
      // The same file under the same model goes on where a closed page stopped.
      const done = await readProgress(idOf(begun));
      signal.throwIfAborted();
      reset('');
      work = { ...begun, translations: done.slice(0, opened.texts.length) };
      await resume();
    } catch (error) {
      if (!signal.aborted) refuse(`${file.name} was not opened: ${error instanceof Error ? error.message : error}.`);
    }
  };
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    input.value = '';
    if (file) take(file);
  });
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  store.watch(['address'], () => {
    if (!work || result) return;
    if (isOtherModel()) stop();
    else show();
  });
  reset('Choose a file, or drop one on the page.');
  return {
    open() {
      if (!dialog.open) dialog.showModal();
    },
    take,
  };
}
