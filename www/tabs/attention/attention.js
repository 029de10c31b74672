/** The Attention tab: one head large, as a map or as lines, with its settings, exact values and one plain sentence. */

/** @import { State } from '../../app/state.js' */
/** @import { TabContext } from '../list.js' */
import { el, segmented, setAttribute, setProperty, setText } from '../../ui/dom.js';
import { math } from '../../ui/math.js';
import { free, squareOf, switchOff } from '../../app/hold.js';
import { shownMap } from '../../app/maps.js';
import { shownHead } from '../../app/select.js';
import { cellText, describe, heldText, mapTitle, roleText, viewNote } from './sentence.js';
import { saveMenu } from '../../ui/save-menu.js';
import { headBar } from './headbar.js';
import { legend } from './legend.js';
import { mountMap } from './map.js';
import { setForm, setScale } from '../../app/settings.js';
import { moveFocus } from '../../ui/focus.js';
import { once, sayMissing } from '../../ui/part.js';

/**
 * @param {HTMLElement} panel
 * @param {TabContext} context
 */
export function mount(panel, { store, observer }) {
  const title = el('h2', { id: 'head-title' });
  const sentence = el('p', { class: 'says', id: 'says' });
  const heldHead = el('button', { type: 'button', class: 'held-chip', id: 'held-chip', onclick: () => letGo() });
  const off = el('button', {
    type: 'button',
    id: 'switch-off',
    text: 'Switch this head off…',
    title: 'Translates without it, in Alternatives & beam',
    onclick: () => switchOff(store, shownHead(store.get())),
  });
  const readout = el('p', { class: 'readout', id: 'map-readout' });
  const note = el('p', { class: 'axis-note', id: 'view-note' });
  const spoken = el('p', { class: 'unseen', 'aria-live': 'polite' });
  const map = mountMap(store, spoken);
  /** The lines of a head, once they are asked for. @type {ReturnType<typeof import('./lines.js').mountLines> | null} */
  let lines = null;

  // The button disappears with what is held.
  const letGo = () => {
    moveFocus(squareOf(store.get().held.head), (store.get().form === 'lines' && lines ? lines : map).node);
    free(store);
  };

  const form = segmented('How a head is drawn', [
    { value: 'map', text: 'map' },
    { value: 'lines', text: 'lines' },
  ], (value) => setForm(store, /** @type {State['form']} */ (value)));
  const heads = segmented('Which heads', [
    { value: 'one', text: 'head' },
    { value: 'all', text: 'all', title: 'the lines of all heads of the layer, each in its hue' },
    { value: 'mean', text: 'mean', title: 'mean over the heads of the layer' },
    { value: 'layers', text: 'all layers', title: 'mean over all heads of all layers' },
  ], (value) => observer.setView({ heads: /** @type {State['heads']} */ (value), bundle: null }));
  const measure = segmented('What is shown of a head', [
    { value: 'weight', text: 'weight', title: 'attention weights α: each row sums to 1' },
    { value: 'norm', text: math('‖α·v·W^O‖'), title: 'value-weighted norm: the length of the vector that a position adds through this head' },
  ], (value) => observer.setView({ measure: /** @type {State['measure']} */ (value) }));
  const scale = segmented('Scale', [
    { value: 'linear', text: 'linear' },
    { value: 'sqrt', text: '√', title: 'square root: small values show more' },
    { value: 'log', text: 'log', title: 'logarithm, from a thousandth' },
  ], (value) => setScale(store, /** @type {State['scale']} */ (value)));
  const unit = segmented('Rows and columns', [
    { value: 'pieces', text: 'pieces' },
    { value: 'words', text: 'words', title: 'mean over a word’s rows, sum over its columns' },
  ], (value) => observer.setView({ unit: /** @type {State['unit']} */ (value) }));
  const special = el('button', {
    type: 'button',
    id: 'special',
    text: '⟨s⟩ ⟨/s⟩',
    title: 'Start symbol and end mark: shown, or hidden with each row renormalised',
    'aria-label': '⟨s⟩ ⟨/s⟩: show special pieces',
    onclick: () => observer.setView({ specialTokens: store.get().specialTokens === 'shown' ? 'hidden' : 'shown' }),
  });

  const asking = el('div', { class: 'asking' });
  const withAsking = once(async () => (await import('./asking.js')).mountAsking(panel, asking, store));
  const withTable = once(async () => (await import('./table.js')).mountTable(store, panel));

  panel.append(
    title,
    el('div', { class: 'asked' }, readout, asking),
    map.node,
    note,
    sentence,
    el('div', { class: 'settings' }, form.node, heads.node, measure.node, scale.node, legend(store), unit.node, special, saveMenu(savable, 'save-map')),
    el('div', { class: 'settings second' }, headBar(store), heldHead),
    el('div', { class: 'settings' }, off),
    spoken,
  );
  // What could not be had is tried again when the tab is opened, or the network is back.
  store.watch(['phase', 'tab', 'offline'], ({ phase }) => {
    // Folded away below the map, which does not wait for it.
    withTable().catch(sayMissing);
    // Only a model that is there can be asked.
    if (phase === 'ready') withAsking().catch(sayMissing);
  });

  const name = (/** @type {Element} */ node) => setAttribute(node, 'aria-label', `${title.textContent}. Arrow keys read values, Enter holds.`);
  const withLines = once(async () => {
    lines = (await import('./lines.js')).mountLines(store, spoken);
    name(lines.node);
    map.node.after(lines.node);
  });
  store.watch(['form'], ({ form: chosen }) => {
    if (chosen !== 'lines') return;
    withLines().catch((error) => {
      setForm(store, 'map');
      sayMissing(error);
    });
  });

  store.watch(
    ['observation', 'views', 'held', 'preview', 'step', 'stepChosen', 'tab', 'layers', 'model', 'heads', 'form', 'measure', 'unit', 'specialTokens', 'phase', 'doc'],
    (state) => {
      if (state.tab !== 'attention') return;
      const empty = !state.observation;
      panel.classList.toggle('none', empty);
      setText(title, empty ? 'Attention' : mapTitle(state));
      setText(sentence, empty ? 'Translate a sentence to see its attention here, head by head.' : [describe(state), roleText(state)].filter(Boolean).join(' '));
      setText(readout, cellText(state));
      setText(note, viewNote(state));
      name(map.node);
      if (lines) name(lines.node);
      // A recorded example has no model that could do without a head.
      setProperty(off, 'hidden', empty || state.doc.recorded || state.phase !== 'ready' || state.heads !== 'one');
      const { held } = state;
      setProperty(heldHead, 'hidden', !held.head && !held.token && !state.stepChosen);
      setText(heldHead, `${heldText(state)} ✕`);
      setAttribute(heldHead, 'aria-label', `Let go of ${heldText(state)}`);
    },
  );
  store.watch(['scale', 'form', 'heads', 'measure', 'unit', 'specialTokens', 'phase'], (state) => {
    scale.show(state.scale);
    form.show(state.form);
    heads.show(state.form === 'map' && state.heads === 'all' ? 'one' : state.heads);
    measure.show(state.measure);
    unit.show(state.unit);
    setAttribute(special, 'aria-pressed', String(state.specialTokens === 'shown'));
    // All heads at once are lines; norms need the model, a recorded example has none.
    heads.enable('all', state.form === 'lines');
    measure.enable('norm', state.phase === 'ready');
  });

  /** What is shown, to be saved. */
  function savable() {
    const state = store.get();
    const ref = shownHead(state);
    const shown = shownMap(state, ref);
    if (!state.observation || !shown) return null;
    const { rows, cols } = shown.axes;
    const mean = state.heads === 'mean' || state.heads === 'layers';
    return {
      name: [ref.kind, state.heads === 'layers' ? 'mean' : `layer${ref.layer + 1}-${mean ? 'mean' : `head${ref.head + 1}`}`, ...(state.measure === 'norm' ? ['norms'] : [])].join('-'),
      picture: map.picture() ?? lines?.picture() ?? undefined,
      numbers: {
        rows: rows.labels,
        cols: cols.labels,
        data: shown.data,
        about: {
          attention: ref.kind,
          layer: state.heads === 'layers' ? 'mean' : ref.layer + 1,
          head: mean ? 'mean' : ref.head + 1,
          values: state.measure,
          unit: state.unit,
          specialTokens: state.specialTokens,
          model: state.model?.name,
          source: state.doc.text,
          translation: state.doc.outputs[state.observation.sentence]?.text,
        },
      },
    };
  }
}
