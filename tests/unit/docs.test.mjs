// The documentation's examples of files, by the readers of the page.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseLesson } from '../../www/app/scene-file.js';

const page = readFileSync(new URL('../../docs/scenes.md', import.meta.url), 'utf8');

test('the list of scenes that the documentation shows is read', () => {
  const [, json] = /```json\n([\s\S]*?)```/.exec(page) ?? assert.fail('docs/scenes.md shows no list');
  const { title, scenes } = parseLesson(json);
  const written = JSON.parse(json);
  assert.equal(title, written.title);
  assert.deepEqual(scenes.map(({ held }) => held.head), written.scenes.map((/** @type {any} */ { held }) => held.head));
});
