/** Starts the page: the store, the engine's worker, every view. */

import { byId } from './ui/dom.js';
import { MODEL, begun, chosen, engine } from './boot.js';
import { createPlayer } from './app/player.js';
import { readBeforeReload, storeForReload } from './app/reload.js';
import { createDocument } from './app/document.js';
import { createSwitching, shippedModels, watchShipped } from './app/models.js';
import { readFragment, registerTabs } from './app/fragment.js';
import { NO_MARKS, initialState } from './app/state.js';
import { askConsent, settleExample } from './app/settings.js';
import { createStore } from './app/store.js';
import { createObserver } from './app/observation.js';
import { mountExamplesMenu } from './page/scenes/examples.js';
import { mountFigure } from './page/figure/figure.js';
import { mountBack } from './page/header/back.js';
import { mountInspector } from './page/inspector/inspector.js';
import { mountLanguage } from './page/texts/language.js';
import { watchDrops } from './page/models/drop.js';
import { mountPage } from './page/header/header.js';
import { mountScenes } from './page/scenes/scenes.js';
import { linkScrolling } from './page/texts/scrolling.js';
import { mountSource } from './page/texts/source.js';
import { mountStatus } from './page/texts/status.js';
import { mountSteps } from './page/figure/steps.js';
import { mountTextBefore } from './page/texts/before.js';
import { mountTranslation } from './page/texts/translation.js';
import { mountUpdate } from './page/header/update.js';
import { sayMissing } from './ui/part.js';
import { TABS } from './tabs/list.js';

/** Indexes of the models that ship, and of the variants of Table 3. */
const MODELS = new URL('./models/index.json', document.baseURI);
const VARIANTS = new URL('./models/table3/index.json', document.baseURI);

registerTabs(TABS.map(({ id }) => id));
const { settings, link } = readFragment(location.hash);
const origin = new URLSearchParams(location.hash.slice(1)).get('origin');
// The share target of an installed page gives its text in the query: it does not stay there.
const given = new URLSearchParams(location.search).get('text');
if (given !== null) history.replaceState(history.state, '', location.pathname + location.hash);
// The field may hold text already: a restored form, or typed before this module ran.
const reloaded = readBeforeReload();
const already = link.text ?? given ?? (reloaded?.text || /** @type {HTMLTextAreaElement} */ (byId('source')).value);
const store = createStore({ ...initialState(), ...settings, textsBefore: reloaded?.textsBefore ?? [], offline: !navigator.onLine });
const observer = createObserver(store, engine);
const session = createDocument(store, engine, { home: MODEL, chosen, begun }, observer);
const switching = createSwitching(store, session, MODEL);

const playScene = (/** @type {string} */ text) => {
  session.setCaret(0);
  session.typed(text);
};
const player = createPlayer(store, { type: playScene, moveCaret: session.caretMoved, switchTo: (address) => switching.to(address, { lasting: false }) });

mountPage(store);
mountUpdate();
const source = mountSource(store, {
  typed(text) {
    session.setCaret(/** @type {HTMLTextAreaElement} */ (byId('source')).selectionStart);
    session.typed(text);
  },
  caretMoved: session.caretMoved,
});
mountTranslation(store, { observe: observer.observe });
mountLanguage(store, switching);
const retry = () => (store.get().failure?.retry === 'switch' ? switching.again() : session.retry());
mountStatus(store, { retry, load: session.load }, player);
mountExamplesMenu(player);
linkScrolling(byId('source-scroll'), byId('target-scroll'));
mountSteps(store);
mountFigure(store);
mountInspector(TABS, { store, engine, observer, session });
mountScenes(store, player, engine);

// What opens over the page is loaded when it is first opened.
const refresh = watchShipped(store, MODELS);
const variants = shippedModels(VARIANTS);
const dialogs = {
  file: async () => (await import('./page/files/files.js')).filesDialog(store, engine),
  models: async () => (await import('./page/models/models.js')).modelsDialog(store, { use: session.use, own: MODEL, refresh, variants }),
  words: async () => (await import('./page/words/words.js')).wordsDialog(store, session),
  history: async () => (await import('./page/history/history.js')).historyDialog(store, session, switching),
};
for (const [button, open] of Object.entries({ 'open-file': dialogs.file, 'models-button': dialogs.models, 'words-button': dialogs.words, 'history-button': dialogs.history })) {
  byId(button).addEventListener('click', () => open().then((dialog) => dialog.open(), sayMissing));
}
watchDrops(dialogs);

// For readers who open the console, and for tools that make pictures.
Object.assign(window, { translucent: { store } });

if (already) session.typed(already);
/** @type {string|null} */
let exampleText = null;
mountTextBefore(store, { replace: source.replace, example: () => exampleText });
storeForReload(store, () => exampleText);

/**
 * Shows what a link names.
 * @param {import('./app/fragment.js').Link} link
 * @param {import('./app/reload.js').BeforeReload|null} before what a reload brings back
 */
function openLink({ text, scenes, scene, sentence, held, step, model }, before) {
  const named = scenes ?? before?.lessonSource;
  const at = before && before.lessonSource === named ? before : null;
  const show = () => !named && text !== null && player.show({ text, sentence, held: held ?? NO_MARKS, step });
  show();
  if (named || model) import('./page/scenes/link.js').then(({ openScenes, useModel }) => {
    if (named) openScenes(player, named, scenes ? scene : (at?.scene ?? 0), text ?? at?.text ?? null);
    // Another model lets go of what was held.
    if (model) useModel(store, switching, model, () => store.get().text === text && show());
  }, sayMissing);
}
mountBack(store, { openLink: (newer) => openLink(newer, null), play: playScene });
openLink(link, reloaded);
if (store.get().layout === 'embed' && parent !== window) import('./page/scenes/embed.js').then(({ mountEmbed }) => mountEmbed(store, { origin, play: playScene }), sayMissing);

/** Shows the recorded example, unless there is a text already. */
async function showExample() {
  try {
    const { showRecorded } = await import('./app/recorded.js');
    await showRecorded(store, session, (text) => {
      exampleText = text;
      source.offer(text);
    });
  } catch (error) {
    // The page works without it: the model follows.
    console.warn('recorded example:', error);
  } finally {
    settleExample(store);
  }
}

// What failed for want of the network is tried again with it.
addEventListener('online', () => store.get().failure && retry());

if (begun) session.load();
else askConsent(store);
showExample();

// The service worker stores the site for the next visit and offline use; the page works without it. It fetches the whole site once more, so the model goes first.
let registered = false;
store.watch(['phase'], ({ phase }) => {
  if (registered || phase === 'starting' || phase === 'loading') return;
  registered = true;
  import('./page/texts/swap.js').then(({ mountSwap }) => mountSwap(store, switching, { replace: source.replace, detectLanguage: (options) => engine.detectLanguage(options) }), sayMissing);
  import('./page/glossary/glossary.js').then(({ mountGlossary }) => mountGlossary(store), sayMissing);
  import('./page/texts/speak.js').then(({ mountSpeak }) => mountSpeak(store), sayMissing);
  import('./page/words/choice.js').then(({ mountChoice }) => mountChoice(store, { engine, observer, words: dialogs.words }), sayMissing);
  import('./app/words.js').then(({ applyWords }) => applyWords(store, session), sayMissing);
  import('./app/history.js').then(({ keepHistory }) => keepHistory(store, () => exampleText), sayMissing);
  navigator.serviceWorker?.register('./sw.js').catch((error) => console.warn('service worker:', error));
});
