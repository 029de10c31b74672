/**
 * A second step: another model translates the translation, where no model leads from one language to the other. Both steps
 * stay on the page. Loaded when it is asked for.
 */

/** @import { Store } from '../../app/store.js' */
/** @import { Translator } from '../../engine/translator.js' */
import { byId, el, setText } from '../../ui/dom.js';
import { reasonOf } from '../../app/failure.js';
import { languageName } from '../../app/language.js';
import { secondEngine } from '../../app/second-engine.js';
import { megabytes } from '../../ui/numbers.js';
import { wholeText } from '../../app/select.js';

/** @typedef {{ url: string, name: string }} Model */

/** @type {ReturnType<typeof create>|undefined} */
let made;

/** @param {Store} store */
export const secondStep = (store) => (made ??= create(store));

/** @param {Store} store */
function create(store) {
  /** Of the second model: it has a worker of its own, and the page's model stays in its. @type {Translator|null} */
  let engine = null;
  let ready = false;
  let source = '';
  const title = el('h2', {});
  const via = el('p', { class: 'hint' });
  const copy = el('button', { type: 'button', class: 'plain', id: 'second-copy', text: 'Copy' });
  const text = el('div', { class: 'prose', id: 'second-translation', role: 'group', 'aria-label': 'Second translation' });
  const status = el('p', { id: 'second-status', role: 'status' });
  const node = el('div', { class: 'text second-side', id: 'second', hidden: true },
    el('header', {}, title, via, copy, el('button', { type: 'button', class: 'plain', id: 'second-close', text: 'End this step', onclick: () => end() })),
    el('div', { class: 'scroll' }, text),
    el('footer', {}, status),
  );
  /** @type {HTMLElement} */ (document.querySelector('.texts')).append(node);
  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text.textContent ?? '');
      setText(copy, 'Copied');
    } catch {
      getSelection()?.selectAllChildren(text);
      setText(copy, 'Selected');
    }
    setTimeout(() => setText(copy, 'Copy'), 1600);
  });

  const end = () => {
    engine?.terminate();
    engine = null;
    ready = false;
    node.hidden = true;
    byId('models-button').focus();
  };
  const update = async () => {
    const { doc, model, text: typed } = store.get();
    const own = engine;
    if (!own || !ready) return;
    if (model?.targetLanguage !== source) return setText(status, `This step reads ${languageName(source)}, which the first one does not give now.`);
    if (doc.running || doc.text !== typed) return;
    const given = typed.trim() === '' ? '' : wholeText(store.get());
    try {
      const result = await own.translate(given, { supersede: true });
      if (result.kind !== 'translated' || own !== engine) return;
      setText(text, result.text);
      setText(status, 'on this device only');
    } catch (error) {
      if (own === engine) setText(status, reasonOf(error, {}).why);
    }
  };
  store.watch(['doc', 'text', 'model'], update);

  return {
    /**
     * Begins with a model that reads what the page's model writes.
     * @param {Model} model
     */
    async begin({ url, name }) {
      engine?.terminate();
      const own = (engine = secondEngine());
      ready = false;
      node.hidden = false;
      setText(title, name);
      setText(via, '');
      setText(text, '');
      try {
        const loaded = await own.load(url, {
          onProgress: ({ stage, loaded: bytes, total }) => own === engine && setText(status, stage === 'weights' ? `loading, ${megabytes(bytes)}${total ? ` of ${megabytes(total)}` : ''}` : 'loading'),
        });
        if (loaded.kind !== 'loaded' || own !== engine) return;
        source = loaded.model.sourceLanguage;
        ready = true;
        setText(title, languageName(loaded.model.targetLanguage) || name);
        setText(via, `from the ${languageName(source)} above, by ${loaded.model.name}`);
        text.lang = loaded.model.targetLanguage;
        await update();
      } catch (error) {
        if (own === engine) setText(status, reasonOf(error, {}).why);
      }
    },
  };
}
