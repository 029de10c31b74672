// The elements where no browser runs, and their colours beside the page's.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const WWW = join(import.meta.dirname, '../../www');

test('on a server the elements load and do nothing', async () => {
  await import('../../www/elements/elements.js');
  assert.equal(globalThis.customElements, undefined);
});

test('the colours of the elements are those of the page, light and dark', () => {
  const base = readFileSync(join(WWW, 'ui/base.css'), 'utf8');
  const style = readFileSync(join(WWW, 'elements/style.js'), 'utf8');
  const colours = (/** @type {string} */ text) => new Map([...text.matchAll(/^\s*(--[\w-]+): (.*);$/gm)].map(([, name, value]) => [name, value]));
  const themes = [
    [/const LIGHT = `([^`]*)`/, /:root \{([^}]*)\}/, 15],
    [/const DARK = `([^`]*)`/, /:root\[data-theme='dark'\] \{([^}]*)\}/, 10],
  ];
  for (const [own, page, least] of themes) {
    const of = colours(own.exec(style)[1]);
    const there = colours(page.exec(base)[1]);
    assert.ok(of.size >= least);
    for (const [name, value] of of) assert.equal(value, there.get(name), name);
  }
});
