// Dropping files on the page, as a hand does.

/**
 * Drops files and folders at the upper edge of the page, where nothing is drawn anew meanwhile. A hand lets go when the page
 * shows that it takes them: Chromium gives up a drop that comes before the page has answered.
 * @param {import('puppeteer-core').Page} page of Chromium: Firefox has no such command
 * @param {string[]} paths
 */
export async function dropPaths(page, paths) {
  const { width } = page.viewport() ?? { width: 800 };
  const client = await page.createCDPSession();
  const drag = (/** @type {'dragEnter' | 'dragOver' | 'drop'} */ type) =>
    client.send('Input.dispatchDragEvent', { type, x: width / 2, y: 2, data: { items: [], files: paths, dragOperationsMask: 1 } });
  await drag('dragEnter');
  await drag('dragOver');
  await page.waitForSelector('body.dropping');
  await drag('drop');
  await page.waitForSelector('body:not(.dropping)');
  await client.detach();
}
