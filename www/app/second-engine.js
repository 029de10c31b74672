/** A second engine beside the page's: another worker, with a model of its own. */

import { Translator } from '../engine/translator.js';

export const secondEngine = () => new Translator();
