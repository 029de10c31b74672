// The static folder works on a host that knows nothing of it, below any path.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
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
