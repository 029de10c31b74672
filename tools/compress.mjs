// Writes FILE.br and FILE.gz beside every file of a folder that compression makes smaller:
//     node tools/compress.mjs FOLDER

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const [folder] = process.argv.slice(2);
const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && /\.(html|css|js|json|svg|wasm|spm)$/.test(entry.name));
for (const entry of files) {
  const path = join(entry.parentPath, entry.name);
  const content = readFileSync(path);
  const coded = { br: brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }), gz: gzipSync(content, { level: 9 }) };
  for (const [end, bytes] of Object.entries(coded)) if (bytes.length < content.length) writeFileSync(`${path}.${end}`, bytes);
}
