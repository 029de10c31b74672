/** The boxes of Figure 1 in the order of the computation: what each does at the decoding step at hand, with its shapes. */

/** @import { State } from '../../app/state.js' */
import { START_LABEL, pieceLabel } from '../../app/maps.js';
import { shownStep, stepCount } from '../../app/select.js';
import { formatWeight } from '../../ui/numbers.js';

/**
 * @typedef {object} Stop
 * @property {string} at selector of the box in the stage
 * @property {string} title
 * @property {string} says
 * @property {string} shapes of what goes in, of what is between, and of what comes out
 * @property {string} out shape of what comes out, as it stands on the box
 */

const by = (/** @type {(string|number)[]} */ ...sizes) => sizes.join(' × ');
const NORM = 'The sub-layer’s input is added to its output. Then each row is brought to mean 0 and variance 1, scaled and shifted.';

/**
 * @param {State} state
 * @returns {Stop[]}
 */
export function stopsOf(state) {
  const config = state.model?.config;
  const d = config?.dModel ?? 'd_model';
  /** @param {import('../../engine/protocol').Widths|undefined} widths @returns {Sizes} */
  const sizes = (widths) => ({ d, heads: widths?.nHeads ?? 'h', dk: widths?.dK ?? 'd_k', dv: widths?.dV ?? 'd_v', ff: widths?.dFf ?? 'd_ff', vocabulary: config?.vocabSize ?? 'vocabulary' });
  return [...encoderStops(state, sizes(config)), ...decoderStops(state, sizes(config?.decoder))];
}

/** @typedef {Record<'d'|'heads'|'dk'|'dv'|'ff'|'vocabulary', number|string>} Sizes */

/**
 * The shapes in one head.
 * @param {number|string} queries
 * @param {number|string} keys
 * @param {Sizes} sizes
 */
const headShapes = (queries, keys, { dk, dv }) => `each head: Q ${by(queries, dk)}, K ${by(keys, dk)}, V ${by(keys, dv)}, weights ${by(queries, keys)}`;

/**
 * @param {State} state
 * @param {Sizes} sizes
 * @returns {Stop[]}
 */
function encoderStops({ observation, model, layers }, sizes) {
  const { d, heads, ff } = sizes;
  const n = observation?.source.length || 'n';
  const rows = by(n, d);
  const count = model?.config.encoderLayers ?? 'N';
  const within = '.encoder .block ';
  const norm = (/** @type {number} */ which) => ({ at: `${within}.norm >> ${which}`, title: 'Add & Norm', says: NORM, shapes: `${rows} + ${rows} → ${rows}`, out: rows });
  return [
    { at: '.encoder .chips', title: 'Inputs', says: `The sentence as ${n} pieces, the end mark last. Each piece is a number of the vocabulary.`, shapes: `${n} numbers`, out: String(n) },
    { at: '.encoder .embedding', title: 'Input Embedding', says: 'Every piece has a learned vector. It is looked up and multiplied by √d_model.', shapes: `${n} → ${rows}`, out: rows },
    { at: '.encoder .strip-button', title: 'Positional Encoding', says: 'A vector for each position is added. Without it the order of the words would be lost.', shapes: `${rows} + ${rows} → ${rows}`, out: rows },
    { at: `${within}.attention`, title: 'Multi-Head Attention', says: `Every position reads every position. ${heads} heads do so side by side; their outputs are joined and multiplied by W^O.`, shapes: `${headShapes(n, n, sizes)}; together ${rows}`, out: rows },
    norm(0),
    { at: `${within}.forward`, title: 'Feed Forward', says: 'Two linear maps with an activation in between, for each position by itself.', shapes: `${rows} → ${by(n, ff)} → ${rows}`, out: rows },
    norm(1),
    { at: '.encoder .ladder', title: `Layers 1 to ${count}`, says: `What you saw is layer ${layers.encoder + 1}. Each layer reads the rows of the one below, with weights of its own.`, shapes: `${count} times ${rows} → ${rows}`, out: '' },
    { at: '.memory-label', title: 'Memory', says: 'The last layer’s output. It is computed once; every layer of the decoder reads it at every step.', shapes: rows, out: '' },
  ];
}

/**
 * @param {State} state
 * @param {Sizes} sizes
 * @returns {Stop[]}
 */
function decoderStops(state, sizes) {
  const { d, heads, ff, vocabulary } = sizes;
  const { observation, model, layers, mode } = state;
  const training = mode === 'training';
  const n = observation?.source.length || 'n';
  const t = shownStep(state);
  const read = training ? stepCount(observation) || 'm' : t + 1;
  // A translation is decoded row by row: what earlier rows gave is in the cache.
  const now = training ? read : 1;
  const rows = by(now, d);
  const count = model?.config.decoderLayers ?? 'N';
  const piece = observation?.target[t];
  const input = t === 0 || !observation ? START_LABEL : pieceLabel(observation.target[t - 1]);
  // No step reads the end mark.
  const next = piece?.text === '</s>' ? 'Decoding ends here.' : 'The next step reads it as its input.';
  const predicted = observation?.steps[t]?.pieces.find(({ id }) => id === piece?.id);
  const within = '.decoder .block ';
  const norm = (/** @type {number} */ which) => ({ at: `${within}.norm >> ${which}`, title: 'Add & Norm', says: NORM, shapes: `${rows} + ${rows} → ${rows}`, out: rows });
  const inputs = training
    ? `In training all ${read} inputs are there at once: the start symbol and the true pieces before each prediction.`
    : `Step ${t + 1}: the decoder has read ${t === 0 ? 'the start symbol alone' : `${t} predicted ${t === 1 ? 'piece' : 'pieces'} after the start symbol`}. The new input is “${input}”.`;
  const masked = training
    ? 'Each position reads itself and those before it. Later ones are masked.'
    : 'The new position reads itself and those before it, whose keys and values are cached. Later ones do not exist yet.';
  return [
    { at: '.decoder .chips', title: 'Outputs (shifted right)', says: inputs, shapes: `${now} of ${read} numbers`, out: String(now) },
    { at: '.decoder .embedding', title: 'Output Embedding', says: 'The input’s learned vector, multiplied by √d_model.', shapes: `${now} → ${rows}`, out: rows },
    { at: '.decoder .strip-button', title: 'Positional Encoding', says: 'The vector of its position is added.', shapes: `${rows} + ${rows} → ${rows}`, out: rows },
    { at: `${within}.decoderSelf`, title: 'Masked Multi-Head Attention', says: masked, shapes: `${headShapes(now, read, sizes)}; ${heads} heads together ${rows}`, out: rows },
    norm(0),
    { at: `${within}.cross`, title: 'Multi-Head Attention over the memory', says: 'Queries come from the decoder, keys and values from the memory: here the translation reads the source.', shapes: `${headShapes(now, n, sizes)}; together ${rows}`, out: rows },
    norm(1),
    { at: `${within}.forward`, title: 'Feed Forward', says: 'As in the encoder, with weights of its own.', shapes: `${rows} → ${by(now, ff)} → ${rows}`, out: rows },
    norm(2),
    { at: '.decoder .ladder', title: `Layers 1 to ${count}`, says: `What you saw is layer ${layers.decoder + 1}. The same boxes stand in each of ${count} layers.`, shapes: `${count} times ${rows} → ${rows}`, out: '' },
    { at: '.output .linear', title: 'Linear', says: 'One number for each piece of the vocabulary: the logits.', shapes: `${rows} → ${by(now, vocabulary)}`, out: by(now, vocabulary) },
    { at: '.output .softmax', title: 'Softmax', says: 'Exponentials divided by their sum: probabilities of the next piece.', shapes: `${by(now, vocabulary)} → ${by(now, vocabulary)}`, out: by(now, vocabulary) },
    {
      at: '.output .probabilities',
      title: 'Output probabilities',
      says: piece ? `“${pieceLabel(piece)}” is predicted${predicted ? ` with probability ${formatWeight(predicted.probability)}` : ''}. ${next}` : 'The next step reads the predicted piece as its input.',
      shapes: `${by(now, vocabulary)} → ${now}`,
      out: '',
    },
  ];
}
