/** Reads a zip archive: stored and deflated entries, up to a limit that no archive talks its way past. */

/** Most bytes that an archive may unfold to. */
const MOST = 200_000_000;

/**
 * @param {Blob} blob
 * @returns {Promise<Map<string, Blob>>} the entries by their names
 * @throws {Error} where it is no archive, or one that is encrypted, damaged or too large
 */
export async function unzip(blob) {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const view = new DataView(bytes.buffer);
  // The end record lies at the very end, before a comment of at most 65 535 bytes.
  let end = bytes.length - 22;
  while (end >= 0 && end > bytes.length - 65_558 && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0 || view.getUint32(end, true) !== 0x06054b50) throw new Error('it is no zip archive');
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  let left = MOST;
  /** @type {Map<string, Blob>} */
  const entries = new Map();
  for (let i = 0; i < count; i++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02014b50) throw new Error('the archive is damaged');
    const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
    const [packed, nameLength] = [view.getUint32(at + 20, true), view.getUint16(at + 28, true)];
    const local = view.getUint32(at + 42, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
    if (flags & 1) throw new Error('the archive is encrypted');
    if (local + 30 > bytes.length) throw new Error('the archive is damaged');
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const data = blob.slice(start, start + packed);
    if (method !== 0 && method !== 8) throw new Error(`${name} is packed in a way that is not read here`);
    const whole = method === 0 ? data : await inflated(data, left);
    left -= whole.size;
    if (left < 0) throw new Error('the archive is too large');
    if (!name.endsWith('/')) entries.set(name, whole);
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

/**
 * @param {Blob} data
 * @param {number} most
 */
async function inflated(data, most) {
  const reader = data.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  /** @type {BlobPart[]} */
  const parts = [];
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts);
    size += value.length;
    if (size > most) throw new Error('the archive is too large');
    parts.push(/** @type {Uint8Array<ArrayBuffer>} */ (value));
  }
}
