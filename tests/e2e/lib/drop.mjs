// Dropping files on the page, as a hand does.

/**
 * Drops files and folders in the middle of the page.
 * @param {import('puppeteer-core').Page} page of Chromium: Firefox has no such command
 * @param {string[]} paths
 */
export async function dropPaths(page, paths) {
  const { width, height } = page.viewport() ?? { width: 800, height: 600 };
  const client = await page.createCDPSession();
  for (const type of /** @type {const} */ (['dragEnter', 'dragOver', 'drop'])) {
    await client.send('Input.dispatchDragEvent', { type, x: width / 2, y: height / 2, data: { items: [], files: paths, dragOperationsMask: 1 } });
  }
  await client.detach();
}
