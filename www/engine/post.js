// The worker's messages: answers with their tensors given away, and turns between slices.

/** @import { Answer, DocumentEvent } from './protocol' */

/** Messages sent. */
let sent = 0;

/** @param {Answer} answer @param {Transferable[]} [transfer] */
export function post(answer, transfer = []) {
  /** @type {Worker} */ (/** @type {unknown} */ (self)).postMessage({ ...answer, n: sent + 1 }, { transfer });
  sent += 1;
}

/** Sentences in one message: reading a message is one task of the page, and one of all sentences of a megabyte would take long. */
const SENTENCES = 200;

/** Events in one message: each message costs a turn of the page, and one with all events of a long text would be a long one. */
const EVENTS = 8;

/**
 * Posts events of a document's translation, several in a message, but the sentences of a long text in several messages.
 * @param {number} id
 * @param {DocumentEvent[]} events
 * @param {boolean} isEnd Whether an answer follows at once.
 * @returns {DocumentEvent[]} the last few, which go with that answer
 */
export function postDocumentEvents(id, events, isEnd) {
  /** @type {DocumentEvent[]} */
  let together = [];
  for (let event of events) {
    if (event.kind === 'sentences' || event.kind === 'changed') {
      const { sentences } = event;
      let at = 0;
      for (; at + SENTENCES < sentences.length; at += SENTENCES) post({ type: 'sentences', id, sentences: sentences.slice(at, at + SENTENCES) });
      event = { ...event, sentences: sentences.slice(at) };
    }
    if (together.length === EVENTS) {
      post({ type: 'document', id, events: together });
      together = [];
    }
    together.push(event);
  }
  if (isEnd || together.length === 0) return together;
  post({ type: 'document', id, events: together });
  return [];
}

/**
 * Posts an answer and transfers its tensors' memory instead of copying it.
 * @param {Answer} answer
 * @param {unknown} tensors the part of the answer that they are in
 */
export function postWithBuffers(answer, tensors) {
  /** @type {Set<ArrayBuffer>} */
  const buffers = new Set();
  const collect = (/** @type {unknown} */ value) => {
    if (value instanceof Float32Array) buffers.add(/** @type {ArrayBuffer} */ (value.buffer));
    else if (value && typeof value === 'object') Object.values(value).forEach(collect);
  };
  collect(tensors);
  post(answer, [...buffers]);
}

// A zero timeout would wait 4 ms; a message to ourselves comes back after whatever else waits in the queue.
const { port1, port2 } = new MessageChannel();
/** @type {(() => void)[]} */
const waiting = [];
port2.onmessage = () => waiting.shift()?.();

/** Lets the messages in that have arrived. */
export function turn() {
  return new Promise((/** @type {(value: void) => void} */ resolve) => {
    waiting.push(resolve);
    port1.postMessage(null);
  });
}
