/** `probes.bin`: the attention of a few sentences at some moments of the training (its form: `train/src/probes.rs`). */

/** @import { AttentionKind } from '../../app/state.js' */
/** @import { Matrix } from '../../app/select.js' */

/**
 * @typedef {object} Probes
 * @property {{encoderSelf: number, decoderSelf: number, cross: number}} layers
 * @property {number} heads
 * @property {{source: string, target: string, sourcePieces: string[], targetPieces: string[]}[]} sentences
 * @property {{step: number, targetTokens: number}[]} checkpoints
 * @property {(at: {checkpoint: number, sentence: number, kind: AttentionKind, layer: number, head: number}) => Matrix} matrix
 */

const MAGIC = 'TLPROBES';

/**
 * @param {Uint8Array} bytes
 * @returns {Probes|null} null for what is no such file
 */
export function readProbes(bytes) {
  if (bytes.length < 12 || new TextDecoder('latin1').decode(bytes.subarray(0, 8)) !== MAGIC) return null;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(8, true);
  const header = headerOf(bytes.subarray(12, 12 + length));
  if (!header) return null;
  const { encoder_layers: encoder, decoder_layers: decoder, n_heads: heads } = header;
  const sentences = header.sentences.map((/** @type {any} */ s) => ({
    source: String(s.source),
    target: String(s.target),
    sourcePieces: s.source_pieces.map(String),
    targetPieces: s.target_pieces.map(String),
  }));
  const sizes = sentences.map((/** @type {any} */ { sourcePieces: s, targetPieces: t }) => ({ s: s.length, t: t.length }));
  const whole = (/** @type {{s: number, t: number}} */ { s, t }) => heads * (encoder * s * s + decoder * t * t + decoder * t * s);
  const block = sizes.reduce((/** @type {number} */ sum, /** @type {any} */ size) => sum + whole(size), 0);
  const start = 12 + length;
  if (bytes.length !== start + block * header.checkpoints.length) return null;
  return {
    layers: { encoderSelf: encoder, decoderSelf: decoder, cross: decoder },
    heads,
    sentences,
    checkpoints: header.checkpoints.map((/** @type {any} */ c) => ({ step: Number(c.step), targetTokens: Number(c.target_tokens) })),
    matrix({ checkpoint, sentence, kind, layer, head }) {
      const { s, t } = sizes[sentence];
      const rows = kind === 'encoderSelf' ? s : t;
      const cols = kind === 'decoderSelf' ? t : s;
      let from = start + checkpoint * block;
      for (let i = 0; i < sentence; i++) from += whole(sizes[i]);
      if (kind !== 'encoderSelf') from += heads * encoder * s * s;
      if (kind === 'cross') from += heads * decoder * t * t;
      from += (layer * heads + head) * rows * cols;
      // A byte b stands for the weight b / 255.
      return { data: Float32Array.from(bytes.subarray(from, from + rows * cols), (b) => b / 255), rows, cols, causal: kind === 'decoderSelf' };
    },
  };
}

/** @param {Uint8Array} bytes */
function headerOf(bytes) {
  try {
    const header = JSON.parse(new TextDecoder().decode(bytes));
    const whole = ['encoder_layers', 'decoder_layers', 'n_heads'].every((key) => Number.isInteger(header[key]) && header[key] > 0);
    const lists = Array.isArray(header.sentences) && Array.isArray(header.checkpoints);
    return whole && lists && header.sentences.every((/** @type {any} */ s) => Array.isArray(s.source_pieces) && Array.isArray(s.target_pieces)) ? header : null;
  } catch {
    return null;
  }
}
