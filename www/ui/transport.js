/** First · previous · play · next · last: one player for whatever goes in steps. */

import { el, icon, setAttribute, setIdle, setText } from './dom.js';

const PLAY = 'M4 2.5v11l9-5.5z';
const PAUSE = 'M4 3h3v10H4zM9 3h3v10H9z';
const ICONS = { first: 'M3 3h1.6v10H3zM13 3v10L6 8z', previous: 'M11 3v10L4 8z', next: 'M5 3v10l7-5z', last: 'M11.4 3H13v10h-1.6zM3 3v10l7-5z' };

/**
 * @typedef {object} TransportOptions
 * @property {string} id prefix of the buttons' ids: `ID-first`, `-previous`, `-play`, `-next`, `-last`
 * @property {string} label of the group
 * @property {{first: string, previous: string, next: string, last: string}} names of the four buttons, for tooltips and screen readers
 * @property {(step: number) => void} go shows a step, 0 to `last`
 * @property {() => {at: number, last: number, off?: boolean}} where the shown step and the last one; `off`: playing makes no sense now
 * @property {string} [play] the word on the play button
 * @property {string} [playClass] class of that word, e.g. one that hides it where there is no room
 * @property {() => number} [pace] milliseconds for the step that is shown
 * @property {(playing: boolean) => void} [onplay] called when playing starts and ends
 */

/**
 * A player for steps. It plays by itself; `refresh` after every change of what `where` says.
 * @param {TransportOptions} options
 */
export function transport({ id, label, names, go, where, play: word = 'Play', playClass, pace = () => 700, onplay }) {
  let timer = 0;
  const playing = () => timer !== 0;
  const stop = () => {
    if (!timer) return;
    clearTimeout(timer);
    timer = 0;
    onplay?.(false);
    refresh();
  };
  const start = () => {
    const { at, last } = where();
    // From the end, playing starts over.
    go(at >= last ? 0 : at);
    const wait = () => {
      timer = window.setTimeout(() => {
        const now = where();
        if (now.off || now.at >= now.last) return stop();
        go(now.at + 1);
        // What was shown may have ended the play.
        if (timer) wait();
      }, pace());
    };
    wait();
    onplay?.(true);
    refresh();
  };
  const button = (/** @type {keyof typeof ICONS} */ which, /** @type {() => number} */ to) =>
    el(
      'button',
      {
        type: 'button',
        class: 'square',
        id: `${id}-${which}`,
        'aria-label': names[which],
        title: names[which],
        onclick: () => {
          stop();
          const { last } = where();
          go(Math.max(0, Math.min(last, to())));
        },
      },
      icon(ICONS[which]),
    );
  const playIcon = icon(PLAY);
  const playWord = el('span', { class: playClass, text: word });
  const play = el('button', { type: 'button', class: 'play', id: `${id}-play`, onclick: () => (playing() ? stop() : start()) }, playIcon, playWord);
  const first = button('first', () => 0);
  const previous = button('previous', () => where().at - 1);
  const next = button('next', () => where().at + 1);
  const end = button('last', () => where().last);
  const node = el('div', { class: 'transport', role: 'group', 'aria-label': label }, first, previous, play, next, end);

  function refresh() {
    const { at, last, off = false } = where();
    for (const b of [first, previous]) setIdle(b, last < 0 || at <= 0);
    for (const b of [next, end]) setIdle(b, at >= last);
    play.toggleAttribute('disabled', !playing() && (off || last < 1));
    setText(playWord, playing() ? 'Pause' : word);
    setAttribute(play, 'aria-label', playing() ? 'Pause' : word);
    if (playIcon.firstElementChild) setAttribute(playIcon.firstElementChild, 'd', playing() ? PAUSE : PLAY);
  }
  refresh();
  return { node, refresh, stop, start, playing };
}
