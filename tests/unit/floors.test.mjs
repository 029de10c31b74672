// The rooms of the page and what each may import: an import that runs back up is a fault.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import test from 'node:test';

const WWW = join(import.meta.dirname, '../../www');

/** What a room may import, beside itself. @type {Record<string, string[]>} */
const MAY = { engine: [], app: ['engine'], draw: [], ui: ['draw'], page: ['app', 'ui', 'draw'], tabs: ['app', 'ui', 'draw'], elements: ['engine', 'app', 'ui', 'draw'] };

/**
 * The elements show the search tree of its tab. The dialog of models reads folders and archives as the engine does; the workers of the
 * learning package choose their build and read models as the engine does.
 */
const EXCEPT = new Set([
  'elements/beam.js tabs/alternatives/beam-tree.js',
  'page/models/models.js engine/models/cache.js',
  'page/models/models.js engine/models/store.js',
  'tabs/learning/worker.js engine/build.js',
  'tabs/attention/depends-worker.js engine/build.js',
  'tabs/attention/depends-worker.js engine/models/content.js',
  'tabs/attention/depends-worker.js engine/models/folder.js',
]);

const modules = readdirSync(WWW, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
  .map((entry) => relative(WWW, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  .filter((path) => path.includes('/') && !path.startsWith('vendor/'));

/** What a module imports, without the types in its comments. @param {string} path */
function imports(path) {
  const code = readFileSync(join(WWW, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  return [...code.matchAll(/\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)].map(([, address]) => posix.join(dirname(path), address));
}

const room = (/** @type {string} */ path) => path.split('/')[0];

test('each room imports only what lies below it', () => {
  assert.ok(modules.length > 50);
  for (const path of modules) {
    // The engine's build lies beside the page.
    for (const to of imports(path).filter((to) => !to.startsWith('..') && room(to) !== 'pkg')) {
      assert.ok(room(to) === room(path) || MAY[room(path)]?.includes(room(to)) || EXCEPT.has(`${path} ${to}`), `${path} imports ${to}`);
    }
  }
});

test('a tab never imports another tab', () => {
  for (const path of modules.filter((path) => room(path) === 'tabs' && path !== 'tabs/list.js')) {
    for (const to of imports(path).filter((to) => room(to) === 'tabs')) assert.equal(to.split('/')[1], path.split('/')[1], `${path} imports ${to}`);
  }
});

/** @param {string} path */
const codeOf = (path) => readFileSync(join(WWW, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

test('only app/ writes the store: elsewhere an action is called by its name', () => {
  const writers = ['main.js', 'boot.js', ...modules].filter((path) => room(path) !== 'app' && /\bstore\.set\(/.test(codeOf(path)));
  assert.deepEqual(writers, []);
});

test('a name has one door: no module passes on what it imports', () => {
  const passing = modules.filter((path) => /^export\s*(\{[^}]*\}|\*)\s*from\b/m.test(codeOf(path)));
  assert.deepEqual(passing, []);
});

test('app/ knows no DOM', () => {
  const touching = modules.filter((path) => room(path) === 'app' && /\bdocument\.|\bquerySelector|\bHTMLElement\b/.test(codeOf(path)));
  assert.deepEqual(touching, []);
});

test('browser tests use the page as a reader does: its store is neither written nor read', () => {
  const tests = join(import.meta.dirname, '../e2e');
  const files = ['lib', 'specs'].flatMap((folder) => readdirSync(join(tests, folder)).map((name) => join(tests, folder, name)));
  assert.ok(files.length > 30);
  for (const path of files) assert.doesNotMatch(readFileSync(path, 'utf8'), /translucent\s*\??\.\s*store|\bstore\.(get|set)\(/, path);
});

test('browser tests press buttons with the pointer or the keys, never by script', () => {
  const specs = join(import.meta.dirname, '../e2e/specs');
  for (const name of readdirSync(specs)) {
    const scripted = [...readFileSync(join(specs, name), 'utf8').matchAll(/(?:querySelector(?:All)?\([^\n]*|\bfind\([^\n]*)\.click\(\)/g)].map(([found]) => found);
    assert.deepEqual(scripted, [], name);
  }
});
