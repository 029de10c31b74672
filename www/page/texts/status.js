/** The lines under the translation: loading progress, speed, failures with their remedy; and labels for recorded or queued texts. */

/** @import { State } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
/** @import { createPlayer } from '../../app/player.js' */
import { byId, el, setText } from '../../ui/dom.js';
import { megabytes } from '../../ui/numbers.js';
import { languageName } from '../../app/language.js';
import { comingLanguage, modelLabel } from '../../app/models.js';

/** @type {Record<string, string>} */
const STAGES = {
  engine: 'downloading the engine',
  weights: 'downloading the model',
  prepare: 'preparing the model',
  ready: 'ready',
};

/** Characters of a translation that are announced. */
const ANNOUNCED = 4000;

/**
 * @param {Store} store
 * @param {{retry: () => void, load: () => void}} actions
 * @param {ReturnType<typeof createPlayer>} player
 */
export function mountStatus(store, actions, player) {
  const suggest = byId('suggest');
  suggest.append(el('p', { text: 'Type a sentence.' }));
  store.watch(['exampleSettled'], ({ exampleSettled }) => {
    // The page works without them.
    if (exampleSettled) import('../scenes/choices.js').then(({ suggestScenes }) => suggestScenes(player, suggest)).catch((error) => console.warn('examples:', error));
  });

  store.watch(['phase', 'progress', 'pendingModel', 'shipped', 'doc', 'model', 'text', 'queued', 'exampleSettled', 'modelStored'], (state) => {
    document.body.dataset.state = state.phase;
    document.body.dataset.doc = docState(state);
    const waits = state.queued && state.doc.text !== state.text;
    document.body.classList.toggle('queued', waits);
    byId('queued-note').hidden = !waits;
    setText(byId('status'), statusLine(state));
    showBar(state);
    const badge = byId('badge');
    badge.hidden = !state.doc.recorded && !waits;
    setText(badge, waits ? 'queued' : 'recorded');
    badge.title = waits
      ? 'Your text is translated as soon as the model has loaded.'
      : 'Recorded when this page was built. The model is still loading.';
    suggest.hidden = state.text.trim() !== '' || !state.exampleSettled;
  });
  store.watch(['offline'], ({ offline }) => {
    byId('offline').hidden = !offline;
  });
  store.watch(['failure', 'phase', 'model', 'pendingModel'], (state) => showFailure(state, actions));

  // Finished sentences only: a live region that read every piece would never be silent. Of a long text its beginning:
  // the rest is read where it stands.
  let announced = '';
  store.watch(['doc'], ({ doc }) => {
    if (doc.running || doc.recorded) return;
    const whole = doc.outputs.map((o) => o.text).join(' ');
    const text = whole.length > ANNOUNCED ? `${whole.slice(0, ANNOUNCED)}…` : whole;
    if (text === announced) return;
    announced = text;
    setText(byId('live'), text);
  });
}

/** @param {State} state */
function docState(state) {
  if (state.text.trim() === '') return 'empty';
  if (state.doc.recorded) return 'recorded';
  return state.doc.running || state.doc.text !== state.text ? 'running' : 'done';
}

/** @param {State} state */
const isLoading = ({ phase, pendingModel }) => phase === 'loading' || pendingModel !== null;

/** @param {State} state */
function statusLine(state) {
  const { phase, doc, model, text } = state;
  if (isLoading(state)) return loadingLine(state);
  if (phase === 'starting') return 'Starting…';
  if (phase !== 'ready' || !model) return '';
  const parts = [];
  if (doc.speed && text.trim() !== '') {
    if (doc.speed.tokensPerSecond) parts.push(`${Math.round(doc.speed.tokensPerSecond)} tokens/s`);
    parts.push(`first word after ${doc.speed.firstTokenMs < 10 ? doc.speed.firstTokenMs.toFixed(1) : Math.round(doc.speed.firstTokenMs)} ms`);
  }
  parts.push(`${model.precision}, ${model.flavour === 'relaxed-simd' ? 'relaxed SIMD' : 'SIMD'}`, 'on this device only');
  if (!state.modelStored) parts.push('no room to store the model: it is downloaded again at the next visit');
  return parts.join(' · ');
}

/**
 * What is loading, how much of it is here, and which model translates until then.
 * @param {State} state
 */
function loadingLine(state) {
  const { phase, progress: p, model, pendingModel, queued } = state;
  const ready = phase === 'ready';
  const which = ready && pendingModel ? modelLabel(state, pendingModel) : comingLanguage(state);
  // A second model needs no second engine.
  const stage = STAGES[ready && p?.stage === 'engine' ? '' : (p?.stage ?? '')] ?? 'downloading the model';
  const bytes = p?.stage === 'weights' && p.loaded > 0 ? `, ${megabytes(p.loaded)}${p.total ? ` of ${megabytes(p.total)}` : ''}` : '';
  const until = ready && model ? ` · still translating to ${languageName(model.targetLanguage) || model.name}` : '';
  return `${queued ? 'Your text is next · ' : ''}${which ? `${which}: ` : ''}${stage}${bytes}${until}`;
}

/** @param {State} state */
function showBar(state) {
  const { progress } = state;
  const bar = byId('bar');
  // Its room stays when it goes.
  bar.classList.toggle('none', !isLoading(state));
  if (!isLoading(state)) return;
  const known = !!progress && progress.total > 0;
  bar.classList.toggle('unknown', !known);
  byId('bar-fill').style.setProperty('--part', known ? String(Math.min(1, progress.loaded / progress.total)) : '0.3');
  bar.setAttribute('role', 'progressbar');
  bar.setAttribute('aria-label', 'Loading the model');
  if (known) bar.setAttribute('aria-valuenow', String(Math.round((100 * progress.loaded) / progress.total)));
  else bar.removeAttribute('aria-valuenow');
}

/**
 * @param {State} state
 * @param {{retry: () => void, load: () => void}} actions
 */
function showFailure({ failure, phase, pendingModel }, actions) {
  const box = byId('failure');
  if (phase === 'consent' && !failure && !pendingModel) {
    box.hidden = false;
    box.replaceChildren(
      el('p', {}, el('strong', { text: 'Download the model now? ' }), 'Your browser is set to save data. This example is recorded and needs no model.'),
      el('button', { type: 'button', text: 'Download the model', onclick: actions.load }),
    );
    return;
  }
  box.hidden = !failure;
  if (!failure) return;
  box.replaceChildren(
    el('p', {}, el('strong', { text: failure.title })),
    el('p', { text: failure.why }),
    el('p', { text: failure.remedy }),
    el('button', { type: 'button', id: 'retry', text: 'Try again', onclick: actions.retry }),
  );
}
