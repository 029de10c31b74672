/** The switches of the Arithmetic tab: interventions on a model that was trained otherwise, and said to be so. */

/** @import { State } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
/** @import { Queries } from '../../app/queries.js' */
import { el, segmented, setText } from '../../ui/dom.js';
import { math, prose } from '../../ui/math.js';
import { comparisonCard } from '../../ui/comparison.js';
import { setIntervention } from '../../app/settings.js';
import { arithmeticCell } from '../../app/select.js';
import { changesHead, comparedOf, interventionText } from '../../app/interventions.js';

/** Widest neighbourhood that the slider offers; at its right end the model stays as it was trained. */
const WIDEST = 32;

/**
 * @param {Store} store
 * @param {Queries} queries
 */
export function mountSwitches(store, queries) {
  const scaled = segmented(
    'Scaling',
    [
      { value: 'on', text: math('÷ √d_k') },
      { value: 'off', text: 'off', title: 'scores of every head stay undivided' },
    ],
    (value) => change({ heads: [...headsOf().filter((c) => c.change !== 'unscaled'), ...(value === 'off' ? [{ change: /** @type {const} */ ('unscaled') }] : [])] }),
  );
  const head = segmented(
    'This head',
    [
      { value: 'on', text: 'as trained' },
      { value: 'off', text: 'off', title: 'it adds nothing to the output' },
      { value: 'uniform', text: 'uniform', title: 'the same weight for every key that it may see' },
      { value: 'only', text: 'alone', title: 'the other heads of its attention are off' },
    ],
    (value) => {
      const cell = arithmeticCell(store.get());
      if (!cell) return;
      const ref = { kind: cell.kind, layer: cell.layer, head: cell.head };
      const others = headsOf().filter((c) => !changesHead(c, ref));
      change({ heads: value === 'on' ? others : [...others, { ...ref, change: /** @type {'off'|'uniform'|'only'} */ (value) }] });
    },
  );
  const positions = segmented(
    'Positions',
    [
      { value: 'own', text: 'as trained' },
      { value: 'zeroed', text: 'zeroed', title: 'no positional encoding is added' },
      { value: 'shuffled', text: 'shuffled', title: 'the positional encodings are permuted' },
    ],
    (value) => change({ positions: value === 'own' ? undefined : /** @type {'zeroed'|'shuffled'} */ (value) }),
  );
  const rangeText = el('output', { class: 'range-value' });
  const range = el('input', {
    type: 'range',
    min: '1',
    max: String(WIDEST),
    step: '1',
    id: 'neighbourhood',
    oninput: () => change({ neighbourhood: Number(range.value) === WIDEST ? undefined : Number(range.value) }),
  });
  const scaling = el('div', { class: 'setting' }, el('span', { class: 'setting-name', text: 'Scaling' }), scaled.node);
  const note = el('p', { class: 'intervened', role: 'status' });
  const translate = el('button', { type: 'button', id: 'arithmetic-translate', text: 'Translate with this', onclick: () => queries.intervene('arithmetic', interventionText(store.get().intervention)) });
  const back = el('button', { type: 'button', class: 'plain', text: 'as trained', onclick: () => setIntervention(store, {}) });
  const bar = el('div', { class: 'intervened-bar', hidden: true }, note, translate, back);
  const card = comparisonCard();
  const node = el(
    'details',
    { class: 'switches', id: 'switches' },
    el('summary', { text: 'Interventions: change the model and see' }),
    el('p', { class: 'says short' }, 'These switches change a trained model. They show what it relies on, not how it would be if it had been trained that way; Models has some that were.'),
    el(
      'div',
      { class: 'settings' },
      scaling,
      el('div', { class: 'setting' }, el('label', { class: 'setting-name', for: 'neighbourhood', text: 'Neighbourhood r' }), range, rangeText),
      el('div', { class: 'setting' }, el('span', { class: 'setting-name', text: 'Positions' }), positions.node),
      el('div', { class: 'setting' }, el('span', { class: 'setting-name', text: 'This head' }), head.node),
    ),
    bar,
    card.node,
  );

  const headsOf = () => store.get().intervention.heads ?? [];
  /** @param {import('../../engine/protocol').Intervention} patch */
  function change(patch) {
    const next = { ...store.get().intervention, ...patch };
    if (next.heads?.length === 0) next.heads = undefined;
    for (const key of /** @type {(keyof typeof next)[]} */ (Object.keys(next))) if (next[key] === undefined) delete next[key];
    setIntervention(store, next);
  }

  store.watch(['intervention', 'phase', 'observation'], ({ intervention: now, phase, observation }) => {
    scaled.show(now.heads?.some((c) => c.change === 'unscaled') ? 'off' : 'on');
    positions.show(now.positions ?? 'own');
    range.value = String(now.neighbourhood ?? WIDEST);
    setText(rangeText, now.neighbourhood === undefined ? 'as trained' : String(now.neighbourhood));
    range.setAttribute('aria-valuetext', now.neighbourhood === undefined ? 'as trained' : `positions at most ${now.neighbourhood} / 2 away`);
    const told = interventionText(now);
    bar.hidden = told === '';
    note.replaceChildren(...prose(told && `Intervention on a model trained otherwise: ${told}.`));
    translate.disabled = phase !== 'ready' || !observation?.final;
  });
  store.watch(['model'], ({ model }) => {
    // What was trained without the division has none to be left out.
    scaling.hidden = model !== null && model.config.compatibility !== 'scaled_dot_product';
  });
  store.watch(['intervention', 'held', 'preview', 'layers', 'observation', 'alignmentHead'], (state) => {
    const cell = arithmeticCell(state);
    const own = cell && state.intervention.heads?.find((c) => changesHead(c, cell));
    head.show(own?.change ?? 'on');
  });
  store.watch(['interventionResult', 'tab'], (state) => card.show(comparedOf(state, state.interventionResult?.from === 'arithmetic' ? state.interventionResult : null)));
  return node;
}
