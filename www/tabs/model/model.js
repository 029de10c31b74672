/** The Model tab: what this model is, how good, how it learned, and how its heads formed. */

/** @import { State } from '../../app/state.js' */
/** @import { TabContext } from '../list.js' */
import { el, setText } from '../../ui/dom.js';
import { parseMarkdown, plain } from '../../ui/markdown.js';
import { readProbes } from './probes.js';
import { inline, renderBlocks } from './card.js';
import { formingHeads } from './forming.js';
import { readMetrics } from './metrics.js';
import { sizesTable, table2, testSets } from './quality.js';
import { table3 } from './table3.js';
import { trainingCurves } from './training.js';
import { readTrainingLog } from './training-log.js';

/** Characters of a card that are shown: each mark of it becomes an element. */
const MOST_CARD = 200_000;

/**
 * @param {HTMLElement} panel
 * @param {TabContext} context
 */
export function mount(panel, { store }) {
  const title = el('h2', {});
  const says = el('p', { class: 'says' });
  const live = el('p', { class: 'readout', id: 'model-live' });
  const sizes = el('div', {});
  const quality = el('div', {});
  const curves = trainingCurves();
  const forming = formingHeads(store, (step) => curves.mark(step));
  const cardText = el('div', { class: 'card-text', id: 'model-card' });
  const card = el('details', { class: 'table card' }, el('summary', { text: 'The whole model card' }), cardText);
  const learned = el('h3', { class: 'sub', text: 'How it learned' });
  const formed = el('h3', { class: 'sub', text: 'How its heads formed' });
  panel.append(title, says, live, el('h3', { class: 'sub', text: 'How large' }), sizes, el('h3', { class: 'sub', text: 'How good: Table 2' }), quality, table3(store), learned, curves.node, formed, forming.node, card);

  /** @type {State['model']} */
  let shown = null;
  store.watch(['model', 'tab'], ({ model, tab }) => {
    if (tab !== 'model' || model === shown) return;
    shown = model;
    if (!model) return;
    const blocks = parseMarkdown((model.card ?? '').slice(0, MOST_CARD));
    const metrics = readMetrics('metrics' in model ? model.metrics : null);
    const [first, second] = blocks;
    setText(title, first?.kind === 'heading' ? plain(first.spans) : model.name);
    says.replaceChildren(...(second?.kind === 'paragraph' ? inline(second.spans) : [model.card ? '' : 'This folder has no card (README.md), so it does not say what it was trained on and how good it is.']));
    sizes.replaceChildren(sizesTable(model));
    quality.replaceChildren(
      el('p', {
        class: 'says',
        text: `The paper measured on newstest2014 and developed on newstest2013 (Table 3): two test sets, two columns. Its BLEU splits tokens differently from ours (sacrebleu, 13a), so differences of less than a point say nothing. Training cost is the paper’s estimate${metrics.flops.estimated !== null ? ', and this model’s comes by the same rule' : ''}.`,
      }),
      table2(model, metrics),
      ...(metrics.scores.length > 0 ? [testSets(metrics.scores)] : []),
    );
    const log = readTrainingLog(model.training);
    curves.show(log);
    learned.hidden = !log;
    const probes = model.probes ? readProbes(model.probes) : null;
    forming.show(probes);
    formed.hidden = !probes;
    card.hidden = blocks.length === 0;
    cardText.replaceChildren(...renderBlocks(blocks.slice(2)));
  });
  store.watch(['doc', 'model', 'tab'], ({ doc, model }) => {
    if (!model) return;
    const { speed } = doc;
    const parts = speed ? [speed.tokensPerSecond ? `${Math.round(speed.tokensPerSecond)} tokens/s` : '', `first word after ${speed.firstTokenMs.toFixed(1)} ms`] : ['translate something to measure its speed'];
    setText(live, `On this device, now: ${parts.filter(Boolean).join(', ')} (${model.flavour === 'relaxed-simd' ? 'relaxed SIMD' : model.flavour}, one thread).`);
  });
}
