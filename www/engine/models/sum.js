// A sum of a WebAssembly memory, for which JavaScript that has just been loaded takes ten times as long.

/** (func (param $at i32) (param $end i32) (result i32) …), which imports the memory. Its loop is, for $a to $d at 0, 16, 32 and 48:
 *    $a = i32x4.mul (v128.xor $a (v128.load $at)) $prime
 *  It ends with the sixteen lanes joined in the same way. */
const MODULE = `AGFzbQEAAAABBwFgAn9/AX8CCAEBbQFtAgAAAwIBAAcFAQFzAAAKtAEBsQEBBXtBk4OACP0RIgYiAiIDIgQhBQNAIAIgAP0ABAD9USAG/bUBIQIgAyAA/QAEEP1R
IAb9tQEhAyAEIAD9AAQg/VEgBv21ASEEIAUgAP0ABDD9USAG/bUBIQUgAEHAAGoiACABSQ0ACyACIAb9tQEgA/1RIAb9tQEgBP1RIAb9tQEgBf1RIQIgAv0bAEGT
g4AIbCAC/RsBc0GTg4AIbCAC/RsCc0GTg4AIbCAC/RsDcws=`;

/**
 * A sum of a memory's bytes that any damage changes.
 * @param {WebAssembly.Memory} memory of at least a page more than `from`
 * @param {number} from A multiple of 64.
 * @returns {number} of 32 bits
 */
export function sumOf(memory, from) {
  const code = Uint8Array.from(atob(MODULE), (letter) => letter.charCodeAt(0));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code), { m: { m: memory } });
  return /** @type {(at: number, end: number) => number} */ (exports.s)(from, memory.buffer.byteLength) >>> 0;
}
