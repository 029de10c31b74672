// The page's worker in a browser that lacks relaxed SIMD: its probe is told so, all else is the same.
import './no-relaxed.js';
import '/engine/worker.js';
