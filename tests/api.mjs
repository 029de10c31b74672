// The public interface of the published libraries as text, read from rustdoc's pages (`cargo xtask test --only doc` makes them):
//     node tests/api.mjs          writes docs/api/*.txt
//     node tests/api.mjs --check  compares them: a change of the interface is seen in review, and stands in the changelog

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const TARGET = process.env.TARGET ?? join(ROOT, 'target');
const LIBRARIES = ['translucent', 'translucent_kernels', 'translucent_metrics', 'translucent_learn'];

/** Markup as one line of text. @param {string} html */
const plain = (html) =>
  html.replace(/<[^>]*>/g, '').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&nbsp;', ' ').replaceAll('&amp;', '&').replace(/\s+/g, ' ').trim();

/**
 * An item with its inherent methods and constants.
 * @param {string} path such as `search::SearchOptions`
 * @param {string} html
 */
function item(path, html) {
  const declaration = plain(/<pre class="rust item-decl">([\s\S]*?)<\/pre>/.exec(html)?.[1] ?? '');
  const [inherent] = html.split('id="trait-implementations"');
  const methods = [...inherent.matchAll(/<section id="(?:method|associatedconstant)\.[^>]*>[\s\S]*?<h4 class="code-header">([\s\S]*?)<\/h4>/g)];
  const own = methods.map(([, header]) => plain(header)).filter((header) => header.startsWith('pub '));
  return [`${path}: ${declaration}`, ...own.map((header) => `    ${header}`)];
}

/** @param {string} library */
function listing(library) {
  const dir = join(TARGET, 'doc', library);
  const all = readFileSync(join(dir, 'all.html'), 'utf8');
  const items = [...all.matchAll(/<li><a href="([^"]+)">([^<]+)<\/a><\/li>/g)].map(([, href, name]) => item(name, readFileSync(join(dir, href), 'utf8')));
  if (items.length < 5) throw new Error(`${dir} lists ${items.length} items: run cargo xtask test --only doc`);
  return `${items.sort(([a], [b]) => (a < b ? -1 : 1)).flat().join('\n')}\n`;
}

let differ = false;
mkdirSync(join(ROOT, 'docs/api'), { recursive: true });
for (const library of LIBRARIES) {
  const file = join(ROOT, 'docs/api', `${library}.txt`);
  const now = listing(library);
  if (!process.argv.includes('--check')) writeFileSync(file, now);
  else {
    const before = readFileSync(file, 'utf8');
    if (before === now) continue;
    differ = true;
    const [old, fresh] = [before, now].map((text) => new Set(text.split('\n')));
    for (const line of old) if (!fresh.has(line)) console.error(`- ${library} ${line}`);
    for (const line of fresh) if (!old.has(line)) console.error(`+ ${library} ${line}`);
  }
}
if (differ) {
  console.error('The public interface has changed. Write it down in CHANGELOG.md, then: node tests/api.mjs');
  process.exit(1);
}
