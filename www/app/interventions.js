/** Interventions in words, and what a translation under one is compared with. */

/** @import { State, AttentionKind, HeadRef } from './state.js' */
/** @import { Steered } from './queries.js' */
/** @import * as P from '../engine/protocol' */
import { ATTENTION_NAMES, pieceLabel } from './maps.js';

const CHANGES = { off: 'off', uniform: 'uniform', only: 'the only one', unscaled: 'not scaled' };

/**
 * Whether a change is that of this head.
 * @param {P.HeadChange} change
 * @param {HeadRef} ref
 */
export const changesHead = (change, ref) => change.kind === ref.kind && change.layer === ref.layer && change.head === ref.head;

/** @param {P.HeadChange[]} changes */
export function headChangesText(changes) {
  const first = changes.slice(0, 3).map((c) => `${ATTENTION_NAMES[/** @type {AttentionKind} */ (c.kind)].toLowerCase()} layer ${(c.layer ?? 0) + 1} head ${(c.head ?? 0) + 1} ${CHANGES[c.change]}`);
  return first.join(', ') + (changes.length > 3 ? ` and ${changes.length - 3} more` : '');
}

/** @param {P.Intervention} intervention */
export function interventionText({ heads, neighbourhood, positions }) {
  return [
    heads?.some((c) => c.change === 'unscaled') && 'no division by √d_k in any head',
    headChangesText(heads?.filter((c) => c.change !== 'unscaled') ?? []),
    neighbourhood !== undefined && `self-attention sees only positions within r = ${neighbourhood}`,
    positions === 'zeroed' && 'no positional encoding is added',
    positions === 'shuffled' && 'positional encodings are shuffled',
  ]
    .filter(Boolean)
    .join(', ');
}

/**
 * A translation made otherwise, for the card that compares it with the one on the page.
 * @param {State} state
 * @param {Steered|null} steered
 */
export const comparedOf = ({ model }, steered) =>
  steered && { ...steered, lang: model?.targetLanguage ?? '', continued: steered.from === 'alternatives', labels: steered.comparison?.target.map(pieceLabel) ?? [] };
