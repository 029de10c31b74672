// What Linux counts of a browser's memory.

import { readFileSync, readdirSync } from 'node:fs';

/**
 * Most memory that any renderer of a Chromium has had, in MiB; 0 where the system does not tell (only Linux does).
 * @param {number | undefined} browser its process
 * @returns {number}
 */
export function peakOfRenderers(browser) {
  if (process.platform !== 'linux' || browser === undefined) return 0;
  const read = (/** @type {string} */ pid, /** @type {string} */ file) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
      // It has ended since the folder was read.
      return '';
    }
  };
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(processes.map((pid) => [pid, /PPid:\s+(\d+)/.exec(read(pid, 'status'))?.[1]]));
  const ours = (/** @type {string | undefined} */ pid) => {
    while (pid !== undefined && pid !== String(browser)) pid = parents.get(pid);
    return pid !== undefined;
  };
  const renderers = processes.filter((pid) => ours(pid) && read(pid, 'cmdline').includes('--type=renderer'));
  const peaks = renderers.map((pid) => Number(/VmHWM:\s+(\d+)/.exec(read(pid, 'status'))?.[1] ?? 0));
  return Math.max(0, ...peaks) / 1024;
}
