/** Where the nodes of a search tree stand: a column for each step, children beside their parents, best first. */

/** @import * as P from '../engine/protocol' */

export const NODE = { width: 116, height: 22, column: 144, row: 27, pad: 8, top: 22 };

/**
 * A node in its place.
 * @typedef {{node: P.BeamNode, x: number, y: number, parent: Placed|null, children: Placed[], alive: boolean}} Placed
 */

/**
 * Places the nodes of the steps up to `last`. A node is alive there if it is in the beam, finished, or has led to such a one.
 * @param {P.BeamNode[]} nodes
 * @param {number} last
 * @returns {{placed: Placed[], width: number, height: number}}
 */
export function placeTree(nodes, last) {
  /** @type {Map<number, Placed>} */
  const byId = new Map();
  /** @type {Placed[][]} */
  const columns = [];
  for (const node of nodes) {
    if (node.step > last) continue;
    const parent = node.parent === null ? null : (byId.get(node.parent) ?? null);
    const place = { node, x: NODE.pad + node.step * NODE.column, y: 0, parent, children: [], alive: false };
    byId.set(node.id, place);
    parent?.children.push(place);
    (columns[node.step] ??= []).push(place);
  }
  let most = 0;
  columns.forEach((column) => {
    column.sort((a, b) => (a.parent?.y ?? 0) - (b.parent?.y ?? 0) || b.node.score - a.node.score);
    column.forEach((place, i) => (place.y = NODE.top + NODE.pad + i * NODE.row));
    most = Math.max(most, column.length);
  });
  for (const place of byId.values()) {
    const { state, step } = place.node;
    if (state === 'finished' || (state === 'open' && step === Math.min(last, columns.length - 1))) {
      for (let at = /** @type {Placed|null} */ (place); at && !at.alive; at = at.parent) at.alive = true;
    }
  }
  return {
    placed: [...byId.values()],
    width: NODE.pad * 2 + Math.max(0, columns.length - 1) * NODE.column + NODE.width,
    height: NODE.top + NODE.pad * 2 + most * NODE.row,
  };
}

/**
 * The ids of a node and its ancestors.
 * @param {P.BeamNode[]} nodes
 * @param {number|null} id
 * @returns {Set<number>}
 */
export function pathTo(nodes, id) {
  const parents = new Map(nodes.map((node) => [node.id, node.parent]));
  const path = new Set();
  for (let at = id; at !== null && at !== undefined; at = parents.get(at) ?? null) path.add(at);
  return path;
}
