// The labs: positional encodings (§3.5) and Table 1 (§4), number by number.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../lib/browser.mjs';
import { attentions, computed, drawn, number, observedWhole, open, slideTo, textOf, translation, type } from '../lib/page.mjs';
import { site } from '../lib/site.mjs';

const here = site();
const TEXT = 'A small dog sleeps.';

test('M_k is a rotation: turning by k positions is going k positions on', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, here.url);
  for (const [position, offset] of [[0, 1], [7, 3], [20, -11]]) {
    const lab = await computed(page, 'positionsLab', { length: 96, position, offset });
    const width = lab.encoding.data.length;
    for (let dim = 0; dim < width; dim++) {
      const omega = 10000 ** -((dim - (dim % 2)) / width);
      const exact = dim % 2 ? Math.cos((position + offset) * omega) : Math.sin((position + offset) * omega);
      assert.ok(Math.abs(lab.rotated.data[dim] - exact) < 1e-5, `dimension ${dim}`);
      assert.ok(Math.abs(lab.shifted.data[dim] - exact) < 1e-5, `dimension ${dim}`);
    }
    assert.ok(lab.error < 1e-5 && lab.checked === 96);
    // PE(pos) · PE(pos) is d_model / 2: sin² + cos² of each pair.
    assert.ok(Math.abs(lab.products.data[position] - width / 2) < 1e-3);
  }
  assert.deepEqual(faults, []);
});

test('the lab shows the products, the angles and what is added to a piece, as the engine has them', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, `${here.url}#tab=positions`);
  await type(page, TEXT);
  await translation(page, TEXT);
  await observedWhole(page);
  // The third source piece, held; the pointer leaves it.
  await page.locator('.chips.source .chip:nth-child(3)').click();
  await page.mouse.move(0, 0);
  await page.waitForFunction(() => document.querySelector('#lab-embedding-says').textContent.includes('position 2'));
  // The number stands beside the slider at once; the engine's answer follows.
  await slideTo(page, '#lab-offset', async () => (await textOf(page, '#lab-offset-text')) === '5');
  await page.waitForFunction(() => document.querySelector('#lab-products .readout').textContent.startsWith('k = 5:'));
  const length = Number(/over (\d+) positions/.exec(await textOf(page, '#lab-check'))[1]);
  const lab = await computed(page, 'positionsLab', { length, position: 2, offset: 5 });
  const { readout, dials, check, says, piece } = await page.evaluate(() => ({
    readout: document.querySelector('#lab-products .readout').textContent,
    dials: [...document.querySelectorAll('.dials li')].map((li) => li.textContent),
    check: document.querySelector('#lab-check').textContent,
    says: document.querySelector('#lab-embedding-says').textContent,
    piece: document.querySelector('.chips.source .chip:nth-child(3)').textContent,
  }));
  assert.ok(readout.startsWith(`k = 5: ${lab.products.data[7].toFixed(2)}`), readout);
  assert.ok(dials.length >= 3);
  for (const dial of dials) {
    const even = Number(dial.match(/dimensions (\d+)/)[1]);
    const degrees = ((lab.angles[even / 2] * 180) / Math.PI).toFixed(1).replace('-', '−');
    assert.ok(dial.includes(`turn by ${degrees}°`), dial);
  }
  assert.match(check, new RegExp(`over ${length} positions`));
  const { source } = await attentions(page, TEXT);
  const steps = await computed(page, 'embedding', { side: 'source', piece: source[2].id, position: 2 });
  assert.ok(says.includes(`√dmodel = ${steps.scale}`), says);
  assert.ok(says.startsWith(`“${piece}” enters`) && steps.text === `▁${piece}`, says);
  steps.sum.data.forEach((sum, i) => assert.ok(Math.abs(sum - steps.scaled.data[i] - steps.encoding.data[i]) < 1e-5));
  steps.encoding.data.forEach((value, i) => assert.ok(Math.abs(value - lab.encoding.data[i]) < 1e-6, 'the encoding in the paper’s order'));
  assert.deepEqual(faults, []);
});

test('Table 1 at chosen sizes: its counts, its paths, and what the projections change', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, `${here.url}#tab=why`);
  await page.waitForSelector('#why-graphs svg');
  const [n, d, k, r] = [64, 512, 3, 16];
  // Each slider has its own list of round numbers.
  for (const [name, value] of Object.entries({ n, d, k, r })) {
    await slideTo(page, `#why-${name}`, async () => number((await page.$eval(`#why-${name}`, (slider) => slider.parentElement.querySelector('output').textContent)).replace(/\s/g, '')) === value);
  }
  const said = 'With n = 64 and d = 512';
  await page.waitForFunction((said) => document.querySelector('#why-says').textContent.startsWith(said), {}, said);
  const { rows } = await computed(page, 'complexity', { n, d, k, r });
  const of = Object.fromEntries(rows.map((row) => [row.layer, row]));
  assert.equal(of.self_attention.operations, n * n * d);
  assert.equal(of.self_attention.projections, 4 * n * d * d);
  assert.equal(of.recurrent.operations, n * d * d);
  assert.equal(of.recurrent.sequential, n);
  assert.equal(of.convolutional.operations, k * n * d * d);
  assert.ok(Math.abs(of.convolutional.path - Math.log(n) / Math.log(k)) < 1e-9);
  assert.equal(of.restricted_self_attention.operations, r * n * d);
  assert.equal(of.separable_convolutional.operations, k * n * d + n * d * d);
  assert.equal(of.contiguous_convolutional.path, n / k);
  await drawn(page);
  const { table, projections, graphs } = await page.evaluate(() => ({
    table: [...document.querySelectorAll('#why-table tbody tr')].map((row) => row.textContent),
    projections: document.querySelector('#why-projections').textContent,
    graphs: [...document.querySelectorAll('#why-graphs li')].map((li) => li.textContent),
  }));
  assert.equal(table.length, 6);
  assert.ok(table[0].includes('2.1\u2009M'), `n²·d is 2 097 152: ${table[0]}`);
  assert.match(projections, /4·n·d²/);
  const { paths } = await computed(page, 'complexity', { n, d, k, r, paths: { n: 16, from: 0, to: 15 } });
  assert.equal(paths[0].length, 1, 'self-attention: one step, whatever the distance');
  assert.deepEqual(graphs.map((text) => Number(text.match(/(\d+) steps?$/)[1])), paths.map(({ length }) => length));
  for (const { path, edges, length } of paths) assert.ok(path.length === length + 1 && edges.length > 0);
  assert.deepEqual(faults, []);
});

test('measured times: every length, all three parts, none of them zero', async (t) => {
  const { page, faults } = await visit(t, here.browser);
  await open(page, `${here.url}#tab=why`);
  await page.locator('#why-measure').click();
  await page.waitForFunction(() => document.querySelector('#why-measured').textContent.startsWith('Measured'), { timeout: 120_000 });
  await page.locator('#why-times details > summary').click();
  await page.waitForSelector('#why-times tbody tr');
  const cells = await page.$$eval('#why-times tbody tr', (rows) => rows.map((row) => [...row.cells].map((cell) => parseFloat(cell.textContent))));
  assert.deepEqual(cells.map(([n]) => n), [16, 32, 64, 128, 256, 512, 1024]);
  for (const [n, ...times] of cells) assert.ok(times.every((time) => time > 0), `n = ${n}: ${times}`);
  assert.deepEqual(faults, []);
});
