/** Word documents: paragraph by paragraph; runs of another look, links and fields are tags of its text. */

/** @import { Opened } from './formats.js' */
/** @import { Part } from './tags.js' */
import { unzip } from '../../ui/unzip.js';
import { zip } from '../../ui/zip.js';
import { MOST_TAGS, TAGS, closes, collapsed, opens, partsOf } from './tags.js';

/** The parts of a Word document that hold text. */
const PARTS = /^word\/(document|header\d*|footer\d*|footnotes|endnotes)\.xml$/;
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
/** What lies around runs and takes part in the sentence. */
const AROUND = new Set(['hyperlink', 'ins', 'moveTo', 'smartTag', 'customXml', 'fldSimple', 'sdt', 'bdo', 'dir']);
/** Remarks of Word's own, which are wrong in another language. */
const REMARKS = new Set(['proofErr', 'lastRenderedPageBreak']);

/**
 * What a tag stands for: nodes that stay as they are, or a look, or what lies around its text.
 * @typedef {{ nodes: Element[] } | { run: Element } | { around: Element, base: Element|null } | { before: Element[], base: Element|null, after: Element[] }} Meaning
 */

/** @param {Element} element @param {string} name */
const is = (element, name) => element.localName === name && element.namespaceURI === WORD;
/** Properties of an element: they stay where they are. @param {Element} element */
const isProperty = (element) => /Pr$|^fldData$/.test(element.localName);
/** @param {Element} element @param {string} name */
const child = (element, name) => [...element.children].find((node) => is(node, name)) ?? null;
/** The element in which the content of one that lies around runs stands. @param {Element} element */
const inner = (element) => (is(element, 'sdt') && child(element, 'sdtContent')) || element;

/**
 * @param {File} file
 * @returns {Promise<Opened>}
 */
export async function openDocx(file) {
  const entries = await unzip(file);
  const parts = await Promise.all(
    [...entries].filter(([name]) => PARTS.test(name)).map(async ([name, blob]) => {
      const xml = new DOMParser().parseFromString((await blob.text()).replace(TAGS, ''), 'application/xml');
      if (xml.getElementsByTagName('parsererror').length > 0) throw new Error(`${name} is damaged`);
      return { name, xml };
    }),
  );
  if (!parts.some(({ name }) => name === 'word/document.xml')) throw new Error('it is no Word document');
  const paragraphs = parts
    .flatMap(({ xml }) => [...xml.getElementsByTagNameNS(WORD, 'p')])
    .filter((paragraph) => /\p{L}/u.test(ownTexts(paragraph).map(({ textContent }) => textContent).join('')))
    .flatMap((paragraph) => {
      for (const run of [...paragraph.getElementsByTagNameNS(WORD, 'r')]) if (nearest(run) === paragraph) split(run);
      /** @type {Meaning[]} */
      const meanings = [];
      const { text, base } = tagged([...paragraph.children], meanings);
      if (meanings.length > MOST_TAGS) return ownTexts(paragraph).map((run) => ({ text: collapsed(run.textContent ?? ''), put: (/** @type {string} */ words) => (run.textContent = /** @type {string} */ (run.textContent).replace(/\S(.*\S)?/s, () => words)) }));
      return [{ text: collapsed(text), put: (/** @type {string} */ words) => fill(paragraph, elementsOf(partsOf(words), meanings, base)) }];
    })
    .filter(({ text }) => /\p{L}/u.test(text.replace(TAGS, '')));
  return {
    texts: paragraphs.map(({ text }) => text),
    async build(translations) {
      paragraphs.forEach(({ put }, i) => put(translations[i]));
      const made = new Map(entries);
      for (const { name, xml } of parts) made.set(name, new Blob([new XMLSerializer().serializeToString(xml)]));
      return new Blob([await zip(made)], { type: file.type || TYPE });
    },
  };
}

/** The texts of a paragraph: a text box that lies in it has paragraphs of its own. @param {Element} paragraph */
const ownTexts = (paragraph) => [...paragraph.getElementsByTagNameNS(WORD, 't')].filter((text) => nearest(text) === paragraph);

/** The paragraph that a node belongs to. @param {Element} node */
function nearest(node) {
  let around = node.parentElement;
  while (around && !is(around, 'p')) around = around.parentElement;
  return around;
}

/** Makes of a run with several contents as many runs of the same look. @param {Element} run */
function split(run) {
  const look = child(run, 'rPr');
  let last = run;
  for (const content of [...run.children].filter((node) => !isProperty(node)).slice(1)) {
    const next = alike(run, look);
    next.append(content);
    last.after(next);
    last = next;
  }
}

/** An empty run of the same look. @param {Element} run @param {Element|null} look */
function alike(run, look) {
  const made = /** @type {Element} */ (run.cloneNode(false));
  if (look) made.append(look.cloneNode(true));
  return made;
}

/** What a run looks like; its language and what Word remarked of it are no look. @param {Element} run */
function look(run) {
  const properties = [...(child(run, 'rPr')?.children ?? [])].filter((node) => !/^(lang|noProof)$/.test(node.localName));
  return properties.map((node) => new XMLSerializer().serializeToString(node)).sort().join('');
}

/**
 * Nodes of one level as text with tags.
 * @param {Element[]} nodes
 * @param {Meaning[]} meanings of the tags so far
 * @returns {{ text: string, base: Element|null }} `base`: a run with the look that most of the text has, which needs no tag
 */
function tagged(nodes, meanings) {
  const texts = nodes.flatMap((run) => (is(run, 'r') && child(run, 't') ? [{ run, look: look(run), length: (run.textContent ?? '').trim().length }] : []));
  /** @type {Map<string, number>} */
  const lengths = new Map();
  for (const { look, length } of texts) lengths.set(look, (lengths.get(look) ?? 0) + length);
  const most = [...lengths.values()].reduce((a, b) => Math.max(a, b), -Infinity);
  const base = texts.find(({ look }) => lengths.get(look) === most) ?? null;
  const ends = fieldEnds(nodes);
  let text = '';
  let open = '';
  const close = () => {
    if (open !== '') text += closes(meanings.length - 1);
    open = '';
  };
  const put = (/** @type {Meaning} */ meaning) => {
    text += opens(meanings.push(meaning) - 1, 'nodes' in meaning);
  };
  const textOf = new Map(texts.map((text) => [text.run, text]));
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i];
    const run = textOf.get(node);
    if (isProperty(node) || REMARKS.has(node.localName) || (is(node, 'r') && [...node.children].every((inside) => isProperty(inside) || REMARKS.has(inside.localName)))) continue;
    if (run) {
      // Word cuts runs of one look as it likes: those that follow each other are one.
      if (run.look !== open) {
        close();
        if (run.look !== base?.look && run.length > 0) {
          put({ run: node });
          open = run.look;
        }
      }
      text += run.run.textContent;
      continue;
    }
    close();
    const id = meanings.length;
    const end = ends.get(i);
    if (end !== undefined) {
      const field = nodes.slice(i, end + 1);
      i += field.length - 1;
      const separate = field.findIndex((part) => fieldMark(part) === 'separate');
      const result = field.slice(separate + 1, -1);
      if (separate < 0 || !/\p{L}/u.test(result.map(({ textContent }) => textContent).join(''))) put({ nodes: field });
      else {
        const meaning = { before: field.slice(0, separate + 1), base: /** @type {Element|null} */ (null), after: field.slice(-1) };
        put(meaning);
        const found = tagged(result, meanings);
        meaning.base = found.base;
        text += found.text;
      }
    } else if (AROUND.has(node.localName) && /\p{L}/u.test(node.textContent ?? '')) {
      const meaning = { around: node, base: /** @type {Element|null} */ (null) };
      put(meaning);
      const found = tagged([...inner(node).children], meanings);
      meaning.base = found.base;
      text += found.text;
    } else put({ nodes: [node] });
    text += closes(id);
  }
  close();
  return { text, base: base?.run ?? null };
}

/** Begin, separate or end of a field. @param {Element} run */
const fieldMark = (run) => (is(run, 'r') && child(run, 'fldChar')?.getAttributeNS(WORD, 'fldCharType')) || null;

/** Where each field ends, by where it begins. @param {Element[]} nodes @returns {Map<number, number>} */
function fieldEnds(nodes) {
  /** @type {number[]} */
  const open = [];
  /** @type {Map<number, number>} */
  const ends = new Map();
  nodes.forEach((node, i) => {
    const mark = fieldMark(node);
    const begin = mark === 'end' ? open.pop() : undefined;
    if (begin !== undefined) ends.set(begin, i);
    if (mark === 'begin') open.push(i);
  });
  return ends;
}

/**
 * @param {Part[]} parts
 * @param {Meaning[]} meanings
 * @param {Element|null} base the run whose look the text has
 * @returns {Element[]}
 */
function elementsOf(parts, meanings, base) {
  return parts.flatMap((part) => {
    if (typeof part === 'string') return base ? [runOf(base, part)] : [];
    const meaning = meanings[part.id];
    if ('nodes' in meaning) return meaning.nodes;
    if ('run' in meaning) return elementsOf(part.parts, meanings, meaning.run);
    const made = elementsOf(part.parts, meanings, meaning.base);
    if ('before' in meaning) return [...meaning.before, ...made, ...meaning.after];
    fill(inner(meaning.around), made);
    return [meaning.around];
  });
}

/** @param {Element} like @param {string} words */
function runOf(like, words) {
  const run = alike(like, child(like, 'rPr'));
  const text = like.ownerDocument.createElementNS(WORD, child(like, 't')?.nodeName ?? 'w:t');
  text.textContent = words;
  if (words !== words.trim()) text.setAttributeNS('http://www.w3.org/XML/1998/namespace', 'xml:space', 'preserve');
  run.append(text);
  return run;
}

/** Gives an element other content than its properties. @param {Element} element @param {Element[]} content */
function fill(element, content) {
  element.replaceChildren(...[...element.children].filter(isProperty), ...content);
}
