// What Linux counts of a browser's memory.

import { readFileSync, readdirSync } from 'node:fs';

/**
 * Most memory that any renderer of a Chromium has had, in MiB; 0 where the system does not tell (only Linux does).
 * @param {number | undefined} browser its process
 * @returns {number}
 */
export const peakOfRenderers = (browser) => memoryOfRenderers(browser, 'VmHWM');

/**
 * The memory of the renderer that has most of it, in MiB.
 * @param {number | undefined} browser its process
 * @param {'VmHWM' | 'VmRSS' | 'RssAnon'} count
 * @returns {number}
 */
export const memoryOfRenderers = (browser, count) => memoryOfProcess(browser, 'renderer', count);

/**
 * The memory of the process of this type that has most of it, in MiB; 0 where the system does not tell (only Linux does).
 * @param {number | undefined} browser the browser's first process
 * @param {'renderer' | 'gpu-process' | 'browser'} type
 * @param {'VmHWM' | 'VmRSS' | 'RssAnon'} count most that there was, all there is now, what is backed by no file
 * @returns {number}
 */
export function memoryOfProcess(browser, type, count) {
  if (process.platform !== 'linux' || browser === undefined) return 0;
  const read = (/** @type {string} */ pid, /** @type {string} */ file) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
      // It has ended since the folder was read.
      return '';
    }
  };
  const size = (/** @type {string} */ pid) => Number(new RegExp(`${count}:\\s+(\\d+)`).exec(read(pid, 'status'))?.[1] ?? 0);
  if (type === 'browser') return size(String(browser)) / 1024;
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(processes.map((pid) => [pid, /PPid:\s+(\d+)/.exec(read(pid, 'status'))?.[1]]));
  const ours = (/** @type {string | undefined} */ pid) => {
    while (pid !== undefined && pid !== String(browser)) pid = parents.get(pid);
    return pid !== undefined;
  };
  const found = processes.filter((pid) => ours(pid) && read(pid, 'cmdline').includes(`--type=${type}`));
  return Math.max(0, ...found.map(size)) / 1024;
}
