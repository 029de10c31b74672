// A reporter for Node's test runner: the files in which a test failed, one a line, each once.

/** @param {AsyncIterable<{type: string, data: {file?: string}}>} events */
export default async function* failedFiles(events) {
  const told = new Set();
  for await (const { type, data } of events) {
    if (type !== 'test:fail' || !data.file || told.has(data.file)) continue;
    told.add(data.file);
    yield `${data.file}\n`;
  }
}
