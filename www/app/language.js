/** Names of languages. */

/**
 * The language's name in English, for headers.
 * @param {string} tag
 */
export function languageName(tag) {
  try {
    return new Intl.DisplayNames(['en'], { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
