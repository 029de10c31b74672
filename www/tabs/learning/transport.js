/** The training's transport: restart, earlier, train or pause, one step, later; and the slider over the snapshots. */

import { el, icon, setText } from '../../ui/dom.js';
import { grouped } from '../../ui/numbers.js';

const ICONS = {
  reset: 'M8 3a5 5 0 1 1-4.6 3H2l2.6-3.6L7.4 6H5.1A3.4 3.4 0 1 0 8 4.6z',
  play: 'M4 2.5v11l9-5.5z',
  pause: 'M4 3h3v10H4zM9 3h3v10H9z',
  next: 'M4 3v10l6-5zM11 3h2v10h-2z',
  earlier: 'M11 3v10L4 8z',
  later: 'M5 3v10l7-5z',
};

/**
 * @param {{ onplay: () => void, onreset: () => void, onstep: () => void, onjump: (by: 1 | -1) => void, onscrub: (step: number) => void }} listeners
 */
export function transportView({ onplay, onreset, onstep, onjump, onscrub }) {
  const square = (/** @type {keyof typeof ICONS} */ which, /** @type {string} */ label, /** @type {() => void} */ onclick) =>
    el('button', { type: 'button', class: 'square', id: `learning-${which}`, 'aria-label': label, title: label, onclick }, icon(ICONS[which]));
  const playIcon = icon(ICONS.play);
  const playWord = el('span', { text: 'Train' });
  const play = el('button', { type: 'button', class: 'play', id: 'learning-play', onclick: onplay }, playIcon, playWord);
  const reset = square('reset', 'Restart from random weights', onreset);
  const one = square('next', 'One step', onstep);
  const earlier = square('earlier', 'Earlier snapshot', () => onjump(-1));
  const later = square('later', 'Later snapshot', () => onjump(1));
  const status = el('output', { id: 'learning-status' });
  const slider = el('input', { type: 'range', id: 'learning-scrub', min: '0', value: '0', max: '0', 'aria-label': 'Snapshot of the run', oninput: () => onscrub(Number(slider.value)) });
  return {
    nodes: [el('div', { class: 'transport', role: 'group', 'aria-label': 'Training' }, reset, earlier, play, one, later), el('div', { class: 'scrub' }, slider, status)],
    /**
     * @param {{ step: number, end: number, snapshots: number, playing: boolean, speed: number, seconds: number, exact: number | undefined, isReady: boolean, fits: boolean }} run
     *   `end`: the last step; `speed`: steps a second; `exact`: share of exact answers; `fits`: the next run has room
     */
    show({ step, end, snapshots, playing, speed, seconds, exact, isReady, fits }) {
      slider.max = String(Math.max(end, 1));
      slider.value = String(step);
      slider.disabled = snapshots < 2;
      const parts = [`step ${grouped(step)}`];
      if (playing && speed > 0) parts.push(`${speed.toFixed(speed < 10 ? 1 : 0)} steps/s`);
      parts.push(`${seconds.toFixed(0)} s`);
      if (exact !== undefined) parts.push(`${(100 * exact).toFixed(1)} % exact`);
      setText(status, parts.join(' · '));
      setText(playWord, playing ? 'Pause' : step > 0 ? 'Train on' : 'Train');
      playIcon.firstElementChild?.setAttribute('d', playing ? ICONS.pause : ICONS.play);
      for (const button of [one, earlier, later]) button.disabled = !isReady;
      reset.disabled = !isReady || !fits;
    },
    /** Brings the button that trains into sight and focuses it. */
    focus() {
      play.scrollIntoView({ block: 'nearest' });
      play.focus({ preventScroll: true });
    },
  };
}
