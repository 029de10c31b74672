/** Translates the texts of a file, and puts the tags that stand in them into their translations. */

/** @import { State } from '../../app/state.js' */
/** @import { Translator } from '../../engine/translator.js' */
/** @import * as P from '../../engine/protocol' */
/** @import { Word } from './tags.js' */
import { headRoles, upperMean } from '../../app/roles.js';
import { cuts, retag, untag, wordRanges } from './tags.js';

/** A sentence of the source with its translation. @typedef {{ info: P.SentenceInfo, text: string, target: P.Piece[] }} Sentence */

/**
 * @param {Translator} engine
 * @param {Pick<State, 'model' | 'terms'> & { search: P.SearchOptions }} setup
 * @param {string[]} texts a line each, maybe with tags
 * @param {AbortSignal} signal
 * @returns {Promise<string[]>} as many, with the same tags
 */
export async function translateTexts(engine, setup, texts, signal) {
  const parts = texts.map(untag);
  const document = parts.map(({ text }) => text).join('\n');
  /** @type {P.SentenceInfo[]} */
  let infos = [];
  /** @type {Map<number, { text: string, target: P.Piece[] }>} */
  const outputs = new Map();
  const result = await engine.translate(document, {
    ...setup.search,
    nBest: 1,
    terms: setup.terms,
    signal,
    onEvent(event) {
      if (event.kind === 'sentences') infos = event.sentences;
      else if (event.kind === 'sentence') outputs.set(event.sentence, event);
    },
  });
  const lines = result.kind === 'translated' ? result.text.split('\n') : [];
  if (lines.length !== texts.length) throw new Error('the translation has other lines than the text');
  const sentences = infos.map((info, i) => ({ info, ...(outputs.get(i) ?? { text: '', target: [] }) }));
  /** @type {string[]} */
  const tagged = [];
  let start = 0;
  for (const [i, { text, root }] of parts.entries()) {
    const end = start + text.length;
    const own = sentences.filter(({ info: { range } }) => range[0] >= start && range[1] <= end);
    tagged.push(root.children.length === 0 ? lines[i] : retag(text, root, lines[i], await wordsOf(own, start, root, lines[i])));
    start = end + 1;
  }
  return tagged;

  /**
   * The words of a line's translation with what each reads; by the alignment head where a tag begins or ends in its sentence.
   * @param {Sentence[]} sentences
   * @param {number} start of the line in the document
   * @param {import('./tags.js').Tag} root
   * @param {string} line
   * @returns {Promise<Word[]>}
   */
  async function wordsOf(sentences, start, root, line) {
    /** @type {Word[]} */
    const words = [];
    let at = 0;
    for (const { info, text, target } of sentences) {
      const [from, to] = info.range.map((place) => place - start);
      const offset = Math.max(at, line.indexOf(text, at));
      at = offset + text.length;
      const read = cuts(root, from, to) ? await alignment(info, target, start) : [];
      for (const word of wordRanges(text)) {
        /** @type {Word['reads']} */
        const whole = [[from, to, 1]];
        const reads = read.filter(({ range }) => range[0] < word.to && range[1] > word.from).flatMap(({ reads }) => reads);
        words.push({ from: offset + word.from, to: offset + word.to, reads: reads.length > 0 ? reads : whole });
      }
    }
    return words;
  }

  /**
   * What each piece of a sentence's translation reads of its line.
   * @param {P.SentenceInfo} sentence
   * @param {P.Piece[]} target
   * @param {number} start of the line in the document
   */
  async function alignment({ range: [from, to], source }, target, start) {
    const named = headRoles(setup.model).roles.find(({ attention, role }) => attention === 'cross' && role === 'alignment');
    const request = named ? { cross: true, layers: [named.layer], heads: [named.head] } : { cross: true };
    const { observed } = await engine.score(document.slice(from, to), { target: target.map(({ id }) => id), request, signal });
    const block = observed.trace.cross;
    if (!block) return [];
    const [rows, cols] = block.shape.slice(2);
    const weights = named ? block.data : upperMean(block);
    return target.slice(0, rows).flatMap(({ range }, row) => {
      /** @type {Word['reads']} */
      const reads = source.slice(0, cols).flatMap((piece, col) => {
        const letters = piece.range ? document.slice(...piece.range) : '';
        const end = (piece.range?.[1] ?? 0) - start;
        return letters.trim() === '' ? [] : [[end - letters.trimStart().length, end, weights[row * cols + col]]];
      });
      return range ? [{ range, reads }] : [];
    });
  }
}
