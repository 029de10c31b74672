// The static folder works on a host that knows nothing of it, below any path.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { launch, visit } from '../lib/browser.mjs';
import { open, translation, type } from '../lib/page.mjs';
import { serve } from '../lib/server.mjs';
import { MODELS, SCRATCH } from '../lib/site.mjs';

const browser = await launch();
after(() => browser.close());

test('the folder that dist writes translates below a sub-path', async (t) => {
  const folder = join(SCRATCH, 'dist');
  execFileSync(process.env.XTASK, ['dist', folder, '--models', MODELS, '--no-build'], { stdio: 'inherit' });
  const models = (/** @type {string} */ of) => readdirSync(of, { recursive: true }).map(String).sort();
  assert.deepEqual(models(join(folder, 'models')), models(MODELS), 'every model and index is in it');
  assert.ok(!existsSync(join(folder, 'opensearch.xml')), 'without an address browsers are offered none');
  assert.ok(!readFileSync(join(folder, 'index.html'), 'utf8').includes('opensearch'));
  const server = await serve(['--dist', folder, '--below', '/some/where']);
  t.after(server.stop);
  const { page, faults } = await visit(t, browser);
  await open(page, server.url);
  const text = 'A man rides a bicycle.';
  await type(page, text);
  assert.notEqual(await translation(page, text), '');
  assert.deepEqual(faults, []);
  assert.match(server.url, /\/some\/where\/$/);
});

test('with its address dist writes the description by which browsers translate from the address bar', () => {
  const folder = join(SCRATCH, 'dist-address');
  const dist = (/** @type {string} */ address) => execFileSync(process.env.XTASK, ['dist', folder, '--models', MODELS, '--no-build', '--address', address], { stdio: ['ignore', 'ignore', 'pipe'] });
  dist('https://example.org/translate');
  assert.match(readFileSync(join(folder, 'opensearch.xml'), 'utf8'), /template="https:\/\/example\.org\/translate\/#text=\{searchTerms\}"/);
  assert.match(readFileSync(join(folder, 'index.html'), 'utf8'), /<link rel="search" [^>]*href="\.\/opensearch\.xml"/);
  assert.ok(JSON.parse(readFileSync(join(folder, 'site.json'), 'utf8')).files.some(({ path }) => path === 'opensearch.xml'));
  assert.throws(() => dist('example.org'), /is no address of a folder/);
});
