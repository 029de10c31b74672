/** What is wrong with a model that the reader gave, why, and what to do about it. */

import { reasonOf } from '../../app/failure.js';

/** @type {Record<string, {title: string, remedy: string}>} */
const WORDS = {
  ModelFormat: { title: 'A file of it cannot be used', remedy: 'Get the file named above again from where the model comes from; the hub’s “Files” tab has them all.' },
  ConfigInvalid: { title: 'Its configuration is not understood', remedy: 'Only MarianMT models (opus-mt, tc-big) and this project’s own run here; config.json says what a model is.' },
  TokenizerFormat: { title: 'Its tokenizer does not fit', remedy: 'source.spm, target.spm and vocab.json must be of the same model as the weights.' },
  ShapeMismatch: { title: 'Its tensors do not fit its configuration', remedy: 'config.json and the weights must be of the same model.' },
  DownloadFailed: { title: 'It could not be fetched', remedy: 'Check the address. The host must allow pages to read its files (CORS), as huggingface.co does; otherwise download them and drop them here.' },
  ModelMissing: { title: 'Its files are gone', remedy: 'The browser may have cleared them: give them again.' },
  Io: { title: 'A file could not be read', remedy: 'It may have been moved or changed since it was chosen: give the files again.' },
  EngineCrashed: { title: 'The engine stopped', remedy: 'The model may be larger than this device’s memory: try it with 8-bit integers, or a smaller one.' },
};

/**
 * @param {unknown} error
 * @param {{ name: string, kept: string }} about `kept`: the model that goes on translating, if there is one
 */
export function modelFailure(error, { name, kept }) {
  const { known, why } = reasonOf(error, WORDS);
  const stays = kept ? ` ${kept} goes on translating, and your text is kept.` : ' Your text is kept.';
  return {
    title: `${name}: ${known ? known.title[0].toLowerCase() + known.title.slice(1) : 'it could not be loaded'}`,
    why,
    remedy: (known?.remedy ?? 'Try again.') + stays,
  };
}
