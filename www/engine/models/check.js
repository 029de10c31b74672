// What a model file may be: its size, by its name, and the structure of its weights.

import { bytesOf, free, rangeOf, sizeOf } from './content.js';

/** @typedef {import('./content.js').Content} Content */

/** No browser gives more memory in one piece. */
const WEIGHTS_BYTES = 2 ** 31 - 1;
const TOKENIZER_BYTES = 32 * 2 ** 20;
const PROBES_BYTES = 64 * 2 ** 20;
const OTHER_BYTES = 4 * 2 ** 20;
/** The core reads no longer one. */
const MOST_HEADER_BYTES = 100_000_000;

const AGAIN = 'it is damaged or was cut short on the way; loading again fetches it anew';

/** Files that only describe a model: it works without them. */
const DESCRIPTIONS = new Set(['heads.json', 'training.json', 'metrics.json', 'probes.bin', 'README.md', 'LICENSE']);

/** @param {string} name */
export const isDescription = (name) => DESCRIPTIONS.has(name);

/**
 * Most bytes that a file of a model folder may have.
 * @param {string} name
 */
export function mostBytes(name) {
  if (name === 'probes.bin') return PROBES_BYTES;
  if (/\.(safetensors|bin)$/.test(name)) return WEIGHTS_BYTES;
  if (name.endsWith('.spm') || name.endsWith('vocab.json')) return TOKENIZER_BYTES;
  return OTHER_BYTES;
}

/**
 * What is wrong with a file's size, as a sentence; null if nothing is.
 * @param {string} name
 * @param {number} bytes
 */
export function tooLarge(name, bytes) {
  const most = mostBytes(name);
  if (bytes <= most) return null;
  if (most < WEIGHTS_BYTES) return `model ${name}: has more than ${most / 2 ** 20} MiB, no model needs so many.`;
  return `model ${name}: has ${(bytes / 1e9).toFixed(1)} GB, a browser reads at most 2.1 GB. Write it with smaller numbers: translucent quantize, on the command line.`;
}

/**
 * What is wrong with the structure of a safetensors file, as the end of a sentence; null if nothing is. Its header says
 * where each tensor lies: together they must end where the file does.
 * @param {Content} content
 */
export async function safetensorsFault(content) {
  const length = sizeOf(content);
  if (length < 8) return `has no header: ${AGAIN}`;
  const start = await rangeOf(content, 0, 8);
  const headerBytes = Number(new DataView(start.buffer, start.byteOffset).getBigUint64(0, true));
  if (headerBytes > Math.min(length - 8, MOST_HEADER_BYTES)) return `has a header of ${headerBytes} bytes and ${length} in all: ${AGAIN}`;
  /** @type {Record<string, { data_offsets?: unknown }>} */
  let header;
  try {
    header = JSON.parse(new TextDecoder().decode(await rangeOf(content, 8, 8 + headerBytes)));
  } catch {
    return `has a header that is no JSON: ${AGAIN}`;
  }
  let end = 0;
  for (const [name, tensor] of Object.entries(header ?? {})) {
    if (name === '__metadata__') continue;
    const offsets = tensor?.data_offsets;
    if (!Array.isArray(offsets) || !Number.isSafeInteger(offsets[1])) return `says of ${name} no place: ${AGAIN}`;
    end = Math.max(end, offsets[1]);
  }
  const data = length - 8 - headerBytes;
  return end === data ? null : `has ${data} bytes of tensors, its header says ${end}: ${AGAIN}`;
}

/**
 * Whether a file has another length than its index says, as the end of a sentence; null if not.
 * @param {Content} content
 * @param {{ bytes: number }} file
 */
export function wrongLength(content, file) {
  if (file.bytes === 0 || sizeOf(content) === file.bytes) return null;
  return `has ${sizeOf(content)} bytes, the index says ${file.bytes}: ${AGAIN}`;
}

/**
 * What is wrong with a file's bytes, as the end of a sentence; null if nothing is.
 * @param {Content} content
 * @param {{ name: string, bytes: number, sha256: string | null }} file
 */
export async function fileFault(content, file) {
  const length = wrongLength(content, file);
  if (length) return length;
  if (!file.sha256) return file.name.endsWith('.safetensors') ? safetensorsFault(content) : null;
  // Without a secure context there is no digest; the length was checked, and the core checks the form.
  if (!globalThis.crypto?.subtle) return null;
  const bytes = /** @type {Uint8Array<ArrayBuffer>} */ (await bytesOf(content));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  // Browsers take a digest of whole files only.
  if (bytes !== content) free(bytes.buffer);
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex === file.sha256 ? null : `does not have the SHA-256 that the index says: ${AGAIN}`;
}
