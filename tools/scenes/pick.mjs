// Picks the scenes that ship, and writes their captions' numbers, from the weights that ship:
//   node tools/scenes/pick.mjs
// Each topic's candidates (candidates.json) are translated, and the one that shows the topic best is kept.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TABS } from '../../www/tabs/list.js';
import { ROOT, loadShipped, observe } from './engine.mjs';
import { TOPICS } from './topics.mjs';

const OUT = join(ROOT, 'www/page/scenes/tour.json');

const candidates = JSON.parse(await readFile(new URL('./candidates.json', import.meta.url), 'utf8'));
const { translator, config, heads, hash } = await loadShipped();
const tabs = TABS.map(({ id }) => id);
const { layer, head } = heads.alignment;
const scenes = [];
for (const [topic, { title, pick }] of Object.entries(TOPICS)) {
  const found = [];
  for (const candidate of candidates.filter((c) => c.topic === topic)) {
    const seen = observe(translator, candidate.text);
    const scene = pick(candidate, { seen: { ...seen, plain: candidate.text }, aligner: { layer, head }, heads, config, translator, tabs });
    console.log(`${topic.padEnd(10)} ${scene ? scene.goodness.toFixed(3).padStart(7) : '      –'}  ${candidate.text} → ${seen.text}`);
    if (scene) found.push({ ...scene, text: candidate.text });
  }
  const best = found.sort((a, b) => b.goodness - a.goodness)[0];
  if (!best) {
    console.log(`${topic}: no candidate shows it with these weights; it is left out`);
    continue;
  }
  const { text, view, held, step, caption, question, answer, facts } = best;
  scenes.push({ title, text, model: hash, view: view ?? { tab: topic === 'positions' ? 'positions' : 'attention' }, held, step: step ?? null, caption, question, answer, facts: facts.map(rounded) });
}
await writeFile(OUT, `${JSON.stringify({ format: 1, title: 'Guided tour', scenes }, null, 1)}\n`);
console.log(`${OUT}: ${scenes.length} scenes of ${candidates.length} candidates`);

/** A fact's number to six digits: more than is printed, less than a file's noise. */
function rounded(fact) {
  return { ...fact, value: Number(fact.value.toPrecision(6)) };
}
