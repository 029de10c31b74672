// The recorded example: unpacks `recorded/example.json` into the very messages that the worker would send.

/** @import { DocumentControl } from './document.js' */
/** @import { Store } from './store.js' */

/**
 * @typedef {import('../engine/protocol').Recorded} Recorded
 * @typedef {import('../engine/protocol').RecordedFile} RecordedFile
 * @typedef {import('../engine/protocol').PackedTensor} PackedTensor
 * @typedef {import('../engine/protocol').Tensor} Tensor
 */

const EXAMPLE = new URL('./recorded/example.json', import.meta.url);
/** The example's sentence in the other languages that models which ship read. @type {Record<string, string | undefined>} */
const IN_OTHER_LANGUAGES = { de: 'Der alte Hund liegt unter dem Baum.', fr: 'Le vieux chien est sous l’arbre.' };

/**
 * Shows the example, unless there is a text already. Until the reader types, its sentence stands in the field in the language
 * that the model reads.
 * @param {Store} store
 * @param {DocumentControl} session
 * @param {(text: string) => void} offer called with each sentence that is put into the field
 */
export async function showRecorded(store, session, offer) {
  const example = await loadRecorded();
  if (!session.showRecorded(example)) return;
  let shown = example.text;
  offer(shown);
  store.watch(['model'], ({ model, text }) => {
    const sentence = IN_OTHER_LANGUAGES[model?.sourceLanguage ?? ''] ?? example.text;
    if (text !== shown || text === sentence) return;
    shown = sentence;
    session.typed(sentence);
    offer(sentence);
  });
}

/**
 * Fetches and unpacks the example.
 * @returns {Promise<Recorded>}
 */
async function loadRecorded() {
  const response = await fetch(EXAMPLE);
  if (!response.ok) throw new Error(`recorded/example.json: the server answered ${response.status}`);
  return unpack(await response.json());
}

/**
 * Replaces every packed tensor of a file by its values.
 * @param {RecordedFile} file
 * @returns {Recorded}
 */
export function unpack({ text, model, answers, positions }) {
  return /** @type {Recorded} */ (unpacked({ text, model, answers, positions }));
}

/**
 * @param {unknown} value
 * @returns {unknown}
 */
function unpacked(value) {
  if (Array.isArray(value)) return value.map(unpacked);
  if (value === null || typeof value !== 'object') return value;
  if ('packed' in value) return tensor(/** @type {PackedTensor} */ (value));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, unpacked(inner)]));
}

/**
 * @param {PackedTensor} packed
 * @returns {Tensor}
 */
function tensor({ packed, shape, scale, data }) {
  const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
  // Read through a view: typed arrays would take the byte order of the machine.
  const view = new DataView(bytes.buffer);
  const width = { u16: 2, i8: 1, f32: 4 }[packed];
  const read = {
    u16: (/** @type {number} */ at) => view.getUint16(at, true),
    i8: (/** @type {number} */ at) => view.getInt8(at),
    f32: (/** @type {number} */ at) => view.getFloat32(at, true),
  }[packed];
  return { data: Float32Array.from({ length: bytes.length / width }, (_, i) => scale * read(i * width)), shape };
}
