// What people expect of a translator beside the translation: it is spoken, it is installed, text is shared to it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIREFOX, visit } from '../lib/browser.mjs';
import { open, translation, type } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();

test('the translation is spoken by a voice of the device, and never by one of a server', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await page.evaluateOnNewDocument(() => {
    window.voices = [{ lang: 'de-DE', localService: false, name: 'far' }];
    window.spoken = [];
    speechSynthesis.getVoices = () => window.voices;
    speechSynthesis.speak = ({ text, lang }) => window.spoken.push([text, lang]);
    // A made-up voice is none that a real utterance takes.
    window.SpeechSynthesisUtterance = function (text) {
      this.text = text;
    };
  });
  await open(page, here.url);
  await type(page, 'The dog sleeps.');
  const said = await translation(page, 'The dog sleeps.');
  await page.waitForSelector('#speak', { hidden: true });
  await page.evaluate(() => {
    window.voices.push({ lang: 'de-AT', localService: true, name: 'near' });
    speechSynthesis.dispatchEvent(new Event('voiceschanged'));
  });
  await page.waitForSelector('#speak', { visible: true });
  await page.locator('#speak').click();
  assert.deepEqual(await page.evaluate(() => window.spoken), [[said, 'de']]);
  assert.deepEqual(faults, []);
});

test('text that is shared to the page is translated, and does not stay in the address', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await page.goto(`${here.url}?text=${encodeURIComponent('The dog sleeps.')}`);
  await translation(page, 'The dog sleeps.');
  assert.doesNotMatch(page.url(), /dog/);
  assert.deepEqual(faults, []);
});

test('a browser may translate from its address bar: the page names its OpenSearch description, whose address works', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await page.goto(here.url);
  const { template, icon } = await page.evaluate(async () => {
    const { href } = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel="search"][type="application/opensearchdescription+xml"]'));
    const xml = new DOMParser().parseFromString(await (await fetch(href)).text(), 'application/xml');
    const { ok } = await fetch(xml.querySelector('Image')?.textContent ?? '');
    return { template: xml.querySelector('Url')?.getAttribute('template'), icon: ok };
  });
  assert.equal(template, `${here.url}#text={searchTerms}`);
  assert.ok(icon);
  await page.goto('about:blank');
  await page.goto(template.replace('{searchTerms}', encodeURIComponent('The dog sleeps.')));
  await translation(page, 'The dog sleeps.');
  assert.deepEqual(faults, []);
});

test('the page can be installed: manifest and icons are there, and of the size that they claim', { skip: FIREFOX && 'it installs no pages' }, async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  const client = await page.createCDPSession();
  const { data, errors } = await client.send('Page.getAppManifest');
  assert.deepEqual(errors, []);
  const { icons, share_target: share } = JSON.parse(data);
  assert.deepEqual(share, { action: './', method: 'GET', enctype: 'application/x-www-form-urlencoded', params: { text: 'text' } });
  for (const { src, sizes } of icons.filter(({ type }) => type === 'image/png')) {
    const size = await page.evaluate(async (src) => {
      const { width, height } = await createImageBitmap(await (await fetch(src)).blob());
      return `${width}x${height}`;
    }, src);
    assert.equal(size, sizes);
  }
  assert.deepEqual(faults, []);
});
