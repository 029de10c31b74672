/** Which model the reader chose last, for the next visit. */

const CHOSEN = 'translucent.model';

/**
 * The address of the model that the reader chose at an earlier visit.
 * @returns {string | null} null: the default model
 */
export function chosenModel() {
  try {
    return localStorage.getItem(CHOSEN);
  } catch {
    return null;
  }
}

/** @param {string | null} address null: the default model */
export function rememberModel(address) {
  try {
    if (address === null) localStorage.removeItem(CHOSEN);
    else localStorage.setItem(CHOSEN, address);
  } catch {
    // Without storage every visit begins with the default model.
  }
}
