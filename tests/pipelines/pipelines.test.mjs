// The command as a filter in the hands of others: GNU parallel and Spark split a file over processes, and the whole comes
// out as one process writes it.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';

const { TRANSLUCENT: command, PYTHON_ENVIRONMENT: environment } = process.env;
const root = join(import.meta.dirname, '../..');
const model = join(root, 'models/en-de');
// No two lines alike, so that a lost, doubled or moved line shows.
const lines = Array.from({ length: 60 }, (_, i) => `The ${['old', 'small', 'red'][i % 3]} dog sees ${i + 2} trees.`);

let folder, input, expected;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'translucent-pipelines-'));
  input = join(folder, 'corpus.en');
  writeFileSync(input, `${lines.join('\n')}\n`);
  expected = execFileSync(command, ['translate', '--model', model, '--threads', '1'], { input: readFileSync(input) }).toString();
  assert.equal(expected.trimEnd().split('\n').length, lines.length);
});

after(() => rmSync(folder, { recursive: true }));

test('GNU parallel: blocks of a file, in order', () => {
  const args = ['--pipepart', '--block', '500', '-k', '-j', '2', '-a', input, command, 'translate', '--model', model, '--threads', '1'];
  const output = execFileSync('parallel', args, { stdio: ['ignore', 'pipe', 'pipe'] }).toString();
  assert.equal(output, expected);
});

test('Spark in local mode: partitions through pipe, in order', () => {
  const output = join(folder, 'out');
  const path = `${dirname(command)}:${process.env.PATH}`;
  const args = ['--master', 'local[2]', '--conf', 'spark.ui.enabled=false', '--conf', 'spark.default.parallelism=3', join(root, 'docs/spark.py'), model, input, output];
  execFileSync(join(environment, 'bin/spark-submit'), args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, PATH: path, PYSPARK_PYTHON: join(environment, 'bin/python') } });
  assert.ok(existsSync(join(output, '_SUCCESS')));
  const parts = readdirSync(output).filter((name) => /^part-\d+$/.test(name)).sort();
  assert.ok(parts.length > 1, 'one partition shows nothing about order');
  assert.equal(parts.map((name) => readFileSync(join(output, name), 'utf8')).join(''), expected);
});
