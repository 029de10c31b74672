/** The search tree as a picture: a box for every candidate, lines to what it continues; keys walk from box to box. */

/** @import * as P from '../../engine/protocol' */
/** @import { Placed } from '../../draw/beam-tree.js' */
import { pieceLabel } from '../../app/maps.js';
import { el, setText, svg } from '../../ui/dom.js';
import { NODE, placeTree } from '../../draw/beam-tree.js';
import { signed } from '../../ui/numbers.js';
import { dataTable, foldedTable } from '../../ui/table.js';

/** Characters of a piece that a box has room for. */
const ROOM = 8;
const STATES = { open: 'kept', finished: 'finished', pruned: 'dropped' };

export function mountTree() {
  const readout = el('p', { class: 'vector-readout', id: 'tree-readout' });
  const scroll = el('div', { class: 'tree-scroll', id: 'beam-tree', tabindex: '0', role: 'application', 'aria-roledescription': 'search tree', 'aria-label': 'Search tree: arrow keys walk, Enter holds' });
  const spoken = el('p', { class: 'unseen', 'aria-live': 'polite' });
  /** @type {P.BeamNode[]} */
  let nodes = [];
  const folded = foldedTable('as a table', 'Nodes of the search tree', () => nodesTable(nodes), { class: 'table small' });
  const node = el('div', { class: 'tree' }, scroll, el('div', { class: 'vector-foot' }, readout, folded.node), spoken);

  /** @type {Placed[]} */
  let placed = [];
  /** @type {number|null} */
  let held = null;
  /** @type {number|null} */
  let pointed = null;

  const at = (/** @type {number|null} */ id) => placed.find((p) => p.node.id === id) ?? null;
  function mark() {
    const shown = at(pointed) ?? at(held);
    for (const box of scroll.querySelectorAll('.node')) box.classList.toggle('at', Number(/** @type {SVGElement} */ (box).dataset.id) === shown?.node.id);
    setText(readout, shown ? says(shown) : 'dark: in the beam, or on the way to it · grey: dropped · coloured: the best translation');
  }
  const idUnder = (/** @type {Event} */ event) => {
    const box = /** @type {Element} */ (event.target).closest?.('.node');
    return box ? Number(/** @type {SVGElement} */ (box).dataset.id) : null;
  };
  scroll.addEventListener('pointerover', (event) => {
    pointed = idUnder(event);
    mark();
  });
  scroll.addEventListener('pointerleave', () => {
    pointed = null;
    mark();
  });
  scroll.addEventListener('click', (event) => {
    const id = idUnder(event);
    held = id === held ? null : id;
    mark();
  });
  scroll.addEventListener('keydown', (event) => {
    const here = at(pointed) ?? at(held);
    const column = placed.filter((p) => p.node.step === (here?.node.step ?? 0)).sort((a, b) => a.y - b.y);
    const index = here ? column.indexOf(here) : -1;
    const best = here?.children.slice().sort((a, b) => Number(b.alive) - Number(a.alive) || b.node.score - a.node.score)[0];
    /** @type {Record<string, Placed|null|undefined>} */
    const moves = { ArrowRight: here ? best : column[0], ArrowLeft: here?.parent, ArrowDown: column[index + 1], ArrowUp: column[index - 1], Home: placed[0] };
    if (event.key === 'Enter' || event.key === ' ') {
      held = here && held !== here.node.id ? here.node.id : null;
    } else if (event.key === 'Escape' && (held !== null || pointed !== null)) {
      event.stopPropagation();
      held = pointed = null;
    } else if (event.key in moves) {
      const to = moves[event.key];
      if (to) {
        pointed = to.node.id;
        scroll.scrollTo({ left: to.x - scroll.clientWidth / 2 });
        setText(spoken, says(to));
      }
    } else return;
    event.preventDefault();
    mark();
  });

  return {
    node,
    /**
     * @param {P.BeamNode[]} next
     * @param {number} last step that is shown
     * @param {Set<number>} path the best translation
     * @param {string} lang
     */
    show(next, last, path, lang) {
      nodes = next;
      const tree = placeTree(next, last);
      placed = tree.placed;
      const picture = svg('svg', { width: tree.width, height: tree.height, viewBox: `0 0 ${tree.width} ${tree.height}`, lang, 'aria-hidden': 'true' });
      const steps = Math.max(0, ...placed.map((p) => p.node.step + 1));
      for (let step = 0; step < steps; step++) picture.append(svg('text', { class: 'step-number', x: NODE.pad + step * NODE.column + 2, y: 14, text: String(step + 1) }));
      const kind = (/** @type {Placed} */ p) => (path.has(p.node.id) ? 'best' : p.alive ? 'alive' : 'gone');
      // Lines of what is alive lie over those of what is gone.
      const rank = { gone: 0, alive: 1, best: 2 };
      const sorted = placed.slice().sort((a, b) => rank[kind(a)] - rank[kind(b)]);
      for (const p of sorted) if (p.parent) picture.append(edge(p.parent, p, kind(p)));
      for (const p of sorted) picture.append(box(p, kind(p)));
      scroll.replaceChildren(picture);
      if (last < Infinity && placed.length) scroll.scrollLeft = Math.max(0, NODE.pad + (Math.min(last, steps - 1) + 1) * NODE.column - scroll.clientWidth);
      folded.refresh();
      mark();
    },
  };
}

/** @param {Placed} a @param {Placed} b @param {string} kind */
function edge(a, b, kind) {
  const [x0, y0, x1, y1] = [a.x + NODE.width, a.y + NODE.height / 2, b.x, b.y + NODE.height / 2];
  const bend = (x1 - x0) / 2;
  return svg('path', { class: `edge ${kind}`, d: `M${x0} ${y0}C${x0 + bend} ${y0} ${x1 - bend} ${y1} ${x1} ${y1}` });
}

/** @param {Placed} p @param {string} kind */
function box(p, kind) {
  const label = pieceLabel(p.node);
  const short = label.length > ROOM ? `${label.slice(0, ROOM - 1)}…` : label;
  return svg(
    'g',
    { class: `node ${kind} ${p.node.state}`, data: { id: p.node.id } },
    svg('rect', { x: p.x, y: p.y, width: NODE.width, height: NODE.height, rx: p.node.state === 'finished' ? 11 : 4 }),
    svg('text', { x: p.x + 7, y: p.y + 15.5, text: short }),
    svg('text', { class: 'score', x: p.x + NODE.width - 6, y: p.y + 15.5, 'text-anchor': 'end', text: signed(p.node.score) }),
  );
}

/** @param {Placed} p */
function says(p) {
  const before = [];
  for (let at = p.parent; at; at = at.parent) before.unshift(pieceLabel(at.node));
  const after = before.length ? `after “${before.slice(-4).join(' ')}”` : 'first';
  return `step ${p.node.step + 1}: “${pieceLabel(p.node)}” ${after} · ln P ${signed(p.node.logprob, 3)} · score ${signed(p.node.score, 3)} · ${STATES[p.node.state]}`;
}

/** @param {P.BeamNode[]} nodes */
function nodesTable(nodes) {
  const names = new Map(nodes.map((node) => [node.id, pieceLabel(node)]));
  return dataTable(
    ['step', 'piece', 'after', 'ln P', 'score', 'state'],
    nodes.map((node) => [String(node.step + 1), pieceLabel(node), node.parent === null ? '' : names.get(node.parent), signed(node.logprob, 3), signed(node.score, 3), STATES[node.state]]),
  );
}
