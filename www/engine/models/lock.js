// One tab at a time downloads and stores a model folder.

/**
 * @param {string} name
 * @param {AbortSignal} signal
 * @returns {Promise<() => void>} releases it; a worker that ends does so too
 */
export function lock(name, signal) {
  const { locks } = self.navigator;
  // Insecure origins have none, and no cache to protect.
  if (!locks) return Promise.resolve(() => {});
  return new Promise((resolve, reject) => {
    locks
      .request(`translucent:${name}`, { signal }, () => new Promise((/** @type {(value: void) => void} */ release) => resolve(release)))
      .catch(reject);
  });
}
