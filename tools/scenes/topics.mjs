// What each topic looks for in a candidate: a scene with its numbers and how well it shows the topic, or null.

import { SEARCH, observe, weight, words } from './engine.mjs';

/** A number as captions print it. */
export const print = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(2).replace('-', '−'));

const label = ({ text }) => text.replace('▁', '').replace('</s>', '⟨/s⟩');

/** The index of a word's first piece; −1 if the sentence has it not exactly once. */
function place(pieces, word) {
  const found = words(pieces).filter(({ text }) => text.toLowerCase().replace(/[^\p{L}]/gu, '') === word);
  return found.length === 1 ? found[0].pieces[0] : -1;
}

/** All heads of a kind. */
function* headsOf(block) {
  for (let layer = 0; layer < block.shape[0]; layer++) for (let head = 0; head < block.shape[1]; head++) yield { layer, head };
}

/** The head in which `row` reads `col` most. */
function strongest(block, row, col) {
  let best = null;
  for (const ref of headsOf(block)) {
    const value = weight(block, { ...ref, row, col });
    if (!best || value > best.value) best = { ...ref, value };
  }
  return best;
}

/** A fact is a number of a caption and how to find it again. */
const weightFact = (kind, layer, head, row, col, value) => ({ what: 'weight', kind, layer, head, row, col, value });
const named = ({ layer, head }) => [{ what: 'layer', value: layer + 1 }, { what: 'head', value: head + 1 }];
const probability = (seen, step) => ({ what: 'probability', step, value: Math.exp(seen.target[step].logprob) });
const held = (kind, { layer, head }, row, col) => ({
  head: { kind, layer, head },
  token: { side: kind === 'encoderSelf' ? 'source' : 'target', index: row },
  cell: col === null ? null : { row, col },
});

/** Encoder self-attention from one word to another: who reads whom. */
function reading({ asks, reads }, seen, minimum) {
  const [row, col] = [place(seen.source, asks), place(seen.source, reads)];
  if (row < 0 || col < 0) return null;
  const best = strongest(seen.trace.encoderSelf, row, col);
  return best.value >= minimum ? { row, col, best } : null;
}

/** “The dog … because it was sick”, said of the dog: German wants “er”. */
const wrongPronoun = /^Der Hund .*\bes\b/;

export const TOPICS = {
  pronoun: {
    title: 'What “it” reads',
    pick(candidate, { seen }) {
      const found = reading(candidate, seen, 0.1);
      if (!found) return null;
      const { row, col, best } = found;
      return {
        goodness: best.value,
        held: held('encoderSelf', best, row, col),
        facts: [...named(best), weightFact('encoderSelf', best.layer, best.head, row, col, best.value)],
        caption: `In layer ${best.layer + 1}, head ${best.head + 1} of the encoder, “${candidate.asks}” reads “${candidate.reads}” with weight ${print(best.value)}. A weight says what is read, not why.`,
        question: `Change the words after “${candidate.asks}”. Does its row change?`,
        answer: wrongPronoun.test(seen.text)
          ? `Hardly. And the translation says “es”, where German needs “er” for “der Hund”: this head reads the right noun, yet the model does not use it. Switch the head off and see what changes.`
          : 'Often hardly. Switch the head off and see what changes: that says more than the weight.',
      };
    },
  },
  agreement: {
    title: 'Agreement over a distance',
    pick(candidate, { seen }) {
      const found = reading(candidate, seen, 0.1);
      if (!found) return null;
      const { row, col, best } = found;
      const between = row - col - 1;
      return {
        goodness: best.value + 0.03 * between,
        held: held('encoderSelf', best, row, col),
        facts: [...named(best), weightFact('encoderSelf', best.layer, best.head, row, col, best.value), { what: 'between', row, col, value: between }],
        caption: `“${candidate.asks}” must agree with “${candidate.reads}”, ${between} pieces away. Layer ${best.layer + 1}, head ${best.head + 1} reads it in one step, with weight ${print(best.value)} (Table 1, maximum path length).`,
        question: 'How many steps would a recurrent layer need between the two words?',
        answer: 'As many as the distance between their positions: each step passes the signal on by one.',
      };
    },
  },
  verb: {
    title: 'The verb goes to the end',
    pick({ reads }, { seen, heads }) {
      const col = place(seen.source, reads);
      if (col < 0) return null;
      const { trace, target } = seen;
      // Heads that point when they predict; others lag a row behind.
      const aligning = heads.roles.filter(({ attention, role }) => attention === 'cross' && role === 'alignment');
      const rows = target.flatMap(({ text }, row) =>
        /\p{L}/u.test(text) ? aligning.map(({ layer, head }) => ({ row, layer, head, value: weight(trace.cross, { layer, head, row, col }) })) : [],
      );
      const best = rows.reduce((a, b) => (b.value > a.value ? b : a), { value: 0 });
      const jump = best.row - col;
      if (best.value < 0.3 || jump < 2) return null;
      return {
        goodness: best.value + 0.1 * jump,
        held: held('cross', best, best.row, col),
        step: best.row,
        facts: [...named(best), { what: 'step', value: best.row + 1 }, { what: 'position', side: 'source', value: col }, weightFact('cross', best.layer, best.head, best.row, col, best.value)],
        caption: `At step ${best.row + 1} the decoder predicts “${label(target[best.row])}”, and layer ${best.layer + 1}, head ${best.head + 1} reads “${reads}” with weight ${print(best.value)}, at position ${col} (from 0). German puts this verb last, so the diagonal breaks.`,
        question: 'Which rows leave the diagonal, and to which side?',
        answer: 'The rows of words that changed places: the map of an aligning head is the word order of one language drawn over the other’s.',
      };
    },
  },
  splitting: {
    title: 'A rare word in pieces',
    pick(_, { seen }) {
      const longest = words(seen.target).reduce((a, b) => (b.pieces.length > a.pieces.length ? b : a));
      const count = longest.pieces.length;
      if (count < 3) return null;
      const sum = longest.pieces.reduce((total, i) => total + seen.target[i].logprob, 0);
      const [first] = longest.pieces;
      const spelled = longest.pieces.map((i) => label(seen.target[i])).join('·');
      return {
        // A word that it knows how to spell, in many pieces.
        goodness: count + sum,
        held: { head: null, token: { side: 'target', index: first }, cell: null },
        step: first,
        facts: [{ what: 'pieces', side: 'target', first, value: count }, probability(seen, first + 1)],
        caption: `“${longest.text.replace(/[.,!?]$/, '')}” is not in the vocabulary: it takes ${count} pieces, ${spelled}. After “${label(seen.target[first])}” the next piece, “${label(seen.target[first + 1])}”, has probability ${print(Math.exp(seen.target[first + 1].logprob))}.`,
        question: 'Step through the pieces: at which one is the model least sure?',
        answer: 'Mostly at the first: it decides which word is meant. The others follow from it.',
      };
    },
  },
  negation: {
    title: 'Where the “not” went',
    pick({ reads }, { seen }) {
      const col = place(seen.source, reads);
      const row = seen.target.findIndex(({ text }) => /^▁(nicht|kein)/.test(text));
      if (col < 0 || row < 0) return null;
      const best = strongest(seen.trace.cross, row, col);
      const { value } = best;
      if (value < 0.2) return null;
      return {
        goodness: value,
        held: held('cross', best, row, col),
        step: row,
        facts: [...named(best), { what: 'step', value: row + 1 }, weightFact('cross', best.layer, best.head, row, col, value), probability(seen, row)],
        caption: `“${label(seen.target[row])}” at step ${row + 1} has probability ${print(Math.exp(seen.target[row].logprob))}; layer ${best.layer + 1}, head ${best.head + 1} reads “${reads}” with weight ${print(value)}.`,
        question: `Delete “${reads}” from the text. What else changes in the translation?`,
        answer: 'Nothing else: “nicht” goes, and the other words stay. German needs no “do” for it.',
      };
    },
  },
  previous: {
    title: 'A head that reads the piece before',
    pick(_, { seen }) {
      const block = seen.trace.encoderSelf;
      const rows = block.shape[2];
      let best = null;
      for (const ref of headsOf(block)) {
        let sum = 0;
        for (let row = 1; row < rows; row++) sum += weight(block, { ...ref, row, col: row - 1 });
        const value = sum / (rows - 1);
        if (!best || value > best.value) best = { ...ref, value };
      }
      if (best.value < 0.3) return null;
      const row = Math.floor(rows / 2);
      return {
        goodness: best.value,
        held: held('encoderSelf', best, row, row - 1),
        facts: [...named(best), { what: 'previous', kind: 'encoderSelf', layer: best.layer, head: best.head, value: best.value }],
        caption: `Layer ${best.layer + 1}, head ${best.head + 1} has learned to read the piece before: on average it gets ${print(best.value)} of a row’s weight. Positions are added to what the head reads (§3.5), so it can.`,
        question: 'Where is the diagonal broken, and why at the first row?',
        answer: 'Before the first piece there is none: that row has to spend its weight elsewhere, for each row sums to 1.',
      };
    },
  },
  mask: {
    title: 'What the mask does',
    pick(_, { seen, heads }) {
      const n = seen.target.length;
      const role = heads.roles.find((r) => r.attention === 'decoderSelf' && r.distinctive) ?? heads.roles.find((r) => r.attention === 'decoderSelf');
      const row = Math.floor(n / 2);
      return {
        goodness: -Math.abs(n - 8),
        held: held('decoderSelf', role, row, null),
        step: row,
        facts: [{ what: 'step', value: row + 1 }, { what: 'masked', value: (n * (n - 1)) / 2 }, { what: 'columns', row, value: row + 1 }],
        caption: `Step ${row + 1} may read ${row + 1} positions: the start symbol and the pieces decoded so far. In the ${(n * (n - 1)) / 2} hatched cells the scores are set to −∞ before the softmax (§3.2.3), so training cannot look ahead.`,
        question: 'Is a hatched cell the same as a weight of zero?',
        answer: 'The weight is zero, but for another reason: an unmasked cell can be small, a masked one takes no part in the softmax.',
      };
    },
  },
  scaling: {
    title: 'Why √d_k',
    pick(_, { seen, config, translator, tabs }) {
      const block = seen.trace.encoderSelf;
      const row = Math.floor(block.shape[2] / 2);
      let best = null;
      for (const ref of headsOf(block)) {
        for (let col = 0; col < block.shape[3]; col++) {
          const value = weight(block, { ...ref, row, col });
          if (!best || value > best.value) best = { ...ref, col, value };
        }
      }
      const cell = { kind: 'encoderSelf', layer: best.layer, head: best.head, query: row, key: best.col };
      const facts = [...named(best), weightFact('encoderSelf', best.layer, best.head, row, best.col, best.value), { what: 'dK', value: config.dK }, { what: 'rootDK', value: Math.sqrt(config.dK) }];
      const common = `In layer ${best.layer + 1}, head ${best.head + 1}, “${label(seen.source[row])}” reads “${label(seen.source[best.col])}” with weight ${print(best.value)}. Each product q·k is divided by √d_k = √${config.dK} = ${print(Math.sqrt(config.dK))} first (eq. 1)`;
      const numbers = translator.arithmetic && arithmetic(translator, seen, cell);
      return {
        goodness: numbers ? numbers.largest - best.value : best.value,
        view: { tab: tabs.includes('arithmetic') ? 'arithmetic' : 'attention', arithmeticStep: 'scale' },
        held: held('encoderSelf', best, row, best.col),
        facts: numbers ? [...facts, { what: 'unscaled', cell, value: numbers.largest }] : facts,
        caption: numbers
          ? `${common}; without it the largest weight of this row would be ${print(numbers.largest)}: products of long vectors are large, and the softmax saturates.`
          : `${common}: products of long vectors are large, and without the division the softmax would saturate (§3.2.1).`,
        question: 'Why the root, and not d_k itself?',
        answer: 'For independent components of variance 1, q·k has variance d_k, so its standard deviation is √d_k (footnote 4).',
      };
    },
  },
  positions: {
    title: 'The same word twice',
    pick({ twice }, { seen, aligner }) {
      const places = words(seen.source).filter(({ text }) => text.toLowerCase().replace(/[^\p{L}]/gu, '') === twice);
      if (places.length !== 2) return null;
      const [one, two] = places.map(({ pieces }) => pieces[0]);
      if (seen.source[one].id !== seen.source[two].id) return null;
      let best = null;
      for (let row = 0; row < seen.target.length; row++) {
        const of = (col) => weight(seen.trace.cross, { ...aligner, row, col });
        const value = of(two) - of(one);
        if (!best || value > best.value) best = { row, value, right: of(two), wrong: of(one) };
      }
      if (best.value < 0.2) return null;
      return {
        goodness: best.value,
        held: held('cross', aligner, best.row, two),
        step: best.row,
        facts: [
          ...named(aligner),
          { what: 'position', side: 'source', value: one },
          { what: 'position', side: 'source', value: two },
          weightFact('cross', aligner.layer, aligner.head, best.row, two, best.right),
          weightFact('cross', aligner.layer, aligner.head, best.row, one, best.wrong),
        ],
        caption: `“${twice}” stands at positions ${one} and ${two}: one piece, one embedding. Only the positional encodings differ when they enter. Predicting “${label(seen.target[best.row])}”, layer ${aligner.layer + 1}, head ${aligner.head + 1} gives the second ${print(best.right)} and the first ${print(best.wrong)}.`,
        question: 'What would happen to the two if all positions were zero?',
        answer: 'Without positions the encoder is blind to order: both would be the same vector in every layer, and no head could tell them apart.',
      };
    },
  },
  beam: {
    title: 'Beam against greedy',
    pick({ text }, { seen, translator, tabs }) {
      const greedy = observe(translator, text, { ...SEARCH, beam: 1 });
      if (greedy.text === seen.text) return null;
      const differs = seen.target.findIndex(({ id }, i) => greedy.target[i]?.id !== id);
      const caption = `Greedy decoding takes the likeliest piece at each step and ends at “${greedy.text}”, score ${print(greedy.score)}. A beam of 4 keeps the alternative open at step ${differs + 1} and finds “${seen.text}”, score ${print(seen.score)}: the better whole does not always begin best.`;
      // A longer one is not whole on a projector's screen.
      if (caption.length > 320) return null;
      return {
        goodness: seen.score - greedy.score,
        view: { tab: tabs.includes('alternatives') ? 'alternatives' : 'attention' },
        held: { head: null, token: { side: 'target', index: differs }, cell: null },
        step: differs,
        facts: [{ what: 'score', beam: 1, value: greedy.score }, { what: 'score', beam: 4, value: seen.score }, { what: 'step', value: differs + 1 }, { what: 'beam', value: 4 }],
        caption,
        question: 'Is the translation with the higher score always the better one?',
        answer: 'No: the score is the model’s own. Very wide beams even make translations worse.',
      };
    },
  },
};

/** The largest weight of the row with the scaling off; null where the engine cannot tell. */
function arithmetic(translator, seen, cell) {
  try {
    const { weightsUnscaled } = translator.arithmetic(seen.plain, seen.target.map(({ id }) => id), cell, undefined);
    return { largest: Math.max(...weightsUnscaled.data) };
  } catch {
    return null;
  }
}
