// The native core beside the page: the command `translucent`, as `cargo xtask test` built it.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MODELS } from './site.mjs';

/**
 * What `translucent translate` prints of one line.
 * @param {string} text
 * @param {string[]} args
 */
export function printed(text, args) {
  const program = process.env.TRANSLUCENT;
  if (!program) throw new Error('run these tests with: cargo xtask test --only e2e');
  const given = ['translate', '--model', join(MODELS, 'en-de-free'), '--alpha', '0.6', ...args];
  return execFileSync(program, given, { input: `${text}\n`, encoding: 'utf8' }).trimEnd();
}

/**
 * Translations of one line, best first.
 * @param {string} text
 * @param {string[]} args of `translucent translate`
 * @returns {{ score: number, text: string }[]}
 */
export function translated(text, args) {
  return printed(text, args)
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([, score, text]) => ({ score: Number(score), text }));
}

/**
 * What `translucent learn` prints: a row for each measured step, by the names of its columns.
 * @param {string[]} args
 * @returns {Record<string, number>[]}
 */
export function learned(args) {
  const program = process.env.TRANSLUCENT;
  if (!program) throw new Error('run these tests with: cargo xtask test --only e2e');
  const [head, ...rows] = execFileSync(program, ['learn', ...args], { encoding: 'utf8' }).trimEnd().split('\n').map((line) => line.split('\t'));
  return rows.map((row) => Object.fromEntries(head.map((name, i) => [name, Number(row[i])])));
}

/**
 * What `translucent depends` prints of one pair: a row for each target piece and source piece, by the names of its columns.
 * @param {string} source
 * @param {string} target
 * @returns {Record<string, string>[]}
 */
export function depends(source, target) {
  const program = process.env.TRANSLUCENT;
  if (!program) throw new Error('run these tests with: cargo xtask test --only e2e');
  const folder = mkdtempSync(join(tmpdir(), 'depends-'));
  try {
    const pairs = join(folder, 'pairs.tsv');
    writeFileSync(pairs, `${source}\t${target}\n`);
    const out = execFileSync(program, ['depends', '--model', join(MODELS, 'en-de-free'), '--tsv', pairs], { encoding: 'utf8' });
    const [head, ...rows] = out.trimEnd().split('\n').map((line) => line.split('\t'));
    return rows.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i]])));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
