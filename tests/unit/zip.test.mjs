// The zip archive that the Models dialog saves, read back by its own directory.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, zip } from '../../www/ui/zip.js';

test('the checksum is that of IEEE 802.3', async () => {
  assert.equal(await crc32(new Blob(['123456789'])), 0xcbf43926);
  assert.equal(await crc32(new Blob([])), 0);
});

test('every file is found through the directory, with its name, size, checksum and bytes', async () => {
  const files = new Map([
    ['model/config.json', new Blob(['{"d_model": 256}'])],
    ['model/größe.txt', new Blob(['ä'])],
    ['model/empty', new Blob([])],
  ]);
  const bytes = Buffer.from(await (await zip(files)).arrayBuffer());
  const end = bytes.subarray(-22);
  assert.equal(end.readUInt32LE(0), 0x06054b50);
  assert.equal(end.readUInt16LE(10), files.size);
  let at = end.readUInt32LE(16);
  assert.equal(at + end.readUInt32LE(12), bytes.length - 22);
  for (const [name, blob] of files) {
    assert.equal(bytes.readUInt32LE(at), 0x02014b50);
    const [crc, packed, size, nameBytes] = [bytes.readUInt32LE(at + 16), bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24), bytes.readUInt16LE(at + 28)];
    const local = bytes.readUInt32LE(at + 42);
    assert.equal(bytes.toString('utf8', at + 46, at + 46 + nameBytes), name);
    assert.equal(bytes.readUInt32LE(local), 0x04034b50);
    assert.equal(bytes.toString('utf8', local + 30, local + 30 + nameBytes), name);
    const content = Buffer.from(await blob.arrayBuffer());
    assert.deepEqual([packed, size, crc], [blob.size, blob.size, await crc32(blob)]);
    assert.deepEqual(bytes.subarray(local + 30 + nameBytes, local + 30 + nameBytes + size), content);
    at += 46 + nameBytes;
  }
});
