// Writes `www/engine/types.d.ts` from the Rust types that cross to JavaScript: their fields, serde attributes and doc
// comments. `node tests/types.mjs` writes it; `tests/unit/types.test.mjs` fails where it is not what the sources say.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FILE = join(ROOT, 'www/engine/types.d.ts');

/**
 * What crosses, by its name in TypeScript (and in Rust, where that is another one; with a folder, where two have the same).
 * `fields`: fields that `src/wasm` adds or that have another type there; null leaves one out. `absent`: what is `None` is
 * left out by `src/wasm`, and not null.
 * @type {Record<string, { rust?: string, fields?: Record<string, string | null>, absent?: boolean }>}
 */
const TYPES = {
  Piece: {},
  SentenceInfo: {},
  EarlyStopping: {},
  Scoring: {},
  Sampling: {},
  SearchOptions: { fields: { alternatives: null } },
  Term: {},
  AttentionKind: {},
  Change: {},
  HeadChange: {},
  PositionChange: {},
  Intervention: {},
  TraceRequest: {},
  Observe: {},
  Trace: { absent: true },
  Alternative: {},
  Cut: {},
  Odds: {},
  Draw: {},
  StepAlternatives: {},
  Observation: { fields: { isFinal: null, final: 'boolean' } },
  PieceScore: {},
  WordScore: {},
  Hypothesis: { rust: 'translator/Hypothesis' },
  NodeState: {},
  BeamNode: {},
  JobEvent: {},
  Unit: {},
  Special: {},
  Fold: {},
  ViewOptions: {},
  SpecialPiece: {},
  AxisItem: {},
  AttentionView: { rust: 'View', absent: true },
  Cell: {},
  ProductStatistics: {},
  Activation: {},
  Compatibility: {},
  PositionScheme: { rust: 'layers/Positions' },
  NormSteps: {},
  FeedForwardSteps: { fields: { active: 'number' } },
  Arithmetic: {
    absent: true,
    fields: {
      normBefore: null,
      normPlace: "'before' | 'after'",
      compatibility: 'Compatibility',
      score: 'number',
      statistics: 'ProductStatistics | null',
    },
  },
  RandomProducts: {},
  Precision: {},
  ModelConfig: { rust: 'ShownConfig' },
  Widths: {},
  ModelSummary: {},
  PositionsLab: {
    rust: 'PositionLab',
    fields: { position: 'number', offset: 'number', learnedProducts: 'Tensor | undefined', angles: 'Float32Array' },
  },
  EmbeddingSteps: { fields: { text: 'string' } },
  LayerType: {},
  ComplexityRow: { rust: 'Complexity' },
  Variable: {},
  Sweep: {},
  ComplexityCurves: { rust: 'Curves', fields: { over: 'Variable', at: 'Float32Array' } },
  Ends: {},
  PathGraph: {},
  Measurement: {},
};

/** What `src/wasm` puts together from several values. */
const COMPOSED = `
/** A contiguous row-major block of f32 with its shape. */
export interface Tensor {
  data: Float32Array;
  shape: number[];
}

/** What happened to a document on its way. */
export type TranslateEvent = Exclude<JobEvent, { kind: 'translated' | 'changed' }>;

/** A whole target under forced decoding. */
export interface Scored {
  /** ln P(target | source): the sum over its pieces. */
  logprob: number;
  /** One entry per target piece. */
  scores: PieceScore[];
  /** One entry per word and special piece. */
  words: WordScore[];
  /** Mean of the pieces' losses. */
  loss: number;
  /** e to the mean of the pieces' −ln P. */
  perplexity: number;
}

/** How a target fares with and without an intervention; all ln P. */
export interface Comparison {
  target: Piece[];
  /** In the model as it is, and of each piece (len_tgt). */
  before: number;
  beforePieces: Float32Array;
  /** Under the intervention. */
  after: number;
  afterPieces: Float32Array;
  /** after − before: negative where the intervention makes the target less likely. */
  change: number;
  /** (len_tgt) */
  changePieces: Float32Array;
}

/** The views of the blocks that were given, under their names. */
export interface TraceView {
  encoderSelf?: AttentionView;
  decoderSelf?: AttentionView;
  cross?: AttentionView;
  encoderSelfNorms?: AttentionView;
  decoderSelfNorms?: AttentionView;
  crossNorms?: AttentionView;
}

/** Positional encodings (§3.5). */
export interface Positions {
  /** Sinusoidal positions in the paper's interleaved order (length, d_model). */
  sinusoidal: Tensor;
  /** Wavelength in positions of each dimension (d_model), 2π … 10000·2π. */
  wavelengths: Float32Array;
  /** The model's own table (length, d_model), where it has learned one. */
  learned?: Tensor;
}
`;

const NUMBERS = new Set(['f32', 'f64', 'usize', 'u32', 'u8', 'i32', 'u64', 'isize', 'NodeId', 'TokenId']);

/** @param {string} name */
const camel = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
/** @param {string} name */
const snake = (name) => name.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase();

/** Every struct and enum of the sources: its file, attributes, doc comment and body. */
function definitions() {
  const found = [];
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.rs'));
  for (const file of files.sort()) {
    const text = readFileSync(join(ROOT, 'src', file), 'utf8');
    const pattern = /((?:^\/\/\/.*\n|^#\[[\s\S]*?\]\n)*)^(?:pub(?:\([a-z]+\))? )?(struct|enum) (\w+)(?:<[^>]*>)? \{\n([\s\S]*?)^\}/gm;
    for (const [, head, what, name, body] of text.matchAll(pattern)) found.push({ file, head, what, name, body });
  }
  return found;
}

/** @typedef {ReturnType<typeof definitions>[number]} Definition */

/**
 * The lines of a doc comment before an item.
 * @param {string} head
 */
function docOf(head) {
  const lines = [...head.matchAll(/^\s*\/\/\/ ?(.*)$/gm)].map(([, line]) => line.replace(/\[(`[^`]+`)\](\([^)]*\))?/g, '$1').replaceAll('*/', '* /'));
  return lines.join('\n').trim();
}

/**
 * @param {string} doc
 * @param {string} indent
 */
function comment(doc, indent) {
  if (!doc) return '';
  const lines = doc.split('\n');
  if (lines.length === 1) return `${indent}/** ${doc} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

/** Members of a body: attributes and docs before each, at one level of indentation. */
function members(/** @type {string} */ body, /** @type {string} */ indent) {
  const found = [];
  let head = '';
  let lines = body.split('\n');
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    if (!line.startsWith(indent) || line.startsWith(`${indent} `)) continue;
    const text = line.slice(indent.length);
    if (text.startsWith('///') || text.startsWith('#[')) head += `${text}\n`;
    else if (/^\/\//.test(text)) continue;
    else {
      let inner = '';
      if (text.endsWith('{')) while (!lines[++i].startsWith(`${indent}}`)) inner += `${lines[i]}\n`;
      found.push({ head, text, inner });
      head = '';
    }
  }
  return found;
}

/**
 * @param {string} rust
 * @param {(name: string) => string} named the TypeScript name of a Rust type
 * @returns {string}
 */
function typeOf(rust, named) {
  const type = rust.trim();
  const generic = /^(Option|Vec|Box|Rc)<(.*)>$/.exec(type);
  if (generic?.[1] === 'Option') return `${typeOf(generic[2], named)} | null`;
  if (generic?.[1] === 'Vec') return listOf(typeOf(generic[2], named));
  if (generic) return typeOf(generic[2], named);
  if (/^Array[1-9D]<f32>$/.test(type)) return 'Tensor';
  const tuple = /^\[(.*); (\d+)\]$/.exec(type);
  if (tuple) return `[${Array(Number(tuple[2])).fill(typeOf(tuple[1], named)).join(', ')}]`;
  const parts = /^\((.*)\)$/.exec(type);
  if (parts) return `[${parts[1].split(',').filter((part) => part.trim()).map((part) => typeOf(part, named)).join(', ')}]`;
  if (NUMBERS.has(type)) return 'number';
  if (type === 'bool') return 'boolean';
  if (['String', '&str', "&'static str"].includes(type)) return 'string';
  return named(type);
}

/** @param {string} type */
const listOf = (type) => (type.includes('|') ? `(${type})[]` : `${type}[]`);

/** The file as the sources say it. */
export function generate() {
  const all = definitions();
  /** @type {(rust: string) => Definition} */
  const find = (rust) => {
    const [folder, name] = rust.includes('/') ? rust.split('/') : ['', rust];
    const found = all.filter((definition) => definition.name === name && definition.file.startsWith(folder) && (folder || /Serialize|Deserialize/.test(definition.head) || !all.some((other) => other !== definition && other.name === name)));
    if (found.length !== 1) throw new Error(`${rust}: ${found.length} such types in src (${found.map(({ file }) => file).join(', ')}); say in tests/types.mjs which one crosses`);
    return found[0];
  };
  const rustNames = new Map(Object.entries(TYPES).map(([name, { rust }]) => [(rust ?? name).split('/').at(-1), name]));
  const named = (/** @type {string} */ rust) => {
    const name = rustNames.get(rust.split('::').at(-1) ?? '') ?? (new RegExp(`export (interface|type) ${rust}\\b`).test(COMPOSED) && rust);
    if (!name) throw new Error(`${rust} crosses as part of another type, and is not listed in tests/types.mjs`);
    return name;
  };

  /** @param {Definition} definition @param {string} [indent] @param {typeof TYPES[string]} [about] @returns {string} */
  const fieldsOf = ({ head, body }, indent = '  ', about = {}) => {
    const optional = /serde\([^\]]*\bdefault\b/.test(head);
    let out = '';
    const others = { ...about.fields };
    for (const member of members(body, '    ')) {
      const [, rustName, rustType] = /^(?:pub(?:\([a-z]+\))? )?(\w+): (.*?),?$/.exec(member.text) ?? [];
      if (!rustName) continue;
      const name = camel(rustName);
      const flat = /serde\(flatten\)/.test(member.head);
      if (flat) {
        out += fieldsOf(find(rustType.trim()), indent);
        continue;
      }
      const replaced = others[name];
      delete others[name];
      if (replaced === null || /serde\(skip\)/.test(member.head)) continue;
      const leftOut = /skip_serializing_if|serde\(default/.test(member.head) || optional || (about.absent && rustType.startsWith('Option<'));
      let type = replaced ?? typeOf(rustType, named);
      if (leftOut && !replaced) type = type.replace(/ \| null$/, '');
      out += `${comment(docOf(member.head), indent)}${indent}${name}${leftOut && !replaced ? '?' : ''}: ${type};\n`;
    }
    for (const [name, type] of Object.entries(others)) {
      if (type === null) continue;
      const left = type.endsWith(' | undefined');
      out += `${indent}${name}${left ? '?' : ''}: ${left ? type.slice(0, -' | undefined'.length) : type};\n`;
    }
    return out;
  };

  let out = '// Written by `node tests/types.mjs` from the Rust types. Part of the engine\'s own `translucent.d.ts`.\n// All lengths are in pieces unless said otherwise; all text offsets are in UTF-16 units of the text as typed,\n// half open `[start, end)`.\n';
  for (const [name, about] of Object.entries(TYPES)) {
    const definition = find(about.rust ?? name);
    const { head, what, body } = definition;
    out += `\n${comment(docOf(head), '')}`;
    if (what === 'struct') {
      out += `export interface ${name} {\n${fieldsOf(definition, '  ', about)}}\n`;
      continue;
    }
    const variantCase = /[( ]rename_all = "camelCase"/.test(head) ? (/** @type {string} */ v) => v[0].toLowerCase() + v.slice(1) : /rename_all = "(snake_case|lowercase)"/.test(head) ? snake : (/** @type {string} */ v) => v;
    const fieldCase = /rename_all_fields = "camelCase"/.test(head) ? camel : (/** @type {string} */ n) => n;
    const tag = /tag = "(\w+)"/.exec(head)?.[1];
    const variants = members(body, '    ').filter(({ text }) => /^[A-Z]/.test(text));
    if (!tag) {
      const words = variants.map(({ head, text }) => `${comment(docOf(head), '  ')}  | '${variantCase(/^\w+/.exec(text)?.[0] ?? '')}'`);
      out += `export type ${name} =\n${words.join('\n')};\n`;
      continue;
    }
    out += `export type ${name} =\n`;
    out += variants
      .map(({ head, text, inner }) => {
        const variant = /^\w+/.exec(text)?.[0] ?? '';
        const wrapped = /^\w+\((\w+)\)/.exec(text)?.[1];
        const fields = wrapped
          ? fieldsOf(find(wrapped), '      ')
          : members(inner, '        ')
              .map((member) => {
                const [, field, type] = /^(\w+): (.*?),?$/.exec(member.text) ?? [];
                return field ? `${comment(docOf(member.head), '      ')}      ${fieldCase(field)}: ${typeOf(type, named)};\n` : '';
              })
              .join('');
        return `${comment(docOf(head), '  ')}  | {\n      ${tag}: '${variantCase(variant)}';\n${fields}    }`;
      })
      .join('\n');
    out += ';\n';
  }
  return out + COMPOSED;
}

/** The file as it is. */
export const committed = () => readFileSync(FILE, 'utf8');

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(FILE, generate());
