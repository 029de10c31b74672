// Which of the two builds of the engine this browser can run.

/**
 * @typedef {'simd128' | 'relaxed-simd'} Flavour
 * @typedef {typeof import('../pkg/translucent.js')} Engine
 */

// A function that returns i8x16.popcnt of a splat: valid wherever fixed-width SIMD is.
const SIMD = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
];
// A function that returns i8x16.relaxed_swizzle of two splats.
const RELAXED = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 15, 1, 13, 0, 65, 1, 253, 15, 65, 2, 253, 15,
  253, 128, 2, 11,
];

/** @param {number[]} module */
const runs = (module) => WebAssembly.validate(new Uint8Array(module));

/**
 * The fastest build that this browser runs; null if it has no WebAssembly SIMD at all.
 * @returns {Flavour | null}
 */
export function probe() {
  if (typeof WebAssembly !== 'object' || !runs(SIMD)) return null;
  return runs(RELAXED) ? 'relaxed-simd' : 'simd128';
}

/**
 * A build's WebAssembly, from its host or a cache.
 * @param {Flavour} flavour
 * @param {string} version written into the address, so that no cache gives a file of another version
 * @returns {Promise<Response>}
 */
export function fetchBuild(flavour, version) {
  // Written out, so that bundlers and `cargo xtask` find both builds here.
  const wasm =
    flavour === 'relaxed-simd'
      ? new URL('../pkg/relaxed/translucent_bg.wasm', import.meta.url)
      : new URL('../pkg/translucent_bg.wasm', import.meta.url);
  if (version) wasm.searchParams.set('v', version);
  return fetch(wasm);
}
