/** A list of scenes as a sheet to print: a page for each scene, its map drawn as vectors. */

/** @import { HeadRef, Observation } from '../../app/state.js' */
/** @import { Store } from '../../app/store.js' */
/** @import { Lesson, Scene } from '../../app/scenes.js' */
/** @import { Translator } from '../../engine/translator.js' */
import { placeOf } from '../../app/exercise.js';
import { ATTENTION_NAMES } from '../../app/maps.js';
import { sentenceOf } from '../../app/player.js';
import { searchOptions } from '../../app/search.js';
import { axes, matrixOf } from '../../app/select.js';
import { el, setText, svg } from '../../ui/dom.js';
import { prose } from '../../ui/math.js';
import { styled } from '../../ui/styled.js';

/** Side of a cell in a large map and in one of many, and room for labels, in the picture's own units. */
const CELL = 22;
const SMALL = 5;
const LABELS = 92;

/** @type {Promise<unknown>|null} */
let style = null;

/**
 * Puts the sheet in the place of the page until it is closed.
 * @param {Store} store
 * @param {Translator} engine
 * @param {Lesson} lesson
 */
export async function openSheet(store, engine, lesson) {
  await (style ??= styled(new URL('./sheet.css', import.meta.url)));
  const before = document.activeElement;
  const abort = new AbortController();
  const says = el('p', { role: 'status', class: 'sheet-says' });
  const close = () => {
    abort.abort();
    document.removeEventListener('keydown', keys, true);
    delete document.documentElement.dataset.sheet;
    sheet.remove();
    if (before instanceof HTMLElement) before.focus();
  };
  const keys = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Escape') return;
    // The page behind it hears nothing.
    event.stopPropagation();
    close();
  };
  const print = el('button', { type: 'button', id: 'sheet-print', text: 'Print', disabled: true, onclick: () => window.print() });
  const leave = el('button', { type: 'button', id: 'sheet-close', text: 'Close', onclick: close });
  const sheet = el('main', { class: 'sheet', id: 'sheet' }, el('div', { class: 'sheet-bar' }, print, leave, says), el('h1', { class: 'sheet-title', text: lesson.title || 'Scenes' }));
  document.documentElement.dataset.sheet = '';
  document.body.append(sheet);
  document.addEventListener('keydown', keys, true);
  leave.focus();
  try {
    for (const [i, scene] of lesson.scenes.entries()) {
      setText(says, `Translating scene ${i + 1} of ${lesson.scenes.length}.`);
      const { observation, translation } = await traced(store, engine, scene, abort.signal);
      sheet.append(pageOf(store, lesson, scene, i, observation, translation));
    }
    setText(says, `${lesson.scenes.length} pages.`);
    print.disabled = false;
  } catch (error) {
    if (!abort.signal.aborted) setText(says, `The sheet was not finished: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * @param {Store} store
 * @param {Translator} engine
 * @param {Scene} scene
 * @param {AbortSignal} signal
 */
async function traced(store, engine, { text, sentence }, signal) {
  /** @type {any[]} */
  let sentences = [];
  /** @type {any} */
  let observed = null;
  const translate = (/** @type {number} */ at) => engine.translate(text, {
    ...searchOptions(store.get()),
    nBest: 1,
    observe: { sentence: at, request: { encoderSelf: true, decoderSelf: true, cross: true } },
    onEvent: (event) => {
      if (event.kind === 'sentences') sentences = event.sentences;
    },
    onTrace: (trace) => {
      observed = trace;
    },
    signal,
  });
  const ask = async (/** @type {number} */ at) => {
    let answer = await translate(at);
    // The page's own translation takes the place of whatever is pending.
    for (let again = 0; again < 3 && answer.kind === 'cancelled'; again++) answer = await translate(at);
    return answer;
  };
  let answer = await ask(sentence);
  // How many sentences there are is known now.
  const at = sentenceOf({ sentence }, { sentences });
  if (at !== sentence) answer = await ask(at);
  /** @type {Observation|null} */
  const observation = observed && { ...observed, sentence: at, source: sentences[at]?.source ?? [] };
  return { observation, translation: answer.kind === 'translated' ? answer.text : '' };
}

/**
 * @param {Store} store
 * @param {Lesson} lesson
 * @param {Scene} scene
 * @param {number} i
 * @param {Observation|null} observation
 * @param {string} translation
 */
function pageOf(store, lesson, scene, i, observation, translation) {
  const { model, alignmentHead } = store.get();
  const { exercise } = scene;
  const head = scene.held.head ?? alignmentHead;
  const many = exercise?.choose === 'head';
  const place = exercise ? placeOf(exercise, scene, observation) : '';
  return el(
    'article',
    { class: 'sheet-page' },
    el('p', { class: 'sheet-count', text: `${lesson.title || 'Scenes'}, ${i + 1} of ${lesson.scenes.length}` }),
    el('h2', {}, ...prose(scene.title || 'Untitled')),
    el('p', { class: 'sheet-text', lang: model?.sourceLanguage, text: scene.text }),
    el('p', { class: 'sheet-text', lang: model?.targetLanguage, text: translation }),
    el('p', {}, ...prose(scene.caption)),
    observation && (many ? allHeads(observation, exercise.kind) : head && oneHead(observation, head)),
    scene.question !== '' && el('p', { class: 'sheet-question' }, ...prose(scene.question)),
    place !== '' && el('p', { text: place }),
    (scene.question !== '' || exercise) && el('div', { class: 'sheet-lines', 'aria-hidden': 'true' }),
  );
}

/**
 * @param {Observation} observation
 * @param {HeadRef} head
 */
function oneHead(observation, head) {
  const name = `${ATTENTION_NAMES[head.kind]}, layer ${head.layer + 1}, head ${head.head + 1}`;
  const matrix = matrixOf(observation, head);
  if (!matrix) return null;
  const { rows, cols } = axes(observation, head.kind);
  const [width, height] = [LABELS + matrix.cols * CELL + 60, LABELS + matrix.rows * CELL + 4];
  const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `Map of ${name}`, class: 'sheet-map' }, hatching(), cells(matrix, CELL, LABELS, LABELS));
  rows.forEach((label, row) => picture.append(lettered(label, LABELS - 6, LABELS + (row + 0.68) * CELL, 'end')));
  cols.forEach((label, col) => {
    const [x, y] = [LABELS + (col + 0.5) * CELL, LABELS - 6];
    picture.append(lettered(label, x, y, 'start', `rotate(-50 ${x} ${y})`));
  });
  return el('figure', {}, picture, el('figcaption', { text: `${name}: rows read columns.` }));
}

/**
 * Every head of an attention, layer by layer.
 * @param {Observation} observation
 * @param {HeadRef['kind']} kind
 */
function allHeads(observation, kind) {
  const [layers, heads, rows, cols] = observation.trace[kind]?.shape ?? [0, 0, 0, 0];
  const [stepX, stepY] = [cols * SMALL + 14, rows * SMALL + 22];
  const picture = svg('svg', { viewBox: `0 0 ${heads * stepX} ${layers * stepY}`, role: 'img', 'aria-label': `Maps of all heads: ${ATTENTION_NAMES[kind]}`, class: 'sheet-map' }, hatching());
  for (let layer = 0; layer < layers; layer++) {
    for (let head = 0; head < heads; head++) {
      const matrix = matrixOf(observation, { kind, layer, head });
      if (!matrix) continue;
      picture.append(lettered(`${layer + 1}.${head + 1}`, head * stepX, layer * stepY + 11, 'start'), cells(matrix, SMALL, head * stepX, layer * stepY + 15));
    }
  }
  return el('figure', {}, picture, el('figcaption', { text: `${ATTENTION_NAMES[kind]}: layer and head stand above each map.` }));
}

/** Diagonal lines for masked cells. */
const hatching = () => svg('defs', {}, svg('pattern', { id: 'sheet-hatch', width: 5, height: 5, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' }, svg('path', { d: 'M0 0V5', stroke: '#999', 'stroke-width': 1 })));

/**
 * @param {import('../../app/select.js').Matrix} matrix
 * @param {number} side of a cell
 * @param {number} left
 * @param {number} top
 */
function cells({ data, rows, cols, causal }, side, left, top) {
  const group = svg('g', {});
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      const masked = causal && col > row;
      const place = { x: left + col * side, y: top + row * side, width: side, height: side };
      const weight = data[row * cols + col];
      if (masked) group.append(svg('rect', { ...place, fill: 'url(#sheet-hatch)' }));
      else if (weight > 0.004) group.append(svg('rect', { ...place, fill: '#111', 'fill-opacity': weight.toFixed(3) }));
    }
  }
  group.append(svg('rect', { x: left, y: top, width: cols * side, height: rows * side, fill: 'none', stroke: '#777', 'stroke-width': 0.7 }));
  return group;
}

/**
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {'start'|'end'} anchor
 * @param {string} [transform]
 */
function lettered(text, x, y, anchor, transform) {
  const node = svg('text', { x, y, 'text-anchor': anchor, transform: transform ?? null });
  node.textContent = text;
  return node;
}
