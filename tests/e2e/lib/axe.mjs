// axe-core on a page: what it finds, in words short enough to act on.

import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.0 to 2.2, levels A and AA, and axe's best practices. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The one rule that takes milliseconds for each text: half a minute for a page of matrices. */
const CONTRAST = 'color-contrast';
/** The rows of a table from the fourth on that carry no class: painted like those above them. */
const PLAIN_ROWS = 'tr:nth-child(n + 4):not(:last-child, [class], :has([class]))';

/**
 * @param {import('puppeteer-core').Page} page
 * @param {string} [part] selector of the only part that is looked at: a look at the whole page takes seconds
 * @returns {Promise<string[]>} a line for each element that breaks a rule
 */
export async function violations(page, part) {
  // Evaluated by the debugger, so that the page's policy stays as strict as it is.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(`${source};undefined`);
  return page.evaluate(
    async (tags, part, contrast, plainRows) => {
      const look = (where, rules) =>
        // Its preload writes fetched style sheets into the page, which the page's policy forbids.
        window.axe.run(where, { preload: false, runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'], ...rules });
      const found = [
        await look(part ?? document, { rules: { [contrast]: { enabled: false } } }),
        await look({ include: [part ?? 'html'], exclude: [plainRows] }, { runOnly: { type: 'rule', values: [contrast] } }),
      ];
      return found.flatMap(({ violations }) =>
        violations.flatMap(({ id, help, nodes }) =>
          nodes.map(({ target, failureSummary }) => `${id} (${help}): ${target.join(' ')}: ${failureSummary.split('\n').slice(1).join(';')}`),
        ),
      );
    },
    TAGS,
    part,
    CONTRAST,
    PLAIN_ROWS,
  );
}
