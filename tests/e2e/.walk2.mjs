import { launch, visit } from './lib/browser.mjs';
import { drawn, observedWhole, open, openTab, translation, type } from './lib/page.mjs';
const URL0 = 'http://127.0.0.1:4711/', OUT = '/tmp/people/shots/', t = { after() {} };
const browser = await launch();
const say = (...a) => console.log(...a);
const shot = (page, name) => page.screenshot({ path: `${OUT}${name}.png` });
const wait = (ms) => new Promise((d) => setTimeout(d, ms));
async function part(name, fn) { try { await fn(); say('done', name); } catch (e) { say('FAIL', name, e.message.split('\n')[0]); } }
const only = process.argv.slice(2);
const L = { width: 1366, height: 657 };
const parts = {
  async laptop() {
    const { page, faults } = await visit(t, browser, L);
    await open(page, URL0);
    await type(page, 'Dear Anna, thank you for your letter. I was very happy to hear from you, because I had not seen you for a long time.');
    await translation(page, await page.$eval('#source', (n) => n.value)); await observedWhole(page); await shot(page, 'w2-letter');
    await page.locator('#plain').click(); await wait(300); await shot(page, 'w2-plain');
    await page.locator('#more').click(); await wait(300); await shot(page, 'w2-more');
    await page.keyboard.press('Escape'); 
    await page.locator('#open-file').click(); await wait(400); await shot(page, 'w2-file'); await page.keyboard.press('Escape');
    await page.locator('#words-button').click(); await wait(400); await shot(page, 'w2-words'); await page.keyboard.press('Escape');
    await page.locator('#history-button').click(); await wait(400); await shot(page, 'w2-history'); await page.keyboard.press('Escape');
    await page.locator('#target-language').click(); await wait(400); await shot(page, 'w2-languages'); await page.keyboard.press('Escape');
    await page.locator('#more').click(); await page.locator('#models-button').click(); await wait(800); await shot(page, 'w2-models'); await page.keyboard.press('Escape');
    say(faults); await page.close();
  },
  async lecture() {
    const { page, faults } = await visit(t, browser, { width: 1440, height: 900 });
    await open(page, URL0);
    await page.locator('#tour').click(); await wait(1500); await shot(page, 'w2-tour');
    await page.locator('#tour').click(); await wait(300);
    await page.locator('#walk-open').click(); await wait(900); await shot(page, 'w2-walk1');
    for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight'); await wait(600); await shot(page, 'w2-walk2');
    await page.keyboard.press('Escape');
    await page.locator('::-p-text(Training view)').click(); await wait(900); await shot(page, 'w2-training');
    await page.locator('::-p-text(Translating)').click();
    await openTab(page, 'arithmetic'); await wait(800); await shot(page, 'w2-arithmetic');
    await page.locator('#tab-alternatives').click(); await wait(500); await page.locator('.steer-views ::-p-text(Sampling)').click(); await wait(1200); await shot(page, 'w2-sampling');
    await page.locator('#examples-button').click(); await wait(400); await shot(page, 'w2-examples');
    await page.locator('#exercises').click(); await wait(1500); await shot(page, 'w2-exercise');
    say(faults); await page.close();
  },
  async others() {
    const { page, faults } = await visit(t, browser, L);
    await page.goto(`${URL0}#embed&text=${encodeURIComponent('The dog sleeps.')}`); await page.waitForSelector('body[data-state="ready"]', { timeout: 60000 }); await wait(1500); await shot(page, 'w2-embed');
    await page.close();
    const { page: p2 } = await visit(t, browser, { ...L, dark: true });
    await open(p2, URL0); const c=await p2.createCDPSession(); await c.send('Emulation.setEmulatedMedia',{features:[{name:'forced-colors',value:'active'}]}); await wait(1500); await shot(p2, 'w2-forced');
    await c.send('Emulation.setEmulatedMedia',{features:[{name:'prefers-color-scheme',value:'dark'}]}); const b = await (await p2.$('[aria-pressed="true"]')).boundingBox(); await p2.mouse.move(b.x + 10, b.y + 10); await wait(400); await shot(p2, 'w2-dark');
    await p2.emulateMediaType('print'); await wait(500); await p2.screenshot({ path: `${OUT}w2-print.png`, fullPage: true }); await p2.close();
    say(faults);
  },
};
for (const [name, fn] of Object.entries(parts)) if (!only.length || only.includes(name)) await part(name, fn);
await browser.close(); process.exit();
