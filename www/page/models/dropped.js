/** Files that a reader drops or chooses, sifted to those of one model folder. */

/** Files of a model folder that the engine or the page reads. */
const OURS = /^(config\.json|generation_config\.json|source\.spm|target\.spm|vocab\.json|target_vocab\.json|pytorch_model\.bin|.*\.safetensors|model\.safetensors\.index\.json|heads\.json|training\.json|metrics\.json|probes\.bin|README\.md|LICENSE|tokenizer_config\.json)$/;
/** Depth to which folders are searched: a download often has a folder around it. */
const DEPTH = 4;

/** @typedef {{ path: string, file: File }} Found A file, and where it lies in what was given. */

/**
 * The dialogs that take files, each loaded when it is asked for.
 * @typedef {object} Dialogs
 * @property {() => Promise<ReturnType<typeof import('../files/files.js').filesDialog>>} file
 * @property {() => Promise<ReturnType<typeof import('./models.js').modelsDialog>>} models
 */

/** Names of a single file that is a part of a model. Any other opens the dialog for files, which says what it cannot read. */
const PART = /\.(json|safetensors|bin|spm)$/i;

/**
 * Gives what was dropped to the dialog that it is for.
 * @param {(FileSystemEntry | null)[]} entries
 * @param {Dialogs} dialogs
 */
export async function give(entries, dialogs) {
  const reading = filesOf(entries);
  const found = await reading.catch(() => []);
  if (found.length !== 1 || PART.test(found[0].file.name)) return (await dialogs.models()).take(reading);
  const dialog = await dialogs.file();
  dialog.open();
  dialog.take(found[0].file);
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
