// What the page has received of a document. After a key in a long text the worker sends only what has changed; the rest is put in
// here, so that a listener gets the events of the whole document.

/** @import { DocumentEvent, SentenceInfo, TranslateEvent } from './protocol' */

/** @typedef {Extract<TranslateEvent, { kind: 'sentence' }>} Translation */

/** The document of the newest `sentences` or `changed` event of one worker. */
export class ReceivedDocument {
  /** @type {SentenceInfo[]} */
  #sentences = [];
  /** Translations by sentence, as far as they are known. @type {Translation[]} */
  #translations = [];
  /** Sentences of an event that comes in several messages, those that came so far. @type {SentenceInfo[]} */
  #part = [];

  /** @param {SentenceInfo[]} sentences that stand before those of the event to come */
  addPart(sentences) {
    this.#part.push(...sentences);
  }

  /**
   * Takes an event in.
   * @param {DocumentEvent} event
   * @returns {TranslateEvent[]} the events for a listener that knows nothing of the documents before
   */
  receive(event) {
    if (event.kind === 'sentences') {
      this.#sentences = this.#whole(event.sentences);
      this.#translations = [];
      return [{ kind: 'sentences', sentences: this.#sentences }];
    }
    if (event.kind === 'changed') {
      const { before, after, shift, translated } = event;
      const [old, known] = [this.#sentences, this.#translations];
      const end = old.slice(old.length - after).map((sentence) => moved(sentence, shift));
      this.#sentences = [...old.slice(0, before), ...this.#whole(event.sentences), ...end];
      const added = this.#sentences.length - old.length;
      this.#translations = [];
      for (const i of translated) {
        const translation = known[i < before ? i : i - added];
        this.#translations[i] = translation.sentence === i ? translation : { ...translation, sentence: i };
      }
      return [{ kind: 'sentences', sentences: this.#sentences }, ...translated.map((i) => this.#translations[i])];
    }
    if (event.kind === 'sentence') this.#translations[event.sentence] = event;
    return [event];
  }

  /** @param {SentenceInfo[]} rest */
  #whole(rest) {
    return [...this.#part.splice(0), ...rest];
  }
}

/**
 * A sentence at another place of the text.
 * @param {SentenceInfo} sentence
 * @param {number} shift of its offsets
 * @returns {SentenceInfo}
 */
function moved(sentence, shift) {
  if (shift === 0) return sentence;
  const range = (/** @type {[number, number]} */ [from, to]) => /** @type {[number, number]} */ ([from + shift, to + shift]);
  return {
    ...sentence,
    range: range(sentence.range),
    cutAt: sentence.cutAt === null ? null : sentence.cutAt + shift,
    source: sentence.source.map((piece) => (piece.range ? { ...piece, range: range(piece.range) } : piece)),
  };
}
