// Loads a model folder into the engine: from its address, or from files of this device.

import { EngineError } from './error.js';
import { ModelFolder } from './models/folder.js';
import { isDescription, tooLarge } from './models/check.js';
import { Image, capture } from './models/image.js';
import { localUrl, storeFolder } from './models/store.js';
import { turn } from './post.js';

/**
 * @typedef {import('./build.js').Engine} Engine
 * @typedef {import('../pkg/translucent.js').Translator} Core
 * @typedef {import('./protocol').Loaded} Loaded
 * @typedef {import('./protocol').Progress['stage']} Stage
 * @typedef {import('./models/image.js').About} About
 * @typedef {import('./models/image.js').Captured} Captured
 */

/**
 * @typedef {object} LoadContext
 * @property {AbortSignal} signal
 * @property {() => Promise<Engine>} startEngine
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
  const starting = startEngine();
  // The weights need no engine to arrive; its failure is thrown where it is awaited.
  starting.catch(() => {});
  if (!given && !quantize && build) {
    const restored = await restore(folder, starting, { ...context, build, isFresh });
    if (restored) return restored;
  }
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
    if (quantize) files = quantized(api, files);
    core = api.Translator.load(files);
  } catch (error) {
    // Files that the core refuses must not come back at the next attempt; after anything else they are still good.
    const refused = !(error instanceof EngineError) && typeof /** @type {any} */ (error)?.code === 'string';
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
 * @param {Promise<Engine>} starting
 * @param {LoadContext & { build: string, isFresh: () => boolean }} context
 * @returns {Promise<LoadedModel | null>} null where there is none that fits: the files are to be read
 */
async function restore(folder, starting, { signal, onStage, build, isFresh, onRestore = () => {} }) {
  if (!isFresh()) return null;
  const image = await Image.open(folder.url.href, build);
  if (!image) return null;
  onRestore(true);
  try {
    const [api, version] = await Promise.all([starting, folder.currentVersion(signal)]);
    signal.throwIfAborted();
    if (image.version !== version) return null;
    onStage('prepare', 0, 1);
    const exports = await api.default();
    const core = isFresh() ? image.restore(api, exports) : null;
    if (!core) return null;
    onStage('ready', 1, 1);
    const model = { ...folder.names, ...core.info(), flavour: api.simdLevel(), ...image.model };
    return { core, loaded: { model: /** @type {Loaded['model']} */ (model), address: folder.url.href, stored: true, downloaded: 0 } };
  } finally {
    image.close();
    onRestore(false);
  }
}

/**
 * The content of files from this device, by name.
 * @param {File[]} given
 * @param {AbortSignal} signal
 * @param {(loaded: number, total: number) => void} report
 */
async function read(given, signal, report) {
  const total = given.reduce((sum, file) => sum + file.size, 0);
  /** @type {Map<string, Uint8Array>} */
  const files = new Map();
  let loaded = 0;
  for (const file of given) {
    const refused = tooLarge(file.name, file.size);
    if (refused && isDescription(file.name)) continue;
    if (refused) throw new EngineError('ModelFormat', refused);
    try {
      files.set(file.name, new Uint8Array(await file.arrayBuffer()));
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
 * @param {Map<string, Uint8Array>} files
 */
function quantized(api, files) {
  const weights = /\.(safetensors|bin|index\.json)$/;
  const others = [...files].filter(([name]) => !weights.test(name) || name === 'probes.bin');
  return new Map([...others, ...api.quantizeFolder(files)]);
}

/**
 * What a folder's files say beside the model itself.
 * @param {Map<string, Uint8Array>} files
 */
function described(files) {
  const json = (/** @type {string} */ name) => {
    try {
      const value = JSON.parse(new TextDecoder().decode(files.get(name)));
      return value !== null && typeof value === 'object' && { [name.replace('.json', '')]: value };
    } catch {
      // A damaged description must not keep a good model from working: the page then shows none.
      return {};
    }
  };
  const bytes = [...files.values()].reduce((sum, file) => sum + file.length, 0);
  const card = files.get('README.md');
  const probes = files.get('probes.bin');
  return {
    bytes,
    ...json('heads.json'),
    ...json('training.json'),
    ...json('metrics.json'),
    ...(probes && { probes }),
    ...(card && { card: new TextDecoder().decode(card) }),
  };
}
