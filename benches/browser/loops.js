// The loops of loops.mjs by name; limits.html runs them.

/** Enough to hide the latency of every instruction, few enough for the registers. */
export const ACCUMULATORS = 12;
export const ROUNDS = 4;

const x = '(local.get $x)';
const y = '(local.get $y)';

/** `lanes`: multiply-adds of one instruction. The value of `a` depends on `a`, as in a matrix product. */
export const PEAKS = {
  f32_mul_add: { lanes: 4, float: true, body: (a) => `(f32x4.add (f32x4.mul ${a} ${x}) ${y})` },
  f32_relaxed_madd: { lanes: 4, float: true, body: (a) => `(f32x4.relaxed_madd ${x} ${y} ${a})` },
  i16_dot: { lanes: 8, float: false, body: (a) => `(i32x4.add (i32x4.dot_i16x8_s ${a} ${x}) ${y})` },
  i8_relaxed_dot: { lanes: 16, float: false, body: (a) => `(i32x4.relaxed_dot_i8x16_i7x16_add_s ${x} ${y} ${a})` },
};

const set = (a, value) => `(local.set $${a} ${value})`;
const half = (part) => `(i32x4.dot_i16x8_s (i16x8.extend_${part}_i8x16_s (local.get $w)) ${x})`;

export const STREAMS = {
  f32_mul_add: { float: true, body: (load, a) => set(a, `(f32x4.add (f32x4.mul ${load} ${x}) (local.get $${a}))`) },
  f32_relaxed_madd: { float: true, body: (load, a) => set(a, `(f32x4.relaxed_madd ${load} ${x} (local.get $${a}))`) },
  i8_relaxed_dot: {
    float: false,
    body: (load, a) => set(a, `(i32x4.relaxed_dot_i8x16_i7x16_add_s ${load} ${x} (local.get $${a}))`),
  },
  i8_extend_dot: {
    float: false,
    body: (load, a) =>
      `(local.set $w ${load})` +
      ['low', 'high'].map((part) => set(a, `(i32x4.add ${half(part)} (local.get $${a}))`)).join(''),
  },
};
