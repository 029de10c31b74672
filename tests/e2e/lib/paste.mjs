// Long texts, put into the source as a person does: over the clipboard.

/**
 * Prose of so many characters: paragraphs of six sentences, no two alike.
 * @param {number} characters
 */
export function longText(characters) {
  const parts = [];
  let length = 0;
  for (let i = 0; length < characters; i++) {
    const sentence = `The old man on bridge ${i} watches the river, and his little dog plays with ${(i * 7) % 1000} red balls.${i % 6 === 5 ? '\n\n' : ' '}`;
    parts.push(sentence);
    length += sentence.length;
  }
  return parts.join('').slice(0, characters);
}

/**
 * Puts a text on the clipboard.
 * @param {import('puppeteer-core').Page} page
 * @param {string} text
 */
export async function copy(page, text) {
  // A headless browser fills its clipboard by a copy in the page: from another field, which is gone at once.
  await page.evaluate((text) => {
    const area = document.createElement('textarea');
    area.style.cssText = 'position: fixed; left: -99px; width: 9px; white-space: pre';
    document.body.append(area);
    area.value = text;
    area.select();
    document.execCommand('copy');
    area.remove();
  }, text);
}

/**
 * Selects what stands in the source and pastes what is on the clipboard in its place.
 * @param {import('puppeteer-core').Page} page
 */
export async function paste(page) {
  const source = await page.$('#source');
  await source.focus();
  await source.press('a', { commands: ['SelectAll'] });
  await source.press('v', { commands: ['Paste'] });
}

/**
 * @typedef {object} Task of a page's main thread
 * @property {number} at microseconds
 * @property {number} ms
 * @property {number} cpu milliseconds of processor time: what it takes on a machine with nothing else to do
 * @property {boolean} pastes whether the browser's own insertion of the text is in it
 * @property {string} parts what took most of it
 */

/** What `tasks` needs of a trace. */
export const CATEGORIES = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'toplevel', '__metadata'];

/**
 * The main threads' tasks that took longer than so many milliseconds.
 * @param {Uint8Array} trace by Chromium
 * @param {number} longer
 * @returns {Task[]}
 */
export function tasks(trace, longer) {
  const { traceEvents } = JSON.parse(new TextDecoder().decode(trace));
  const mains = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
  return mains.flatMap(({ pid, tid }) => {
    const events = traceEvents.filter((event) => event.pid === pid && event.tid === tid && event.ph === 'X');
    return events
      .filter(({ name, dur }) => name === 'RunTask' && dur > 1000 * longer)
      .map((task) => {
        /** @type {Map<string, number>} */
        const sums = new Map();
        for (const { name, ts, dur, args } of events) {
          if (name.endsWith('RunTask') || ts < task.ts || ts + dur > task.ts + task.dur || dur < 4000) continue;
          const { functionName, url = '', lineNumber, type } = args.data ?? {};
          const what = functionName === undefined ? [name, type] : [functionName, `${url.split('/').at(-1)}:${lineNumber}`];
          const key = what.filter(Boolean).join(' ');
          sums.set(key, (sums.get(key) ?? 0) + dur / 1000);
        }
        return {
          at: task.ts,
          ms: task.dur / 1000,
          cpu: task.tdur / 1000,
          pastes: sums.has('EventDispatch textInput') || sums.has('EventDispatch keydown'),
          parts: [...sums].map(([name, ms]) => `${name} ${ms.toFixed(0)}`).join(', '),
        };
      });
  });
}
