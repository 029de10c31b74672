// A message of the engine's worker is lost, or the worker ends with it: the page goes on or says so, the text stays, and trying
// again translates it. tests/unit/worker-faults.test.mjs tries every message; here it is the page, at some of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { open, translation } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();
const TEXT = 'The child laughs. A dog sleeps.';
/** Messages that fail, until a visit has fewer. */
const AT = [1, 3, 8, 20, 50, 120];

/** Workers whose message number `at`, of those of all workers, fails. */
function faulty() {
  if (self.origin === 'null') return;
  const { at, how } = JSON.parse(sessionStorage.getItem('fault') ?? '{}');
  window.messages = 0;
  const Native = Worker;
  window.Worker = class extends Native {
    #hear = null;

    /** Whether a message arrives. */
    #arrives() {
      if (++window.messages !== at) return true;
      if (how === 'ends') {
        this.terminate();
        setTimeout(() => this.dispatchEvent(new ErrorEvent('error', { message: 'out of memory', cancelable: true })));
      }
      return false;
    }
    set onmessage(hear) {
      this.#hear = hear;
      super.onmessage = (event) => this.#arrives() && hear(event);
    }
    get onmessage() {
      return this.#hear;
    }
    postMessage(...given) {
      if (this.#arrives()) super.postMessage(...given);
    }
  };
}

for (const how of ['ends', 'lost']) {
  test(`${how === 'ends' ? 'the worker ends with a message' : 'a message is lost'}: the text stays, and trying again translates it`, async (t) => {
    const { page } = await visit(t, here.browser);
    await open(page, here.url);
    await page.evaluateOnNewDocument(faulty);
    const visited = async (/** @type {number} */ at) => {
      await page.evaluate((fault) => sessionStorage.setItem('fault', JSON.stringify(fault)), { at, how });
      // Another address, so that the page is loaded anew.
      await page.goto(`${here.url}?${at}#text=${encodeURIComponent(TEXT)}`);
      await page.waitForFunction(() => document.querySelector('#failure:not([hidden])') || (document.body.dataset.state === 'ready' && document.body.dataset.doc === 'done'), { timeout: 120_000 });
      return page.$eval('#failure', (node) => (node.hidden ? '' : node.textContent));
    };
    assert.equal(await visited(0), '');
    const expected = await translation(page, TEXT);
    let failures = 0;
    for (const at of AT) {
      const failure = await visited(at);
      if (failure) {
        failures += 1;
        assert.match(failure, /Your text is kept/);
        assert.equal(await page.$eval('#source', (node) => node.value), TEXT);
        await page.locator('#retry').click();
        await page.waitForSelector('body[data-state="ready"]', { timeout: 120_000 });
        await page.waitForSelector('#failure[hidden]', { timeout: 120_000 });
      }
      assert.equal(await translation(page, TEXT), expected, `message ${at}`);
      if ((await page.evaluate(() => window.messages)) < at) break;
    }
    t.diagnostic(`${failures} failures were shown`);
    assert.ok(failures > 1, `${failures} failures were shown`);
  });
}
