/** `probes.bin`: the attention of a few sentences at some moments of the training (its form: `train/src/probes.rs`). */

/** @import { AttentionKind } from '../../app/state.js' */
/** @import { Matrix } from '../../app/select.js' */

/**
 * @typedef {object} Probes
 * @property {{encoderSelf: number, decoderSelf: number, cross: number}} layers
 * @property {number} heads
 * @property {{source: string, target: string, sourcePieces: string[], targetPieces: string[]}[]} sentences never none
 * @property {{step: number, targetTokens: number}[]} checkpoints never none
 * @property {(at: {checkpoint: number, sentence: number, kind: AttentionKind, layer: number, head: number}) => Matrix} matrix
 */

const MAGIC = 'TLPROBES';
/** Most layers and most heads: each is a canvas on the page. */
const MOST = 64;

/**
 * @param {Uint8Array} bytes
 * @returns {Probes|null} null without sentences or checkpoints, and for what is no such file
 */
export function readProbes(bytes) {
  if (bytes.length < 12 || new TextDecoder('latin1').decode(bytes.subarray(0, 8)) !== MAGIC) return null;
  const start = 12 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(8, true);
  const header = headerOf(bytes.subarray(12, start));
  if (!header || header.sentences.length === 0 || header.checkpoints.length === 0) return null;
  const { encoder, decoder, heads, sentences, checkpoints } = header;
  // Weights of one checkpoint before each sentence, and in all.
  const offsets = [0];
  for (const { sourcePieces: { length: s }, targetPieces: { length: t } } of sentences) offsets.push(offsets[offsets.length - 1] + heads * (encoder * s * s + decoder * t * t + decoder * t * s));
  const block = offsets[sentences.length];
  if (bytes.length !== start + block * checkpoints.length) return null;
  return {
    layers: { encoderSelf: encoder, decoderSelf: decoder, cross: decoder },
    heads,
    sentences,
    checkpoints,
    matrix({ checkpoint, sentence, kind, layer, head }) {
      const { length: s } = sentences[sentence].sourcePieces;
      const { length: t } = sentences[sentence].targetPieces;
      const rows = kind === 'encoderSelf' ? s : t;
      const cols = kind === 'decoderSelf' ? t : s;
      let from = start + checkpoint * block + offsets[sentence];
      if (kind !== 'encoderSelf') from += heads * encoder * s * s;
      if (kind === 'cross') from += heads * decoder * t * t;
      from += (layer * heads + head) * rows * cols;
      // A byte b stands for the weight b / 255.
      return { data: Float32Array.from(bytes.subarray(from, from + rows * cols), (b) => b / 255), rows, cols, causal: kind === 'decoderSelf' };
    },
  };
}

/**
 * The header, checked.
 * @param {Uint8Array} bytes
 */
function headerOf(bytes) {
  try {
    const { encoder_layers: encoder, decoder_layers: decoder, n_heads: heads, sentences, checkpoints } = JSON.parse(new TextDecoder().decode(bytes));
    if (![encoder, decoder, heads].every((count) => Number.isInteger(count) && count > 0 && count <= MOST)) return null;
    return {
      encoder,
      decoder,
      heads,
      sentences: sentences.map((/** @type {any} */ s) => ({ source: text(s.source), target: text(s.target), sourcePieces: pieces(s.source_pieces), targetPieces: pieces(s.target_pieces) })),
      checkpoints: checkpoints.map((/** @type {any} */ c) => ({ step: count(c.step), targetTokens: count(c.target_tokens) })),
    };
  } catch {
    return null;
  }
}

/** @param {unknown} value @returns {string} */
function text(value) {
  if (typeof value !== 'string') throw new Error('no text');
  return value;
}

/** @param {unknown} value @returns {string[]} */
function pieces(value) {
  if (!Array.isArray(value) || value.length === 0) throw new Error('no pieces');
  return value.map(text);
}

/** @param {unknown} value @returns {number} */
function count(value) {
  if (typeof value !== 'number' || !(value >= 0)) throw new Error('no count');
  return value;
}
