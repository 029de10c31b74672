// The commands of the documents: each is run in a fresh clone (`cargo xtask test --only readme`), or left out with a reason.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { how, named, unused } from '../readme/commands.mjs';

const ROOT = join(import.meta.dirname, '../..');

test('most commands of the documents are run, and what is left out has a reason', () => {
  const all = named();
  const left = all.filter((one) => typeof how(one) === 'object');
  assert.ok(all.length > 40, `${all.length} commands`);
  assert.ok(all.length - left.length >= 15, `${all.length - left.length} are run`);
  assert.deepEqual(unused().filter((row) => !row.includes('CHANGELOG')), []);
});

test('the files, packages and steps that commands name are there', () => {
  const steps = readFileSync(join(ROOT, 'xtask/src/test.rs'), 'utf8');
  for (const { document, command } of named()) {
    for (const [file] of command.matchAll(/(?<![\w/.])(?:tools|tests|train|benches|fuzz)\/[\w/.-]+\.\w+/g)) assert.ok(existsSync(join(ROOT, file)), `${document}: ${file}`);
    for (const [, name] of command.matchAll(/ -p (?:translucent-)?([\w-]+)/g)) {
      const folder = { cli: 'cli', 'fuzz-execution': 'fuzz/execution', train: 'train' }[name];
      assert.ok(folder && existsSync(join(ROOT, folder, 'Cargo.toml')), `${document}: ${name}`);
    }
    const [, step] = / --only (\w+)/.exec(command.startsWith('cargo xtask test') ? command : '') ?? [];
    if (step) assert.match(steps, new RegExp(`^    ${step[0].toUpperCase()}${step.slice(1)},$`, 'm'), `${document}: ${step}`);
  }
});
