// Compressed copies of a page's files, which hosts send in their place: each is its file again, and no file has a larger one.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

const SCRIPT = join(import.meta.dirname, '../../tools/compress.mjs');

test('a compressed copy is its file again, and stands beside text and WebAssembly alone', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'compress-'));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'pkg/relaxed'), { recursive: true });
  const text = 'the same words again, '.repeat(200);
  const files = ['index.html', 'ui/dom.js', 'ui/dom.css', 'site.json', 'pkg/relaxed/engine.0123456789abcdef.wasm'];
  mkdirSync(join(folder, 'ui'));
  for (const file of files) writeFileSync(join(folder, file), `${file} ${text}`);
  writeFileSync(join(folder, 'tiny.js'), 'x');
  writeFileSync(join(folder, 'model.safetensors'), text);
  execFileSync('node', [SCRIPT, folder]);
  for (const file of files) {
    const [plain, br, gz] = ['', '.br', '.gz'].map((end) => readFileSync(join(folder, file + end)));
    assert.deepEqual(brotliDecompressSync(br), plain, file);
    assert.deepEqual(gunzipSync(gz), plain, file);
    assert.ok(br.length < plain.length && gz.length < plain.length, file);
  }
  for (const file of ['tiny.js', 'model.safetensors']) {
    assert.ok(!existsSync(join(folder, `${file}.br`)) && !existsSync(join(folder, `${file}.gz`)), file);
  }
});
