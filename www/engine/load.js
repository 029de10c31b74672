// Loads a model folder into the engine: from its address, or from files of this device.

import { EngineError } from './error.js';
import { LARGE_BYTES, bytesOf, forEngine, sizeOf, stepThrough } from './models/content.js';
import { ModelFolder } from './models/folder.js';
import { isDescription, tooLarge } from './models/check.js';
import { Image, capture } from './models/image.js';
import { deleteImage } from './models/image-file.js';
import { localUrl, storeFolder } from './models/store.js';
import { turn } from './post.js';

/**
 * @typedef {import('./build.js').Engine} Engine
 * @typedef {import('./models/content.js').Content} Content
 * @typedef {import('../pkg/translucent.js').Translator} Core
 * @typedef {import('./protocol').Loaded} Loaded
 * @typedef {import('./protocol').Progress['stage']} Stage
 * @typedef {import('./models/image.js').About} About
 * @typedef {import('./models/image.js').Captured} Captured
 */

/**
 * @typedef {object} LoadContext
 * @property {AbortSignal} signal
 * @property {(compiled?: WebAssembly.Module | null) => Promise<Engine>} startEngine With the engine's WebAssembly, where that is at hand.
 * @property {(stage: Stage, loaded: number, total: number) => void} onStage
 * @property {string} [build] The engine's version and flavour; without it no images of models are read or made.
 * @property {() => boolean} [isFresh] Whether the engine has done nothing yet.
 * @property {(restores: boolean) => void} [onRestore] Called when an image is there, and when that came to its end: meanwhile the
 *   engine is to do nothing.
 */
/**
 * @typedef {object} LoadedModel
 * @property {Core} core
 * @property {Omit<Loaded, 'kind' | 'totalMs'>} loaded
 * @property {{ about: About, captured: Captured, model: ReturnType<typeof described> } | undefined} [image] To be stored for the next visit.
 */

/**
 * @param {import('./protocol').Methods['load']['args']} args
 * @param {LoadContext} context
 * @returns {Promise<LoadedModel>}
 */
export async function loadModel({ model: address, files: given, quantize, store = true }, context) {
  const { signal, startEngine, onStage, build = '', isFresh = () => false } = context;
  onStage('engine', 0, 1);
  let folder = new ModelFolder(address);
  if (!given && !quantize && build) {
    const restored = await restore(folder, { ...context, build, isFresh });
    if (restored) return restored;
  }
  const starting = startEngine();
  // The weights need no engine to arrive; its failure is thrown where it is awaited.
  starting.catch(() => {});
  const onProgress = (/** @type {number} */ loaded, /** @type {number} */ total) => onStage('weights', loaded, total);
  let files = await (given ? read(given, signal, onProgress) : folder.fetch({ signal, onProgress }));
  /** @type {Core} */
  let core;
  /** @type {Engine} */
  let api;
  try {
    api = await starting;
    signal.throwIfAborted();
    onStage('prepare', 0, 1);
    await turn();
    signal.throwIfAborted();
    if (quantize) files = await quantized(api, files, signal);
    core = await modelOf(api, files, signal);
  } catch (error) {
    // Files that the core refuses must not come back at the next attempt; after anything else they are still good.
    const code = error instanceof EngineError ? undefined : /** @type {any} */ (error)?.code;
    const refused = typeof code === 'string' && code !== 'Io';
    if (refused && !given) await folder.discard();
    else folder.suspend();
    throw error;
  }
  let stored;
  if (given || quantize) {
    const fetched = folder;
    const suffix = quantize && !folder.names.name.endsWith(' int8') ? ' int8' : '';
    folder = new ModelFolder(localUrl(folder.names.name + suffix));
    // Of what was fetched only to be quantised, no second copy is stored.
    await fetched.discard();
    stored = store && (await storeFolder(folder.url, files));
    folder.downloaded = fetched.downloaded;
  } else stored = await folder.commit();
  const version = stored && build && (await folder.storedVersion());
  /** @type {Captured | null} */
  let captured = null;
  if (version && isFresh()) {
    const exports = await api.default();
    if (isFresh()) ({ core, captured } = capture(api, exports, core));
  }
  onStage('ready', 1, 1);
  const about = described(files);
  const model = { ...folder.names, ...core.info(), flavour: api.simdLevel(), ...about };
  return {
    core,
    loaded: { model, address: folder.url.href, stored, downloaded: folder.downloaded },
    image: captured && version ? { about: { folder: folder.url.href, version, build }, captured, model: about } : undefined,
  };
}

/**
 * The model from the image that an earlier visit stored of the engine's memory.
 * @param {ModelFolder} folder
 * @param {LoadContext & { build: string, isFresh: () => boolean }} context
 * @returns {Promise<LoadedModel | null>} null where there is none that fits: the files are to be read
 */
async function restore(folder, { signal, startEngine, onStage, build, isFresh, onRestore = () => {} }) {
  if (!isFresh()) return null;
  // Asked meanwhile; thrown where it is awaited.
  const current = folder.currentVersion(signal);
  current.catch(() => {});
  const image = await Image.open(folder.url.href, build);
  if (!image) return null;
  onRestore(true);
  let isDamaged = false;
  try {
    const [api, isWhole, version] = await Promise.all([image.compiled().then(startEngine), image.isWhole(), current]);
    signal.throwIfAborted();
    isDamaged = !isWhole;
    if (isDamaged || image.version !== version) return null;
    onStage('prepare', 0, 1);
    const exports = await api.default();
    if (!isFresh()) return null;
    const core = image.restore(api, exports);
    isDamaged = !core;
    if (!core) return null;
    onStage('ready', 1, 1);
    const model = { ...folder.names, ...core.info(), flavour: api.simdLevel(), ...image.model };
    return { core, loaded: { model: /** @type {Loaded['model']} */ (model), address: folder.url.href, stored: true, downloaded: 0 } };
  } finally {
    image.close();
    // The next one takes its place.
    if (isDamaged) await deleteImage(folder.url.href);
    onRestore(false);
  }
}

/**
 * The content of files from this device, by name; large ones are read as the engine needs them.
 * @param {File[]} given
 * @param {AbortSignal} signal
 * @param {(loaded: number, total: number) => void} report
 */
async function read(given, signal, report) {
  const total = given.reduce((sum, file) => sum + file.size, 0);
  /** @type {Map<string, Content>} */
  const files = new Map();
  let loaded = 0;
  for (const file of given) {
    const refused = tooLarge(file.name, file.size);
    if (refused && isDescription(file.name)) continue;
    if (refused) throw new EngineError('ModelFormat', refused);
    try {
      files.set(file.name, file.size > LARGE_BYTES ? file : new Uint8Array(await file.arrayBuffer()));
    } catch (error) {
      throw new EngineError('Io', `${file.name} could not be read: ${error instanceof Error ? error.message : error}`);
    }
    signal.throwIfAborted();
    report((loaded += file.size), total);
  }
  return files;
}

/**
 * A folder's files with 8-bit matrices.
 * @param {Engine} api
 * @param {Map<string, Content>} files
 * @param {AbortSignal} signal
 * @returns {Promise<Map<string, Content>>}
 */
async function quantized(api, files, signal) {
  const weights = /\.(safetensors|bin|index\.json)$/;
  const others = [...files].filter(([name]) => !weights.test(name) || name === 'probes.bin');
  const given = await forEngine(files);
  if (isInMemory(given)) return new Map([...others, ...api.quantizeFolder(given)]);
  const quantizing = new api.Quantizing(given);
  await work(quantizing, () => stepThrough(given, quantizing, signal));
  /** @type {Map<string, Blob>} */
  const changed = new Map();
  // Each part leaves the memory when the next one comes.
  quantizing.finish((name, part) => changed.set(name, new Blob([...(changed.has(name) ? [/** @type {Blob} */ (changed.get(name))] : []), part])));
  const entries = [...changed].map(async ([name, blob]) => /** @type {[string, Content]} */ ([name, /\.safetensors$/.test(name) ? blob : await bytesOf(blob)]));
  return new Map([...others, ...(await Promise.all(entries))]);
}

/** @param {Map<string, Uint8Array | import('./models/content.js').FileContent>} files @returns {files is Map<string, Uint8Array>} */
const isInMemory = (files) => [...files.values()].every((content) => content instanceof Uint8Array);

/**
 * The model of a folder's files.
 * @param {Engine} api
 * @param {Map<string, Content>} files
 * @param {AbortSignal} signal
 * @returns {Promise<Core>}
 */
async function modelOf(api, files, signal) {
  const given = await forEngine(files);
  // What is in memory needs no steps.
  if (isInMemory(given)) return api.Translator.load(given);
  const loading = new api.Loading(given);
  await work(loading, () => stepThrough(given, loading, signal));
  return loading.finish();
}

/**
 * Does work of the engine's, which is freed if it fails.
 * @param {{ free: () => void }} of
 * @param {() => Promise<void>} act
 */
async function work(of, act) {
  try {
    await act();
  } catch (error) {
    of.free();
    throw error;
  }
}

/**
 * What a folder's files say beside the model itself.
 * @param {Map<string, Content>} files
 */
function described(files) {
  // Files of these names are never large.
  const small = (/** @type {string} */ name) => /** @type {Uint8Array | undefined} */ (files.get(name));
  const json = (/** @type {string} */ name) => {
    try {
      const value = JSON.parse(new TextDecoder().decode(small(name)));
      return value !== null && typeof value === 'object' && { [name.replace('.json', '')]: value };
    } catch {
      // A damaged description must not keep a good model from working: the page then shows none.
      return {};
    }
  };
  const bytes = [...files.values()].reduce((sum, file) => sum + sizeOf(file), 0);
  const card = small('README.md');
  const probes = small('probes.bin');
  return {
    bytes,
    ...json('heads.json'),
    ...json('training.json'),
    ...json('metrics.json'),
    ...(probes && { probes }),
    ...(card && { card: new TextDecoder().decode(card) }),
  };
}
