// The documentation as it was built, in Chromium: every page opens without a fault, its elements draw, its code runs, its search finds.

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { violations } from '../e2e/lib/axe.mjs';
import { launch, visit } from '../e2e/lib/browser.mjs';
import { serveFolders } from '../e2e/lib/folders.mjs';

const { SITE = '', PICTURES } = process.env;
const pages = (await readdir(SITE)).filter((name) => name.endsWith('.html') && !['404.html', 'toc.html', 'index.html'].includes(name));

/** @type {import('puppeteer-core').Browser} */
let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

async function opened(t, name, look) {
  const url = await serveFolders(t, { '/': SITE });
  const { page, faults, hosts } = await visit(t, browser, look);
  await page.goto(url + name);
  await page.waitForFunction(
    () => {
      const live = [...document.querySelectorAll('.live *')].filter(({ localName }) => localName.startsWith('translucent-'));
      return live.every(({ shadowRoot }) => {
        const canvas = shadowRoot?.querySelector('canvas');
        return shadowRoot?.querySelector('[part=target]')?.textContent || (canvas && canvas.width > 40 && canvas.height > 40) || shadowRoot?.querySelector('.node');
      });
    },
    { timeout: 120_000 },
  );
  // What a host without an index answers; and of two engines that fetch the model at once, one leaves it to the other.
  const expected = /index\.json|target_vocab|favicon|404|model\.safetensors: net::ERR_ABORTED/;
  return { page, hosts, faults: () => faults.filter((fault) => !expected.test(fault)) };
}

test('there are pages', () => assert.ok(pages.length >= 18, pages.join()));

for (const name of pages) {
  test(`${name}: opens, draws, runs its code, and fits a phone`, async (t) => {
    const { page, faults, hosts } = await opened(t, name, { width: 360, height: 700 });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, 'the page scrolls sideways');
    for (const button of await page.$$('button.run')) {
      await button.asLocator().click();
      await page.waitForFunction((node) => !node.disabled, { timeout: 120_000 }, button);
      const said = await button.evaluate((node) => node.nextElementSibling.textContent);
      assert.match(said, /\S/);
      assert.doesNotMatch(said, /Error/);
    }
    assert.deepEqual(faults(), []);
    assert.deepEqual([...hosts], [new URL(page.url()).host], 'nothing comes from another host');
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}-360.png`), fullPage: true });
  });
}

test('the elements follow the theme, and axe finds nothing in what is ours', async (t) => {
  for (const dark of [false, true]) {
    const { page } = await opened(t, 'attention.html', { dark, width: 1280, height: 900 });
    assert.equal(await page.$eval('.live translucent-attention', (element) => element.getAttribute('theme')), dark ? 'dark' : 'light');
    assert.deepEqual(await violations(page, '.live'), []);
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `attention-${dark ? 'dark' : 'light'}.png`) });
  }
});

test('search works from the files alone', async (t) => {
  const { page, hosts } = await opened(t, 'start.html', {});
  await page.keyboard.press('s');
  await page.locator('#mdbook-searchbar, #searchbar').fill('label smoothing');
  await page.waitForFunction(() => /5 Training/.test(document.querySelector('#mdbook-searchresults, #searchresults')?.textContent ?? ''), { timeout: 20_000 });
  assert.deepEqual([...hosts], [new URL(page.url()).host]);
});
