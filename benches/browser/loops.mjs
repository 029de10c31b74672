// Assembles the loops that say what this machine and browser can do: arithmetic on registers alone, and streaming from
// memory. usage: node loops.mjs PACKAGES OUTPUT.wasm   (PACKAGES: the folder whose node_modules has wabt)

import { createRequire } from 'node:module';
import { writeFileSync } from 'node:fs';
import { ACCUMULATORS, PEAKS, ROUNDS, STREAMS } from './loops.js';

const [packages, output] = process.argv.slice(2);
const wabt = await createRequire(`${packages}/package.json`)('wabt')();

const repeat = (count, each) => Array.from({ length: count }, (_, i) => each(i)).join('\n');
const get = (name) => `(local.get $${name})`;
const locals = repeat(ACCUMULATORS, (i) => `(local $a${i} v128)`);
/** One lane of the sum of all accumulators, so that nothing is optimised away. */
const folded = (float) =>
  repeat(ACCUMULATORS - 1, (i) => `(local.set $a0 (${float ? 'f32x4' : 'i32x4'}.add ${get('a0')} ${get(`a${i + 1}`)}))`) +
  '(i32x4.extract_lane 0 (local.get $a0))';
const constants = (float) =>
  float
    ? '(local.set $x (v128.const f32x4 0.999 0.998 0.997 0.996)) (local.set $y (v128.const f32x4 0.001 0.002 0.003 0.004))'
    : '(local.set $x (v128.const i8x16 1 2 3 4 5 6 7 8 -1 -2 -3 -4 -5 -6 -7 -8)) (local.set $y (v128.const i8x16 11 12 13 14 15 16 17 18 1 2 3 4 5 6 7 8))';

/** (rounds) → i32: every round uses each accumulator ROUNDS times. */
const peak = ([name, { float, body }]) => `(func (export "${name}") (param $n i32) (result i32)
  ${locals} (local $x v128) (local $y v128) ${constants(float)}
  ${repeat(ACCUMULATORS, (i) => `(local.set $a${i} (i32x4.add ${get('y')} (v128.const i32x4 ${i} 0 0 0)))`)}
  (loop $l ${repeat(ROUNDS, () => repeat(ACCUMULATORS, (i) => `(local.set $a${i} ${body(get(`a${i}`))})`))}
    (br_if $l (local.tee $n (i32.sub ${get('n')} (i32.const 1)))))
  ${folded(float)})`;

/** (start, end) → i32: 128 bytes each round, one accumulator for each of eight loads. */
const stream = ([name, { float, body }]) => `(func (export "stream_${name}") (param $p i32) (param $end i32) (result i32)
  ${locals} (local $x v128) (local $y v128) (local $w v128) ${constants(float)}
  (loop $l ${repeat(8, (i) => body(`(v128.load offset=${16 * i} ${get('p')})`, `a${i}`))}
    (local.set $p (i32.add ${get('p')} (i32.const 128)))
    (br_if $l (i32.lt_u ${get('p')} ${get('end')})))
  ${folded(float)})`;

const functions = [...Object.entries(PEAKS).map(peak), ...Object.entries(STREAMS).map(stream)];
// 132 MiB
const module = wabt.parseWat('loops.wat', `(module (memory (export "memory") 2112) ${functions.join('\n')})`, {
  simd: true,
  relaxed_simd: true,
});
writeFileSync(output, module.toBinary({}).buffer);
