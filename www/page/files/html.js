/** HTML files: what stands between two breaks of a page is one text, its inline tags are tags of the text. */

/** @import { Opened } from './formats.js' */
/** @import { Part } from './tags.js' */
import { MOST_TAGS, TAGS, closes, collapsed, opens, partsOf } from './tags.js';

/** A tag's node; `whole` where it goes through the translation as it is. @typedef {{ node: ChildNode, whole: boolean }} Inline */

/** Elements that stand inside of a sentence. */
const INLINE = new Set('a abbr acronym b bdi bdo big cite del dfn em font i ins label mark q s small span strike strong sub sup time tt u'.split(' '));
/** Code: it stays as it is, and the model reads it as a part of its sentence. */
const CODE = new Set('code kbd samp var'.split(' '));
/** Elements that stay as they are, and of which the model reads nothing. */
const NEVER_READ = new Set('audio canvas img input math meter object picture progress svg video wbr'.split(' '));
const AS_IT_IS = new Set([...CODE, ...NEVER_READ]);
/** What no text is taken from. */
const NO_TEXT = 'script, style, noscript, template, pre, textarea, [translate="no"]';

/**
 * @param {string} text
 * @returns {Opened}
 */
export function openHtml(text) {
  // A document without a window: nothing of it runs or loads.
  const page = new DOMParser().parseFromString(text.replace(TAGS, ''), 'text/html');
  /** @type {{ run: ChildNode[], before: string, tagged: string, after: string, inlines: Inline[] }[]} */
  const found = [];
  /** @type {Map<Node, boolean>} what `isInline` found, so that nested elements take linear time */
  const inline = new Map();
  walk(page.documentElement);
  return {
    texts: found.map(({ tagged }) => tagged),
    build(translations, language) {
      found.forEach(({ run, before, after, inlines }, i) => {
        const place = page.createComment('');
        run[0].before(place);
        for (const node of run) node.remove();
        place.replaceWith(before, ...nodesOf(partsOf(translations[i]), inlines), after);
      });
      declareUtf8(page);
      if (language) page.documentElement.lang = language;
      const made = `${/^\s*<!doctype/i.test(text) ? '<!doctype html>\n' : ''}${page.documentElement.outerHTML}\n`;
      // The parser reads every line break as \n.
      return new Blob([text.includes('\r\n') ? made.replaceAll('\n', '\r\n') : made], { type: 'text/html' });
    },
  };

  /** @param {Element} element */
  function walk(element) {
    if (element.matches(NO_TEXT)) return;
    /** @type {ChildNode[]} */
    let run = [];
    const end = () => {
      take(run);
      run = [];
    };
    for (const child of [...element.childNodes]) {
      if (isInline(child, inline)) run.push(child);
      else {
        end();
        if (child.nodeType === Node.ELEMENT_NODE) walk(/** @type {Element} */ (child));
      }
    }
    end();
  }

  /** @param {ChildNode[]} run nodes that follow each other, and make one text */
  function take(run) {
    /** @type {Inline[]} */
    const inlines = [];
    const whole = run.map((node) => tagged(node, inlines)).join('');
    if (inlines.length > MOST_TAGS) {
      for (const node of run) {
        if (node.nodeType === Node.TEXT_NODE) take([node]);
        else if (node.nodeType === Node.ELEMENT_NODE && !AS_IT_IS.has(/** @type {Element} */ (node).localName)) walk(/** @type {Element} */ (node));
      }
      return;
    }
    if (!/\p{L}/u.test(whole.replace(TAGS, ''))) return;
    const before = /^\s*/.exec(run[0].nodeValue ?? '')?.[0] ?? '';
    const after = /\s*$/.exec(run[run.length - 1].nodeValue ?? '')?.[0] ?? '';
    found.push({ run, before, tagged: collapsed(whole), after, inlines });
  }
}

/** A Blob of text is UTF-8, whatever the file was. @param {Document} page */
function declareUtf8(page) {
  const [first, ...others] = page.querySelectorAll('meta[charset], meta[http-equiv="content-type" i]');
  const meta = page.createElement('meta');
  meta.setAttribute('charset', 'utf-8');
  if (first) first.replaceWith(meta);
  else page.head.prepend(meta);
  for (const other of others) other.remove();
}

/** @param {Node} node @param {Map<Node, boolean>} known @returns {boolean} */
function isInline(node, known) {
  if (node.nodeType !== Node.ELEMENT_NODE) return node.nodeType === Node.TEXT_NODE || node.nodeType === Node.COMMENT_NODE;
  const before = known.get(node);
  if (before !== undefined) return before;
  const { localName, childNodes } = /** @type {Element} */ (node);
  const inline = AS_IT_IS.has(localName) || (INLINE.has(localName) && [...childNodes].every((child) => isInline(child, known)));
  known.set(node, inline);
  return inline;
}

/**
 * A node as text with tags; empty once there are too many of them.
 * @param {ChildNode} node
 * @param {Inline[]} inlines those so far
 * @returns {string}
 */
function tagged(node, inlines) {
  if (node.nodeType === Node.TEXT_NODE) return node.nodeValue ?? '';
  if (inlines.length > MOST_TAGS) return '';
  const id = inlines.length;
  const inline = { node, whole: true };
  inlines.push(inline);
  if (node.nodeType !== Node.ELEMENT_NODE) return opens(id, true) + closes(id);
  const element = /** @type {Element} */ (node);
  const words = () => element.textContent ?? '';
  // The number of a note is no part of its sentence.
  const isNote = /^su[bp]$/.test(element.localName) && !/\p{L}/u.test(words());
  if (isNote || NEVER_READ.has(element.localName)) return opens(id, true) + closes(id);
  if (CODE.has(element.localName) || element.matches(NO_TEXT)) return opens(id, true) + words() + closes(id);
  inline.whole = false;
  return opens(id) + [...element.childNodes].map((child) => tagged(child, inlines)).join('') + closes(id);
}

/**
 * @param {Part[]} parts
 * @param {Inline[]} inlines
 * @returns {(Node | string)[]}
 */
function nodesOf(parts, inlines) {
  return parts.map((part) => {
    if (typeof part === 'string') return part;
    const { node, whole } = inlines[part.id];
    if (!whole) /** @type {Element} */ (node).replaceChildren(...nodesOf(part.parts, inlines));
    return node;
  });
}
