// The commands that the documents name in their code blocks, and how each is tried.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** @typedef {{ document: string, command: string }} Named */

/** Every command of a code block, without its comment. @returns {Named[]} */
export function named() {
  const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
  return documents.flatMap((document) => {
    const blocks = readFileSync(join(ROOT, document), 'utf8').matchAll(/^```(?:sh|bash|console)\n([\s\S]*?)^```/gm);
    const lines = [...blocks].flatMap(([, block]) => block.split('\n')).map((line) => line.replace(/(^|\s+)#\s.*$/, '').trim());
    return lines.filter(Boolean).map((command) => ({ document, command }));
  });
}

/**
 * How a command is tried: run to its end; served and opened; or left out, with the reason.
 * @typedef {'run' | 'serve' | { left: string }} How
 */

const LIBTORCH = 'needs libtorch (3 GB) and hours; the trainer’s tests do it in small (cargo xtask test --trainer)';
const CORPORA = 'needs the corpora that the model’s card names';
const NIGHTLY = 'needs a nightly toolchain';

/** The first row that fits counts. @type {[document: RegExp, command: RegExp, how: How][]} */
const ROWS = [
  [/^models\//, /./, { left: CORPORA }],
  [/./, /^cargo xtask train (run|export|back-translate|speed)/, { left: LIBTORCH }],
  [/./, /--model \/tmp\/mine/, { left: LIBTORCH }],
  [/./, /^cargo xtask test( --only readme)?$/, { left: 'is every test, or this one' }],
  [/./, /^cargo xtask test --only bundlers/, { left: 'fetches four bundlers; a step of its own' }],
  [/./, /^cargo xtask bench/, { left: 'fetches three peers with their models, and takes hours' }],
  [/./, /^cargo xtask deny/, { left: 'needs cargo-deny and the database of advisories' }],
  [/./, /full_size\.py/, { left: 'needs PyTorch and transformers (tests/golden/requirements.txt)' }],
  [/./, /measure-model\.mjs/, { left: 'needs the folder of the command before it' }],
  [/^npm\//, /./, { left: 'the packages are not in this clone; tests/bundlers installs what cargo xtask pack writes' }],
  [/./, /nightly|cargo-fuzz|^fuzz\/run\.sh/, { left: NIGHTLY }],
  [/^CHANGELOG/, /./, { left: 'what was once' }],
  [/./, /^cargo xtask serve/, 'serve'],
  [/./, /./, 'run'],
];

/** How a command is tried. @param {Named} one @returns {How} */
export function how({ document, command }) {
  const row = ROWS.find(([of, like]) => of.test(document) && like.test(command));
  if (!row) throw new Error(`${document}: ${command}: no row`);
  return row[2];
}

/** Rows that no command needs any more. */
export const unused = () => ROWS.slice(0, -1).filter((row) => !named().some((one) => ROWS.find(([of, like]) => of.test(one.document) && like.test(one.command)) === row)).map(([of, like]) => `${of} ${like}`);
