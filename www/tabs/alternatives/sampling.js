/** Sampling: the translation drawn piece by piece at random, and what each piece was drawn from. */

/** @import { State } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
/** @import { Translator } from '../../engine/translator.js' */
/** @import { Actions } from './alternatives.js' */
/** @import * as P from '../../engine/protocol' */
import { fail } from '../../app/failure.js';
import { pieceLabel } from '../../app/maps.js';
import { observedSentence } from '../../app/queries.js';
import { oneAtATime } from '../../app/requests.js';
import { RANGES } from '../../app/fragment.js';
import { searchOptions } from '../../app/search.js';
import { setSearch } from '../../app/settings.js';
import { el, rove, setAttribute, setText } from '../../ui/dom.js';
import { formatWeight, signed } from '../../ui/numbers.js';
import { term } from '../../ui/term.js';
import { markDifference } from '../../ui/word-diff.js';
import { slider } from './slider.js';

/** Pieces of a step that are listed. */
const LISTED = 12;

/** What cut a piece off, in words. @type {Record<P.Cut, string>} */
const CUTS = { banned: 'may not come', top_k: 'cut by top-k', top_p: 'cut by top-p' };

/**
 * A drawn translation and what each of its pieces was drawn from.
 * @typedef {{source: string, text: string, logprob: number, target: P.Piece[], steps: P.StepAlternatives[], seed: number}} Drawn
 * @typedef {{source: string, state: State}} Request
 */

/**
 * @param {Store} store
 * @param {Translator} engine
 * @param {Actions} actions
 */
export function mountSampling(store, engine, actions) {
  /** @type {Drawn|null} */
  let drawn = null;
  /** The step whose distribution is shown. */
  let step = 0;
  const seed = el('input', { type: 'number', id: 'set-seed', class: 'line-field seed', min: '0', max: String(RANGES.seed[1]), step: '1' });
  seed.addEventListener('change', () => {
    const [least, most] = RANGES.seed;
    // The browser gives nothing for what is no number: the seed that was stays.
    if (seed.value !== '') setSearch(store, 'seed', Math.max(least, Math.min(most, Math.round(Number(seed.value)))));
    seed.value = String(store.get().seed);
  });
  const again = el('button', { type: 'button', id: 'draw-again', text: 'Draw again', onclick: () => setSearch(store, 'seed', (store.get().seed + 1) % (RANGES.seed[1] + 1)) });
  const settings = el(
    'div',
    { class: 'settings' },
    slider(store, 'temperature', 'Temperature', () => {}, (value) => value.toFixed(1)),
    slider(store, 'topK', 'Top-k', () => {}, (value) => (value === 0 ? 'all' : String(value))),
    slider(store, 'topP', 'Top-p', () => {}, (value) => (value === 1 ? 'all' : value.toFixed(2))),
    el('div', { class: 'setting' }, el('label', { class: 'setting-name', for: 'set-seed', text: 'Seed' }), seed, again),
  );
  const text = el('p', { class: 'prose-line drawn-text', id: 'drawn-text', 'aria-live': 'polite' });
  const ln = el('p', { class: 'says short', id: 'drawn-ln' });
  const row = el('div', { class: 'piece-row', role: 'group', 'aria-label': 'Pieces that were drawn; arrow keys move, Enter chooses' });
  const says = el('p', { class: 'step-says', id: 'draw-says' });
  const line = el('div', { class: 'draw-line', 'aria-hidden': 'true' });
  const list = el('ol', { class: 'choices odds', id: 'odds' });
  const look = el('button', { type: 'button', class: 'look', text: 'Show this one on the page', onclick: () => drawn && actions.present({ what: `drawn with seed ${drawn.seed}`, text: drawn.text, target: drawn.target }) });
  const result = el('div', { hidden: true }, text, ln, row, says, line, list, look);
  rove(row, () => /** @type {HTMLElement[]} */ (Array.from(row.children)));

  /** What was requested last. */
  let asked = '';
  const ask = oneAtATime(
    async (/** @type {Request} */ { source, state }) => {
      const { temperature, topK, topP, seed } = state;
      /** @type {P.StepAlternatives[]} */
      let steps = [];
      const onTrace = (/** @type {P.Observation} */ observed) => {
        steps = observed.steps;
      };
      const answer = await engine.translateSentence(source, {
        ...searchOptions(state),
        beam: 1,
        nBest: 1,
        sampling: { temperature, topK, topP, seed },
        request: {},
        alternatives: LISTED,
        onTrace,
      });
      return answer.kind === 'translated' ? { source, seed, text: answer.text, logprob: answer.logprob, target: answer.target, steps } : null;
    },
    (answer) => {
      // Superseded: it is requested again with the next change.
      if (!answer) asked = '';
      // The reader has typed on meanwhile.
      if (!answer || observedSentence(store.get())?.source !== answer.source) return;
      drawn = answer;
      step = Math.min(step, answer.target.length - 1);
      show(store.get());
    },
    (error) => {
      asked = '';
      fail(store, error);
    },
  );
  store.watch(['tab', 'steerView', 'observation', 'doc', 'phase', 'text', 'temperature', 'topK', 'topP', 'seed'], (state) => {
    seed.value = String(state.seed);
    // The text or the model is gone.
    if (!state.observation) {
      drawn = null;
      asked = '';
      show(state);
    }
    if (state.tab !== 'alternatives' || state.steerView !== 'sampling') return;
    const source = observedSentence(state)?.source;
    if (!source) return;
    const { temperature, topK, topP, seed: number, address } = state;
    const question = JSON.stringify([address, source, temperature, topK, topP, number]);
    if (question === asked) return;
    asked = question;
    ask({ source, state });
  });

  /** @param {State} state */
  function show(state) {
    result.hidden = !drawn;
    if (!drawn) return;
    const { target, steps } = drawn;
    for (const node of [text, row, list]) node.lang = state.model?.targetLanguage ?? '';
    const own = observedSentence(state)?.text ?? '';
    text.replaceChildren(...markDifference(own, drawn.text));
    setText(ln, `ln P of what was drawn = ${signed(drawn.logprob)}. Words that the translation on the page has not are marked.`);
    if (row.children.length !== target.length || target.some((piece, i) => row.children[i].textContent !== pieceLabel(piece))) {
      row.replaceChildren(...target.map((piece, i) => el('button', { type: 'button', class: 'step-piece piece', text: pieceLabel(piece), onclick: () => choose(i) })));
    }
    Array.from(row.children, (node, i) => {
      /** @type {HTMLElement} */ (node).tabIndex = i === step ? 0 : -1;
      setAttribute(node, 'aria-pressed', String(i === step));
    });
    const { draw, pieces } = steps[step] ?? { draw: undefined, pieces: [] };
    const label = pieceLabel(target[step]);
    setText(says, draw ? sentence(step, label, draw) : `Step ${step + 1}: only “${label}” could come.`);
    line.replaceChildren(...(draw ? segments(draw) : []));
    list.replaceChildren(...pieces.map((piece, i) => odds(piece, draw?.odds[i], piece.id === target[step].id)));
  }
  const choose = (/** @type {number} */ at) => {
    step = at;
    show(store.get());
    /** @type {HTMLElement} */ (row.children[at]).focus();
  };

  return el(
    'section',
    { class: 'steer-part', 'aria-label': 'Sampling' },
    el('h2', {}, term('sampling', 'Sampling')),
    el(
      'p',
      { class: 'says short' },
      'Each piece is drawn at random. A ',
      term('temperature', 'temperature'),
      ' below 1 makes likely pieces likelier. ',
      term('topk', 'Top-k'),
      ' leaves the k likeliest, ',
      term('topp', 'top-p'),
      ' the likeliest that add up to p.',
    ),
    settings,
    result,
  );
}

/**
 * @param {number} step
 * @param {string} label
 * @param {P.Draw} draw
 */
const sentence = (step, label, { uniform, kept, rank, share }) =>
  `Step ${step + 1}: ${kept === 1 ? '1 piece was' : `${kept} pieces were`} left. The random number ${uniform.toFixed(3)} fell on “${label}”: number ${rank} of them, probability ${formatWeight(share)}.`;

/**
 * The shares side by side from 0 to 1, and where the random number fell.
 * @param {P.Draw} draw
 */
function segments({ odds, uniform }) {
  const parts = odds.filter(({ share }) => share > 0).map(({ share }) => part('part', share));
  const pin = el('span', { class: 'pin' });
  pin.style.setProperty('--p', String(uniform));
  return [...parts, pin];
}

/** @param {string} name @param {number} p */
function part(name, p) {
  const node = el('span', { class: name });
  node.style.setProperty('--p', String(p));
  return node;
}

/**
 * A piece with its probability in the model and its share of the draw.
 * @param {P.Alternative} piece
 * @param {P.Odds|undefined} odds
 * @param {boolean} chosen
 */
function odds(piece, odds, chosen) {
  const cut = odds?.cut ?? null;
  return el(
    'li',
    { class: `choice${chosen ? ' said' : ''}${cut ? ' cut' : ''}`, data: { id: piece.id } },
    el('span', { class: 'name', text: pieceLabel(piece) }),
    el('span', { class: 'track' }, part('model', piece.probability), part('fill', odds?.share ?? 0)),
    el('span', { class: 'value', text: formatWeight(odds?.share ?? 0) }),
    el('span', { class: 'go', text: cut ? CUTS[cut] : chosen ? `drawn; model ${formatWeight(piece.probability)}` : `model ${formatWeight(piece.probability)}` }),
  );
}
