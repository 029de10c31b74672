// One browser and one server for a file of tests; or servers of a test's own models.

import { after, before } from 'node:test';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch } from './browser.mjs';
import { serve } from './server.mjs';

/** The models to test with, as `cargo xtask test` chose them. */
export const MODELS = process.env.E2E_MODELS ?? 'models';
/** Where tests may write. */
export const SCRATCH = process.env.E2E_SCRATCH ?? tmpdir();

/** @returns {{ browser: import('puppeteer-core').Browser, url: string }} filled before the first test */
export function site() {
  const made = /** @type {any} */ ({});
  /** @type {Awaited<ReturnType<typeof serve>> | undefined} */
  let server;
  before(async () => {
    server = await serve(['--no-build', '--models', MODELS]);
    made.url = server.url;
    made.browser = await launch();
  });
  after(async () => {
    await made.browser?.close();
    await server?.stop();
  });
  return made;
}

/**
 * A server with a copy of the models that the test may spoil; it ends with the test, if not before.
 * @param {import('node:test').TestContext} t
 * @returns {Promise<{ url: string, models: string, stop: () => Promise<void> }>}
 */
export async function siteToSpoil(t) {
  const models = await mkdtemp(join(SCRATCH, 'models-'));
  t.after(() => rm(models, { recursive: true }));
  await cp(MODELS, models, { recursive: true });
  const server = await serve(['--no-build', '--models', models]);
  t.after(server.stop);
  return { url: server.url, models, stop: server.stop };
}
