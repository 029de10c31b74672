// Measures what a list of the reader's own words does to a translation: how many of its terms come out, and BLEU:
//   node tools/measure-terms.mjs DEV.tsv CORPUS.tsv [MODEL]
// DEV.tsv holds sentence pairs that no model was trained on; the list is made from CORPUS.tsv alone (pairs as well): for each
// source word that stands often in DEV the capitalised target word that goes with it most (Dice). Then once more with coined
// words in the list and in the references, which the model would never say: where they come out, and what stands beside them.
// TRANSLUCENT names the command.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Fewest lines of DEV with the word, longest list, least Dice coefficient, lines of CORPUS that are read. */
const [OFTEN, MOST, SURE, LINES] = [5, 60, 0.4, 60_000];

const [dev, corpus, model = 'models/en-de'] = process.argv.slice(2);
const program = process.env.TRANSLUCENT ?? 'target/release/translucent';
const pairs = (path) => readFileSync(path, 'utf8').trimEnd().split('\n').map((line) => line.split('\t'));
const words = (text) => [...new Set(text.match(/\p{L}{3,}/gu) ?? [])];
const count = (map, key) => map.set(key, (map.get(key) ?? 0) + 1);

const lines = pairs(dev);
const often = new Map();
for (const [source] of lines) for (const word of words(source.toLowerCase())) count(often, word);
const [sources, targets, both] = [new Map(), new Map(), new Map()];
for (const [source, target] of pairs(corpus).slice(0, LINES)) {
  // The first word is capitalised in any case.
  const nouns = words(target.replace(/^\S+/, '')).filter((word) => /^\p{Lu}\p{Ll}/u.test(word));
  for (const word of nouns) count(targets, word);
  for (const word of words(source.toLowerCase()).filter((word) => often.get(word) >= OFTEN)) {
    count(sources, word);
    for (const noun of nouns) count(both, `${word}\t${noun}`);
  }
}
const best = new Map();
for (const [pair, together] of both) {
  const [word, noun] = pair.split('\t');
  const dice = (2 * together) / (sources.get(word) + targets.get(noun));
  if (dice >= SURE && dice > (best.get(word)?.dice ?? 0)) best.set(word, { noun, dice });
}
const terms = [...best].map(([word, { noun }]) => [word, noun]).sort(([a], [b]) => often.get(b) - often.get(a)).slice(0, MOST);

const folder = mkdtempSync(join(tmpdir(), 'terms-'));
const write = (name, rows) => {
  writeFileSync(join(folder, name), `${rows.join('\n')}\n`);
  return join(folder, name);
};
const input = write('source', lines.map(([source]) => source));
const translate = (terms, source) => {
  const list = terms.length > 0 ? ['--terms', write('terms.tsv', terms.map((term) => term.join('\t')))] : [];
  const output = execFileSync(program, ['translate', '--model', model, '--beam', '4', ...list, source], { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
  return output.trimEnd().split('\n');
};
const isIn = (source, word) => new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, 'iu').test(source);
const wanted = lines.map(([source]) => terms.filter(([word]) => isIn(source, word)).map(([, noun]) => noun));
const all = lines.map((_, i) => i);
// Where the reference says another word, the list is not what its translator wanted.
const agreed = all.filter((i) => wanted[i].length > 0 && wanted[i].every((noun) => lines[i][1].includes(noun)));
const bleu = (at, translated) => {
  const reference = write('reference', at.map((i) => lines[i][1]));
  const output = write('output', at.map((i) => translated[i]));
  return execFileSync(program, ['bleu', '--reference', reference, output], { encoding: 'utf8' }).trim().split(' (')[0];
};
for (const [name, list] of [['without the list', []], ['with the list', terms]]) {
  const translated = translate(list, input);
  for (const [which, at] of [['all', all], ['those whose reference holds the words', agreed]]) {
    const there = at.map((i) => wanted[i].filter((noun) => translated[i].includes(noun)).length).reduce((sum, n) => sum + n, 0);
    const count = at.map((i) => wanted[i].length).reduce((sum, n) => sum + n, 0);
    console.log(`${name}, ${at.length} lines (${which}): ${there} of ${count} words (${((100 * there) / count).toFixed(1)} %), ${bleu(at, translated)}`);
  }
}

/** A word that no language has: the letters from behind. @param {string} word */
const coined = (word) => word[word.length - 1].toUpperCase() + [...word.slice(0, -1).toLowerCase()].reverse().join('');
const whole = (noun) => new RegExp(`(?<!\\p{L})${noun}(?!\\p{L})`, 'gu');
const nouns = [...new Set(terms.map(([, noun]) => noun))];
// Of the reference's words only those change that the list has for this source.
const at = agreed.filter((i) => wanted[i].every((noun) => lines[i][1].match(whole(noun))?.length === wanted[i].filter((other) => other === noun).length));
const references = at.map((i) => wanted[i].reduce((text, noun) => text.replace(whole(noun), coined(noun)), lines[i][1]));
const translated = translate(terms.map(([word, noun]) => [word, coined(noun)]), write('source', at.map((i) => lines[i][0])));
const counted = (of) => at.map((i, k) => of(translated[k], wanted[i])).reduce((sum, n) => sum + n, 0);
const there = counted((text, wanted) => wanted.filter((noun) => text.includes(coined(noun))).length);
const beside = counted((text, wanted) => wanted.filter((noun) => whole(noun).test(text)).length);
const late = counted((text, wanted) => wanted.filter((noun) => new RegExp(`[.?!] *${coined(noun)}`, 'u').test(text)).length);
const inAll = counted((_, wanted) => wanted.length);
const score = execFileSync(program, ['bleu', '--reference', write('reference', references), write('output', translated)], { encoding: 'utf8' }).trim().split(' (')[0];
console.log(`with ${nouns.length} coined words, ${at.length} lines: ${there} of ${inAll} words, ${beside} of them beside the model's own, ${late} after the sentence's end, ${score}`);
console.log(`${terms.length} words: ${terms.slice(0, 8).map((term) => term.join(' → ')).join(', ')}, …`);
