// axe-core on a page: what it finds, in words short enough to act on.

import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.0 to 2.2, levels A and AA, and axe's best practices. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * @param {import('puppeteer-core').Page} page
 * @param {string} [part] selector of the only part that is looked at: a look at the whole page takes seconds
 * @returns {Promise<string[]>} a line for each element that breaks a rule
 */
export async function violations(page, part) {
  // Evaluated by the debugger, so that the page's policy stays as strict as it is.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(`${source};undefined`);
  return page.evaluate(async (tags, part) => {
    // Its preload writes fetched style sheets into the page, which the page's policy forbids.
    const { violations } = await window.axe.run(part ?? document, { preload: false, runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] });
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} (${help}): ${target.join(' ')}: ${failureSummary.split('\n').slice(1).join(';')}`),
    );
  }, TAGS, part);
}
