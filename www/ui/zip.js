/** A zip archive of files as they are (nothing is compressed: weights hardly can be), for a browser to save. */

/** @type {Uint32Array | null} */
let table = null;

/** The table of CRC-32 (IEEE 802.3), a row for each byte. */
function crcTable() {
  table ??= Uint32Array.from({ length: 256 }, (_, byte) => {
    let row = byte;
    for (let bit = 0; bit < 8; bit += 1) row = row & 1 ? (row >>> 1) ^ 0xedb88320 : row >>> 1;
    return row;
  });
  return table;
}

/** @param {Blob} blob */
export async function crc32(blob) {
  const rows = crcTable();
  let crc = 0xffffffff;
  const reader = blob.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return ~crc >>> 0;
    for (const byte of value) crc = rows[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  }
}

/** 1 January 1980: the archive of the same files is the same archive. */
const DATE = 0x0021;

/**
 * @param {Map<string, Blob>} files by their path in the archive; in all less than 4 GB
 * @returns {Promise<Blob>}
 */
export async function zip(files) {
  /** @type {BlobPart[]} */
  const parts = [];
  /** @type {BlobPart[]} */
  const directory = [];
  let offset = 0;
  let directoryBytes = 0;
  for (const [path, blob] of files) {
    const name = new TextEncoder().encode(path);
    const crc = await crc32(blob);
    // Version 1.0, names in UTF-8, stored.
    const common = [...u16(10), ...u16(0x0800), ...u16(0), ...u16(0), ...u16(DATE), ...u32(crc), ...u32(blob.size), ...u32(blob.size), ...u16(name.length), ...u16(0)];
    parts.push(Uint8Array.from([...u32(0x04034b50), ...common]), name, blob);
    directory.push(Uint8Array.from([...u32(0x02014b50), ...u16(10), ...common, ...u16(0), ...u16(0), ...u16(0), ...u32(0), ...u32(offset)]), name);
    offset += 30 + name.length + blob.size;
    directoryBytes += 46 + name.length;
  }
  const end = [...u32(0x06054b50), ...u16(0), ...u16(0), ...u16(files.size), ...u16(files.size), ...u32(directoryBytes), ...u32(offset), ...u16(0)];
  return new Blob([...parts, ...directory, Uint8Array.from(end)], { type: 'application/zip' });
}

/** @param {number} n */
const u16 = (n) => [n & 0xff, (n >>> 8) & 0xff];

/** @param {number} n */
const u32 = (n) => [...u16(n & 0xffff), ...u16(n >>> 16)];
