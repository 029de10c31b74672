// How soon a newer text takes the place of one that is being translated. Nothing else runs beside this file.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enginePage } from '../lib/engine.mjs';
import { LONG } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();

test('a running translation stops within a slice of 16 ms when a newer one arrives', async (t) => {
  const { page } = await enginePage(t, here);
  const delays = await page.evaluate(async (long) => {
    const engine = new window.Translator();
    await engine.load(window.model);
    const delays = [];
    for (let i = 0; i < 15; i++) {
      let begun = () => {};
      const running = new Promise((done) => (begun = done));
      // Another text every time, or the cache of sentences would answer.
      const old = engine.translate(`${i} ${long}`, { beam: 4, onEvent: ({ kind }) => kind === 'partial' && begun() });
      await running;
      const start = performance.now();
      let heard = () => {};
      const first = new Promise((done) => (heard = done));
      const fresh = engine.translate('A horse.', { supersede: true, onEvent: heard });
      await first;
      delays.push(performance.now() - start);
      const { kind } = await old;
      if (kind !== 'cancelled') throw new Error(`the old translation ended as ${kind}`);
      await fresh;
    }
    return delays.sort((a, b) => a - b);
  }, LONG);
  const median = delays[Math.floor(delays.length / 2)];
  console.log(`superseded after ${median.toFixed(1)} ms (median), ${delays.at(-1).toFixed(1)} ms (worst of ${delays.length})`);
  // The median, as single ones also measure what else the machine is doing.
  assert.ok(median <= 16, `median ${median.toFixed(1)} ms of ${delays.map((d) => d.toFixed(1))}`);
});
