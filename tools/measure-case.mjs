// Measures what a model makes of texts typed in lower case, in capitals, with a capital on each word or with one word in capitals, with and without the tokenizer's reading of them:
//   node tools/measure-case.mjs MODEL PAIRS.tsv [LINES]
// The source is the first column. Without `source_language` in config.json a text reaches the model as it is typed. BLEU is
// taken of translation and reference in lower case. TRANSLUCENT names the command.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [model, tsv, most = '1500'] = process.argv.slice(2);
const program = process.env.TRANSLUCENT ?? 'target/release/translucent';
const pairs = readFileSync(tsv, 'utf8').trimEnd().split('\n').slice(0, Number(most)).map((line) => line.split('\t'));
const folder = mkdtempSync(join(tmpdir(), 'case-'));
const asTyped = join(folder, 'model');
cpSync(model, asTyped, { recursive: true });
const config = JSON.parse(readFileSync(join(model, 'config.json'), 'utf8'));
if (!config.source_language) throw new Error(`${model}/config.json has no source_language`);
writeFileSync(join(asTyped, 'config.json'), JSON.stringify({ ...config, source_language: null }));

/** The longest word of small letters in capitals. @param {string} text */
const emphasised = (text) => {
  const words = text.match(/(?<![\p{L}\p{N}'’])\p{Ll}+(?![\p{L}\p{N}'’-])/gu) ?? [];
  const longest = words.reduce((most, word) => (word.length > most.length ? word : most), '');
  return longest ? text.replace(new RegExp(`(?<![\\p{L}\\p{N}'’])${longest}(?![\\p{L}\\p{N}'’-])`, 'u'), longest.toUpperCase()) : text;
};
const TYPED = {
  'as written': (text) => text,
  'in lower case': (text) => text.toLowerCase(),
  'in capitals': (text) => text.toUpperCase(),
  'a capital on each word': (text) => text.split(' ').map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' '),
  'the longest word in capitals': emphasised,
};

const write = (name, rows) => {
  writeFileSync(join(folder, name), `${rows.join('\n')}\n`);
  return join(folder, name);
};
const reference = write('reference', pairs.map(([, target]) => target.toLowerCase()));
/** @param {string} model @param {(text: string) => string} typed */
const bleu = (model, typed) => {
  const source = write('source', pairs.map(([source]) => typed(source)));
  const options = { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] };
  const output = execFileSync(program, ['translate', '--model', model, '--beam', '4', source], options);
  const lower = write('output', output.trimEnd().split('\n').map((line) => line.toLowerCase()));
  return Number(execFileSync(program, ['bleu', '--score-only', '--reference', reference, lower], { encoding: 'utf8' })).toFixed(1);
};
console.log('| typed | as it stands | as it is read |\n|---|--:|--:|');
for (const [name, typed] of Object.entries(TYPED)) {
  console.log(`| ${name} | ${bleu(asTyped, typed)} | ${bleu(model, typed)} |`);
}
rmSync(folder, { recursive: true });
