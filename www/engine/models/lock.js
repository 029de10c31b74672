// One tab at a time downloads and stores a model folder.

/**
 * @param {string} name
 * @param {AbortSignal} signal
 * @returns {Promise<() => void>} releases it; a worker that ends does so too
 */
export function lock(name, signal) {
  // Insecure origins and Node have none, and no cache to protect.
  const locks = self.navigator?.locks;
  if (!locks) return Promise.resolve(() => {});
  return new Promise((resolve, reject) => {
    locks
      .request(`translucent:${name}`, { signal }, () => new Promise((/** @type {(value: void) => void} */ release) => resolve(release)))
      .catch(reject);
  });
}
