// Steering: other pieces, the reader's own target, heads switched off, two sentences compared; against the core.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { translated } from '../lib/native.mjs';
import { computed, decoded, drawn, idsOf, number, observed, observedWhole, openView, retype, textOf, titledHead, visible } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();
const TEXT = 'The animal did not cross the street because it was too tired.';

/** What the card of a view says, once it is there. */
async function card(page, view) {
  const selector = `[data-steer="${view}"] .steered`;
  await visible(page, selector);
  return page.$eval(selector, (card) => ({
    texts: [...card.querySelectorAll('.prose-line')].map((line) => line.textContent),
    lns: [...card.querySelectorAll('.ln')].map((ln) => parseFloat(ln.textContent.replace('ln P = ', '').replace('−', '-'))),
    says: card.querySelector('.step-says').textContent,
  }));
}
/** The pieces of the translation that the page is about. */
const pieces = (page) => page.$$eval('.step-piece', (list) => list.map((piece) => piece.textContent));
const near = (a, b, what) => assert.ok(Math.abs(a - b) <= 0.0051, `${what}: ${a} and ${b}`);

test('another piece is chosen at a step, and decoding resumes from that prefix', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440 });
  await observed(page, here.url, TEXT);
  await openView(page, 'Alternatives');
  await page.locator('.piece-row .step-piece:nth-child(5)').click();
  await drawn(page);
  const choices = await page.$$eval('#choices .choice', (list) => list.map((c) => ({ id: Number(c.dataset.id), p: Number(c.querySelector('.value').textContent), said: c.ariaDisabled === 'true' })));
  const before = await pieces(page);
  const target = idsOf((await decoded(page, TEXT)).target);
  const { steps } = (await computed(page, 'score', TEXT, { target, alternatives: choices.length })).observed;
  assert.ok(choices.length > 2);
  assert.deepEqual(choices.map(({ id }) => id), idsOf(steps[4].pieces));
  choices.forEach(({ p }, i) => assert.ok(Math.abs(p - steps[4].pieces[i].probability) < 6e-4));
  assert.ok(choices.some(({ id, said }) => said && id === target[4]), 'what was said is marked');

  const other = choices.find(({ id }) => id !== target[4]).id;
  // By keyboard: the list is one tab stop.
  await page.focus(`#choices [data-id="${other}"]`);
  await page.keyboard.press('Enter');
  const branch = await card(page, 'alternatives');
  const { text, target: found } = await decoded(page, TEXT, { prefix: [...target.slice(0, 4), other] });
  assert.equal(branch.texts[1], text);
  assert.deepEqual(idsOf(found).slice(0, 5), [...target.slice(0, 4), other]);
  near(branch.lns[1], (await computed(page, 'score', TEXT, { target: idsOf(found) })).logprob, 'ln P of the new translation');

  // It can take the translation's place, which says so; and goes again.
  await page.locator('[data-steer="alternatives"] .look').click();
  await page.waitForFunction((text) => document.querySelector('#translation').textContent.trim() === text, {}, text);
  await observedWhole(page);
  assert.match(await textOf(page, '#search-note'), /^not the model’s own translation/);
  assert.equal((await pieces(page)).length, found.length);
  await page.locator('#variant-back').click();
  await page.waitForFunction((text) => document.querySelector('#translation').textContent.trim() !== text, {}, text);
  await observedWhole(page);
  assert.deepEqual(await pieces(page), before);
  assert.deepEqual(faults, []);
});

test("the reader's own target: probability and surprisal of each piece, as forced decoding gives them", async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440 });
  await observed(page, here.url, TEXT);
  await openView(page, 'Own target');
  const own = 'Das Tier ging nicht über die Straße, weil sie zu breit war.';
  await retype(page, '#own-target', own);
  await page.keyboard.press('Enter');
  await visible(page, '#own-pieces');
  const scored = await computed(page, 'score', TEXT, { target: own });
  const rows = await page.$$eval('#own-pieces tbody tr', (rows) => rows.map((r) => [...r.children].map((c) => c.textContent)));
  assert.equal(rows.length, scored.observed.target.length);
  rows.forEach(([, p, bits, rank], i) => {
    assert.ok(p.startsWith('less') || Math.abs(Number(p) - scored.scores[i].probability) < 6e-4, `${p}`);
    assert.ok(Math.abs(parseFloat(bits) - scored.scores[i].surprisal) < 0.051);
    assert.ok(Math.abs(scored.scores[i].surprisal + Math.log2(scored.scores[i].probability)) < 1e-2);
    assert.equal(Number(rank), scored.scores[i].rank);
  });
  assert.ok((await textOf(page, '#own-total')).includes(scored.logprob.toFixed(2).replace('-', '−')));
  await page.locator('[data-steer="target"] .look').click();
  await page.waitForFunction((own) => document.querySelector('#translation').textContent.trim() === own, {}, own);
  assert.deepEqual(faults, []);
});

test('a head that is switched off adds nothing, and the translation is that of the native core with the same intervention', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440 });
  const before = await observed(page, here.url, TEXT);
  const native = (...args) => translated(TEXT, ['--beam', '4', '--n-best', '1', ...args])[0].text;
  assert.equal(before, native());
  // The inspector opens on the head that aligns best.
  const { title, layer, head } = await titledHead(page);
  assert.match(title, /^Encoder–decoder/);
  await openView(page, 'Heads off');

  await page.locator(`.head-switch[data-kind="cross"][data-layer="${layer}"][data-head="${head}"]`).click();
  const one = await card(page, 'heads');
  assert.deepEqual(one.texts, [before, native('--off', `cross:${layer + 1}:${head + 1}`)]);
  const target = idsOf((await decoded(page, TEXT)).target);
  const intervention = { heads: [{ kind: 'cross', layer, head, change: 'off' }] };
  const logprob = async (more) => (await computed(page, 'score', TEXT, { target, ...more })).logprob;
  const [, from, to, change] = /goes from (\S+) to (\S+): a change of (\S+)\.$/.exec(one.says).map(number);
  near(from, await logprob({}), 'ln P before');
  near(to, await logprob({ intervention }), 'ln P after');
  // Whether for better or worse is a matter of the weights. Each of the three numbers is rounded.
  assert.ok(Math.abs(change) > 0.001, `the aligning head matters to its own translation: ${one.says}`);
  assert.ok(Math.abs(to - from - change) < 0.0151, one.says);

  // A whole layer of the encoder.
  await page.locator('.head-grid [aria-label^="Encoder"] .whole').click();
  await drawn(page);
  const layerOff = await card(page, 'heads');
  assert.equal(layerOff.texts[1], native('--off', `cross:${layer + 1}:${head + 1}`, '--off', 'encoder:1'));

  // Nothing of the head is left in the sub-layer's output.
  const off = await computed(page, 'arithmetic', { source: TEXT, target, cell: { kind: 'cross', layer, head, query: 1, key: 1 }, intervention });
  const width = off.head.data.length;
  const outputs = [...off.headOutput.data, ...off.concatenation.data.slice(head * width, (head + 1) * width)];
  assert.ok(outputs.every((v) => v === 0) && off.weights.data.every((w) => w === 0));
  assert.ok(off.concatenation.data.some((v) => v !== 0));
  assert.deepEqual(faults, []);
});

test("while another translation is shown, the model's own is still the search's", async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440 });
  const before = await observed(page, here.url, TEXT);
  await openView(page, 'Beam');
  await page.locator('#n-best li:nth-child(2) button').click();
  await page.waitForFunction((before) => document.querySelector('#translation').textContent.trim() !== before, {}, before);
  await observedWhole(page);
  const own = idsOf((await decoded(page, TEXT)).target);
  const { logprob } = await computed(page, 'score', TEXT, { target: own });

  await openView(page, 'Own target');
  await page.locator('#own-score').click();
  await visible(page, '#own-pieces');
  near(number(/own translation has (\S+)\.$/.exec(await textOf(page, '#own-total'))[1]), logprob, "ln P of the model's own");

  await openView(page, 'Heads off');
  await page.locator('.head-switch[data-kind="encoderSelf"][data-layer="0"][data-head="0"]').click();
  const one = await card(page, 'heads');
  assert.equal(one.texts[0], before);
  near(one.lns[0], logprob, 'ln P as it is');
  assert.deepEqual(faults, []);
});

test('the shown translation is scored in its own pieces, not in those of its text', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440 });
  const text = "\"Wait,\" he said — it's 5 o'clock… isn't it?";
  await observed(page, here.url, text);
  await openView(page, 'Own target');
  await page.locator('#own-score').click();
  await visible(page, '#own-pieces');
  const target = (await decoded(page, text)).target;
  const { logprob } = await computed(page, 'score', text, { target: idsOf(target) });
  assert.equal((await page.$$('#own-pieces tbody tr')).length, target.length);
  const [, whole, own] = /whole = (\S+),.* own translation has (\S+)\.$/.exec(await textOf(page, '#own-total')).map(number);
  near(whole, logprob, 'ln P of the text');
  near(own, logprob, "ln P of the model's own");
  assert.deepEqual(faults, []);
});

test('A is pinned, the sentence edited: B and the difference', async (t) => {
  const { page, faults } = await visit(t, here.browser, { width: 1440 });
  await observed(page, here.url, TEXT);
  await openView(page, 'A | B');
  await page.locator('#tired-wide').click();
  await visible(page, '#crossed');
  const sides = await page.$$eval('.side', (sides) => sides.map((side) => ({ source: side.querySelector('.source-line').textContent, marks: [...side.querySelectorAll('.source-line mark')].map((m) => m.textContent) })));
  assert.deepEqual(sides.map(({ marks }) => marks), [['tired'], ['wide']]);
  const crossed = await page.$$eval('#crossed tbody td', (cells) => cells.map((c) => parseFloat(c.textContent.replace('−', '-'))));
  const targets = [];
  for (const { source } of sides) targets.push(idsOf((await decoded(page, source)).target));
  const expected = [];
  for (const { source } of sides) for (const target of targets) expected.push((await computed(page, 'score', source, { target })).logprob);
  assert.equal(crossed.length, 4);
  crossed.forEach((v, i) => near(v, expected[i], `cell ${i}`));
  assert.ok(expected[0] > expected[1] && expected[3] > expected[2], `each translation fits its own sentence better: ${expected}`);
  assert.deepEqual(faults, []);
});
