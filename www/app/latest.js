/** Asking the engine while the reader moves a slider: one question at a time, and after it only the newest. */

/**
 * @template Q, A
 * @param {(question: Q) => Promise<A>} ask
 * @param {(answer: A, question: Q) => void} hear
 * @param {(error: unknown) => void} fail
 * @returns {(question: Q) => void}
 */
export function latest(ask, hear, fail) {
  let busy = false;
  /** @type {{question: Q}|null} */
  let next = null;
  const go = async () => {
    busy = true;
    while (next) {
      const { question } = next;
      next = null;
      try {
        const answer = await ask(question);
        // What was asked meanwhile takes its place, but shows only when it is answered: the picture never stops moving.
        hear(answer, question);
      } catch (error) {
        fail(error);
      }
    }
    busy = false;
  };
  return (question) => {
    next = { question };
    if (!busy) go();
  };
}
