// Runs cases of execution fuzzing in WebAssembly, where memory is 32 bits wide, sums wrap and the kernels are the page's.
//
//     cargo build -p translucent-fuzz-execution --lib --target wasm32-unknown-unknown
//     node fuzz/execution/run.mjs EXECUTIONS [FIRST SEED]
//
// A panic is a trap there: the case is named, a new instance goes on.
import { readFileSync } from 'node:fs';

const [, , executions = '2000', first = '0'] = process.argv;
const file = new URL('../../target/wasm32-unknown-unknown/debug/translucent_fuzz_execution.wasm', import.meta.url);
const module = new WebAssembly.Module(readFileSync(file));
const BATCH = 100;

/** A new instance. What it would import of JavaScript (errors, the clock) no case calls. */
function instance() {
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = () => {
      throw new Error(`${name} was called`);
    };
  }
  return new WebAssembly.Instance(module, imports).exports;
}

const end = BigInt(first) + BigInt(executions);
const start = performance.now();
let wasm = instance();
let [done, ran, faults, pages] = [0, 0, 0, 0];
for (let seed = BigInt(first); seed < end; ) {
  const count = Number(end - seed < BATCH ? end - seed : BATCH);
  let ended = count;
  try {
    ran += wasm.execute_seeds(seed, count);
  } catch {
    // One of these; each by itself says which.
    ended = 0;
    for (; ended < count; ended += 1) {
      try {
        wasm = instance();
        ran += wasm.execute_seeds(seed + BigInt(ended), 1);
      } catch (error) {
        faults += 1;
        console.error(`FAULT: seed ${seed + BigInt(ended)}: ${error.message}`);
      }
    }
    wasm = instance();
  }
  pages = Math.max(pages, wasm.memory.buffer.byteLength);
  seed += BigInt(ended);
  done += ended;
}
const seconds = (performance.now() - start) / 1000;
console.log(`executions: ${done} (seeds from ${first}), ${(done / seconds).toFixed(0)} per second, ${seconds.toFixed(0)} s`);
console.log(`folders that ran: ${ran}; most memory of the instance: ${(pages / 2 ** 20).toFixed(1)} MiB`);
console.log(`faults: ${faults}`);
process.exitCode = faults ? 1 : 0;
