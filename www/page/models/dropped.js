/** Files that a reader drops or chooses, sifted to those of one model folder. */

/** Files of a model folder that the engine or the page reads. */
const OURS = /^(config\.json|generation_config\.json|source\.spm|target\.spm|vocab\.json|target_vocab\.json|pytorch_model\.bin|.*\.safetensors|model\.safetensors\.index\.json|heads\.json|training\.json|probes\.bin|README\.md|LICENSE|tokenizer_config\.json)$/;
/** Depth to which folders are searched: a download often has a folder around it. */
const DEPTH = 4;

/** @typedef {{ path: string, file: File }} Found A file, and where it lies in what was given. */

/**
 * @typedef {object} Takers
 * @property {(file: File) => Promise<boolean>} file translates a document, if the file is one
 * @property {(reading: Promise<Found[]>) => void} model
 */

/**
 * Gives what was dropped to whom it is for.
 * @param {(FileSystemEntry | null)[]} entries
 * @param {Takers} takers
 */
export async function give(entries, { file, model }) {
  const reading = filesOf(entries);
  const found = await reading.catch(() => []);
  if (found.length !== 1 || !(await file(found[0].file))) model(reading);
}

/**
 * Everything in what was dropped; rejects with an `Io` error where a part of it cannot be read.
 * @param {(FileSystemEntry | null)[]} entries
 * @returns {Promise<Found[]>}
 */
async function filesOf(entries) {
  const found = await Promise.all(entries.map((entry) => (entry ? walk(entry, '', DEPTH) : [])));
  return found.flat();
}

/**
 * What a file picker gave.
 * @param {FileList | null} list
 * @returns {Found[]}
 */
export const chosenFiles = (list) => [...(list ?? [])].map((file) => ({ file, path: file.webkitRelativePath || file.name }));

/**
 * @param {FileSystemEntry} entry
 * @param {string} above
 * @param {number} depth
 * @returns {Promise<Found[]>}
 */
async function walk(entry, above, depth) {
  const path = above + entry.name;
  const unreadable = (/** @type {DOMException} */ why) => Promise.reject(Object.assign(new Error(`${path} could not be read: ${why.message}`), { code: 'Io' }));
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject)).catch(unreadable);
    return [{ path, file }];
  }
  if (depth === 0) return [];
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  /** @type {Found[]} */
  const found = [];
  for (;;) {
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject)).catch(unreadable);
    if (some.length === 0) return found;
    for (const inner of some) found.push(...(await walk(inner, `${path}/`, depth - 1)));
  }
}

/**
 * The one model folder among files, and what it is called.
 * @param {Found[]} found
 * @returns {{ name: string, files: File[] } | { problem: string }}
 */
export function modelFolder(found) {
  const folderOf = (/** @type {string} */ path) => path.slice(0, path.lastIndexOf('/') + 1);
  const folders = [...new Set(found.filter(({ path }) => /(^|\/)config\.json$/.test(path)).map(({ path }) => folderOf(path)))];
  if (folders.length !== 1) {
    const names = found.slice(0, 6).map(({ file }) => file.name).join(', ') || 'nothing';
    return {
      problem:
        folders.length === 0
          ? `The files hold no config.json (${names}${found.length > 6 ? ', …' : ''}).`
          : `There are ${folders.length} models: ${folders.map((folder) => folder || 'the files themselves').join(', ')}. Add one at a time.`,
    };
  }
  const inside = found.filter(({ path, file }) => folderOf(path) === folders[0] && OURS.test(file.name));
  // A clone of the hub's repository has the same weights two or three times.
  const whole = inside.some(({ file }) => file.name === 'model.safetensors');
  const files = inside.map(({ file }) => file).filter(({ name }) => !whole || (name !== 'pytorch_model.bin' && (name === 'model.safetensors' || !name.endsWith('.safetensors'))));
  return { name: folders[0].split('/').at(-2) || 'dropped model', files };
}
