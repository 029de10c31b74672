/** What is wrong with a model that the reader gave, why, and what to do about it. */

import { reasonOf } from '../../app/failure.js';

/** @type {Record<string, {title: string, remedy: string}>} */
const WORDS = {
  ModelFormat: { title: 'A file cannot be used', remedy: 'Download this file again. On Hugging Face the “Files” tab lists them all.' },
  ConfigInvalid: { title: 'The configuration cannot be read', remedy: 'Only MarianMT models (opus-mt, tc-big) and this project’s own run here.' },
  TokenizerFormat: { title: 'The tokenizer does not fit', remedy: 'Take source.spm, target.spm and vocab.json from the same model as the weights.' },
  ShapeMismatch: { title: 'The tensors do not fit the configuration', remedy: 'Take config.json and the weights from the same model.' },
  DownloadFailed: { title: 'It could not be downloaded', remedy: 'Check the address. The host must allow other pages to read its files (CORS), as huggingface.co does. If not, download the files and drop them here.' },
  ModelMissing: { title: 'The files are gone', remedy: 'The browser may have deleted them. Add them again.' },
  Io: { title: 'A file could not be read', remedy: 'It may have been moved or changed. Choose the files again.' },
  EngineCrashed: { title: 'The engine stopped', remedy: 'The model may need more memory than this device has. Try it as 8-bit integers, or try a smaller model.' },
};

/**
 * @param {unknown} error
 * @param {{ name: string, kept: string }} about `kept`: the model that still translates, if there is one
 */
export function modelFailure(error, { name, kept }) {
  const { known, why } = reasonOf(error, WORDS);
  const stays = kept ? ` Still translating with ${kept}; your text is kept.` : ' Your text is kept.';
  return {
    title: `${name}: ${known ? known.title[0].toLowerCase() + known.title.slice(1) : 'it could not be loaded'}`,
    why,
    remedy: (known?.remedy ?? 'Try again.') + stays,
  };
}
