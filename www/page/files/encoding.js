/** The encoding of a file of text. */

/** Byte order marks. @type {[encoding: string, bytes: number[]][]} */
const MARKS = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
/** Bytes in which an HTML file declares its charset. */
const HEAD = 1024;
/** What can be read as a byte per letter is not UTF-16, whatever it declares. */
const CHARSET = /<meta\b[^>]*?\bcharset\s*=\s*["']?(?!utf-16)([\w:.-]+)/i;

/**
 * @param {ArrayBuffer} bytes
 * @param {boolean} isHtml
 * @returns {{ text: string, encoding: string }}
 */
export function decode(bytes, isHtml) {
  const first = new Uint8Array(bytes.slice(0, 3));
  const marked = MARKS.find(([, mark]) => mark.every((byte, i) => first[i] === byte))?.[0];
  if (marked) return { text: new TextDecoder(marked).decode(bytes), encoding: marked };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' };
  } catch {
    const decoder = (isHtml && declared(bytes)) || new TextDecoder('windows-1252');
    return { text: decoder.decode(bytes), encoding: decoder.encoding };
  }
}

/** The decoder of the charset that an HTML file declares, if there is such a one. @param {ArrayBuffer} bytes */
function declared(bytes) {
  const label = CHARSET.exec(new TextDecoder('windows-1252').decode(bytes.slice(0, HEAD)))?.[1];
  try {
    return label ? new TextDecoder(label) : null;
  } catch {
    return null;
  }
}
