// Runs the commands of the documents in a fresh clone, in their order: `cargo xtask test --only readme`. With `--spec TEXTS` those
// alone that hold one of the texts. It takes long: the clone builds everything.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { how, named } from './commands.mjs';

const ROOT = join(import.meta.dirname, '../..');
const scratch = mkdtempSync(join(process.env.E2E_SCRATCH ?? tmpdir(), 'clone-'));
const clone = join(scratch, 'translucent');
const wanted = (process.env.COMMANDS ?? '').split(',');
/** Longest time of a command in minutes. */
const MOST = 60;

/** Words for those that stand for the reader's own in a document. @type {[RegExp, string][]} */
const FILLED = [
  // The models that ship are quantised already.
  [/(cargo .*-- )quantize --model FOLDER/g, `$1random --tokenizer tests/golden/tokenizer --output ${scratch}/float && $1quantize --model ${scratch}/float`],
  [/\bFOLDER\b/g, 'models/en-de'],
  [/\bMODELS\b/g, 'models'],
  [/\/tmp\//g, `${scratch}/`],
];

/** Sentence pairs: enough for a table of heads. */
const PAIRS = Array.from({ length: 240 }, (_, i) => [`Tom reads book ${i} in the garden.`, `Tom liest Buch ${i} im Garten.`]);

before(() => {
  execFileSync('git', ['clone', '--quiet', ROOT, clone], { stdio: 'inherit' });
  const write = (/** @type {string} */ name, /** @type {string[]} */ lines) => writeFileSync(join(clone, name), `${lines.join('\n')}\n`);
  for (const name of ['dev.tsv', 'test.tsv', 'DEV.tsv', 'CORPUS.tsv']) write(name, PAIRS.map((pair) => pair.join('\t')));
  write('test.en', PAIRS.slice(0, 20).map(([english]) => english));
  write('test.de', PAIRS.slice(0, 20).map(([, german]) => german));
  write('in.txt', ['A man reads a book.']);
});
after(() => rmSync(scratch, { recursive: true, force: true }));

/** A command in the clone, with what a clone's own build needs. @param {string} command */
function start(command) {
  const environment = { ...process.env };
  for (const name of ['CARGO_TARGET_DIR', 'CARGO_MANIFEST_DIR', 'NODE_TEST_CONTEXT']) delete environment[name];
  const filled = FILLED.reduce((text, [word, by]) => text.replace(word, by), command);
  // A group of its own, which is ended as a whole.
  const child = spawn('bash', ['-euo', 'pipefail', '-c', filled], { cwd: clone, env: environment, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const hear = (/** @type {Buffer} */ bytes) => (said = (said + bytes).slice(-20_000));
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const end = new Promise((/** @type {(code: number | string) => void} */ done) => child.on('close', (code, signal) => done(code ?? signal ?? '')));
  const signal = (/** @type {NodeJS.Signals} */ name) => child.pid && process.kill(-child.pid, name);
  return { child, end, signal, said: () => said };
}

/** The page at the address that a server prints. @param {ReturnType<typeof start>} server */
async function opened({ child, end, said }) {
  const address = await new Promise((/** @type {(address: string) => void} */ found, fail) => {
    child.stdout.on('data', () => {
      const [line] = /http:\/\/\S+/.exec(said()) ?? [];
      if (line) found(line);
    });
    end.then(() => fail(new Error(said())));
  });
  const answer = await fetch(address);
  assert.equal(answer.status, 200);
  assert.match(await answer.text(), /<html/);
}

for (const one of named()) {
  const { document, command } = one;
  const way = how(one);
  const left = typeof way === 'object' ? way.left : !wanted.some((text) => command.includes(text)) && 'not asked for';
  test(`${document}: ${command}`, { skip: left, timeout: MOST * 60_000 }, async (t) => {
    const running = start(command);
    t.after(() => {
      try {
        running.signal('SIGKILL');
      } catch {
        // It has ended.
      }
    });
    if (way === 'serve') await opened(running);
    else assert.equal(await running.end, 0, running.said());
  });
}
