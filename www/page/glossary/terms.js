/** The words and symbols of the paper: what each means, where the paper says it, and its value in the model at hand. */

/** @import * as P from '../../engine/protocol' */
import { both } from '../../ui/numbers.js';

/**
 * @typedef {object} Entry
 * @property {string} name as the paper writes it; symbols as `math` reads them
 * @property {string} section of the paper; empty where it is a word of others
 * @property {string} means
 * @property {(config: P.ModelConfig) => string} [here] its value in this model
 */

/** @type {Record<string, Entry>} */
export const GLOSSARY = {
  attention: { name: 'Attention', section: '§3.2', means: 'A weighted sum of values. Each weight is computed from a query and the value’s key.' },
  qkv: { name: 'Q, K, V', section: '§3.2.1', means: 'Queries, keys and values: three matrices with one row for each position. A query is compared with every key; this gives the weights of the values.' },
  heads: {
    name: 'Multi-Head Attention',
    section: '§3.2.2',
    means: 'Several attention functions in parallel, each a head with its own projections. Their outputs are concatenated and multiplied by W^O.',
    here: ({ nHeads, decoder }) => `h = ${both(nHeads, decoder.nHeads)} heads`,
  },
  masked: { name: 'Masked Multi-Head Attention', section: '§3.2.3', means: 'Self-attention of the decoder. Scores of later positions are set to −∞ before the softmax, so a prediction depends on known outputs only.' },
  cross: { name: 'Encoder–decoder attention', section: '§3.2.3', means: 'Queries come from the decoder, keys and values from the encoder’s output. Every position of the translation may read the whole source.' },
  dk: { name: 'd_k', section: '§3.2.1', means: 'The dimension of queries and keys. Dot products are divided by √d_k: large ones would leave the softmax with extremely small gradients.', here: ({ dK, decoder }) => `d_k = ${both(dK, decoder.dK)}` },
  dmodel: { name: 'd_{model}', section: '§3.1', means: 'The dimension of embeddings and of every sub-layer’s output. Residual connections need them equal.', here: ({ dModel }) => `d_{model} = ${dModel}` },
  embedding: { name: 'Embedding', section: '§3.4', means: 'A learned vector for each piece of the vocabulary, multiplied by √d_{model}.', here: ({ vocabSize }) => `${vocabSize} pieces` },
  positions: { name: 'Positional Encoding', section: '§3.5', means: 'Sines and cosines of different wavelengths, added to the embeddings. Without them the model could not use the order of the sequence.' },
  piece: { name: 'Piece', section: '§5.1', means: 'A word or part of a word. The model reads and writes pieces; a rare word takes several.' },
  residual: { name: 'Residual connection', section: '§3.1', means: 'Each sub-layer’s input is added to its output: LayerNorm(x + Sublayer(x)).' },
  norm: { name: 'Add & Norm', section: '§3.1', means: 'A residual connection, then layer normalisation: each vector is brought to mean 0 and variance 1, then scaled and shifted by learned numbers.' },
  forward: { name: 'Feed Forward', section: '§3.3', means: 'Two linear transformations with a ReLU in between, applied to each position separately and identically.', here: ({ dFf, decoder }) => `d_{ff} = ${both(dFf, decoder.dFf)}` },
  logits: { name: 'Linear', section: '§3.4', means: 'A learned linear transformation from the decoder’s output to the logits: one number for each piece of the vocabulary.' },
  softmax: { name: 'Softmax', section: '§3.2.1, §3.4', means: 'Exponentials divided by their sum: weights that are positive and sum to 1.' },
  scale: { name: 'Scaled Dot-Product', section: '§3.2.1', means: 'The dot product of query and key divided by √d_k, so that its variance stays about 1 (footnote 4).' },
  beam: { name: 'Beam search', section: '§6.1', means: 'Keeps several hypotheses at every step, where greedy decoding keeps one. The beam size says how many.' },
  penalty: { name: 'Length penalty α', section: '§6.1', means: 'Divides a hypothesis’s log-probability by a function that grows with its length, so that short ones do not always win. The paper uses α = 0.6.' },
  sampling: { name: 'Sampling', section: '', means: 'Draws each piece at random from the distribution, where greedy decoding takes the likeliest and beam search keeps several hypotheses. The seed decides the random numbers.' },
  temperature: { name: 'Temperature', section: '', means: 'What logits are divided by before the softmax. Below 1 likely pieces become likelier, above 1 less likely.' },
  topk: { name: 'Top-k', section: '', means: 'Only the k likeliest pieces can be drawn.' },
  topp: { name: 'Top-p', section: '', means: 'Only the likeliest pieces whose probabilities add up to p can be drawn.' },
  surprisal: { name: 'Surprisal', section: '', means: 'The negative logarithm of a piece’s probability: 0 where the model was certain. The mean over a text, in nats, is the loss; e^{loss} is the perplexity.' },
};
