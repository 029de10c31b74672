/** A hint for text in another language than the model reads. */

/** Frequent words that English does not have; words that both have are left out. */
const OTHERS = {
  German: 'der das und ist nicht ein eine einen ich wir sie auf mit für den dem zu auch wie aber dass haben',
  French: 'le les des une est pas et dans je nous vous que qui sur avec pour il elle sont du au',
  Spanish: 'el los las una es y en que por con para no se del yo está muy pero como',
};

/** @type {[string, Set<string>][]} */
const SETS = Object.entries(OTHERS).map(([language, words]) => [language, new Set(words.split(' '))]);

/** Characters that are looked at: a long text is in the language that it begins in. */
const LOOKED_AT = 4000;

/**
 * A hint where at least a third of four or more words are another language's; otherwise nothing.
 * @param {string} text
 */
export function languageHint(text) {
  const words = text.slice(0, LOOKED_AT).toLowerCase().match(/[\p{L}']+/gu) ?? [];
  if (words.length < 4) return '';
  for (const [language, set] of SETS) {
    const found = words.filter((word) => set.has(word)).length;
    if (found >= words.length / 3) return `This looks like ${language}. The model reads English.`;
  }
  return '';
}
