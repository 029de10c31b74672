// Settings in the address and in files of scenes: published names, nothing else is read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFragment, registerTabs, writeFragment } from '../../www/app/fragment.js';
import { checkSize, parseLesson, sceneNow, writeLesson } from '../../www/app/scene-file.js';
import { NO_MARKS, initialState } from '../../www/app/state.js';

registerTabs(['attention', 'arithmetic', 'model']);

test('defaults leave the address empty, and it never holds the text unless it is shared', () => {
  const state = { ...initialState(), text: 'secret' };
  assert.equal(writeFragment(state), '');
  assert.equal(writeFragment(state, 'shared & more'), 'text=shared+%26+more');
});

test('settings come back as they were written, under the names that links have had from the start', () => {
  /** @type {Partial<import('../../www/app/state.js').State>} */
  const chosen = { tab: 'arithmetic', unit: 'words', specialTokens: 'hidden', steerView: 'beam', theme: 'dark', beam: 6, alpha: 1.2, temperature: 0.7, topK: 5, topP: 0.9, seed: 12, allLayers: true };
  const fragment = writeFragment({ ...initialState(), ...chosen });
  assert.match(fragment, /\bby=words\b.*\bspecial=hidden\b.*\bsteer=beam\b/);
  const { settings, link } = readFragment(`#${fragment}`);
  assert.deepEqual(settings, { ...chosen, layout: 'page' });
  assert.deepEqual(link, { text: null, scenes: null, scene: 0, sentence: 0, held: null, step: null, model: null });
});

test('what is no setting, or no value of one, is ignored', () => {
  const { settings } = readFragment('#tab=__proto__&unit=words&by=letters&beam=99&alpha=-1&theme=&phase=ready');
  assert.deepEqual(settings, { layout: 'page' });
});

test('a shared link names the sentence, what is held, the step and the model, counted from 1; what names nothing is ignored', () => {
  const held = { head: { kind: /** @type {const} */ ('cross'), layer: 2, head: 7 }, token: { side: /** @type {const} */ ('target'), index: 4 }, cell: { row: 4, col: 2 } };
  const model = /** @type {any} */ ({ name: 'en-de', hash: 'ab'.repeat(32) });
  const observation = /** @type {any} */ ({ sentence: 1 });
  const fragment = writeFragment({ ...initialState(), observation, held, step: 4, stepChosen: true, model }, 'A dog.');
  assert.equal(fragment, 'sentence=2&head=cross.3.8&piece=target.5&cell=5.3&step=5&model=en-de%40abababababababab&text=A+dog.');
  const { link } = readFragment(fragment);
  assert.deepEqual(link, { text: 'A dog.', scenes: null, scene: 0, sentence: 1, held, step: 4, model: { name: 'en-de', hash: 'ab'.repeat(8) } });
  assert.deepEqual(readFragment('#head=cross.0.1&piece=left.1&cell=1&step=x&scene=0&sentence=0&model=a@xyz').link, { text: null, scenes: null, scene: 0, sentence: 0, held: null, step: null, model: null });
  const lesson = { title: '', scenes: [] };
  assert.equal(writeFragment({ ...initialState(), lesson, lessonSource: 'tour', scene: 2 }), 'scenes=tour&scene=3');
  assert.equal(writeFragment({ ...initialState(), lesson, lessonSource: 'exercises' }), 'scenes=exercises&scene=1');
  assert.equal(writeFragment({ ...initialState(), lesson, lessonSource: 'own:1', scene: 2 }), '', 'what lies on this device has no address');
});

test('a scene keeps settings, marks and step through its file', () => {
  const held = { head: { kind: /** @type {const} */ ('cross'), layer: 1, head: 2 }, token: null, cell: { row: 1, col: 0 } };
  const scene = sceneNow({ ...initialState(), text: 'A dog.', unit: 'words', steerView: 'beam', held, step: 2, stepChosen: true });
  const file = writeLesson({ title: 'One', scenes: [scene] });
  assert.deepEqual(JSON.parse(file).scenes[0].view.by, 'words');
  assert.deepEqual(parseLesson(file), { title: 'One', scenes: [scene] });
});

test('a file that is no list of scenes is refused with its fault', () => {
  const scene = { text: 'A dog.' };
  for (const [file, fault] of /** @type {[unknown, RegExp][]} */ ([
    ['no JSON', /no JSON/],
    [{ scenes: [scene] }, /"format": 1/],
    [{ format: 1, scenes: [] }, /no list "scenes"/],
    [{ format: 1, scenes: [{ text: ' ' }] }, /scene 1: text is empty/],
    [{ format: 1, scenes: [scene, { ...scene, view: { by: 'letters' } }] }, /scene 2: by is none of pieces, words/],
    [{ format: 1, scenes: [{ ...scene, held: { token: { side: 'source', index: -1 } } }] }, /index is no whole number/],
    [{ format: 1, scenes: [{ ...scene, model: 'x' }] }, /SHA-256/],
  ])) {
    assert.throws(() => parseLesson(typeof file === 'string' ? file : JSON.stringify(file)), fault);
  }
  assert.deepEqual(parseLesson(JSON.stringify({ format: 1, scenes: [scene] })).scenes[0].held, NO_MARKS);
});

test('a list that is too large is refused by name, but read: on this device it is not lost', () => {
  const scene = { text: 'A dog.' };
  for (const [file, fault] of /** @type {[any, RegExp][]} */ ([
    [{ scenes: Array(301).fill(scene) }, /301 scenes, at most 300/],
    [{ scenes: [scene], title: 'a'.repeat(201) }, /title of the list has 201 characters, at most 200/],
    [{ scenes: [scene, { text: 'a'.repeat(20_001) }] }, /scene 2: text has 20001 characters/],
    [{ scenes: [{ ...scene, title: 'a'.repeat(201) }] }, /scene 1: title has 201 characters/],
    ...['caption', 'question', 'answer'].map((key) => [{ scenes: [{ ...scene, [key]: 'a'.repeat(4_001) }] }, new RegExp(`scene 1: ${key} has 4001 characters`)]),
  ])) {
    const lesson = parseLesson(JSON.stringify({ format: 1, ...file }));
    assert.throws(() => checkSize(lesson), fault);
    assert.deepEqual(parseLesson(writeLesson(lesson)), lesson);
  }
});
