/** The words and symbols of the paper: what each means, where the paper says it, and its value in the model at hand. */

/** @import * as P from '../../engine/protocol' */

/**
 * @typedef {object} Entry
 * @property {string} name as the paper writes it; symbols as `math` reads them
 * @property {string} section of the paper; empty where it is a word of others
 * @property {string} means
 * @property {(config: P.ModelConfig) => string} [here] its value in this model
 */

/** @type {Record<string, Entry>} */
export const GLOSSARY = {
  attention: { name: 'Attention', section: '§3.2', means: 'Maps a query and a set of key–value pairs to an output: a weighted sum of the values, each weight computed from the query and that value’s key.' },
  qkv: { name: 'Q, K, V', section: '§3.2.1', means: 'Queries, keys and values: the rows of three matrices, one row for each position. A query is compared with every key; the weights that come out are those of the values.' },
  heads: {
    name: 'Multi-Head Attention',
    section: '§3.2.2',
    means: 'Several attention functions side by side, each on projections of its own; their outputs are concatenated and projected once more with W^O. Each of them is a head.',
    here: ({ nHeads }) => `h = ${nHeads} heads`,
  },
  masked: { name: 'Masked Multi-Head Attention', section: '§3.2.3', means: 'Self-attention of the decoder. Later positions are masked out, set to −∞ before the softmax, so that a prediction depends on known outputs only.' },
  cross: { name: 'Encoder–decoder attention', section: '§3.2.3', means: 'The queries come from the decoder, the keys and values from the output of the encoder: every position of the translation may read the whole source.' },
  dk: { name: 'd_k', section: '§3.2.1', means: 'The dimension of queries and keys. Products are divided by √d_k, for large ones would push the softmax to where its gradients are extremely small.', here: ({ dK }) => `d_k = ${dK}` },
  dmodel: { name: 'd_{model}', section: '§3.1', means: 'The dimension of the embeddings and of every sub-layer’s output, which residual connections ask to be the same.', here: ({ dModel }) => `d_{model} = ${dModel}` },
  embedding: { name: 'Embedding', section: '§3.4', means: 'A learned vector for each piece of the vocabulary, multiplied by √d_{model}.', here: ({ vocabSize }) => `${vocabSize} pieces` },
  positions: { name: 'Positional Encoding', section: '§3.5', means: 'Sines and cosines of different wavelengths, added to the embeddings: without them the model could not make use of the order of the sequence.' },
  piece: { name: 'Piece', section: '§5.1', means: 'A word or a part of one: what the model reads and writes. Rare words are spelled in several pieces.' },
  residual: { name: 'Residual connection', section: '§3.1', means: 'Each sub-layer’s input is added to its output: LayerNorm(x + Sublayer(x)).' },
  norm: { name: 'Add & Norm', section: '§3.1', means: 'The residual connection around a sub-layer, followed by layer normalisation: each vector is brought to mean 0 and variance 1, then scaled and shifted by learned numbers.' },
  forward: { name: 'Feed Forward', section: '§3.3', means: 'Two linear transformations with a ReLU in between, applied to each position separately and identically.', here: ({ dFf }) => `d_{ff} = ${dFf}` },
  logits: { name: 'Linear', section: '§3.4', means: 'The learned linear transformation from the decoder’s output to one number for each piece of the vocabulary: the logits, which the softmax turns into probabilities.' },
  softmax: { name: 'Softmax', section: '§3.2.1, §3.4', means: 'Exponentials divided by their sum: turns any numbers into weights that are positive and sum to 1.' },
  scale: { name: 'Scaled Dot-Product', section: '§3.2.1', means: 'The dot product of query and key divided by √d_k, so that its variance stays about 1 (footnote 4).' },
  beam: { name: 'Beam search', section: '§6.1', means: 'At every step the likeliest beginnings of a translation are kept, as many as the beam is wide, instead of the likeliest piece alone (greedy).' },
  penalty: { name: 'Length penalty α', section: '§6.1', means: 'Divides a hypothesis’s log-probability by a growing function of its length, or short translations would always win. The paper uses α = 0.6.' },
  surprisal: { name: 'Surprisal', section: '', means: 'The negative logarithm of a piece’s probability: 0 where the model was certain. Its mean over a text is the loss; e to the mean, in nats, is the perplexity.' },
};
