// The attention blocks that were observed lately stay in the worker under a number, so that a view of them needs no
// copy from the page.

/** @import { Tensor, Trace } from './protocol' */

/** Bytes that are kept; the least recently used block is dropped first. */
const CAPACITY = 48 * 2 ** 20;

/** The blocks that views are made of. */
export const ATTENTION_BLOCKS = /** @type {const} */ ([
  'encoderSelf', 'decoderSelf', 'cross', 'encoderSelfNorms', 'decoderSelfNorms', 'crossNorms',
]);

/** An LRU of tensors by number. */
export class ObservedBlocks {
  /** @type {Map<number, Tensor>} */
  #blocks = new Map();
  #bytes = 0;
  #last = 0;

  /** @param {number} [capacity] bytes */
  constructor(capacity = CAPACITY) {
    this.capacity = capacity;
  }

  /**
   * Keeps copies of a trace's attention blocks.
   * @param {Trace} trace
   * @returns {Record<string, number>} the number of each block by its name
   */
  keep(trace) {
    /** @type {Record<string, number>} */
    const numbers = {};
    for (const name of ATTENTION_BLOCKS) {
      const block = trace[name];
      if (!block || block.data.byteLength > this.capacity) continue;
      numbers[name] = ++this.#last;
      this.#blocks.set(this.#last, { data: block.data.slice(), shape: block.shape });
      this.#bytes += block.data.byteLength;
    }
    for (const [number, { data }] of this.#blocks) {
      if (this.#bytes <= this.capacity) break;
      this.#blocks.delete(number);
      this.#bytes -= data.byteLength;
    }
    return numbers;
  }

  /**
   * @param {number} number
   * @returns {Tensor | undefined} undefined where it was dropped
   */
  get(number) {
    const block = this.#blocks.get(number);
    if (!block) return undefined;
    this.#blocks.delete(number);
    this.#blocks.set(number, block);
    return block;
  }
}
