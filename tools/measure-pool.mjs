// Translates documents with one worker and with more, in turns, and prints how much sooner more of them are done:
//
//     cargo xtask serve                       # in another terminal; prints the address
//     node tools/measure-pool.mjs ADDRESS [SENTENCES [WORKERS [ROUNDS]]]
//
// No sentence comes twice, since an engine remembers its translations; beam 4, a sentence a line. Each round gives one ratio.

import { launch } from '../tests/e2e/lib/browser.mjs';

const [address, sentences = '200', workers = '2', rounds = '5'] = process.argv.slice(2);

const browser = await launch();
try {
  const page = await browser.newPage();
  await page.goto(`${address}models/index.json`);
  const found = await page.evaluate(
    async (base, sentences, workers, rounds) => {
      const { TranslatorPool } = await import(`${base}engine/pool.js`);
      const subjects = ['old man', 'young teacher', 'tired driver', 'small dog', 'farmer', 'doctor from the city', 'woman in the red coat', 'neighbour'];
      const places = ['at the market', 'in a quiet street near the station', 'behind the house', 'on the bridge', 'in the garden of the hospital'];
      let count = 1000;
      const text = () => Array.from({ length: sentences }, () => {
        count += 1;
        return `The ${subjects[count % 8]} bought ${count} apples ${places[count % 5]}${count % 3 ? '.' : ', because the children were hungry and nobody had cooked for them.'}`;
      }).join('\n');
      const pools = [];
      for (const size of [1, workers]) {
        const pool = new TranslatorPool({ workers: size });
        await pool.load(`${base}models/en-de/`);
        await pool.translate(text(), { beam: 4 });
        pools.push(pool);
      }
      const times = [];
      for (let i = 0; i < rounds; i++) {
        const round = [];
        for (const pool of pools) round.push((await pool.translate(text(), { beam: 4 })).totalMs);
        times.push(round);
      }
      for (const pool of pools) pool.terminate();
      return times;
    },
    address,
    Number(sentences),
    Number(workers),
    Number(rounds),
  );
  const ratios = found.map(([one, more]) => one / more).sort((a, b) => a - b);
  const median = (/** @type {number[]} */ values) => values.toSorted((a, b) => a - b)[values.length >> 1];
  console.log(`${sentences} sentences: ${median(found.map(([one]) => one)).toFixed(0)} ms with one worker, ${median(found.map(([, more]) => more)).toFixed(0)} ms with ${workers}`);
  console.log(`${ratios[ratios.length >> 1].toFixed(2)} × (${ratios[0].toFixed(2)} to ${ratios.at(-1)?.toFixed(2)}, ${ratios.length} rounds)`);
} finally {
  await browser.close();
}
