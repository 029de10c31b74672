/** Text of a file or an answer, up to a size that it may have: a body without end must not fill the memory. */

/**
 * @param {Blob | Response} source
 * @param {number} most bytes
 * @returns {Promise<string>}
 * @throws {Error} saying that it is larger
 */
export async function readText(source, most) {
  const stream = source instanceof Response ? source.body : source.stream();
  const reader = stream?.getReader();
  const decoder = new TextDecoder();
  /** @type {string[]} */
  const parts = [];
  let bytes = 0;
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.length;
    if (bytes > most) {
      await reader.cancel();
      throw new Error(`it has more than ${most / 1e6} MB, which is the most that is read`);
    }
    parts.push(decoder.decode(value, { stream: true }));
  }
  return parts.join('') + decoder.decode();
}
