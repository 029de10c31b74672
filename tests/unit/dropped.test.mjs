// Of what a reader drops, the files of one model folder are kept: all that the engine or the page reads.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modelFolder } from '../../www/page/models/dropped.js';

/** @param {string[]} names in a folder `mine` */
const dropped = (names) => {
  const folder = modelFolder(names.map((name) => ({ path: `mine/${name}`, file: /** @type {File} */ ({ name }) })));
  return 'files' in folder ? { name: folder.name, files: folder.files.map(({ name }) => name) } : folder;
};

test('what the engine reads is kept, what it does not read is left out', () => {
  const read = ['config.json', 'generation_config.json', 'model.safetensors', 'source.spm', 'target.spm', 'vocab.json', 'heads.json', 'training.json', 'metrics.json', 'probes.bin', 'README.md', 'LICENSE'];
  assert.deepEqual(dropped([...read, '.gitattributes', 'tf_model.h5', 'flax_model.msgpack', 'metrics.jsonl']), { name: 'mine', files: read });
});

test('of the weights of a hub’s repository one file is kept', () => {
  assert.deepEqual(dropped(['config.json', 'pytorch_model.bin', 'model.safetensors']), { name: 'mine', files: ['config.json', 'model.safetensors'] });
});
