// Measures groups in the browser and prints each as a line of JSON: { group, browser, result }.
// usage: node run.mjs '{"url":…,"root":…,"cache":…,"chromium":…,"quick":false,"groups":["limits"]}'

import { Bench } from './browser.mjs';
import { GROUPS } from './groups.mjs';

const { groups, ...settings } = JSON.parse(process.argv[2]);
const bench = new Bench(settings);
for (const group of groups) {
  const measure = GROUPS[group];
  if (!measure) throw new Error(`there is no group ${group}; there are ${Object.keys(GROUPS).join(', ')}`);
  const result = await measure(bench);
  console.log(JSON.stringify({ group, browser: bench.version, result }));
}
