// A reporter for Node's test runner: a line for every test that failed, its file and its name with a tab between. The
// time that each file took follows as lines without a tab, the longest first, for people.

/** @param {AsyncIterable<{type: string, data: {file?: string, name: string, nesting: number, details: {duration_ms: number}}}>} events */
export default async function* outcomes(events) {
  /** @type {Map<string, number>} */
  const spent = new Map();
  for await (const { type, data } of events) {
    if ((type !== 'test:fail' && type !== 'test:pass') || !data.file) continue;
    if (type === 'test:fail') yield `${data.file}\t${data.name.replace(/\s+/g, ' ')}\n`;
    if (data.nesting === 0) spent.set(data.file, (spent.get(data.file) ?? 0) + data.details.duration_ms);
  }
  for (const [file, ms] of [...spent].sort((a, b) => b[1] - a[1])) yield `${(ms / 1000).toFixed(1)} s ${file.split('/').at(-1)}\n`;
}
