/** The dialog that translates a file: progress, pause, cancel, and the result to be saved. Loaded when first opened. */

/** @import { Store } from '../../app/store.js' */
/** @import { Translator } from '../../engine/translator.js' */
/** @import { Opened } from './formats.js' */
import { byId, el, setText } from '../../ui/dom.js';
import { download } from '../../ui/save.js';
import { clearProgress, readProgress, writeProgress } from '../../app/file-progress.js';
import { ACCEPT, openFile } from './formats.js';
import { translateTexts } from './translate.js';

/** Texts that are translated in one request: between two requests the reader's own typing has its turn. */
const AT_ONCE = 8;

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
  const fill = el('div', { class: 'fill' });
  const bar = el('div', { class: 'bar', role: 'progressbar', 'aria-label': 'Translating the file' }, fill);
  const choose = el('button', { type: 'button', id: 'file-choose', text: 'Choose a file', onclick: () => input.click() });
  const pause = el('button', { type: 'button', id: 'file-pause', text: 'Pause', onclick: () => (paused ? resume() : stop()) });
  const cancel = el('button', { type: 'button', id: 'file-cancel', text: 'Cancel', onclick: () => giveUp() });
  const save = el('button', { type: 'button', id: 'file-save', text: 'Save the translation', onclick: () => result && download(result.name, result.blob) });
  dialog.append(
    el('header', {}, el('h2', { id: 'file-title', text: 'Translate a file' }), el('button', { type: 'button', class: 'square', id: 'file-close', 'aria-label': 'Close', text: '✕', onclick: () => dialog.close() })),
    el('p', { class: 'quiet', text: 'Text, Markdown, subtitles (srt), HTML, Word (docx). The file stays on this device; its structure stays as it is, and so do bold words, links and pictures in its sentences. If the page is closed halfway, choose the file again: the translation is resumed.' }),
    says,
    bar,
    el('div', { class: 'settings' }, choose, pause, cancel, save),
    input,
  );

  /** @type {{ name: string, id: string, opened: Opened, translations: string[] }|null} */
  let work = null;
  /** @type {{ name: string, blob: Blob }|null} */
  let result = null;
  let paused = false;
  let run = new AbortController();

  const show = () => {
    const running = work !== null && result === null;
    pause.hidden = cancel.hidden = !running;
    bar.hidden = work === null;
    save.hidden = result === null;
    choose.hidden = running;
    setText(pause, paused ? 'Resume' : 'Pause');
    if (!work) return;
    const { opened, translations } = work;
    const part = opened.texts.length === 0 ? 1 : translations.length / opened.texts.length;
    fill.style.setProperty('--part', String(part));
    bar.setAttribute('aria-valuenow', String(Math.round(100 * part)));
    setText(says, result ? `${work.name} is translated: ${translations.length} paragraphs or lines.` : `${work.name}: ${translations.length} of ${opened.texts.length}${paused ? ', paused' : ''}`);
  };
  const reset = (/** @type {string} */ text) => {
    run.abort();
    work = result = null;
    paused = false;
    show();
    setText(says, text);
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
    paused = false;
    run = new AbortController();
    const { signal } = run;
    show();
    try {
      const { opened, translations } = current;
      while (translations.length < opened.texts.length) {
        const texts = opened.texts.slice(translations.length, translations.length + AT_ONCE);
        const found = await translateTexts(engine, store.get(), texts, signal);
        signal.throwIfAborted();
        translations.push(...found);
        show();
        await writeProgress({ id: current.id, translations });
      }
      const language = store.get().model?.targetLanguage ?? 'translated';
      result = { name: current.name.replace(/(\.[^.]+)$/, `.${language}$1`), blob: await opened.build(translations) };
      show();
      await clearProgress();
    } catch (error) {
      if (!signal.aborted) reset(`${current.name} was not translated: ${error instanceof Error ? error.message : error}.`);
    }
  };
  const take = async (/** @type {File} */ file) => {
    reset(`Reading ${file.name}…`);
    if (store.get().phase !== 'ready') return reset('The model is still loading. Choose the file again when it is here.');
    try {
      const opened = await openFile(file);
      // The same file under the same model goes on where a closed page stopped.
      const id = JSON.stringify([file.name, file.size, file.lastModified, opened.texts.length, store.get().address, store.get().terms]);
      const done = await readProgress(id);
      work = { name: file.name, id, opened, translations: done.slice(0, opened.texts.length) };
      if (opened.texts.length === 0) return reset(`${file.name} holds no text.`);
      await resume();
    } catch (error) {
      reset(`${file.name} was not opened: ${error instanceof Error ? error.message : error}.`);
    }
  };
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    input.value = '';
    if (file) take(file);
  });
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  reset('Choose a file, or drop one on the page.');
  return {
    open() {
      if (!dialog.open) dialog.showModal();
    },
    take,
  };
}
