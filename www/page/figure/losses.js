/** Training view: the loss of every piece or word as a bar, all at once; the true pieces are given, none is waited for (§3.1, §5.4). */

/** @import { State } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
import { el, rove, setAttribute, setText } from '../../ui/dom.js';
import { hoverable } from '../../ui/hoverable.js';
import { holdToken, preview } from '../../app/hold.js';
import { shownStep } from '../../app/select.js';
import { pieceLabel } from '../../app/maps.js';

/** @typedef {NonNullable<State['scored']>} Scored */
/** @typedef {{ loss: number, pieces: [number, number], says: string }} Bar */

/**
 * @param {Store} store
 * @param {HTMLElement} box
 */
export function mountLosses(store, box) {
  const list = el('ol', { class: 'loss-bars', 'aria-label': 'Loss of each piece; arrow keys move, Enter holds' });
  const title = el('p', { class: 'part' });
  const node = el('div', { class: 'losses', id: 'losses', hidden: true }, list, title);
  box.append(node);
  const buttons = () => /** @type {HTMLElement[]} */ ([...list.querySelectorAll('button')]);
  rove(list, buttons);
  hoverable(
    list,
    (index) => preview(store, index === null ? null : { token: { side: 'target', index } }),
    (index) => holdToken(store, { side: 'target', index }),
  );

  /** @type {Scored|null} */
  let drawn = null;
  /** @type {State['unit']} */
  let drawnBy = 'pieces';
  /** @type {Bar[]} */
  let bars = [];
  store.watch(['mode', 'scored', 'observation', 'unit'], ({ mode, scored, observation, unit }) => {
    const now = scored && scored.observation === observation ? scored : null;
    node.hidden = mode !== 'training';
    if (node.hidden || (now === drawn && unit === drawnBy)) return;
    [drawn, drawnBy] = [now, unit];
    const name = unit === 'words' ? 'word' : 'piece';
    // Means are one per piece: the smoothed loss is what training minimises (§5.4), perplexity is of the plain one.
    const plain = now ? -now.logprob / now.scores.length : 0;
    setText(title, now ? `Loss per ${name} · mean with label smoothing ${now.loss.toFixed(2)} nats a piece · without ${plain.toFixed(2)}, perplexity ${now.perplexity.toFixed(2)}` : `Loss per ${name}`);
    bars = !now ? [] : unit === 'words' ? wordBars(now) : pieceBars(now);
    // The largest loss fills the height, but a target that is easy throughout should look easy.
    const most = Math.max(4, ...bars.map(({ loss }) => loss));
    list.replaceChildren(
      ...bars.map(({ loss, pieces, says }, i) => {
        const bar = el('button', { type: 'button', class: 'loss', tabindex: i === 0 ? '0' : '-1', title: says, 'aria-label': says, data: { index: pieces[0] } }, el('span', { class: 'fill' }));
        /** @type {HTMLElement} */ (bar.firstElementChild).style.setProperty('--part', String(loss / most));
        return el('li', {}, bar);
      }),
    );
  });
  store.watch(['mode', 'scored', 'step', 'preview', 'held', 'observation', 'unit'], (state) => {
    if (state.mode !== 'training') return;
    const step = shownStep(state);
    buttons().forEach((bar, i) => setAttribute(bar, 'aria-pressed', String(bars[i].pieces[0] <= step && step < bars[i].pieces[1])));
  });
}

/**
 * @param {Scored} scored
 * @returns {Bar[]}
 */
const pieceBars = ({ scores, observation }) =>
  scores.map(({ loss, probability, rank }, i) => ({
    loss,
    pieces: [i, i + 1],
    says: `“${pieceLabel(observation.target[i])}”: loss ${loss.toFixed(2)} nats, P = ${probability.toFixed(3)}, rank ${rank}`,
  }));

/**
 * @param {Scored} scored
 * @returns {Bar[]}
 */
const wordBars = ({ words }) =>
  words.map(({ text, loss, logprob, pieces }) => {
    const count = pieces[1] - pieces[0];
    return { loss, pieces, says: `“${pieceLabel({ text })}”: loss ${loss.toFixed(2)} nats, ln P = ${logprob.toFixed(2)}, ${count === 1 ? '1 piece' : `${count} pieces`}` };
  });
