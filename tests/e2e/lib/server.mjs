// Starts the project's own static server as a process of its own, so that a test can also take it away.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { once } from 'node:events';

/**
 * @param {string[]} args What `cargo xtask serve` takes beside the address.
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function serve(args) {
  const xtask = process.env.XTASK;
  if (!xtask) throw new Error('run these tests with: cargo xtask test --only e2e');
  const child = spawn(xtask, ['serve', '127.0.0.1:0', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the server ended with ${code}`))),
  ]);
  const ended = once(child, 'exit');
  return {
    url,
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}
