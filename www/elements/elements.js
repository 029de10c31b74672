// The custom elements. Importing this module defines them; on a server it does nothing.

import { TranslucentAttention } from './attention.js';
import { TranslucentBeam } from './beam.js';
import { TranslucentFigure } from './figure.js';
import { TranslucentPositions } from './positions.js';
import { TranslucentTranslate } from './translate.js';

const ELEMENTS = {
  'translucent-translate': TranslucentTranslate,
  'translucent-figure': TranslucentFigure,
  'translucent-attention': TranslucentAttention,
  'translucent-positions': TranslucentPositions,
  'translucent-beam': TranslucentBeam,
};

for (const [name, element] of Object.entries(ELEMENTS)) {
  if (globalThis.customElements && !customElements.get(name)) customElements.define(name, element);
}
